#include "common.h"
// the sum of each row of reverse(x[rows][1024]) + y
KERNEL(256) reverse_row_sum(G const float4 *R x, G const float4 *R y, G float *R o) { __local float s[NW];
  float4 v = AT(x, BID * 256u + 255u - TID).wzyx + AT(y, BID * 256u + TID);
  float r = block_sum(v.x + v.y + (v.z + v.w), s); if (TID == 0) AT(o, BID) = r; }
