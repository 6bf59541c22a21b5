#include "common.h"
#define RELAXED __ATOMIC_RELAXED
#define DEVICE __OPENCL_MEMORY_SCOPE_DEVICE
#define ANYWHERE(type, p) ((__global volatile atomic_##type *)(p))
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// Every operation on 32 bits: bits, extremes, exchange, counting up and down, with and without the old value.
KERNEL(64, 1, 1) memory_atomics(IN(int) a, __global int *cells, OUT(int) old) {
  uint i = INDEX;
  int x = a[i];
  __opencl_atomic_fetch_add(ANYWHERE(int, cells), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_sub(ANYWHERE(int, cells + 1), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_and(ANYWHERE(int, cells + 2), x | 0xff, RELAXED, DEVICE);
  __opencl_atomic_fetch_or(ANYWHERE(int, cells + 3), x & 0x0f0f, RELAXED, DEVICE);
  __opencl_atomic_fetch_xor(ANYWHERE(int, cells + 4), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(ANYWHERE(int, cells + 5), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(ANYWHERE(int, cells + 6), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(ANYWHERE(uint, cells + 7), (uint)x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(ANYWHERE(uint, cells + 8), (uint)x, RELAXED, DEVICE);
  __builtin_amdgcn_atomic_inc32((__global uint *)cells + 9, 100u, RELAXED, "agent");
  __builtin_amdgcn_atomic_dec32((__global uint *)cells + 10, 50u, RELAXED, "agent");
  __global int *own = cells + 16 + 4 * i;
  __global int *row = old + 4 * i;
  row[0] = __opencl_atomic_exchange(ANYWHERE(int, own), x, RELAXED, DEVICE);
  row[1] = __opencl_atomic_fetch_max(ANYWHERE(int, own + 1), x, RELAXED, DEVICE);
  int wanted = x & 1 ? 7 : 8; // the cell holds 7
  row[2] = __opencl_atomic_compare_exchange_strong(ANYWHERE(int, own + 2), &wanted, x, RELAXED, RELAXED, DEVICE) + wanted * 2;
  row[3] = __opencl_atomic_fetch_xor(ANYWHERE(int, own + 3), x, RELAXED, DEVICE);
}

KERNEL(64, 1, 1) long_atomics(IN(long) a, __global long *cells, OUT(long) old) {
  uint i = INDEX;
  long x = a[i];
  __opencl_atomic_fetch_add(ANYWHERE(long, cells), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_sub(ANYWHERE(long, cells + 1), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_and(ANYWHERE(long, cells + 2), x | 0xff, RELAXED, DEVICE);
  __opencl_atomic_fetch_or(ANYWHERE(long, cells + 3), x & 0x0f0f0f0f0f0f, RELAXED, DEVICE);
  __opencl_atomic_fetch_xor(ANYWHERE(long, cells + 4), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(ANYWHERE(long, cells + 5), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(ANYWHERE(long, cells + 6), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(ANYWHERE(ulong, cells + 7), (ulong)x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(ANYWHERE(ulong, cells + 8), (ulong)x, RELAXED, DEVICE);
  __builtin_amdgcn_atomic_inc64((__global ulong *)cells + 9, 100ul, RELAXED, "agent");
  __builtin_amdgcn_atomic_dec64((__global ulong *)cells + 10, 50ul, RELAXED, "agent");
  __global long *own = cells + 16 + 4 * i;
  __global long *row = old + 4 * i;
  row[0] = __opencl_atomic_exchange(ANYWHERE(long, own), x, RELAXED, DEVICE);
  row[1] = __opencl_atomic_fetch_max(ANYWHERE(long, own + 1), x, RELAXED, DEVICE);
  long wanted = x & 1 ? 7 : 8;
  row[2] = __opencl_atomic_compare_exchange_strong(ANYWHERE(long, own + 2), &wanted, x, RELAXED, RELAXED, DEVICE) + wanted * 2;
  row[3] = __opencl_atomic_fetch_xor(ANYWHERE(long, own + 3), x, RELAXED, DEVICE);
}

// In LDS, of 32 and 64 bits.
KERNEL(64, 1, 1) lds_atomics(IN(int) a, OUT(int) out, OUT(ulong) wide, OUT(int) old) {
  __local int cells[8];
  __local ulong longs[4];
  __local int own[64];
  uint lane = LOCAL(x), i = INDEX;
  int x = a[i];
  if (lane < 8) cells[lane] = lane == 2 ? -1 : 0;
  if (lane < 4) longs[lane] = lane;
  own[lane] = x >> 1;
  wait_for_group();
  __atomic_fetch_add(&cells[0], x, RELAXED);
  __opencl_atomic_fetch_max((__local atomic_int *)&cells[1], x, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
  __atomic_fetch_and(&cells[2], x | 0xf0, RELAXED);
  __opencl_atomic_fetch_min((__local atomic_int *)&cells[3], x, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
  __atomic_fetch_or(&cells[4], x & 0x33, RELAXED);
  __atomic_fetch_xor(&cells[5], x, RELAXED);
  int seen = 0, next;
  do {
    next = seen + (x & 3) + 1;
  } while (!__atomic_compare_exchange_n(&cells[6], &seen, next, 0, RELAXED, RELAXED));
  __builtin_amdgcn_atomic_inc32((__local uint *)&cells[7], 40u, RELAXED, "workgroup");
  __atomic_fetch_add(&longs[0], (ulong)x << 20, RELAXED);
  __atomic_fetch_xor(&longs[1], (ulong)x * 0x100000001ul, RELAXED);
  __opencl_atomic_fetch_max((__local atomic_ulong *)&longs[2], (ulong)(uint)x << 16, RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
  ulong expected = 3;
  __atomic_compare_exchange_n(&longs[3], &expected, 0x123456789abul, 0, RELAXED, RELAXED);
  old[2 * i] = __atomic_exchange_n(&own[lane], x, RELAXED);
  old[2 * i + 1] = __atomic_fetch_add(&own[lane], 3, RELAXED);
  wait_for_group();
  if (lane < 8) out[GROUP(x) * 8 + lane] = cells[lane];
  if (lane < 4) wide[GROUP(x) * 4 + lane] = longs[lane];
}

// Floats: f32 everywhere, f64 and packed f16 where a target has them; whole numbers, so that no order counts.
KERNEL(64, 1, 1) float_atomics(IN(float) a, __global float *sums, __global double *wide, __global half *pairs, OUT(float) old, OUT(float) shared_sums) {
  typedef half pair __attribute__((ext_vector_type(2)));
  __local float shared[2];
  uint lane = LOCAL(x), i = INDEX;
  float x = a[i];
  if (lane < 2) shared[lane] = 0;
  wait_for_group();
  __builtin_amdgcn_global_atomic_fadd_f32(sums, x);
  old[i] = __builtin_amdgcn_global_atomic_fadd_f32(sums + 1 + i, x);
  __builtin_amdgcn_ds_faddf(&shared[0], x, 0, 0, false);
  __builtin_amdgcn_ds_fmaxf(&shared[1], x, 0, 0, false);
#ifdef __GFX9__
  __builtin_amdgcn_global_atomic_fadd_f64(wide, (double)x);
  __builtin_amdgcn_global_atomic_fmax_f64(wide + 1, (double)x);
  __builtin_amdgcn_global_atomic_fmin_f64(wide + 2, (double)x);
#endif
#ifndef __GFX11__
  __builtin_amdgcn_global_atomic_fadd_v2f16((__global pair *)pairs, (pair)((half)x, (half)1));
#endif
  wait_for_group();
  if (lane < 2) shared_sums[2 * GROUP(x) + lane] = shared[lane];
}
