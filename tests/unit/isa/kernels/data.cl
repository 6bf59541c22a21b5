#include "common.h"
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
// What the loader of a code object has to do: data that is written, zeros, addresses in data, functions by their address.
__global uint counter = 40;     // .data
__global uint sums[64];         // .bss
__global uint *where = &counter; // an address in data
static __attribute__((noinline)) uint twice(uint x) { return 2 * x; }
static __attribute__((noinline)) uint square(uint x) { return x * x; }
static __attribute__((noinline)) uint plus(uint x) { return x + 7; }
typedef uint (*function)(uint);
__constant function table[3] = {twice, square, plus};
static const __constant ushort odd[5] = {1, 3, 5, 7, 9};

KERNEL(64, 1, 1) data(IN(uint) a, OUT(uint) out) {
  uint i = LOCAL(x);
  __global uint *volatile p = where;
  __opencl_atomic_fetch_add((__global atomic_uint *)p, 1u, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  sums[i] += table[a[i] % 3](a[i]) + odd[a[i] % 5];
  wait_for_group();
  out[i] = sums[63 - i] + counter;
}
// How deep it goes is not known to the compiler.
static __attribute__((noinline)) uint fibonacci(uint n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
KERNEL(64, 1, 1) recursion(IN(uint) a, OUT(uint) out) { out[INDEX] = fibonacci(a[INDEX] % 9); }
// Two pointers to LDS whose sizes the launch says.
KERNEL(64, 1, 1) local_pointers(IN(uint) a, OUT(uint) out, __local uchar *small, __local ulong *large) {
  uint i = LOCAL(x);
  small[i] = a[i];
  large[i] = a[i] * 5ul;
  wait_for_group();
  out[i] = small[63 - i] + (uint)large[(i + 1) & 63];
}
