#include "wide.h"
// x[8][32][56][56] -> o[8][32][64][64]: 4 zeros on each side
KERNEL(256) lane(G const f4 *R x, G f4 *R o) { uint i = GID(256), q = (i & 15) - 1, r = ((i >> 4) & 63) - 4, plane = i >> 10; f4 v = 0;
  if (q < 14 && r < 56) v = AT(x, (plane * 56 + r) * 14 + q); AT(o, i) = v; }
KERNEL(256) plane(G const f4 *R x, G f4 *R o) { uint q = (TID & 15) - 1, row = TID >> 4;
  EACH(k, 4) { uint r = row + k * 16 - 4; f4 v = 0; if (q < 14 && r < 56) v = AT(x, (BID * 56 + r) * 14 + q); AT(o, BID * 1024 + k * 256 + TID) = v; } }
