#include "wide.h"
// x[2048][2048] + b[2048], gelu by tanh
KERNEL(256) lane(G const h8 *R x, G const h8 *R b, G h8 *R o) { uint i = GID(256);
  AT(o, i) = CONVERT(gelu8(CONVERT(AT(x, i), f8) + CONVERT(AT(b, i & 255), f8)), h8); }
KERNEL(256) rows2(G const h8 *R x, G const h8 *R b, G h8 *R o) { uint i = BID * 512 + TID; f8 c = CONVERT(AT(b, TID), f8);
  EACH(k, 2) AT(o, i + k * 256) = CONVERT(gelu8(CONVERT(AT(x, i + k * 256), f8) + c), h8); }
