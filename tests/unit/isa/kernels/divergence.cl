#include "common.h"
// Collatz steps: every lane leaves the loop when its own data says so, and takes either side of an if inside.
KERNEL(64, 1, 1) divergence(__global const uint *in, __global uint *steps, __global uint *largest, uint count) {
  uint i = GROUP(x) * 64 + LOCAL(x);
  if (i >= count) return;
  uint value = in[i], taken = 0, top = value;
  while (value != 1) {
    if (value & 1) {
      value = 3 * value + 1;
      if (value > top) top = value;
    } else {
      value >>= 1;
    }
    taken++;
  }
  steps[i] = taken;
  largest[i] = top;
}
