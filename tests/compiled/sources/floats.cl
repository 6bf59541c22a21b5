#include "opencl.h"
// f64, f32, f16 and bf16. Nothing is contracted, so that numpy computes the same.

//: quadratic_roots
KERNEL quadratic_roots(IN(double) a, IN(double) b, IN(double) c, OUT(double) out) {
  uint i = INDEX;
  double p = b[i] / a[i], q = c[i] / a[i], inner = p * p / 4 - q;
  out[2 * i] = inner < 0 ? -p / 2 : -p / 2 + __builtin_sqrt(inner);
  out[2 * i + 1] = inner < 0 ? __builtin_sqrt(-inner) : -p / 2 - __builtin_sqrt(inner);
}

//: double_exponential
// exp by reduction to [-ln2/2, ln2/2] and a polynomial, as a library does it.
KERNEL double_exponential(IN(double) in, OUT(double) out) {
  double x = in[INDEX], n = __builtin_rint(x * 1.4426950408889634);
  double r = __builtin_fma(n, -0.6931471805599453, x);
  r = __builtin_fma(n, -2.3190468138462996e-17, r);
  double sum = 1.0 / 6227020800.0, factorial[] = {479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1};
  for (int k = 0; k < 13; k++) sum = __builtin_fma(sum, r, 1.0 / factorial[k]);
  out[INDEX] = __builtin_ldexp(sum, (int)n);
}

//: double_newton
// Newton's steps to a cube root, with a division in each.
KERNEL double_newton(IN(double) in, OUT(double) out) {
  double x = in[INDEX], y = x > 1 ? x / 3 : 1;
  for (int k = 0; k < 40; k++) y = (2 * y + x / (y * y)) / 3;
  out[INDEX] = y;
}

//: double_rounding
KERNEL double_rounding(IN(double) in, OUT(double) out) {
  double x = in[INDEX];
  __global double *row = out + INDEX * 6;
  row[0] = __builtin_floor(x);
  row[1] = __builtin_ceil(x);
  row[2] = __builtin_trunc(x);
  row[3] = __builtin_rint(x);
  row[4] = __builtin_amdgcn_fract(x);
  row[5] = (double)(long)x - (double)(float)x + (double)(uint)__builtin_fabs(x);
}

//: double_comparisons
KERNEL double_comparisons(IN(double) a, IN(double) b, OUT(uint) out) {
  double x = a[INDEX], y = b[INDEX];
  out[INDEX] = (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x >= y) << 4 | (x > y) << 5 | (x != x) << 6 |
               !(x < y) << 7 | __builtin_isinf(x) << 8 | __builtin_isfinite(y) << 9 | __builtin_signbit(x) << 10;
}

//: compensated_sums
KERNEL compensated_sums(IN(float) in, OUT(float) out, uint count) {
  float sum = 0, lost = 0;
  for (uint k = 0; k < count; k++) {
    float x = in[k * GROUP_SIZE + LOCAL] - lost, next = sum + x;
    lost = (next - sum) - x;
    sum = next;
  }
  out[LOCAL] = sum;
}

//: float_to_integers
KERNEL float_to_integers(IN(float) in, OUT(int) whole, OUT(uint) natural, OUT(long) wide) {
  float x = in[INDEX];
  whole[INDEX] = __builtin_elementwise_max(__builtin_elementwise_min(x, 2147483520.0f), -2147483648.0f);
  natural[INDEX] = x <= 0 ? 0 : x >= 4294967040.0f ? 4294967040u : (uint)x;
  wide[INDEX] = (long)(x * 1000.0f) + (long)(uchar)(uint)(x < 0 ? -x : 0);
}

//: integers_to_float
KERNEL integers_to_float(IN(long) in, OUT(float) singles, OUT(double) doubles, OUT(half) halves) {
  long x = in[INDEX];
  singles[INDEX * 2] = (float)x;
  singles[INDEX * 2 + 1] = (float)(ulong)x;
  doubles[INDEX * 2] = (double)x;
  doubles[INDEX * 2 + 1] = (double)(ulong)x;
  halves[INDEX] = (half)(short)x;
}

//: half_polynomials
KERNEL half_polynomials(IN(half) in, OUT(half) out) {
  half x = in[INDEX], y = x * x;
  out[INDEX] = (y * (half)0.5f - x) / (y + (half)1) + (x < 0 ? -x : x) * __builtin_sqrtf16(y + (half)2);
}

//: half_vectors
KERNEL half_vectors(IN(half4) a, IN(half4) b, OUT(half4) out) {
  half4 x = a[INDEX], y = b[INDEX];
  half4 low = MIN(x, y.wzyx), high = MAX(x, y);
  out[INDEX] = low * high + x.yxwz - (half4)(y.lo, (half2)(0.25f));
}

//: half_sums_in_float
KERNEL half_sums_in_float(IN(half) in, OUT(float) out, OUT(half) back) {
  float sum = 0;
  for (uint k = 0; k < 16; k++) {
    float x = in[INDEX * 16 + k];
    sum += x * x;
    back[INDEX * 16 + k] = (half)(x * 1.7f);
  }
  out[INDEX] = sum;
}

//: brain_floats
// bf16 by its bits, rounded to the nearest even number.
KERNEL brain_floats(IN(ushort) in, OUT(ushort) out) {
  float x = __builtin_astype((uint)in[INDEX * 2] << 16, float), y = __builtin_astype((uint)in[INDEX * 2 + 1] << 16, float);
  uint bits = __builtin_astype(x * y + 0.5f, uint);
  bits += 0x7FFF + (bits >> 16 & 1);
  out[INDEX] = bits >> 16;
}

//: complex_powers
KERNEL complex_powers(IN(float2) in, OUT(float2) out) {
  float2 x = in[INDEX], result = (float2)(1, 0);
  for (uint left = LOCAL & 15; left; left >>= 1) {
    if (left & 1) result = (float2)(result.x * x.x - result.y * x.y, result.x * x.y + result.y * x.x);
    x = (float2)(x.x * x.x - x.y * x.y, 2 * x.x * x.y);
  }
  out[INDEX] = result;
}

//: fourier_transform
// A transform of 64 points in LDS; the twiddle factors are given.
KERNEL fourier_transform(IN(double2) in, IN(double2) roots, OUT(double2) out) {
  __local double2 data[64];
  uint i = LOCAL, reversed = __builtin_bitreverse32(i) >> 26;
  data[reversed] = in[GROUP * 64 + i];
  BARRIER;
  for (uint half_size = 1; half_size < 64; half_size *= 2) {
    if (i < 32) {
      uint at = i % half_size, low = i / half_size * half_size * 2 + at, high = low + half_size;
      double2 w = roots[at * (32 / half_size)], x = data[low], y = data[high];
      double2 t = (double2)(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);
      data[low] = x + t;
      data[high] = x - t;
    }
    BARRIER;
  }
  out[GROUP * 64 + i] = data[i];
}

//: gravity
KERNEL gravity(IN(float4) bodies, OUT(float4) out, uint count) {
  __local float4 near_by[64];
  float4 mine = bodies[INDEX];
  float3 sum = 0;
  for (uint base = 0; base < count; base += 64) {
    near_by[LOCAL] = bodies[base + LOCAL];
    BARRIER;
    for (uint k = 0; k < 64; k++) {
      float3 d = near_by[k].xyz - mine.xyz;
      float square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
      sum += d * (near_by[k].w / (square * __builtin_sqrtf(square)));
    }
    BARRIER;
  }
  out[INDEX] = (float4)(sum, mine.w);
}

//: julia_steps
KERNEL julia_steps(OUT(uint) out, double cx, double cy) {
  uint column = GROUP * 8 + LOCAL, row = GROUP_Y * 8 + LOCAL_Y, steps = 0;
  double x = column * 0.1 - 1.6, y = row * 0.125 - 1;
  while (steps < 50 && x * x + y * y < 4) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    steps++;
  }
  out[row * 32 + column] = steps;
}

//: parts_of_numbers
KERNEL parts_of_numbers(IN(float) in, OUT(float) mantissas, OUT(int) exponents, OUT(float) scaled) {
  float x = in[INDEX];
  mantissas[INDEX] = __builtin_amdgcn_frexp_mantf(x);
  exponents[INDEX] = __builtin_amdgcn_frexp_expf(x);
  scaled[INDEX] = __builtin_ldexpf(x, (int)(LOCAL & 31) - 16);
}
