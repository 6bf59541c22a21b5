#include "common.h"
// Waves that wait for each other. The index of a wave that waits is below that of the one it waits for where it says so.
#define LOAD(p) __opencl_atomic_load(p, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define STORE(p, x) __opencl_atomic_store(p, x, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_DEVICE)
#define EXCHANGE(p, x) __opencl_atomic_exchange(p, x, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE)

// A work-item of each wave adds to a plain counter under a lock.
KERNEL(128, 1, 1) lock_counter(__global atomic_uint *lock, __global volatile uint *counter, __global uint *order) {
  uint me = GROUP(x) * (128 / WAVE) + LOCAL(x) / WAVE;
  bool done = LANE != 3;
  while (!done) {
    if (EXCHANGE(lock, 1u) == 0) {
      uint before = *counter;
      order[before] = me;
      *counter = before + 1;
      STORE(lock, 0u);
      done = true;
    }
  }
}
// Inclusive scan of one value a workgroup in one pass: each waits for the one before it.
KERNEL(64, 1, 1) look_back(IN(uint) a, __global atomic_uint *state, OUT(uint) out) {
  uint group = GROUP(x), sum = 0;
  if (LOCAL(x) == 0) {
    for (uint k = 0; k < 64; k++) sum += a[group * 64 + k];
    uint before = 0;
    if (group) while ((before = LOAD(&state[group - 1])) == 0) {}
    sum += before;
    STORE(&state[group], sum);
    out[group] = sum;
  }
}
// Group 0 consumes what the last group produces, with bounded patience in a register.
KERNEL(64, 1, 1) consume(__global atomic_uint *flag, __global uint *box, OUT(uint) out, uint groups) {
  if (GROUP(x) == 0) {
    uint rounds = 0;
    while (LOAD(flag) == 0) rounds++;
    out[LOCAL(x)] = box[LOCAL(x)] + (rounds >> 30);
  } else if (GROUP(x) == groups - 1) {
    box[LOCAL(x)] = LOCAL(x) * 3 + 2;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    if (LOCAL(x) == 0) STORE(flag, 1u);
  }
}
// Nobody ever sets the flag.
KERNEL(64, 1, 1) never(__global atomic_uint *flag, OUT(uint) out) {
  while (LOAD(flag) == 0) {}
  out[INDEX] = 1;
}
