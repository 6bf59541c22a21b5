// Factors of 16-byte vectors, sums, and one matrix instruction on a vector of each factor.
// TYPE: 0 f16, 1 bf16, 2 i8, 3 f32. S: rows of a matrix instruction.
#pragma once
#include "../common.h"
typedef half half4_ __attribute__((ext_vector_type(4)));
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef half half16_ __attribute__((ext_vector_type(16)));
typedef short short4_ __attribute__((ext_vector_type(4)));
typedef short short8_ __attribute__((ext_vector_type(8)));
typedef __bf16 bf8_ __attribute__((ext_vector_type(8)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef uint uint4_ __attribute__((ext_vector_type(4)));
typedef uint4_ loose16 __attribute__((aligned(1)));
typedef uint2 loose8 __attribute__((aligned(1)));
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define INLINE static inline __attribute__((always_inline))
#if TYPE == 0
typedef half elem; typedef float sum; typedef half out;
#elif TYPE == 1
typedef ushort elem; typedef float sum; typedef ushort out;
#elif TYPE == 2
typedef char elem; typedef int sum; typedef int out;
#else
typedef float elem; typedef float sum; typedef float out;
#endif
#define VE (16 / (uint)sizeof(elem))  // elements of a vector
INLINE float number(elem x) {
#if TYPE == 1
  return as_float((uint)x << 16);
#else
  return (float)x;
#endif
}
INLINE out rounded(sum x) {
#if TYPE == 1
  uint u = as_uint(x);
  return (ushort)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
#else
  return (out)x;
#endif
}
#if !defined(NO_MATRIX)
#if WAVE == 64
#define SUMS (S * S / 64)
#else
#define SUMS 8
#endif
typedef sum sums __attribute__((ext_vector_type(SUMS)));
#if defined(__GFX11__)
#define PARTS (TYPE == 2 ? 1 : 2)  // vectors of a lane, which has all inner indexes of an instruction
typedef struct { uint4_ part[2]; } frag;
#define KS 16
#else
typedef struct { uint4_ part[1]; } frag;
#define PARTS 1
#define KS ((WAVE / S) * VE)
#endif
// c += p q^T, over KS inner indexes
INLINE sums multiply(frag p, frag q, sums c) {
#if defined(__GFX11__)
#if TYPE == 0
  half16_ a, b; a.lo = __builtin_astype(p.part[0], half8_); a.hi = __builtin_astype(p.part[1], half8_);
  b.lo = __builtin_astype(q.part[0], half8_); b.hi = __builtin_astype(q.part[1], half8_);
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
#elif TYPE == 1
  typedef short short16_ __attribute__((ext_vector_type(16)));
  short16_ a, b; a.lo = __builtin_astype(p.part[0], short8_); a.hi = __builtin_astype(p.part[1], short8_);
  b.lo = __builtin_astype(q.part[0], short8_); b.hi = __builtin_astype(q.part[1], short8_);
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c);
#else
  return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, __builtin_astype(p.part[0], int4_), true, __builtin_astype(q.part[0], int4_), c, false);
#endif
#elif defined(__GFX12__)
#if TYPE == 0
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(__builtin_astype(p.part[0], half8_), __builtin_astype(q.part[0], half8_), c);
#elif TYPE == 1
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(__builtin_astype(p.part[0], short8_), __builtin_astype(q.part[0], short8_), c);
#else
  int4_ a = __builtin_astype(p.part[0], int4_), b = __builtin_astype(q.part[0], int4_);
  c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a.lo, true, b.lo, c, false);
  return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a.hi, true, b.hi, c, false);
#endif
#else
#if TYPE == 0
  half8_ a = __builtin_astype(p.part[0], half8_), b = __builtin_astype(q.part[0], half8_);
#if defined(__gfx950__)
#if S == 32
  return __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0);
#else
  return __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0);
#endif
#elif S == 32
  c = __builtin_amdgcn_mfma_f32_32x32x8f16(a.lo, b.lo, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_f32_32x32x8f16(a.hi, b.hi, c, 0, 0, 0);
#else
  c = __builtin_amdgcn_mfma_f32_16x16x16f16(a.lo, b.lo, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_f32_16x16x16f16(a.hi, b.hi, c, 0, 0, 0);
#endif
#elif TYPE == 1
#if defined(__gfx950__)
  bf8_ a = __builtin_astype(p.part[0], bf8_), b = __builtin_astype(q.part[0], bf8_);
#if S == 32
  return __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, c, 0, 0, 0);
#else
  return __builtin_amdgcn_mfma_f32_16x16x32_bf16(a, b, c, 0, 0, 0);
#endif
#else
  short8_ a = __builtin_astype(p.part[0], short8_), b = __builtin_astype(q.part[0], short8_);
#if S == 32
  c = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a.lo, b.lo, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a.hi, b.hi, c, 0, 0, 0);
#else
  c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a.lo, b.lo, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a.hi, b.hi, c, 0, 0, 0);
#endif
#endif
#elif TYPE == 2
  int4_ a = __builtin_astype(p.part[0], int4_), b = __builtin_astype(q.part[0], int4_);
#if defined(__gfx950__)
#if S == 32
  return __builtin_amdgcn_mfma_i32_32x32x32_i8(a, b, c, 0, 0, 0);
#else
  return __builtin_amdgcn_mfma_i32_16x16x64_i8(a, b, c, 0, 0, 0);
#endif
#elif defined(__gfx942__)
  long al = __builtin_astype(a.lo, long), ah = __builtin_astype(a.hi, long), bl = __builtin_astype(b.lo, long), bh = __builtin_astype(b.hi, long);
#if S == 32
  c = __builtin_amdgcn_mfma_i32_32x32x16_i8(al, bl, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_i32_32x32x16_i8(ah, bh, c, 0, 0, 0);
#else
  c = __builtin_amdgcn_mfma_i32_16x16x32_i8(al, bl, c, 0, 0, 0);
  return __builtin_amdgcn_mfma_i32_16x16x32_i8(ah, bh, c, 0, 0, 0);
#endif
#else
#pragma unroll
  for (int i = 0; i < 4; i++) {
#if S == 32
    c = __builtin_amdgcn_mfma_i32_32x32x8i8(a[i], b[i], c, 0, 0, 0);
#else
    c = __builtin_amdgcn_mfma_i32_16x16x16i8(a[i], b[i], c, 0, 0, 0);
#endif
  }
  return c;
#endif
#else
  float4 a = as_float4(p.part[0]), b = as_float4(q.part[0]);
#pragma unroll
  for (int i = 0; i < 4; i++) {
#if S == 32
    c = __builtin_amdgcn_mfma_f32_32x32x2f32(a[i], b[i], c, 0, 0, 0);
#else
    c = __builtin_amdgcn_mfma_f32_16x16x4f32(a[i], b[i], c, 0, 0, 0);
#endif
  }
  return c;
#endif
#endif
}
// the row of the first factor in D's register r, and the first inner index of a lane
INLINE uint row_of(uint lane, uint r) {
#if defined(__GFX11__)
  return 2 * r + (lane >> 4);
#elif defined(__GFX12__)
  return (lane >> 4) * 8 + r;
#elif S == 32
  return (r >> 2) * 8 + (lane >> 5) * 4 + (r & 3);
#else
  return (lane >> 4) * 4 + r;
#endif
}
#if defined(__GFX11__)
#define RUN 1  // consecutive rows in D's registers
#define INNER(lane) 0
#elif defined(__GFX12__)
#define RUN 8
#define INNER(lane) (((lane) >> 4) * VE)
#else
#define RUN 4
#define INNER(lane) (((lane) / S) * VE)
#endif
#endif
