#include "wide.h"
// rows of 4096 of f32
#define BODY(lanes, n) __local float s[16], t[16]; f4 v[n]; f4 a = 0, q = 0; uint at = BID * 1024 + TID; \
  EACH(k, n) { v[k] = AT(x, at + k * lanes); a += v[k]; } \
  float mean = group_sum(sum4(a), s, lanes / WAVE) * (1.0f / 4096); \
  EACH(k, n) { v[k] -= mean; q += v[k] * v[k]; } \
  float r = __builtin_amdgcn_rsqf(group_sum(sum4(q), t, lanes / WAVE) * (1.0f / 4096) + 1e-5f); \
  EACH(k, n) AT(o, at + k * lanes) = v[k] * r * AT(w, TID + k * lanes) + AT(b, TID + k * lanes);
KERNEL(256) group(G const f4 *R x, G const f4 *R w, G const f4 *R b, G f4 *R o) { BODY(256, 4) }
KERNEL(128) small(G const f4 *R x, G const f4 *R w, G const f4 *R b, G f4 *R o) { BODY(128, 8) }
KERNEL(512) large(G const f4 *R x, G const f4 *R w, G const f4 *R b, G f4 *R o) { BODY(512, 2) }
KERNEL(64) wave(G const f4 *R x, G const f4 *R w, G const f4 *R b, G f4 *R o) { BODY(64, 16) }
