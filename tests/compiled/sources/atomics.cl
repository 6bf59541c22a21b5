#include "opencl.h"
// Every operation on atomics, in memory and in LDS, with the old value and without.
#define ADD(p, x) atomic_fetch_add_explicit(p, x, RELAXED, DEVICE)
#define WORD(p) ((__global volatile atomic_int *)(p))
#define UWORD(p) ((__global volatile atomic_uint *)(p))
#define LONG(p) ((__global volatile atomic_long *)(p))
#define ULONG(p) ((__global volatile atomic_ulong *)(p))

//: word_updates
// Each row of nine words takes the updates of eight work-items; the old values are not looked at.
KERNEL word_updates(IN(int) in, OUT(int) rows) {
  uint i = INDEX;
  int x = in[i];
  __global int *row = rows + i / 8 * 9;
  __opencl_atomic_fetch_add(WORD(row), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_sub(WORD(row + 1), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_and(WORD(row + 2), x | 0x0F0F, RELAXED, DEVICE);
  __opencl_atomic_fetch_or(WORD(row + 3), x & 0xFF00FF, RELAXED, DEVICE);
  __opencl_atomic_fetch_xor(WORD(row + 4), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(WORD(row + 5), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(WORD(row + 6), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(UWORD(row + 7), (uint)x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(UWORD(row + 8), (uint)x, RELAXED, DEVICE);
}

//: word_old_values
// Every work-item has words of its own, so that the old values are known.
KERNEL word_old_values(IN(int) in, OUT(int) words, OUT(int) old) {
  uint i = INDEX;
  int x = in[i], other = x / 2;
  __global int *row = words + i * 8;
  old[i * 8] = __opencl_atomic_fetch_add(WORD(row), x, RELAXED, DEVICE);
  old[i * 8 + 1] = __opencl_atomic_fetch_and(WORD(row + 1), x, RELAXED, DEVICE);
  old[i * 8 + 2] = __opencl_atomic_fetch_or(WORD(row + 2), x, RELAXED, DEVICE);
  old[i * 8 + 3] = __opencl_atomic_fetch_xor(WORD(row + 3), x, RELAXED, DEVICE);
  old[i * 8 + 4] = __opencl_atomic_fetch_min(WORD(row + 4), x, RELAXED, DEVICE);
  old[i * 8 + 5] = (int)__opencl_atomic_fetch_max(UWORD(row + 5), (uint)x, RELAXED, DEVICE);
  old[i * 8 + 6] = __opencl_atomic_exchange(WORD(row + 6), x, RELAXED, DEVICE);
  old[i * 8 + 7] = __opencl_atomic_compare_exchange_strong(WORD(row + 7), &other, ~x, RELAXED, RELAXED, DEVICE) ? -7 : other;
}

//: long_updates
KERNEL long_updates(IN(long) in, OUT(long) rows) {
  uint i = INDEX;
  long x = in[i];
  __global long *row = rows + i / 8 * 9;
  __opencl_atomic_fetch_add(LONG(row), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_sub(LONG(row + 1), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_and(LONG(row + 2), x | 0x0F0F0F0F0F0FL, RELAXED, DEVICE);
  __opencl_atomic_fetch_or(LONG(row + 3), x & 0xFF00FF00FF00FFL, RELAXED, DEVICE);
  __opencl_atomic_fetch_xor(LONG(row + 4), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(LONG(row + 5), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(LONG(row + 6), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min(ULONG(row + 7), (ulong)x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max(ULONG(row + 8), (ulong)x, RELAXED, DEVICE);
}

//: long_old_values
KERNEL long_old_values(IN(long) in, OUT(long) words, OUT(long) old) {
  uint i = INDEX;
  long x = in[i], other = x / 2;
  __global long *row = words + i * 6;
  old[i * 6] = __opencl_atomic_fetch_add(LONG(row), x, RELAXED, DEVICE);
  old[i * 6 + 1] = __opencl_atomic_fetch_xor(LONG(row + 1), x, RELAXED, DEVICE);
  old[i * 6 + 2] = __opencl_atomic_fetch_max(LONG(row + 2), x, RELAXED, DEVICE);
  old[i * 6 + 3] = (long)__opencl_atomic_fetch_min(ULONG(row + 3), (ulong)x, RELAXED, DEVICE);
  old[i * 6 + 4] = __opencl_atomic_exchange(LONG(row + 4), x, RELAXED, DEVICE);
  old[i * 6 + 5] = __opencl_atomic_compare_exchange_strong(LONG(row + 5), &other, ~x, RELAXED, RELAXED, DEVICE) ? -7 : other;
}

//: wrapping_counters
KERNEL wrapping_counters(OUT(uint) up, OUT(uint) down, OUT(uint) seen, uint limit) {
  __builtin_amdgcn_atomic_dec32(down, limit, __ATOMIC_RELAXED, "agent");
  uint old = __builtin_amdgcn_atomic_inc32(up, limit, __ATOMIC_RELAXED, "agent");
  __opencl_atomic_fetch_add(UWORD(seen + old), 1u, RELAXED, DEVICE);
}

//: group_word_updates
KERNEL group_word_updates(IN(int) in, OUT(int) out) {
  __local int cells[10];
  __local uint counter;
  if (LOCAL < 10) cells[LOCAL] = LOCAL == 2 ? -1 : 5;
  if (LOCAL == 0) counter = 3;
  BARRIER;
  int x = in[INDEX];
#define CELL(k) ((__local volatile atomic_int *)(cells + k))
#define UCELL(k) ((__local volatile atomic_uint *)(cells + k))
  __opencl_atomic_fetch_add(CELL(0), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_sub(CELL(1), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_and(CELL(2), x | 0xFF, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_or(CELL(3), x & 0x1111, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_xor(CELL(4), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_min(CELL(5), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_max(CELL(6), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_min(UCELL(7), (uint)x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_max(UCELL(8), (uint)x, RELAXED, WORKGROUP);
  int sum = __opencl_atomic_fetch_add(CELL(9), 1, RELAXED, WORKGROUP);
  __builtin_amdgcn_atomic_inc32(&counter, 40, __ATOMIC_RELAXED, "workgroup");
  BARRIER;
  if (LOCAL < 10) out[GROUP * 11 + LOCAL] = cells[LOCAL];
  if (LOCAL == 10) out[GROUP * 11 + 10] = counter + (sum < 5);
}

//: group_long_updates
KERNEL group_long_updates(IN(long) in, OUT(long) out, OUT(long) old) {
  __local long cells[6], own[128];
  if (LOCAL < 6) cells[LOCAL] = LOCAL;
  own[LOCAL] = LOCAL;
  BARRIER;
  long x = in[INDEX], expected = LOCAL & 1 ? (long)LOCAL : 1000;
#define LCELL(k) ((__local volatile atomic_long *)(cells + k))
#define OWN ((__local volatile atomic_long *)(own + LOCAL))
  __opencl_atomic_fetch_add(LCELL(0), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_xor(LCELL(1), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_max(LCELL(2), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_min(LCELL(3), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_or(LCELL(4), x, RELAXED, WORKGROUP);
  __opencl_atomic_fetch_sub(LCELL(5), x, RELAXED, WORKGROUP);
  old[INDEX * 2] = __opencl_atomic_compare_exchange_strong(OWN, &expected, x, RELAXED, RELAXED, WORKGROUP) ? -1 : expected;
  old[INDEX * 2 + 1] = __opencl_atomic_exchange(OWN, 9L, RELAXED, WORKGROUP);
  BARRIER;
  if (LOCAL < 6) out[GROUP * 6 + LOCAL] = cells[LOCAL];
}

//: compare_and_swap_loops
// What no instruction does goes through a loop around compare-and-swap: products, saturating sums, the largest float.
KERNEL compare_and_swap_loops(IN(uint) in, OUT(uint) cells, OUT(float) most) {
  uint x = in[INDEX];
  uint old = __opencl_atomic_load(UWORD(cells), RELAXED, DEVICE);
  while (!__opencl_atomic_compare_exchange_weak(UWORD(cells), &old, old * (x | 1), RELAXED, RELAXED, DEVICE)) {}
  old = __opencl_atomic_load(UWORD(cells + 1), RELAXED, DEVICE);
  while (!__opencl_atomic_compare_exchange_weak(UWORD(cells + 1), &old, __builtin_elementwise_add_sat(old, x), RELAXED, RELAXED, DEVICE)) {}
  float f = (float)(x >> 8) * 0.25f;
  old = __opencl_atomic_load(UWORD(most), RELAXED, DEVICE);
  while (__builtin_astype(old, float) < f && !__opencl_atomic_compare_exchange_weak(UWORD(most), &old, __builtin_astype(f, uint), RELAXED, RELAXED, DEVICE)) {}
}

//: float_sums
// Whole numbers, whose sums are exact in any order.
KERNEL float_sums(IN(float) in, OUT(float) sum, OUT(float) old) {
  __local float group;
  if (LOCAL == 0) group = 0;
  BARRIER;
  float x = in[INDEX];
  __opencl_atomic_fetch_add((__local volatile atomic_float *)&group, x, RELAXED, WORKGROUP);
  old[INDEX] = __opencl_atomic_fetch_add((__global volatile atomic_float *)(sum + 1 + INDEX), x, RELAXED, DEVICE);
  BARRIER;
  if (LOCAL == 0) __opencl_atomic_fetch_add((__global volatile atomic_float *)sum, group, RELAXED, DEVICE);
}

//: double_sums
KERNEL double_sums(IN(double) in, OUT(double) cells) {
  double x = in[INDEX];
  __opencl_atomic_fetch_add((__global volatile atomic_double *)cells, x, RELAXED, DEVICE);
  __opencl_atomic_fetch_min((__global volatile atomic_double *)(cells + 1), x, RELAXED, DEVICE);
  __opencl_atomic_fetch_max((__global volatile atomic_double *)(cells + 2), x, RELAXED, DEVICE);
}

//: fenced_flags
// Plain data ordered by atomics of every strength, between the two waves of a workgroup and from one group to the next.
KERNEL fenced_flags(OUT(uint) data, OUT(uint) flags, OUT(uint) out) {
  if (LOCAL) return;
  uint me = GROUP;
  if (me) while (__opencl_atomic_load(UWORD(flags + me - 1), memory_order_seq_cst, memory_scope_all_svm_devices) == 0) {}
  uint x = me ? data[me - 1] : 1;
  data[me] = x * 3 + me;
  out[me] = x;
  __opencl_atomic_store(UWORD(flags + me), 1u, memory_order_seq_cst, memory_scope_all_svm_devices);
}

//: scopes
// The same sum at every scope, each in a cell that nobody outside of it touches.
KERNEL scopes(IN(uint) in, OUT(uint) cells, OUT(uint) own) {
  uint i = INDEX, x = in[i];
  __opencl_atomic_fetch_add(UWORD(cells), x, memory_order_acq_rel, memory_scope_all_svm_devices);
  __opencl_atomic_fetch_add(UWORD(cells + 1), x, memory_order_acq_rel, memory_scope_device);
  __opencl_atomic_fetch_add(UWORD(cells + 2 + GROUP), x, memory_order_acq_rel, memory_scope_work_group);
  __opencl_atomic_fetch_add(UWORD(cells + 16 + i / WAVE), x, memory_order_acq_rel, memory_scope_sub_group);
  __opencl_atomic_fetch_add(UWORD(own + i), x, memory_order_relaxed, memory_scope_sub_group);
}
