// A wave repeatedly adds products of 32 x 8 and 8 x 32 halves to four matrices.
#include "common.h"
typedef half half4 __attribute__((ext_vector_type(4)));

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void mfma(global const half4 *restrict a, global const half4 *restrict b, global float16 *restrict d, uint rounds) {
  uint lane = LOCAL_X;
  half4 left[2] = {a[lane], a[64 + lane]}, right[2] = {b[lane], b[64 + lane]};
  float16 sums[4] = {0, 0, 0, 0};
#pragma clang loop unroll(disable)
  for (uint i = 0; i < rounds; i++)
    for (uint j = 0; j < 4; j++) sums[j] = __builtin_amdgcn_mfma_f32_32x32x8f16(left[j >> 1], right[j & 1], sums[j], 0, 0, 0);
  for (uint j = 0; j < 4; j++) d[64 * j + lane] = sums[j];
}
