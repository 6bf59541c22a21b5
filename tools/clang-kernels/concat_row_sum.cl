#include "common.h"
// the sum of each row of concat(a[rows][512], b[rows][512]) along the row
KERNEL(256) concat_row_sum(G const float4 *R a, G const float4 *R b, G float *R o) { __local float s[NW];
  G const float4 *p = TID < 128u ? a + (BID * 128u + TID) : b + (BID * 128u + (TID - 128u)); float4 v = *p;
  float r = block_sum(v.x + v.y + (v.z + v.w), s); if (TID == 0) AT(o, BID) = r; }
