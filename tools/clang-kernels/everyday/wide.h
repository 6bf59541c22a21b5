#pragma once
// Vectors of 16 bytes and their conversions, and reductions of rows by a wave.
#include "../common.h"
#define VECTOR(name, element, width) typedef element name __attribute__((ext_vector_type(width)))
VECTOR(h2, half, 2); VECTOR(h4, half, 4); VECTOR(h8, half, 8); VECTOR(h16, half, 16);
VECTOR(b8, __bf16, 8); VECTOR(b4, __bf16, 4);
VECTOR(f4, float, 4); VECTOR(f8, float, 8); VECTOR(f16_, float, 16);
VECTOR(s8, short, 8); VECTOR(u8_, ushort, 8);
VECTOR(c4, char, 4); VECTOR(c8, char, 8); VECTOR(c16, char, 16); VECTOR(i8_, int, 8); VECTOR(i16_, int, 16);
#define CONVERT(x, type) __builtin_convertvector(x, type)
#define INLINE static inline __attribute__((always_inline))
#define LANE (TID & (WAVE - 1))
#define WAVE_OF(wg) ((uint)__builtin_amdgcn_readfirstlane(BID * ((wg) / WAVE) + TID / WAVE))
#define EACH(k, n) _Pragma("unroll") for (uint k = 0; k < (n); k++)
INLINE float sum4(f4 v) { return (v.x + v.y) + (v.z + v.w); }
INLINE float max4(f4 v) { return MAX_(MAX_(v.x, v.y), MAX_(v.z, v.w)); }
INLINE float sum8(f8 v) { return sum4(v.lo + v.hi); }
INLINE float max8(f8 v) { return MAX_(max4(v.lo), max4(v.hi)); }
INLINE float sigmoid_(float x) { return __builtin_amdgcn_rcpf(1.0f + __builtin_amdgcn_exp2f(x * -1.4426950408889634f)); }
INLINE float log_(float x) { return __builtin_amdgcn_logf(x) * 0.6931471805599453f; }
// gather's rule: a negative index counts from the end, and an index out of range is clamped
INLINE uint index_(int i, int n) { i = i < 0 ? i + n : i; return (uint)(i < 0 ? 0 : i > n - 1 ? n - 1 : i); }
// A workgroup of `waves` waves: the reduction of a number that each wave has.
#define GROUP_RED(name, wred, OP) INLINE float name(float x, __local float *s, uint waves) { \
  x = wred(x); if (LANE == 0) s[TID / WAVE] = x; wg_barrier(); \
  float r = s[0]; for (uint i = 1; i < waves; i++) r = OP(r, s[i]); return r; }
GROUP_RED(group_sum, wave_sum, ADD_)
GROUP_RED(group_max, wave_max, MAX_)
INLINE float exp2_(float x) { return __builtin_amdgcn_exp2f(x); }
#define LOG2E 1.4426950408889634f
INLINE f8 exp8(f8 d) { f8 r; EACH(j, 8) r[j] = exp2_(d[j]); return r; }
INLINE f4 exp4(f4 d) { f4 r; EACH(j, 4) r[j] = exp2_(d[j]); return r; }
INLINE f8 gelu8(f8 x) { f8 u = 0.7978845608f * (x + 0.044715f * x * x * x), t; EACH(j, 8) t[j] = tanh_(u[j]); return 0.5f * x * (1.0f + t); }
// bf16: the upper half of an f32, rounded to nearest even
INLINE f8 wide_b8(G const uint4 *p, uint i) { uint4 w = AT(p, i); f8 r; EACH(k, 4) { r[2 * k] = as_float(w[k] << 16); r[2 * k + 1] = as_float(w[k] & 0xffff0000u); } return r; }
