#pragma once
// What the OpenCL kernels of this folder share: no device library is linked.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define KERNEL __attribute__((amdgpu_flat_work_group_size(1, 1024))) __kernel void
#define IN(type) __global const type *restrict
#define OUT(type) __global type *
#define LOCAL ((uint)__builtin_amdgcn_workitem_id_x())
#define LOCAL_Y ((uint)__builtin_amdgcn_workitem_id_y())
#define LOCAL_Z ((uint)__builtin_amdgcn_workitem_id_z())
#define GROUP ((uint)__builtin_amdgcn_workgroup_id_x())
#define GROUP_Y ((uint)__builtin_amdgcn_workgroup_id_y())
#define GROUP_Z ((uint)__builtin_amdgcn_workgroup_id_z())
#define GROUP_SIZE ((uint)__builtin_amdgcn_workgroup_size_x())
#define INDEX (GROUP * GROUP_SIZE + LOCAL)
#define LANE __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))
#define MIN(x, y) __builtin_elementwise_min(x, y)
#define MAX(x, y) __builtin_elementwise_max(x, y)
#define BARRIER                                            \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                          \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#if WAVE == 64
#define BALLOT(x) __builtin_amdgcn_ballot_w64(x)
#else
#define BALLOT(x) ((ulong)__builtin_amdgcn_ballot_w32(x))
#endif
#define RELAXED memory_order_relaxed
#define DEVICE memory_scope_device
#define WORKGROUP memory_scope_work_group
