#include "wide.h"
// rows of 1024 to i8, and the scale of a row: the greatest magnitude over 127
INLINE h8 magnitude(h8 v) { return __builtin_elementwise_abs(v); }
INLINE float max_of(h8 a) { h4 b = __builtin_elementwise_max(a.lo, a.hi); h2 c = __builtin_elementwise_max(b.lo, b.hi); return MAX_((float)c.x, (float)c.y); }
INLINE c8 rounded(h8 v, float r) { f8 f = CONVERT(v, f8) * r; c8 q; EACH(j, 8) q[j] = (char)(int)__builtin_rintf(f[j]); return q; }
KERNEL(256) wave(G const h16 *R x, G c16 *R q, G float *R scale) { uint row = WAVE_OF(256), at = row * 64 + LANE; h16 v[64 / WAVE]; h8 a = 0;
  EACH(k, 64 / WAVE) { v[k] = AT(x, at + k * WAVE); a = __builtin_elementwise_max(a, __builtin_elementwise_max(magnitude(v[k].lo), magnitude(v[k].hi))); }
  float s = wave_max(max_of(a)) * (1.0f / 127), r = __builtin_amdgcn_rcpf(s);
  EACH(k, 64 / WAVE) AT(q, at + k * WAVE) = (c16)(rounded(v[k].lo, r), rounded(v[k].hi, r));
  if (LANE == 0) AT(scale, row) = s; }
KERNEL(128) group(G const h8 *R x, G c8 *R q, G float *R scale) { __local float t[4]; uint i = BID * 128 + TID; h8 v = AT(x, i);
  float s = group_max(max_of(magnitude(v)), t, 128 / WAVE) * (1.0f / 127), r = __builtin_amdgcn_rcpf(s);
  AT(q, i) = rounded(v, r); if (TID == 0) AT(scale, BID) = s; }
