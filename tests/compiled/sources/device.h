#pragma once
// What the HIP kernels of this folder need of a runtime's headers. Functions are for the device without saying so.
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((device, constant))
#define NOINLINE __attribute__((noinline))
#define BLOCK(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;
#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define ACQ_REL __ATOMIC_ACQ_REL
#define SEQ_CST __ATOMIC_SEQ_CST
#define WAVEFRONT __HIP_MEMORY_SCOPE_WAVEFRONT
#define GROUP __HIP_MEMORY_SCOPE_WORKGROUP
#define AGENT __HIP_MEMORY_SCOPE_AGENT
#define SYSTEM __HIP_MEMORY_SCOPE_SYSTEM
#define LOAD(p, order, scope) __hip_atomic_load(p, order, scope)
#define STORE(p, value, order, scope) __hip_atomic_store(p, value, order, scope)
#define ADD(p, value, order, scope) __hip_atomic_fetch_add(p, value, order, scope)
#define SWAP(p, value, order, scope) __hip_atomic_exchange(p, value, order, scope)
#define CAS(p, expected, value, order, failed, scope) \
  __hip_atomic_compare_exchange_strong(p, expected, value, order, failed, scope)
#define SLEEP __builtin_amdgcn_s_sleep(1)
#define LOCAL __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define GROUPS (__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x())
#define GROUP_SIZE __builtin_amdgcn_workgroup_size_x()
#define INDEX (GROUP_ID * GROUP_SIZE + LOCAL)
#define LANE __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))
#define BARRIER                                       \
  do {                                                \
    __builtin_amdgcn_fence(RELEASE, "workgroup");     \
    __builtin_amdgcn_s_barrier();                     \
    __builtin_amdgcn_fence(ACQUIRE, "workgroup");     \
  } while (0)
// The lanes of a wave see what each other stored.
#define WAVE_SYNC                                     \
  do {                                                \
    __builtin_amdgcn_fence(RELEASE, "wavefront");     \
    __builtin_amdgcn_wave_barrier();                  \
    __builtin_amdgcn_fence(ACQUIRE, "wavefront");     \
  } while (0)
#if WAVE == 64
#define BALLOT(x) __builtin_amdgcn_ballot_w64(x)
#else
#define BALLOT(x) ((u64)__builtin_amdgcn_ballot_w32(x))
#endif
#pragma clang force_cuda_host_device begin
template <class T> inline T smaller(T a, T b) { return b < a ? b : a; }
template <class T> inline T larger(T a, T b) { return a < b ? b : a; }
