#pragma once
// The OpenCL C functions for a work-item's position, from compiler builtins: no device library is needed, and none is
// called. A barrier is a release, the barrier and an acquire of the workgroup, as in the device library.
#define PLACE(axis, x, y, z) ((axis) == 0 ? x() : (axis) == 1 ? y() : z())
#define get_local_id(axis) ((uint)PLACE(axis, __builtin_amdgcn_workitem_id_x, __builtin_amdgcn_workitem_id_y, __builtin_amdgcn_workitem_id_z))
#define get_group_id(axis) ((uint)PLACE(axis, __builtin_amdgcn_workgroup_id_x, __builtin_amdgcn_workgroup_id_y, __builtin_amdgcn_workgroup_id_z))
#define get_local_size(axis) ((uint)PLACE(axis, __builtin_amdgcn_workgroup_size_x, __builtin_amdgcn_workgroup_size_y, __builtin_amdgcn_workgroup_size_z))
#define get_num_groups(axis) (((__constant uint *)__builtin_amdgcn_implicitarg_ptr())[axis])
#define get_global_size(axis) (get_local_size(axis) * get_num_groups(axis))
#define get_global_id(axis) (get_group_id(axis) * get_local_size(axis) + get_local_id(axis))
#define barrier(flags) do { \
  if ((flags) & CLK_GLOBAL_MEM_FENCE) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  else __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local"); \
  __builtin_amdgcn_s_barrier(); \
  if ((flags) & CLK_GLOBAL_MEM_FENCE) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  else __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local"); } while (0)
