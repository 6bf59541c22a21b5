#include "wide.h"
// x[65536][16]
KERNEL(256) lane(G const f4 *R x, G f4 *R o) { uint i = GID(256) * 4; f4 v[4]; float m = -INFINITY; f4 e = 0;
  EACH(k, 4) { v[k] = AT(x, i + k); m = MAX_(m, max4(v[k])); }
  m *= LOG2E;
  EACH(k, 4) { v[k] = exp4(v[k] * LOG2E - m); e += v[k]; }
  float r = __builtin_amdgcn_rcpf(sum4(e));
  EACH(k, 4) AT(o, i + k) = v[k] * r; }
// four lanes for each row
KERNEL(256) four(G const f4 *R x, G f4 *R o) { uint i = GID(256); f4 v = AT(x, i); float m = max4(v);
  m = MAX_(m, DPPF(m, 0xB1)); m = MAX_(m, DPPF(m, 0x4E)); m *= LOG2E;
  v = exp4(v * LOG2E - m); float s = sum4(v); s += DPPF(s, 0xB1); s += DPPF(s, 0x4E);
  AT(o, i) = v * __builtin_amdgcn_rcpf(s); }
