#include "wide.h"
// x[16][56][56][64] with numbers for each of the 64 channels: a lane has eight channels of several pixels
#define BODY(n, groups) uint c = TID & 7, at = BID * (256 * n) + TID; f8 a = CONVERT(AT(variance, c), f8), b; \
  EACH(j, 8) a[j] = __builtin_amdgcn_rsqf(a[j] + 1e-3f); a *= CONVERT(AT(scale, c), f8); b = CONVERT(AT(bias, c), f8) - CONVERT(AT(mean, c), f8) * a; \
  EACH(k, n) { f8 v = CONVERT(AT(x, at + k * 256), f8) * a + b; EACH(j, 8) v[j] = MAX_(v[j], 0.0f); AT(o, at + k * 256) = CONVERT(v, h8); }
#define NAMED(name, n) KERNEL(256) name(G const h8 *R x, G const h8 *R scale, G const h8 *R bias, G const h8 *R mean, G const h8 *R variance, G h8 *R o) { BODY(n, 0) }
NAMED(one, 1)
NAMED(four, 4)
NAMED(eight, 8)
// in f16, with each result rounded to it
#define PACKED(name, n) KERNEL(256) name(G const h8 *R x, G const h8 *R scale, G const h8 *R bias, G const h8 *R mean, G const h8 *R variance, G h8 *R o) { \
  uint c = TID & 7, at = BID * (256 * n) + TID; f8 f = CONVERT(AT(variance, c), f8); EACH(j, 8) f[j] = __builtin_amdgcn_rsqf(f[j] + 1e-3f); \
  h8 a = CONVERT(f * CONVERT(AT(scale, c), f8), h8), b = AT(bias, c), m = AT(mean, c); \
  EACH(k, n) AT(o, at + k * 256) = __builtin_elementwise_max((AT(x, at + k * 256) - m) * a + b, (h8)(half)0); }
PACKED(packed4, 4)
PACKED(packed8, 8)
