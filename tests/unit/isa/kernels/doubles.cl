#include "common.h"
// f64: a polynomial by fma, a quotient, a square root, conversions to and from f32, i32 and u32.
KERNEL(64, 1, 1) doubles(__global const double *a, __global const double *b, __global double *out, __global int *whole) {
  uint i = GROUP(x) * 64 + LOCAL(x);
  double x = a[i], y = b[i];
  double p = __builtin_fma(x, __builtin_fma(x, 0.25, -1.5), y);
  out[4 * i] = p;
  out[4 * i + 1] = x / y;
  out[4 * i + 2] = __builtin_elementwise_sqrt(x < 0 ? -x : x);
  out[4 * i + 3] = (double)(float)x + (double)(uint)(i * 77u);
  whole[i] = (int)(y * 1000.0) + (x > y ? 1 : 0);
}
