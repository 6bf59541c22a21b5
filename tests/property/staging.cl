typedef local void *lds_t;
#define LANE __builtin_amdgcn_workitem_id_x()
// One buffer: filled, waited for at the barrier, read.
kernel void single(global float *a, global float *b, int n) {
  local float s[256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    __builtin_amdgcn_global_load_lds((global void *)(a + i * 256 + LANE), (local void *)(s + (LANE & ~63)), 4, 0, 0);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    sum += s[LANE ^ 65];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  b[LANE] = sum;
}
// Two buffers: the next is filled while one is read.
kernel void twice(global float *a, global float *b, int n) {
  local float s[2][256];
  float sum = 0;
  __builtin_amdgcn_global_load_lds((global void *)(a + LANE), (local void *)(s[0] + (LANE & ~63)), 4, 0, 0);
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_s_barrier();
  for (int i = 1; i < n; ++i) {
    __builtin_amdgcn_global_load_lds((global void *)(a + i * 256 + LANE), (local void *)(s[i & 1] + (LANE & ~63)), 4, 0, 0);
    sum += s[(i & 1) ^ 1][LANE ^ 65];
    __builtin_amdgcn_s_waitcnt(0);
    __builtin_amdgcn_s_barrier();
  }
  b[LANE] = sum + s[n & 1 ^ 1][LANE ^ 65];
}
// Two arrays: one is filled by the lanes while the other comes by itself.
kernel void apart(global float *a, global float *b, int n) {
  local float s[256], t[256];
  __builtin_amdgcn_global_load_lds((global void *)(a + LANE), (local void *)(s + (LANE & ~63)), 4, 0, 0);
  t[LANE] = b[LANE];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  float x = t[LANE ^ 65];
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_s_barrier();
  b[LANE] = x + s[LANE ^ 65];
}
// Barriers for the waves' pace alone.
kernel void paced(global float *a, global float *b, int n) {
  local float s[256];
  s[LANE] = a[LANE];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  float x = s[LANE ^ 65];
  __builtin_amdgcn_s_barrier();
  b[LANE] = x;
}
