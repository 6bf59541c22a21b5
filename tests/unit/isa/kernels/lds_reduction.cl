#include "common.h"
// One sum per workgroup of 256: a tree in LDS.
KERNEL(256, 1, 1) lds_reduction(__global const float *in, __global float *out) {
  __local float part[256];
  uint lane = LOCAL(x);
  part[lane] = in[GROUP(x) * 256 + lane];
  wait_for_group();
  for (uint reach = 128; reach; reach >>= 1) {
    if (lane < reach) part[lane] += part[lane + reach];
    wait_for_group();
  }
  if (lane == 0) out[GROUP(x)] = part[0];
}
