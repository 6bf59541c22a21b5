#include "wide.h"
// x[8][64][56][56] -> o[8][56][56][64]: a square of 8 channels by 8 pixels a lane, 392 times 8 of them in an image
KERNEL(256) square(G const h8 *R x, G h8 *R o) { uint i = GID(256), c = i & 7, p = (i >> 3) % 392, n = i / 3136; h8 v[8];
  EACH(j, 8) v[j] = AT(x, (n * 64 + c * 8 + j) * 392 + p);
  EACH(k, 8) { h8 w; EACH(j, 8) w[j] = v[j][k]; AT(o, (n * 3136 + p * 8 + k) * 8 + c) = w; } }
// through LDS: 64 channels by 64 pixels a workgroup, 49 of them in an image
KERNEL(256) tile(G const h8 *R x, G h8 *R o) { __local half t[64][66]; uint tx = TID & 7, ty = TID >> 3, n = BID / 49, b = BID % 49;
  EACH(k, 2) { h8 v = AT(x, (n * 64 + ty + k * 32) * 392 + b * 8 + tx); EACH(j, 8) t[ty + k * 32][tx * 8 + j] = v[j]; }
  wg_barrier();
  EACH(k, 2) { h8 v; EACH(j, 8) v[j] = t[tx * 8 + j][ty + k * 32]; AT(o, (n * 3136 + b * 64 + ty + k * 32) * 8 + tx) = v; } }
