#include "common.h"
// the sum of each row of pad(x[rows][1016], 4, 4) * y[rows][1024]
KERNEL(256) pad_row_sum(G const float4 *R x, G const float4 *R y, G float *R o) { __local float s[NW];
  float4 w = AT(y, BID * 256u + TID), v = 0; if (TID - 1u < 254u) v = AT(x, BID * 254u + (TID - 1u)); v *= w;
  float r = block_sum(v.x + v.y + (v.z + v.w), s); if (TID == 0) AT(o, BID) = r; }
