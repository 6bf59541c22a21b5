#pragma once
// Helpers of the test kernels: no device library is linked.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(x, y, z) __attribute__((amdgpu_flat_work_group_size(1, 1024), reqd_work_group_size(x, y, z))) __kernel void
#define GROUP(axis) ((uint)__builtin_amdgcn_workgroup_id_##axis())
#define LOCAL(axis) ((uint)__builtin_amdgcn_workitem_id_##axis())
static inline __attribute__((always_inline)) void wait_for_group(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define INDEX (GROUP(x) * 64 + LOCAL(x)) // in a workgroup of 64
#define LANE __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))
#define IN(type) __global const type *restrict
#define OUT(type) __global type *restrict
#if WAVE == 64
#define BALLOT(x) __builtin_amdgcn_ballot_w64(x)
#else
#define BALLOT(x) ((ulong)__builtin_amdgcn_ballot_w32(x))
#endif
#define MIN(x, y) __builtin_elementwise_min(x, y)
#define MAX(x, y) __builtin_elementwise_max(x, y)
