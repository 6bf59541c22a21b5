#include "opencl.h"
// Loads that transpose: a matrix whose elements lie next to each other along the wrong dimension, for one wave.
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef short short4_ __attribute__((ext_vector_type(4)));
typedef short short8_ __attribute__((ext_vector_type(8)));
typedef float float4_ __attribute__((ext_vector_type(4)));
typedef float float8_ __attribute__((ext_vector_type(8)));
typedef int int2_ __attribute__((ext_vector_type(2)));
typedef int int3_ __attribute__((ext_vector_type(3)));
typedef int int8_ __attribute__((ext_vector_type(8)));

#ifdef __gfx950__
//: product_by_tr16
// A product of two matrices that both have their 16 columns next to each other, for each of K = 32 rows.
KERNEL product_by_tr16(IN(short) a, IN(short) b, OUT(float) out) {
  __local short left[32 * 20], right[32 * 20];
  for (uint i = LOCAL; i < 32 * 16; i += 64) {
    left[i / 16 * 20 + i % 16] = a[i];
    right[i / 16 * 20 + i % 16] = b[i];
  }
  BARRIER;
  uint at = (LANE / 16 * 8 + LANE % 16 / 4) * 20 + LANE % 4 * 4;
  short4_ x[2], y[2];
  for (uint j = 0; j < 2; j++) {
    x[j] = __builtin_amdgcn_ds_read_tr16_b64_v4i16((__local short4_ *)(left + at + j * 80));
    y[j] = __builtin_amdgcn_ds_read_tr16_b64_v4i16((__local short4_ *)(right + at + j * 80));
  }
  short8_ rows = {x[0], x[1]}, columns = {y[0], y[1]};
  float4_ sum = __builtin_amdgcn_mfma_f32_16x16x32_f16(__builtin_astype(rows, half8_), __builtin_astype(columns, half8_), (float4_)0, 0, 0, 0);
  for (uint j = 0; j < 4; j++) out[(LANE / 16 * 4 + j) * 16 + LANE % 16] = sum[j];
}

//: transposed_bytes
KERNEL transposed_bytes(IN(uint) in, OUT(int2_) out) {
  __local uint tile[128];
  for (uint i = LOCAL; i < 128; i += 64) tile[i] = in[i];
  BARRIER;
  out[LANE] = __builtin_amdgcn_ds_read_tr8_b64_v2i32((__local int2_ *)(tile + 2 * LANE));
}

//: transposed_nibbles
KERNEL transposed_nibbles(IN(uint) in, OUT(int2_) out) {
  __local uint tile[128];
  for (uint i = LOCAL; i < 128; i += 64) tile[i] = in[i];
  BARRIER;
  out[LANE] = __builtin_amdgcn_ds_read_tr4_b64_v2i32((__local int2_ *)(tile + 2 * LANE));
}

//: transposed_sixes
// 96 bits a lane, in 128 of LDS.
KERNEL transposed_sixes(IN(uint) in, OUT(uint) out) {
  __local uint tile[256] __attribute__((aligned(16)));
  for (uint i = LOCAL; i < 256; i += 64) tile[i] = in[i];
  BARRIER;
  int3_ got = __builtin_amdgcn_ds_read_tr6_b96_v3i32((__local int3_ *)(tile + 4 * LANE));
  for (uint j = 0; j < 3; j++) out[LANE * 3 + j] = got[j];
}
#endif

#ifdef __GFX12__
#if WAVE == 32
//: product_by_tr_b128
// The right matrix has its columns next to each other in memory, and the instruction wants its rows there.
KERNEL product_by_tr_b128(IN(half) a, IN(short) b, OUT(float) out) {
  half8_ x;
  for (uint j = 0; j < 8; j++) x[j] = a[LANE % 16 * 16 + LANE / 16 * 8 + j];
  uint at = (LANE / 16 * 8 + LANE % 8) * 16 + LANE / 8 % 2 * 8;
  short8_ y = __builtin_amdgcn_global_load_tr_b128_v8i16((__global short8_ *)(b + at));
  float8_ sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, __builtin_astype(y, half8_), (float8_)0);
  for (uint j = 0; j < 8; j++) out[(LANE / 16 * 8 + j) * 16 + LANE % 16] = sum[j];
}

//: product_by_tr_b64
KERNEL product_by_tr_b64(IN(char) a, IN(char) b, OUT(int) out) {
  int2_ x = *(__global int2_ *)(a + LANE % 16 * 16 + LANE / 16 * 8);
  uint at = (LANE / 8 * 4 + LANE % 4) * 16 + LANE / 4 % 2 * 8;
  int2_ y = __builtin_amdgcn_global_load_tr_b64_v2i32((__global int2_ *)(b + at));
  int8_ sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(1, x, 1, y, (int8_)0, 0);
  for (uint j = 0; j < 8; j++) out[(LANE / 16 * 8 + j) * 16 + LANE % 16] = sum[j];
}
#endif
#endif
