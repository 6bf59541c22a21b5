#include "wide.h"
// rows of 1024 with weights and biases
KERNEL(256) wave(G const h8 *R x, G const h8 *R w, G const h8 *R b, G h8 *R o) { uint at = WAVE_OF(256) * 128 + LANE; f8 v[128 / WAVE]; f8 a = 0, q = 0;
  EACH(k, 128 / WAVE) { v[k] = CONVERT(AT(x, at + k * WAVE), f8); a += v[k]; }
  float mean = wave_sum(sum8(a)) * (1.0f / 1024);
  EACH(k, 128 / WAVE) { v[k] -= mean; q += v[k] * v[k]; }
  float r = __builtin_amdgcn_rsqf(wave_sum(sum8(q)) * (1.0f / 1024) + 1e-5f);
  EACH(k, 128 / WAVE) AT(o, at + k * WAVE) = CONVERT(v[k] * r * CONVERT(AT(w, LANE + k * WAVE), f8) + CONVERT(AT(b, LANE + k * WAVE), f8), h8); }
KERNEL(128) group(G const h8 *R x, G const h8 *R w, G const h8 *R b, G h8 *R o) { __local float s[4], t[4]; uint i = BID * 128 + TID; f8 v = CONVERT(AT(x, i), f8);
  v -= group_sum(sum8(v), s, 128 / WAVE) * (1.0f / 1024); f8 q = v * v;
  float r = __builtin_amdgcn_rsqf(group_sum(sum8(q), t, 128 / WAVE) * (1.0f / 1024) + 1e-5f);
  AT(o, i) = CONVERT(v * r * CONVERT(AT(w, TID), f8) + CONVERT(AT(b, TID), f8), h8); }
// the sum of squares beside the sum, in one reduction's latency
KERNEL(256) wave2(G const h8 *R x, G const h8 *R w, G const h8 *R b, G h8 *R o) { uint at = WAVE_OF(256) * 256 + LANE; f8 u[128 / WAVE], c[128 / WAVE];
  EACH(k, 128 / WAVE) { u[k] = CONVERT(AT(w, LANE + k * WAVE), f8); c[k] = CONVERT(AT(b, LANE + k * WAVE), f8); }
  EACH(row, 2) { f8 v[128 / WAVE]; f8 a = 0, q = 0;
    EACH(k, 128 / WAVE) { v[k] = CONVERT(AT(x, at + row * 128 + k * WAVE), f8); a += v[k]; }
    float mean = wave_sum(sum8(a)) * (1.0f / 1024);
    EACH(k, 128 / WAVE) { v[k] -= mean; q += v[k] * v[k]; }
    float r = __builtin_amdgcn_rsqf(wave_sum(sum8(q)) * (1.0f / 1024) + 1e-5f);
    EACH(k, 128 / WAVE) AT(o, at + row * 128 + k * WAVE) = CONVERT(v[k] * r * u[k] + c[k], h8); } }
