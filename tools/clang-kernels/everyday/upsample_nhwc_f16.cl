#include "wide.h"
// x[16][28][28][64] -> o[16][56][56][64], each pixel four times
KERNEL(256) four(G const h8 *R x, G h8 *R o) { uint i = GID(256), c = i & 7, p = i >> 3, row = p / 28, column = p % 28, at = (row * 112 + column * 2) * 8 + c; h8 v = AT(x, i);
  AT(o, at) = v; AT(o, at + 8) = v; AT(o, at + 448) = v; AT(o, at + 456) = v; }
KERNEL(256) lane(G const h8 *R x, G h8 *R o) { uint i = GID(256), c = i & 7, p = i >> 3, row = p / 56, column = p % 56;
  AT(o, i) = AT(x, ((row >> 1) * 28 + (column >> 1)) * 8 + c); }
