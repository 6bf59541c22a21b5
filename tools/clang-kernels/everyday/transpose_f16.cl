#include "wide.h"
// x[2048][2048] in tiles of 64 by 64: rows are read and columns written 16 bytes a lane
KERNEL(256) tile(G const h8 *R x, G h8 *R o) { __local half t[64][66]; uint tx = TID & 7, ty = TID >> 3, bx = BID & 31, by = BID >> 5;
  EACH(k, 2) { h8 v = AT(x, (by * 64 + ty + k * 32) * 256u + bx * 8 + tx); EACH(j, 8) t[ty + k * 32][tx * 8 + j] = v[j]; }
  wg_barrier();
  EACH(k, 2) { h8 v; EACH(j, 8) v[j] = t[tx * 8 + j][ty + k * 32]; AT(o, (bx * 64 + ty + k * 32) * 256u + by * 8 + tx) = v; } }
// squares of 8 by 8 in the registers of a lane
KERNEL(64) square(G const h8 *R x, G h8 *R o) { uint tx = TID & 7, ty = TID >> 3, bx = BID & 31, by = BID >> 5; h8 v[8];
  EACH(j, 8) v[j] = AT(x, ((by * 8 + ty) * 8 + j) * 256u + bx * 8 + tx);
  EACH(k, 8) { h8 w; EACH(j, 8) w[j] = v[j][k]; AT(o, ((bx * 8 + tx) * 8 + k) * 256u + by * 8 + ty) = w; } }
