#include "common.h"
// x[rows][1024] -> mean and variance of each row
KERNEL(256) row_mean_variance(G const float4 *R x, G float *R m, G float *R q) { __local float s[NW], s2[NW]; float4 v = AT(x, BID * 256u + TID);
  float mean = block_sum(v.x + v.y + (v.z + v.w), s) * (1.0f / 1024);
  v -= mean; float4 d = v * v;
  float var = block_sum(d.x + d.y + (d.z + d.w), s2) * (1.0f / 1024);
  if (TID == 0) { AT(m, BID) = mean; AT(q, BID) = var; } }
