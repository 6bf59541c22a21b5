#include "wide.h"
// x[8][112][112][64] -> o[8][56][56][64], eight channels a lane
KERNEL(256) lane(G const h8 *R x, G h8 *R o) { uint i = GID(256), c = i & 7, p = i >> 3, row = p / 56, column = p % 56;
  uint at = (row * 2 * 112 + column * 2) * 8 + c;
  f8 s = (CONVERT(AT(x, at), f8) + CONVERT(AT(x, at + 8), f8)) + (CONVERT(AT(x, at + 112 * 8), f8) + CONVERT(AT(x, at + 113 * 8), f8));
  AT(o, i) = CONVERT(s * 0.25f, h8); }
// the same, with a workgroup for each row of outputs: 56 * 8 lanes
KERNEL(448) row(G const h8 *R x, G h8 *R o) { uint at = BID * (2 * 112 * 8) + (TID >> 3) * 16 + (TID & 7);
  f8 s = (CONVERT(AT(x, at), f8) + CONVERT(AT(x, at + 8), f8)) + (CONVERT(AT(x, at + 112 * 8), f8) + CONVERT(AT(x, at + 113 * 8), f8));
  AT(o, BID * 448 + TID) = CONVERT(s * 0.25f, h8); }
