#include "wide.h"
// x[64][1024][64] -> o[64][64]
KERNEL(1024) one(G const f4 *R x, G f4 *R o) { __local f4 t[64][16]; uint c = TID & 15, r = TID >> 4; f4 s = 0;
  EACH(k, 16) s += AT(x, BID * 16384 + k * 1024 + TID);
  t[r][c] = s;
  for (uint m = 32; m; m >>= 1) { wg_barrier(); if (r < m) t[r][c] += t[r + m][c]; }
  if (r == 0) AT(o, BID * 16 + c) = t[0][c]; }
// sixteen workgroups for each sum, then a launch that adds the sixteen. `sums` is scratch memory.
KERNEL(256) part(G const f4 *R x, G f4 *R o, G f4 *R sums) { __local f4 t[16][16]; uint c = TID & 15, r = TID >> 4; f4 s = 0;
  EACH(k, 4) s += AT(x, BID * 1024 + k * 256 + TID);
  t[r][c] = s;
  for (uint m = 8; m; m >>= 1) { wg_barrier(); if (r < m) t[r][c] += t[r + m][c]; }
  if (r == 0) AT(sums, BID * 16 + c) = t[0][c]; }
KERNEL(256) last(G const f4 *R x, G f4 *R o, G const f4 *R sums) { uint c = TID & 15, b = BID * 16 + (TID >> 4); f4 s = 0;
  EACH(k, 16) s += AT(sums, (b * 16 + k) * 16 + c);
  AT(o, b * 16 + c) = s; }
