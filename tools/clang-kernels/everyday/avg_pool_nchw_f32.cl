#include "wide.h"
// x[8][64][112][112] -> o[8][64][56][56], four outputs a lane
KERNEL(256) four(G const f4 *R x, G f4 *R o) { uint i = GID(256), row = i / 14, q = i % 14, at = row * 56 + q * 2;
  f4 a = AT(x, at) + AT(x, at + 28), b = AT(x, at + 1) + AT(x, at + 29);
  AT(o, i) = (f4)(a.x + a.y, a.z + a.w, b.x + b.y, b.z + b.w) * 0.25f; }
// two outputs a lane
KERNEL(256) two(G const f4 *R x, G float2 *R o) { uint i = GID(256), row = i / 28, q = i % 28, at = row * 56 + q;
  f4 a = AT(x, at) + AT(x, at + 28);
  AT(o, i) = (float2)(a.x + a.y, a.z + a.w) * 0.25f; }
