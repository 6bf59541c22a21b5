#include "wide.h"
// x[8][56][56][64] -> o[8][64][56][56]: a square of 4 pixels by 4 channels a lane
KERNEL(256) square(G const f4 *R x, G f4 *R o) { uint i = GID(256), c = i & 15, p = (i >> 4) % 784, n = i / 12544; f4 v[4];
  EACH(j, 4) v[j] = AT(x, (n * 3136 + p * 4 + j) * 16 + c);
  EACH(k, 4) { f4 w; EACH(j, 4) w[j] = v[j][k]; AT(o, (n * 64 + c * 4 + k) * 784 + p) = w; } }
// the same with neighbouring lanes on neighbouring pixels
KERNEL(256) pixels(G const f4 *R x, G f4 *R o) { uint i = GID(256), p = i % 784, c = i / 784 & 15, n = i / 12544; f4 v[4];
  EACH(j, 4) v[j] = AT(x, (n * 3136 + p * 4 + j) * 16 + c);
  EACH(k, 4) { f4 w; EACH(j, 4) w[j] = v[j][k]; AT(o, (n * 64 + c * 4 + k) * 784 + p) = w; } }
KERNEL(256) tile(G const f4 *R x, G f4 *R o) { __local float t[64][65]; uint tx = TID & 15, ty = TID >> 4, n = BID / 49, b = BID % 49;
  EACH(k, 4) { f4 v = AT(x, (n * 3136 + b * 64 + ty + k * 16) * 16 + tx); EACH(j, 4) t[ty + k * 16][tx * 4 + j] = v[j]; }
  wg_barrier();
  EACH(k, 4) { f4 v; EACH(j, 4) v[j] = t[tx * 4 + j][ty + k * 16]; AT(o, (n * 64 + ty + k * 16) * 784 + b * 16 + tx) = v; } }
