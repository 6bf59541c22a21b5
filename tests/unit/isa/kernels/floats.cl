#include "common.h"
// f32 to the last bit: + - * fma / sqrt, minima and maxima with NaNs, signs, comparisons.
KERNEL(64, 1, 1) singles(IN(float) a, IN(float) b, IN(float) c, OUT(float) out, OUT(uint) compared) {
  uint i = INDEX;
  float x = a[i], y = b[i], z = c[i];
  __global float *row = out + 14 * i;
  row[0] = x + y;
  row[1] = x - y;
  row[2] = x * y;
  row[3] = __builtin_fmaf(x, y, z);
  row[4] = x / y;
  row[5] = __builtin_elementwise_sqrt(z);
  row[6] = __builtin_fminf(x, y);
  row[7] = __builtin_fmaxf(x, y);
  row[8] = -__builtin_fabsf(x);
  row[9] = __builtin_copysignf(x, y);
  row[10] = 1.0f / z;
  row[11] = __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
  row[12] = __builtin_fmaxf(__builtin_fmaxf(x, y), z);
  row[13] = -x * y;
  compared[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (!(x < y)) << 6 |
                (x != x || y != y) << 7 | __builtin_isinf(x) << 8 | __builtin_isnormal(x) << 9 | (x > 1.5f) << 10;
}

// To whole numbers, to fractions, mantissas and exponents; f32.
KERNEL(64, 1, 1) rounding(IN(float) a, IN(int) b, OUT(float) out, OUT(int) exponent) {
  uint i = INDEX;
  float x = a[i];
  __global float *row = out + 7 * i;
  row[0] = __builtin_truncf(x);
  row[1] = __builtin_floorf(x);
  row[2] = __builtin_ceilf(x);
  row[3] = __builtin_rintf(x);
  row[4] = __builtin_amdgcn_fractf(x);
  row[5] = __builtin_amdgcn_frexp_mantf(x);
  row[6] = __builtin_amdgcn_ldexpf(x, b[i]);
  exponent[i] = __builtin_amdgcn_frexp_expf(x);
}

KERNEL(64, 1, 1) rounding_doubles(IN(double) a, IN(int) b, OUT(double) out, OUT(int) exponent) {
  uint i = INDEX;
  double x = a[i];
  __global double *row = out + 7 * i;
  row[0] = __builtin_trunc(x);
  row[1] = __builtin_floor(x);
  row[2] = __builtin_ceil(x);
  row[3] = __builtin_rint(x);
  row[4] = __builtin_amdgcn_fract(x);
  row[5] = __builtin_amdgcn_frexp_mant(x);
  row[6] = __builtin_amdgcn_ldexp(x, b[i]);
  exponent[i] = __builtin_amdgcn_frexp_exp(x);
}

KERNEL(64, 1, 1) double_sums(IN(double) a, IN(double) b, OUT(double) out, OUT(uint) compared) {
  uint i = INDEX;
  double x = a[i], y = b[i];
  __global double *row = out + 7 * i;
  row[0] = x + y;
  row[1] = x - y;
  row[2] = x * y;
  row[3] = __builtin_fmin(x, y);
  row[4] = __builtin_fmax(x, y);
  row[5] = -__builtin_fabs(x) * 0.15915494309189535;
  row[6] = __builtin_copysign(x, y) + 123456.789;
  compared[i] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > 0.5) << 4;
}

// The hardware's own approximate functions.
KERNEL(64, 1, 1) approximate(IN(float) a, OUT(float) out) {
  uint i = INDEX;
  float x = a[i], size = __builtin_fabsf(x);
  __global float *row = out + 7 * i;
  row[0] = __builtin_amdgcn_exp2f(x);
  row[1] = __builtin_amdgcn_logf(size);
  row[2] = __builtin_amdgcn_rcpf(x);
  row[3] = __builtin_amdgcn_rsqf(size);
  row[4] = __builtin_amdgcn_sqrtf(size);
  row[5] = __builtin_amdgcn_sinf(x * 0.15915494f);
  row[6] = __builtin_amdgcn_cosf(x * 0.15915494f);
}

// Conversions between whole numbers and floats; out of range they saturate, and NaN gives 0 (-fno-strict-float-cast-overflow).
KERNEL(64, 1, 1) conversions(IN(float) a, IN(double) b, OUT(long) whole) {
  uint i = INDEX;
  float x = a[i];
  double y = b[i];
  __global long *row = whole + 12 * i;
  row[0] = (int)x;
  row[1] = (uint)x;
  row[2] = (long)x;
  row[3] = (long)(ulong)x;
  row[4] = (uchar)x;
  row[5] = (char)x;
  row[6] = (short)x;
  row[7] = (ushort)x;
  row[8] = (int)y;
  row[9] = (uint)y;
  row[10] = (long)y;
  row[11] = (long)(ulong)y;
}

KERNEL(64, 1, 1) conversions_back(IN(long) a, OUT(float) single, OUT(double) wide) {
  uint i = INDEX;
  long x = a[i];
  __global float *row = single + 8 * i;
  row[0] = (float)(int)x;
  row[1] = (float)(uint)x;
  row[2] = (float)x;
  row[3] = (float)(ulong)x;
  row[4] = (float)(uchar)x;
  row[5] = (float)(uchar)((uint)x >> 16);
  row[6] = (float)(short)x;
  row[7] = (float)(double)(int)x;
  __global double *wide_row = wide + 4 * i;
  wide_row[0] = (double)(int)x;
  wide_row[1] = (double)(uint)x;
  wide_row[2] = (double)x;
  wide_row[3] = (double)(ulong)x;
}

// Packed conversions that saturate or round to zero.
KERNEL(64, 1, 1) packed_conversions(IN(float) a, IN(float) b, OUT(uint) out) {
  uint i = INDEX;
  float x = a[i], y = b[i];
  __global uint *row = out + 5 * i;
  row[0] = __builtin_amdgcn_cvt_pk_u8_f32(x, 2, 0x11223344u);
  row[1] = as_uint(__builtin_amdgcn_cvt_pknorm_i16(x, y));
  row[2] = as_uint(__builtin_amdgcn_cvt_pknorm_u16(x, y));
  row[3] = as_uint(__builtin_amdgcn_cvt_pkrtz(x, y));
  float z = MIN(MAX(__builtin_rintf(x), 0.0f), 255.0f);
  row[4] = (uchar)z;
}

// Inline constants of each kind, 1/(2 pi) among them, and literals.
KERNEL(64, 1, 1) constants(IN(float) a, IN(double) b, IN(half) c, IN(ulong) d, OUT(float) singles_, OUT(double) doubles_, OUT(half) halves_, OUT(ulong) longs) {
  uint i = INDEX;
  float x = a[i];
  double y = b[i];
  half z = c[i];
  ulong w = d[i];
  float f[8] = {x * 0.15915494f, x + 0.5f, x * -0.5f, x + 1.0f, x - 2.0f, x * 4.0f, x * -4.0f, x + 3.25f};
  double g[8] = {y * 0.15915494309189532, y + 0.5, y * -0.5, y + 1.0, y * 2.0, y + 4.0, y - 4.0, y + 3.1};
  half h[6] = {z * (half)0.15915494, z + (half)0.5, z * (half)-2.0, z + (half)4.0, z * (half)3.25, z - (half)1.0};
  ulong l[8] = {w + 64, w - 16, w & 0xfffffffffffffff0UL, w ^ 0x123456789abcdef0UL, w | 0x8000000000000000UL, w * 5, w + 0x3ff0000000000000UL,
                w & 0xffffffff00000000UL};
  for (int k = 0; k < 8; k++) singles_[8 * i + k] = f[k];
  for (int k = 0; k < 8; k++) doubles_[8 * i + k] = g[k];
  for (int k = 0; k < 6; k++) halves_[6 * i + k] = h[k];
  for (int k = 0; k < 8; k++) longs[8 * i + k] = l[k];
}
