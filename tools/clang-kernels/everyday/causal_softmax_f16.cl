#include "wide.h"
// x[8][1024][1024]: row q of a head has the keys up to q; the others are -infinity, and 0 afterwards
KERNEL(256) wave(G const h8 *R x, G h8 *R o) { uint row = WAVE_OF(256), at = row * 128 + LANE; int q = row & 1023; f8 v[128 / WAVE]; float m = -INFINITY; f8 e = 0;
  EACH(k, 128 / WAVE) { v[k] = CONVERT(AT(x, at + k * WAVE), f8); int first = (int)((k * WAVE + LANE) * 8);
    EACH(j, 8) v[k][j] = first + (int)j <= q ? v[k][j] : -INFINITY; m = MAX_(m, max8(v[k])); }
  m = wave_max(m) * LOG2E;
  EACH(k, 128 / WAVE) { v[k] = exp8(v[k] * LOG2E - m); e += v[k]; }
  float r = __builtin_amdgcn_rcpf(wave_sum(sum8(e)));
  EACH(k, 128 / WAVE) AT(o, at + k * WAVE) = CONVERT(v[k] * r, h8); }
KERNEL(128) group(G const h8 *R x, G h8 *R o) { __local float s[4], t[4]; uint i = BID * 128 + TID; int d = (int)(BID & 1023) - (int)TID * 8; f8 v = CONVERT(AT(x, i), f8);
  EACH(j, 8) v[j] = (int)j <= d ? v[j] : -INFINITY;
  float m = group_max(max8(v), s, 128 / WAVE) * LOG2E; v = exp8(v * LOG2E - m);
  AT(o, i) = CONVERT(v * __builtin_amdgcn_rcpf(group_sum(sum8(v), t, 128 / WAVE)), h8); }
