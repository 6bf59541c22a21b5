// C = A B of 256 x 256 floats; a workgroup computes 16 x 16 elements of C from tiles in LDS.
#include "common.h"
#define SIZE 256
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matmul(global const float *restrict a, global const float *restrict b, global float *restrict c) {
  local float left[TILE][TILE], right[TILE][TILE];
  uint x = LOCAL_X, y = LOCAL_Y;
  uint column = WORKGROUP_X * TILE + x, line = WORKGROUP_Y * TILE + y;
  float sum = 0;
  for (uint first = 0; first < SIZE; first += TILE) {
    left[y][x] = a[line * SIZE + first + x];
    right[y][x] = b[(first + y) * SIZE + column];
    BARRIER;
    for (uint i = 0; i < TILE; i++) sum = fma(left[y][i], right[i][x], sum);
    BARRIER;
  }
  c[line * SIZE + column] = sum;
}
