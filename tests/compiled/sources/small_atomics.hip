#include "device.h"
// Atomics on types that no instruction has, on packed halves, and through generic pointers.

//: byte_counters
// Atomics on single bytes become loops on the word around them.
KERNEL byte_counters(const u32 *in, u8 *counts, u16 *sums) {
  u32 x = in[INDEX];
  ADD(&counts[x % 6], (u8)1, RELAXED, AGENT);
  ADD(&sums[x % 3], (u16)x, RELAXED, AGENT);
}

//: rare_updates
KERNEL rare_updates(const u32 *in, u32 *cells) {
  u32 x = in[INDEX], *own = cells + INDEX * 4;
  __scoped_atomic_fetch_nand(&own[0], x, RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_min((i32 *)&own[1], (i32)x, RELAXED, __MEMORY_SCOPE_DEVICE);
  u32 old = 0;
  while (!__hip_atomic_compare_exchange_weak(&own[2], &old, old << 3 ^ x, ACQ_REL, ACQUIRE, AGENT)) {}
  own[3] = LOAD(&own[2], ACQUIRE, AGENT) + 1;
}

//: generic_atomics
// Where the pointer leads to memory or to LDS is known at run time alone.
KERNEL generic_atomics(const u32 *in, u32 *out) {
  SHARED u32 near_by[4];
  if (LOCAL < 4) near_by[LOCAL] = 100;
  BARRIER;
  u32 x = in[INDEX];
  u32 *cell = x & 1 ? &near_by[x >> 1 & 3] : &out[x >> 1 & 3];
  ADD(cell, x >> 3, RELAXED, AGENT);
  BARRIER;
  if (LOCAL < 4) ADD(&out[4 + LOCAL], near_by[LOCAL], RELAXED, AGENT);
}

//: packed_half_sums
typedef f16 halves __attribute__((ext_vector_type(2)));
KERNEL packed_half_sums(const i32 *in, f16 *out) {
  halves x = {(f16)in[INDEX], (f16)1};
  auto cell = (halves __attribute__((address_space(1))) *)out;
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || defined(__gfx1201__)
  __builtin_amdgcn_global_atomic_fadd_v2f16(cell, x);
#else
  u32 *word = (u32 *)out, old = LOAD(word, RELAXED, AGENT);
  while (!CAS(word, &old, __builtin_bit_cast(u32, __builtin_bit_cast(halves, old) + x), RELAXED, RELAXED, AGENT)) {}
#endif
}

//: minimum_of_floats
KERNEL minimum_of_floats(const f32 *in, f32 *cells) {
  f32 x = in[INDEX];
  __hip_atomic_fetch_min(&cells[GROUP_ID * 2], x, RELAXED, AGENT);
  __hip_atomic_fetch_max(&cells[GROUP_ID * 2 + 1], x, RELAXED, AGENT);
}

//: swapped_ranks
// Each value finds its rank by counting the smaller ones with LDS atomics whose old values spread equal ones.
KERNEL swapped_ranks(const u32 *in, u32 *sorted) {
  SHARED u32 values[128], equal[128];
  u32 i = LOCAL, x = in[INDEX], rank = 0;
  values[i] = x;
  equal[i] = 0;
  BARRIER;
  for (u32 k = 0; k < 128; k++) rank += values[k] < x;
  rank += ADD(&equal[rank], 1u, RELAXED, GROUP);
  sorted[GROUP_ID * 128 + rank] = x;
}
