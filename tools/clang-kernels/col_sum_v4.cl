#include "common.h"
// x[4096][1024] f32 -> out[1024]: four columns a lane, 16 rows a workgroup, f32 atomics
KERNEL(256) col_sum_v4(G const float4 *R x, G float *R o) { uint i = BID * 16u * 256u + TID; float4 a = 0;
  #pragma unroll
  for (uint r = 0; r < 16; r++) a += AT(x, i + r * 256u);
  for (int k = 0; k < 4; k++)
    __opencl_atomic_fetch_add((G volatile atomic_float *)(o + TID * 4 + k), a[k], memory_order_relaxed, memory_scope_device); }
