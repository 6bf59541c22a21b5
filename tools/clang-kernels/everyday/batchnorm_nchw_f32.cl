#include "wide.h"
// x[16][64][56][56], a number of each of the others for a channel: 784 vectors of four to a plane
KERNEL(256) lane(G const f4 *R x, G const float *R scale, G const float *R bias, G const float *R mean, G const float *R variance, G f4 *R o) {
  uint i = GID(256), c = (i / 784) & 63; float a = AT(scale, c) * __builtin_amdgcn_rsqf(AT(variance, c) + 1e-5f), b = AT(bias, c) - AT(mean, c) * a;
  AT(o, i) = AT(x, i) * a + b; }
KERNEL(256) plane(G const f4 *R x, G const float *R scale, G const float *R bias, G const float *R mean, G const float *R variance, G f4 *R o) {
  uint c = BID & 63; float a = scale[c] * __builtin_amdgcn_rsqf(variance[c] + 1e-5f), b = bias[c] - mean[c] * a;
  EACH(k, 3) AT(o, BID * 784 + k * 256 + TID) = AT(x, BID * 784 + k * 256 + TID) * a + b;
  if (TID < 16) AT(o, BID * 784 + 768 + TID) = AT(x, BID * 784 + 768 + TID) * a + b; }
KERNEL(448) half_plane(G const f4 *R x, G const float *R scale, G const float *R bias, G const float *R mean, G const float *R variance, G f4 *R o) {
  uint c = (BID >> 1) & 63, i = BID * 392 + TID; if (TID >= 392) return;
  float a = scale[c] * __builtin_amdgcn_rsqf(variance[c] + 1e-5f), b = bias[c] - mean[c] * a; AT(o, i) = AT(x, i) * a + b; }
