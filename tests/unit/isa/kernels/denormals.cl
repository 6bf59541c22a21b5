#include "common.h"
// Compiled with denormals kept, and with denormals flushed; the mode of f64 and f16 is one, that of f32 another.
KERNEL(64, 1, 1) denormals(IN(float) a, IN(float) b, IN(double) c, IN(half) d, OUT(float) out, OUT(double) wide, OUT(half) narrow) {
  uint i = INDEX;
  float x = a[i], y = b[i];
  out[4 * i] = x + y;
  out[4 * i + 1] = x * y;
  out[4 * i + 2] = __builtin_fmaf(x, 0.5f, y);
  out[4 * i + 3] = x * 2.0f - y;
  wide[2 * i] = c[i] * 0.5;
  wide[2 * i + 1] = c[i] + 0x1p-1070;
  narrow[2 * i] = d[i] * (half)0.5;
  narrow[2 * i + 1] = d[i] + (half)0x1p-24;
}
