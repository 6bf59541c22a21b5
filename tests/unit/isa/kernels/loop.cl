#include "common.h"
// A loop whose trip count is an argument: a strided dot product per work-item.
KERNEL(128, 1, 1) loop(__global const float *a, __global const float *b, __global float *out, uint trips, uint stride) {
  uint i = GROUP(x) * 128 + LOCAL(x);
  float sum = 0.0f;
  for (uint k = 0; k < trips; k++) sum = __builtin_fmaf(a[i + k * stride], b[k], sum);
  out[i] = sum;
}
