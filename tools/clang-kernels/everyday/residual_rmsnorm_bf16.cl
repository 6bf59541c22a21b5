#include "wide.h"
// h = x + y, and the norm of h: two results of rows of 1024
KERNEL(256) wave(G const b8 *R x, G const b8 *R y, G const b8 *R w, G b8 *R h, G b8 *R o) { uint at = WAVE_OF(256) * 128 + LANE; f8 v[128 / WAVE]; f8 q = 0;
  EACH(k, 128 / WAVE) { v[k] = CONVERT(AT(x, at + k * WAVE), f8) + CONVERT(AT(y, at + k * WAVE), f8); AT(h, at + k * WAVE) = CONVERT(v[k], b8); q += v[k] * v[k]; }
  float r = __builtin_amdgcn_rsqf(wave_sum(sum8(q)) * (1.0f / 1024) + 1e-5f);
  EACH(k, 128 / WAVE) AT(o, at + k * WAVE) = CONVERT(v[k] * r * CONVERT(AT(w, LANE + k * WAVE), f8), b8); }
KERNEL(128) group(G const b8 *R x, G const b8 *R y, G const b8 *R w, G b8 *R h, G b8 *R o) { __local float s[4]; uint i = BID * 128 + TID;
  f8 v = CONVERT(AT(x, i), f8) + CONVERT(AT(y, i), f8), q = v * v; AT(h, i) = CONVERT(v, b8);
  float r = __builtin_amdgcn_rsqf(group_sum(sum8(q), s, 128 / WAVE) * (1.0f / 1024) + 1e-5f);
  AT(o, i) = CONVERT(v * r * CONVERT(AT(w, TID), f8), b8); }
