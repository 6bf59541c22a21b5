#include "common.h"
// A function that is called from two places, in a divergent branch too.
__attribute__((noinline)) static uint mixed(uint x, uint y) {
  for (uint k = 0; k < (x & 3); k++) y = y * 31 + x;
  return y ^ (x << 7);
}
KERNEL(64, 1, 1) calls(IN(uint) a, OUT(uint) out) {
  uint i = INDEX, x = a[i];
  uint sum = mixed(x, x >> 8);
  if (x & 1) sum += mixed(sum, x) * 3;
  out[i] = sum;
}
