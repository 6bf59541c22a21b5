#include "wide.h"
// x[16][21][128][128] over its 21 classes, four or two pixels a lane
KERNEL(256) four(G const f4 *R x, G f4 *R o) { uint i = GID(256), at = (i >> 12) * (21 * 4096) + (i & 4095); f4 v[21], m, s = 0;
  EACH(k, 21) v[k] = AT(x, at + k * 4096);
  m = v[0]; EACH(k, 20) EACH(j, 4) m[j] = MAX_(m[j], v[k + 1][j]);
  m *= LOG2E;
  EACH(k, 21) { v[k] = exp4(v[k] * LOG2E - m); s += v[k]; }
  EACH(j, 4) s[j] = __builtin_amdgcn_rcpf(s[j]);
  EACH(k, 21) AT(o, at + k * 4096) = v[k] * s; }
KERNEL(256) two(G const float2 *R x, G float2 *R o) { uint i = GID(256), at = (i >> 13) * (21 * 8192) + (i & 8191); float2 v[21], m, s = 0;
  EACH(k, 21) v[k] = AT(x, at + k * 8192);
  m = v[0]; EACH(k, 20) { m.x = MAX_(m.x, v[k + 1].x); m.y = MAX_(m.y, v[k + 1].y); }
  m *= LOG2E;
  EACH(k, 21) { v[k] = v[k] * LOG2E - m; v[k].x = exp2_(v[k].x); v[k].y = exp2_(v[k].y); s += v[k]; }
  s.x = __builtin_amdgcn_rcpf(s.x); s.y = __builtin_amdgcn_rcpf(s.y);
  EACH(k, 21) AT(o, at + k * 8192) = v[k] * s; }
