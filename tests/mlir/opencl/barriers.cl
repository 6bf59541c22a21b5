// The kernels of test_barriers.py in OpenCL C. clang gives each barrier what its memory model asks for.
#include "work_items.h"
#define BLOCK __kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
#define ALL CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE
BLOCK read_then_write(__global int *x, __global int *y) { int t = get_local_id(0), i = get_group_id(0) * 256 + t;
  int v = x[i]; barrier(ALL); x[i - t + (255 - t)] = v; }
BLOCK in_a_loop(__global int *x, __global int *y, int n) { int t = get_local_id(0), i = get_group_id(0) * 256 + t;
  for (int k = 0; k < n; k++) { int v = x[i - t + (255 - t)]; barrier(ALL); x[i] = v + 1; barrier(ALL); } }
BLOCK after_a_branch(__global int *x, __global int *y) { int t = get_local_id(0), i = get_group_id(0) * 256 + t;
  if (t < 100) x[i] = t; barrier(ALL); y[i] = x[i - t + (255 - t)]; }
BLOCK both_memories(__global int *x, __global int *y) { __local int own[256]; int t = get_local_id(0), i = get_group_id(0) * 256 + t;
  own[t] = x[i]; x[i] = t; barrier(ALL); y[i] = x[i - t + (255 - t)] + own[255 - t]; }
