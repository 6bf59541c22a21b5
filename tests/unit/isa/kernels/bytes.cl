#include "common.h"
// Bytes and halves: unaligned neighbours, sign extension, packing, saturation.
KERNEL(64, 1, 1) bytes(__global const uchar *in, __global const char *weights, __global uchar *out, __global short *wide, uint count) {
  uint i = GROUP(x) * 64 + LOCAL(x);
  if (i >= count) return;
  int sum = 0;
  for (int k = 0; k < 3; k++) sum += (int)in[i + k] * (int)weights[k];
  wide[i] = (short)sum;
  sum >>= 4;
  out[i] = (uchar)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}
