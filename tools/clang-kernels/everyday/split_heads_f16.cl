#include "wide.h"
// x[4][512][16][128] -> o[4][16][512][128]
KERNEL(256) lane(G const h8 *R x, G h8 *R o) { uint i = GID(256), d = i & 15, s = (i >> 4) & 511, h = (i >> 13) & 15, b = i >> 17;
  AT(o, i) = AT(x, ((b * 512 + s) * 16 + h) * 16 + d); }
KERNEL(256) four(G const h8 *R x, G h8 *R o) { uint d = TID & 15, s = TID >> 4, t = BID & 7, h = (BID >> 3) & 15, b = BID >> 7;
  EACH(k, 4) AT(o, ((b * 16 + h) * 512 + t * 64 + k * 16 + s) * 16 + d) = AT(x, ((b * 512 + t * 64 + k * 16 + s) * 16 + h) * 16 + d); }
// a token's heads in a workgroup, which reads 4 KB in order
KERNEL(256) token(G const h8 *R x, G h8 *R o) { uint s = BID & 511, b = BID >> 9;
  AT(o, ((b * 16 + (TID >> 4)) * 512 + s) * 16 + (TID & 15)) = AT(x, BID * 256 + TID); }
