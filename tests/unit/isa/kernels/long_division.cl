#include "common.h"
// 64-bit quotients and remainders, signed and unsigned, which the compiler expands.
KERNEL(64, 1, 1) long_division(__global const long *a, __global const long *b, __global long *quotient, __global ulong *rest) {
  uint i = GROUP(x) * 64 + LOCAL(x);
  quotient[i] = a[i] / b[i];
  rest[i] = (ulong)a[i] % (ulong)b[i];
}
