// The number of steps that each point of 256 x 256 takes to leave the circle of radius 2, at most 100. The loop is not
// unrolled, as in most kernels with divergent lanes.
#include "common.h"
#define SIZE 256

__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void mandelbrot(global uint *restrict steps) {
  uint index = WORKGROUP_X * 256 + LOCAL_X;
  float cx = (index % SIZE) * (3.0f / SIZE) - 2.25f, cy = (index / SIZE) * (3.0f / SIZE) - 1.5f;
  float x = 0, y = 0;
  uint count = 0;
  bool inside;
#pragma clang loop unroll(disable)
  do {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    inside = x * x + y * y < 4;
    count += inside;
  } while (inside && count < 100);
  steps[index] = count;
}
