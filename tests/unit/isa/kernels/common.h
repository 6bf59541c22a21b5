// Helpers of the test kernels: no device library is linked.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define KERNEL(x, y, z) __attribute__((amdgpu_flat_work_group_size(1, 1024), reqd_work_group_size(x, y, z))) __kernel void
#define GROUP(axis) ((uint)__builtin_amdgcn_workgroup_id_##axis())
#define LOCAL(axis) ((uint)__builtin_amdgcn_workitem_id_##axis())
static inline __attribute__((always_inline)) void wait_for_group(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
