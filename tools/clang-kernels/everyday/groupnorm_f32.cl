#include "wide.h"
// x[16][128][32][32] in 32 groups of four channels, 256 vectors to each
KERNEL(256) group(G const f4 *R x, G const float *R w, G const float *R b, G f4 *R o) { __local float s[16], t[16]; f4 v[4]; f4 a = 0, q = 0; uint at = BID * 1024 + TID, c = (BID & 31) * 4;
  EACH(k, 4) { v[k] = AT(x, at + k * 256); a += v[k]; }
  float mean = group_sum(sum4(a), s, NW) * (1.0f / 4096);
  EACH(k, 4) { v[k] -= mean; q += v[k] * v[k]; }
  float r = __builtin_amdgcn_rsqf(group_sum(sum4(q), t, NW) * (1.0f / 4096) + 1e-5f);
  EACH(k, 4) AT(o, at + k * 256) = v[k] * (r * w[c + k]) + b[c + k]; }
// a wave for each group, so that nothing goes through LDS
KERNEL(64) wave(G const f4 *R x, G const float *R w, G const float *R b, G f4 *R o) { __local float s[4], t[4]; f4 v[16]; f4 a = 0, q = 0; uint at = BID * 1024 + TID, c = (BID & 31) * 4;
  EACH(k, 16) { v[k] = AT(x, at + k * 64); a += v[k]; }
  float mean = group_sum(sum4(a), s, 64 / WAVE) * (1.0f / 4096);
  EACH(k, 16) { v[k] -= mean; q += v[k] * v[k]; }
  float r = __builtin_amdgcn_rsqf(group_sum(sum4(q), t, 64 / WAVE) * (1.0f / 4096) + 1e-5f);
  EACH(k, 16) AT(o, at + k * 64) = v[k] * (r * w[c + k / 4]) + b[c + k / 4]; }
