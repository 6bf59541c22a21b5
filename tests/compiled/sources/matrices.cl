#include "opencl.h"
// Matrix instructions: 16 by 16 tiles in the layouts of each target, computed by one wave.
typedef half half4_ __attribute__((ext_vector_type(4)));
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef half half16_ __attribute__((ext_vector_type(16)));
typedef short short4_ __attribute__((ext_vector_type(4)));
typedef short short8_ __attribute__((ext_vector_type(8)));
typedef short short16_ __attribute__((ext_vector_type(16)));
typedef float float4_ __attribute__((ext_vector_type(4)));
typedef float float8_ __attribute__((ext_vector_type(8)));
typedef float float16_ __attribute__((ext_vector_type(16)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));
typedef double double4_ __attribute__((ext_vector_type(4)));
#ifdef __GFX11__
#define ROWS (256 / WAVE)
#define ROW(k) ((WAVE == 32 ? 2 : 4) * (k) + (LANE >> 4)) // of the accumulator's element k
#elif defined(__GFX12__)
#define ROWS (256 / WAVE)
#define ROW(k) (WAVE == 32 ? 8 * (LANE >> 4) + (k) : 8 * (LANE >> 4 & 1) + 4 * (LANE >> 5) + (k))
#endif

#ifdef __GFX9__
//: half_by_mfma
// A product of 16 by K and K by 16, sixteen at a time.
KERNEL half_by_mfma(IN(half) a, IN(half) b, OUT(float) out, uint k) {
  uint row = LANE & 15, part = LANE >> 4;
  float4_ sum = 0;
  for (uint base = 0; base < k; base += 16) {
    half4_ x, y;
    for (uint j = 0; j < 4; j++) {
      x[j] = a[row * k + base + part * 4 + j];
      y[j] = b[(base + part * 4 + j) * 16 + row];
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, sum, 0, 0, 0);
  }
  for (uint j = 0; j < 4; j++) out[(part * 4 + j) * 16 + row] = sum[j];
}

//: large_mfma
// 32 by 32, from LDS.
KERNEL large_mfma(IN(half) a, IN(half) b, OUT(float) out) {
  __local half left[32 * 36], right[32 * 36];
  for (uint i = LOCAL; i < 32 * 32; i += 64) {
    left[i / 32 * 36 + i % 32] = a[i];
    right[i % 32 * 36 + i / 32] = b[i];
  }
  BARRIER;
  uint row = LANE & 31, part = LANE >> 5;
  float16_ sum = 0;
  for (uint base = 0; base < 32; base += 8) {
    half4_ x = *(__local half4_ *)(left + row * 36 + base + part * 4), y = *(__local half4_ *)(right + row * 36 + base + part * 4);
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
  }
  for (uint j = 0; j < 16; j++) out[(j % 4 + j / 4 * 8 + part * 4) * 32 + row] = sum[j];
}

//: single_mfma
KERNEL single_mfma(IN(float) a, IN(float) b, IN(float) c, OUT(float) out) {
  uint row = LANE & 15, part = LANE >> 4;
  float4_ sum;
  for (uint j = 0; j < 4; j++) sum[j] = c[(part * 4 + j) * 16 + row];
  for (uint base = 0; base < 16; base += 4) sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a[row * 16 + base + part], b[(base + part) * 16 + row], sum, 0, 0, 0);
  for (uint j = 0; j < 4; j++) out[(part * 4 + j) * 16 + row] = sum[j];
}

//: double_mfma
KERNEL double_mfma(IN(double) a, IN(double) b, OUT(double) out) {
  uint row = LANE & 15, part = LANE >> 4;
  double4_ sum = 1;
  for (uint base = 0; base < 16; base += 4) sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a[row * 16 + base + part], b[(base + part) * 16 + row], sum, 0, 0, 0);
  for (uint j = 0; j < 4; j++) out[(part + 4 * j) * 16 + row] = sum[j];
}

//: brain_mfma
KERNEL brain_mfma(IN(short) a, IN(short) b, OUT(float) out) {
  uint row = LANE & 15, part = LANE >> 4;
  short4_ x, y;
  for (uint j = 0; j < 4; j++) {
    x[j] = a[row * 16 + part * 4 + j];
    y[j] = b[(part * 4 + j) * 16 + row];
  }
  float4_ sum = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, (float4_)(0.5f), 0, 0, 0);
  for (uint j = 0; j < 4; j++) out[(part * 4 + j) * 16 + row] = sum[j];
}

//: many_blocks
// Sixteen products of 4 by 4 at once.
KERNEL many_blocks(IN(float) a, IN(float) b, OUT(float) out) {
  uint row = LANE & 3, block = LANE >> 2;
  float4_ sum = 0;
  for (uint k = 0; k < 4; k++) sum = __builtin_amdgcn_mfma_f32_4x4x1f32(a[block * 16 + row * 4 + k], b[block * 16 + k * 4 + row], sum, 0, 0, 0);
  for (uint j = 0; j < 4; j++) out[block * 16 + j * 4 + row] = sum[j];
}
#else
//: half_by_wmma
KERNEL half_by_wmma(IN(half) a, IN(half) b, OUT(float) out, uint k) {
  uint row = LANE & 15;
#ifdef __GFX11__
#define ELEMENTS 16
#define AT 0
  half16_ x, y;
#else
#define ELEMENTS (256 / WAVE)
#define AT ((LANE >> 4) * ELEMENTS)
#if WAVE == 32
  half8_ x, y;
#else
  half4_ x, y;
#endif
#endif
#if WAVE == 32
  float8_ sum = 0;
#else
  float4_ sum = 0;
#endif
  for (uint base = 0; base < k; base += 16) {
    for (uint j = 0; j < ELEMENTS; j++) {
      x[j] = a[row * k + base + AT + j];
      y[j] = b[(base + AT + j) * 16 + row];
    }
#ifdef __GFX11__
#if WAVE == 32
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, sum);
#else
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(x, y, sum);
#endif
#elif WAVE == 32
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, sum);
#else
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(x, y, sum);
#endif
  }
  for (uint j = 0; j < ROWS; j++) out[ROW(j) * 16 + row] = sum[j];
}

//: bytes_by_wmma
KERNEL bytes_by_wmma(IN(char) a, IN(uchar) b, OUT(int) out) {
  uint row = LANE & 15;
#ifdef __GFX11__
  union { int4_ words; char part[16]; } x, y;
  for (uint j = 0; j < 16; j++) {
    x.part[j] = a[row * 16 + j];
    y.part[j] = (char)b[j * 16 + row];
  }
#if WAVE == 32
  int8_ sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, x.words, false, y.words, (int8_)(3), false);
#else
  int4_ sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64(true, x.words, false, y.words, (int4_)(3), false);
#endif
#elif WAVE == 32
  union { int2 words; char part[8]; } x, y;
  for (uint j = 0; j < 8; j++) {
    x.part[j] = a[row * 16 + 8 * (LANE >> 4) + j];
    y.part[j] = (char)b[(8 * (LANE >> 4) + j) * 16 + row];
  }
  int8_ sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, x.words, false, y.words, (int8_)(3), false);
#else
  union { int word; char part[4]; } x, y;
  for (uint j = 0; j < 4; j++) {
    x.part[j] = a[row * 16 + 4 * (LANE >> 4) + j];
    y.part[j] = (char)b[(4 * (LANE >> 4) + j) * 16 + row];
  }
  int4_ sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(true, x.word, false, y.word, (int4_)(3), false);
#endif
  for (uint j = 0; j < ROWS; j++) out[ROW(j) * 16 + row] = sum[j];
}

#if WAVE == 32
//: halves_summed_in_half
// The accumulator is of halves too, and begins as one constant in every element.
KERNEL halves_summed_in_half(IN(half) a, IN(half) b, OUT(half) out) {
  uint row = LANE & 15;
#ifdef __GFX11__
  half16_ x, y;
  for (uint j = 0; j < 16; j++) {
    x[j] = a[row * 16 + j];
    y[j] = b[j * 16 + row];
  }
  half16_ sum = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(x, y, (half16_)((half)1), false);
  for (uint j = 0; j < 8; j++) out[ROW(j) * 16 + row] = sum[2 * j];
#else
  half8_ x, y;
  for (uint j = 0; j < 8; j++) {
    x[j] = a[row * 16 + 8 * (LANE >> 4) + j];
    y[j] = b[(8 * (LANE >> 4) + j) * 16 + row];
  }
  half8_ sum = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(x, y, (half8_)((half)1));
  for (uint j = 0; j < 8; j++) out[ROW(j) * 16 + row] = sum[j];
#endif
}

//: brain_by_wmma
KERNEL brain_by_wmma(IN(short) a, IN(short) b, OUT(float) out) {
  uint row = LANE & 15;
#ifdef __GFX11__
  short16_ x, y;
  for (uint j = 0; j < 16; j++) {
    x[j] = a[row * 16 + j];
    y[j] = b[j * 16 + row];
  }
  float8_ sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, (float8_)(0.5f));
#else
  short8_ x, y;
  for (uint j = 0; j < 8; j++) {
    x[j] = a[row * 16 + 8 * (LANE >> 4) + j];
    y[j] = b[(8 * (LANE >> 4) + j) * 16 + row];
  }
  float8_ sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(x, y, (float8_)(0.5f));
#endif
  for (uint j = 0; j < 8; j++) out[ROW(j) * 16 + row] = sum[j];
}
#endif
#endif
