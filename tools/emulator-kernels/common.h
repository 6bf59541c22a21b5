#define WORKGROUP_X __builtin_amdgcn_workgroup_id_x()
#define WORKGROUP_Y __builtin_amdgcn_workgroup_id_y()
#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define BARRIER                                               \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");      \
  __builtin_amdgcn_s_barrier();                               \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
