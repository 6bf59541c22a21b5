#include "common.h"
// A histogram in LDS and in memory, a ticket per work-item, a maximum, a compare-and-swap sum, float addition.
KERNEL(256, 1, 1) atomics(__global const uint *in, __global uint *histogram, __global uint *tickets, __global int *extreme, __global uint *product,
                          __global float *total) {
  __local uint bins[16];
  uint lane = LOCAL(x), i = GROUP(x) * 256 + lane;
  if (lane < 16) bins[lane] = 0;
  wait_for_group();
  uint value = in[i];
  __atomic_fetch_add(&bins[value & 15], 1u, __ATOMIC_RELAXED);
  tickets[i] = __atomic_fetch_add(&histogram[16], 1u, __ATOMIC_RELAXED);
  __opencl_atomic_fetch_max((__global atomic_int *)extreme, (int)(value * 2654435761u), __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  uint seen = *(volatile __global uint *)product, next;
  do {
    next = seen * (value | 1);
  } while (!__atomic_compare_exchange_n(product, &seen, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __builtin_amdgcn_global_atomic_fadd_f32(total, (float)(value & 3));
  wait_for_group();
  if (lane < 16) __atomic_fetch_add(&histogram[lane], bins[lane], __ATOMIC_RELAXED);
}
