#include "wide.h"
// rows of 1024
KERNEL(256) wave(G const h8 *R x, G h8 *R o) { uint at = WAVE_OF(256) * 128 + LANE; f8 v[128 / WAVE]; float m = -INFINITY; f8 e = 0;
  EACH(k, 128 / WAVE) { v[k] = CONVERT(AT(x, at + k * WAVE), f8); m = MAX_(m, max8(v[k])); }
  m = wave_max(m) * LOG2E;
  EACH(k, 128 / WAVE) { v[k] = exp8(v[k] * LOG2E - m); e += v[k]; }
  float r = __builtin_amdgcn_rcpf(wave_sum(sum8(e)));
  EACH(k, 128 / WAVE) AT(o, at + k * WAVE) = CONVERT(v[k] * r, h8); }
KERNEL(128) group(G const h8 *R x, G h8 *R o) { __local float s[4], t[4]; uint i = BID * 128 + TID; f8 v = CONVERT(AT(x, i), f8);
  float m = group_max(max8(v), s, 128 / WAVE) * LOG2E; v = exp8(v * LOG2E - m);
  AT(o, i) = CONVERT(v * __builtin_amdgcn_rcpf(group_sum(sum8(v), t, 128 / WAVE)), h8); }
// the maximum of halves two at a time
KERNEL(256) packed(G const h8 *R x, G h8 *R o) { uint at = WAVE_OF(256) * 128 + LANE; h8 h[128 / WAVE]; f8 v[128 / WAVE]; f8 e = 0;
  EACH(k, 128 / WAVE) h[k] = AT(x, at + k * WAVE);
  h8 a = h[0]; for (uint k = 1; k < 128 / WAVE; k++) a = __builtin_elementwise_max(a, h[k]);
  h4 b = __builtin_elementwise_max(a.lo, a.hi); h2 c = __builtin_elementwise_max(b.lo, b.hi);
  float m = wave_max(MAX_((float)c.x, (float)c.y)) * LOG2E;
  EACH(k, 128 / WAVE) { v[k] = exp8(CONVERT(h[k], f8) * LOG2E - m); e += v[k]; }
  float r = __builtin_amdgcn_rcpf(wave_sum(sum8(e)));
  EACH(k, 128 / WAVE) AT(o, at + k * WAVE) = CONVERT(v[k] * r, h8); }
