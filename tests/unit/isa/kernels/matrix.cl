#include "common.h"
// A product of 16 by 16 tiles: C = A (16 by 16) times B (16 by 16) + C, one wave; each target's own matrix instructions.
typedef half half4_ __attribute__((ext_vector_type(4)));
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef half half16_ __attribute__((ext_vector_type(16)));
typedef float float4_ __attribute__((ext_vector_type(4)));
typedef float float8_ __attribute__((ext_vector_type(8)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));
typedef int int2_ __attribute__((ext_vector_type(2)));
typedef double double4_ __attribute__((ext_vector_type(4)));
#define ROWS 16

KERNEL(WAVE, 1, 1) half_tiles(IN(half) a, IN(half) b, IN(float) c, OUT(float) out) {
  uint lane = LOCAL(x), column = lane & 15;
#ifdef __GFX9__
  float4_ sum;
  half4_ x, y;
  for (int k = 0; k < 4; k++) {
    sum[k] = c[(4 * (lane >> 4) + k) * 16 + column];
    x[k] = a[column * 16 + 4 * (lane >> 4) + k]; // row `column` of A
    y[k] = b[(4 * (lane >> 4) + k) * 16 + column];
  }
  sum = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, sum, 0, 0, 0);
  for (int k = 0; k < 4; k++) out[(4 * (lane >> 4) + k) * 16 + column] = sum[k];
#elif defined(__GFX11__)
  half16_ x, y;
  for (int k = 0; k < 16; k++) {
    x[k] = a[column * 16 + k];
    y[k] = b[k * 16 + column];
  }
#if WAVE == 32
  float8_ sum;
  for (int k = 0; k < 8; k++) sum[k] = c[(2 * k + (lane >> 4)) * 16 + column];
  sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, sum);
  for (int k = 0; k < 8; k++) out[(2 * k + (lane >> 4)) * 16 + column] = sum[k];
#else
  float4_ sum;
  for (int k = 0; k < 4; k++) sum[k] = c[(4 * k + (lane >> 4)) * 16 + column];
  sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(x, y, sum);
  for (int k = 0; k < 4; k++) out[(4 * k + (lane >> 4)) * 16 + column] = sum[k];
#endif
#elif WAVE == 32
  half8_ x, y;
  float8_ sum;
  for (int k = 0; k < 8; k++) {
    uint at = 8 * (lane >> 4) + k;
    x[k] = a[column * 16 + at];
    y[k] = b[at * 16 + column];
    sum[k] = c[at * 16 + column];
  }
  sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, sum);
  for (int k = 0; k < 8; k++) out[(8 * (lane >> 4) + k) * 16 + column] = sum[k];
#else
  half4_ x, y;
  float4_ sum;
  for (int k = 0; k < 4; k++) {
    uint at = 4 * (lane >> 4) + k; // any order of the inner index serves, if A and B have the same
    x[k] = a[column * 16 + at];
    y[k] = b[at * 16 + column];
    sum[k] = c[((lane >> 4 & 1) * 8 + (lane >> 5) * 4 + k) * 16 + column];
  }
  sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(x, y, sum);
  for (int k = 0; k < 4; k++) out[((lane >> 4 & 1) * 8 + (lane >> 5) * 4 + k) * 16 + column] = sum[k];
#endif
}

// Bytes, summed in i32.
KERNEL(WAVE, 1, 1) byte_tiles(IN(char) a, IN(char) b, IN(int) c, OUT(int) out) {
  uint lane = LOCAL(x), column = lane & 15;
#ifdef __gfx90a__
  int4_ sum;
  union { int word; char part[4]; } x, y;
  for (int k = 0; k < 4; k++) {
    sum[k] = c[(4 * (lane >> 4) + k) * 16 + column];
    x.part[k] = a[column * 16 + 4 * (lane >> 4) + k];
    y.part[k] = b[(4 * (lane >> 4) + k) * 16 + column];
  }
  sum = __builtin_amdgcn_mfma_i32_16x16x16i8(x.word, y.word, sum, 0, 0, 0);
  for (int k = 0; k < 4; k++) out[(4 * (lane >> 4) + k) * 16 + column] = sum[k];
#elif defined(__GFX9__)
  int4_ sum;
  union { long word; char part[8]; } x, y;
  for (int k = 0; k < 8; k++) { // the inner dimension is 32: the upper half is zero
    uint at = 8 * (lane >> 4) + k;
    x.part[k] = at < 16 ? a[column * 16 + (at & 15)] : 0;
    y.part[k] = at < 16 ? b[(at & 15) * 16 + column] : 0;
  }
  for (int k = 0; k < 4; k++) sum[k] = c[(4 * (lane >> 4) + k) * 16 + column];
  sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(x.word, y.word, sum, 0, 0, 0);
  for (int k = 0; k < 4; k++) out[(4 * (lane >> 4) + k) * 16 + column] = sum[k];
#elif defined(__GFX11__)
  union { int4_ words; char part[16]; } x, y;
  for (int k = 0; k < 16; k++) {
    x.part[k] = a[column * 16 + k];
    y.part[k] = b[k * 16 + column];
  }
#if WAVE == 32
  int8_ sum;
  for (int k = 0; k < 8; k++) sum[k] = c[(2 * k + (lane >> 4)) * 16 + column];
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, x.words, true, y.words, sum, false);
  for (int k = 0; k < 8; k++) out[(2 * k + (lane >> 4)) * 16 + column] = sum[k];
#else
  int4_ sum;
  for (int k = 0; k < 4; k++) sum[k] = c[(4 * k + (lane >> 4)) * 16 + column];
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64(true, x.words, true, y.words, sum, false);
  for (int k = 0; k < 4; k++) out[(4 * k + (lane >> 4)) * 16 + column] = sum[k];
#endif
#elif WAVE == 32
  union { int2_ words; char part[8]; } x, y;
  int8_ sum;
  for (int k = 0; k < 8; k++) {
    uint at = 8 * (lane >> 4) + k;
    x.part[k] = a[column * 16 + at];
    y.part[k] = b[at * 16 + column];
    sum[k] = c[at * 16 + column];
  }
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, x.words, true, y.words, sum, false);
  for (int k = 0; k < 8; k++) out[(8 * (lane >> 4) + k) * 16 + column] = sum[k];
#else
  union { int word; char part[4]; } x, y;
  int4_ sum;
  for (int k = 0; k < 4; k++) {
    uint at = 4 * (lane >> 4) + k;
    x.part[k] = a[column * 16 + at];
    y.part[k] = b[at * 16 + column];
    sum[k] = c[((lane >> 4 & 1) * 8 + (lane >> 5) * 4 + k) * 16 + column];
  }
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(true, x.word, true, y.word, sum, false);
  for (int k = 0; k < 4; k++) out[((lane >> 4 & 1) * 8 + (lane >> 5) * 4 + k) * 16 + column] = sum[k];
#endif
}

#ifdef __GFX9__
// f64 and f32, which CDNA alone multiplies so; the inner dimension goes by fours.
KERNEL(64, 1, 1) wide_tiles(IN(double) a, IN(double) b, OUT(double) out, OUT(float) singles) {
  uint lane = LOCAL(x), column = lane & 15, group = lane >> 4;
  double4_ sum = 0;
  float4_ single = 0;
  for (uint k = 0; k < 16; k += 4) {
    double x = a[column * 16 + k + group], y = b[(k + group) * 16 + column];
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(x, y, sum, 0, 0, 0);
    single = __builtin_amdgcn_mfma_f32_16x16x4f32((float)x, (float)y, single, 0, 0, 0);
  }
  for (int k = 0; k < 4; k++) {
    out[(4 * k + group) * 16 + column] = sum[k];
    singles[(4 * group + k) * 16 + column] = single[k];
  }
}
#endif
