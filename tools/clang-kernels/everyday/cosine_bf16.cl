#include "wide.h"
// a, b[4096][1024] -> a row's product over its lengths, f32
KERNEL(256) wave(G const b8 *R a, G const b8 *R b, G float *R o) { uint row = WAVE_OF(256), at = row * 128 + LANE; f8 p = 0, q = 0, r = 0;
  EACH(k, 128 / WAVE) { f8 u = CONVERT(AT(a, at + k * WAVE), f8), v = CONVERT(AT(b, at + k * WAVE), f8); p += u * v; q += u * u; r += v * v; }
  float d = wave_sum(sum8(p)), e = wave_sum(sum8(q)) * wave_sum(sum8(r)); if (LANE == 0) AT(o, row) = d * __builtin_amdgcn_rsqf(e); }
KERNEL(128) group(G const b8 *R a, G const b8 *R b, G float *R o) { __local float s[4], t[4], w[4]; uint i = BID * 128 + TID;
  f8 u = CONVERT(AT(a, i), f8), v = CONVERT(AT(b, i), f8);
  float p = group_sum(sum8(u * v), s, 128 / WAVE), q = group_sum(sum8(u * u), t, 128 / WAVE), r = group_sum(sum8(v * v), w, 128 / WAVE);
  if (TID == 0) AT(o, BID) = p * __builtin_amdgcn_rsqf(q * r); }
