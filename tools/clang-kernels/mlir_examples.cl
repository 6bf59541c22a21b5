// The programs of examples/*.mlir in OpenCL C.
#include "work_items.h"
__kernel void basic(__global int *data, int count) { int i = get_global_id(0);
  if (i < count) data[i] = data[i] + data[i]; }
__kernel void vecadd(__global float *a, __global float *b, __global float *c, int count) { int i = get_global_id(0);
  if (i < count) c[i] = a[i] + b[i]; }
__kernel void relu(__global float *x, __global float *y, float slope, int count) { int i = get_global_id(0);
  if (i < count) { float v = x[i]; y[i] = v > 0 ? v : v * slope; } }
__kernel __attribute__((reqd_work_group_size(256,1,1))) void fence(__global int *data, __global int *out) { int t = get_local_id(0);
  int i = get_global_id(0); data[i] = data[i] * 2; barrier(CLK_GLOBAL_MEM_FENCE|CLK_LOCAL_MEM_FENCE); out[i] = data[i - t + (get_local_size(0) - 1 - t)]; }
__kernel void diverge(__global int *data, __global int *out, int count) { int i = get_global_id(0);
  if (i < count) { uint v = data[i];
  uint r;
  if (v % 3 == 0) r = v / 3; else { uint x = v; r = 0;
  while (x > 1) { x = (x & 1) ? x * 3 + 1 : x / 2; r++; } } out[i] = r; } }
__kernel __attribute__((reqd_work_group_size(256,1,1))) void dotproduct(__global float *a, __global float *b, __global float *out, int count) { __local float p[256];
  int t = get_local_id(0); float s = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) s += a[i] * b[i]; p[t] = s; barrier(CLK_LOCAL_MEM_FENCE);
  for (uint h = 128; h > 0; h >>= 1) { if (t < h) p[t] += p[t + h]; barrier(CLK_LOCAL_MEM_FENCE); } if (t == 0) out[get_group_id(0)] = p[0]; }
__kernel __attribute__((reqd_work_group_size(16,16,1))) void sgemm(__global float *a, __global float *b, __global float *c, int n) { __local float ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int col = get_global_id(0), row = get_global_id(1); float s = 0;
  for (int k = 0; k < n; k += 16) { ta[y][x] = a[row * n + k + x]; tb[y][x] = b[(k + y) * n + col]; barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < 16; i++) s += ta[y][i] * tb[i][x]; barrier(CLK_LOCAL_MEM_FENCE); } c[row * n + col] = s; }
__kernel __attribute__((reqd_work_group_size(256,1,1))) void shared_reduce(__global int *input, __global int *result) {
  int t = get_local_id(0), row = get_group_id(0) * 256; input[row + t] = input[row + t] * 2;
  barrier(CLK_GLOBAL_MEM_FENCE|CLK_LOCAL_MEM_FENCE); result[row + t] = input[row]; }
