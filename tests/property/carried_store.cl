// A loop that begins with a barrier and ends in a store to LDS: LLVM 22.1 loses the wait at the barrier.
#define BARRIER \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier(); \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void carried_store(__global unsigned *o, unsigned n) {
  __local unsigned l[256];
  unsigned x = __builtin_amdgcn_workitem_id_x(), s = 0;
  l[x] = x;
  BARRIER;
  for (unsigned i = 0; i < n; i++) {
    BARRIER;
    s += l[(x + i) & 255];
    BARRIER;
    l[x] = s + i;
  }
  o[x] = s;
}
