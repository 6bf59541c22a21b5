#include "common.h"
// x[rows][1024]: one workgroup a row, four elements a lane
KERNEL(256) log_softmax(G const float4 *R x, G float4 *R o) { __local float s[NW], s2[NW]; uint i = BID * 256u + TID; float4 v = AT(x, i);
  float m = block_max(MAX_(MAX_(v.x, v.y), MAX_(v.z, v.w)), s);
  v -= m; float4 e = v * 1.4426950408889634f;
  for (int k = 0; k < 4; k++) e[k] = __builtin_amdgcn_exp2f(e[k]);
  float l = __builtin_amdgcn_logf(block_sum(e.x + e.y + (e.z + e.w), s2)) * 0.6931471805599453f; AT(o, i) = v - l; }
