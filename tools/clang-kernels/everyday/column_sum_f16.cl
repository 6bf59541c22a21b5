#include "wide.h"
// x[4096][1024] -> f32[1024]: the sums of 16 rows, then those of 256 such sums. `sums` is scratch memory.
KERNEL(128) part(G const h8 *R x, G float *R o, G float *R sums) { f8 s = 0;
  EACH(k, 16) s += CONVERT(AT(x, (BID * 16 + k) * 128 + TID), f8);
  AT((G f8 *)sums, BID * 128 + TID) = s; }
KERNEL(256) last(G const h8 *R x, G f4 *R o, G const f4 *R sums) { __local f4 t[64][4]; uint c = TID & 3, r = TID >> 2; f4 s = 0;
  EACH(k, 4) s += AT(sums, (k * 64 + r) * 256 + BID * 4 + c);
  t[r][c] = s;
  for (uint m = 32; m; m >>= 1) { wg_barrier(); if (r < m) t[r][c] += t[r + m][c]; }
  if (r == 0) AT(o, BID * 4 + c) = t[0][c]; }
// more rows for each workgroup, so that the second launch has less to do
KERNEL(128) part32(G const h8 *R x, G float *R o, G float *R sums) { f8 s = 0;
  EACH(k, 32) s += CONVERT(AT(x, (BID * 32 + k) * 128 + TID), f8);
  AT((G f8 *)sums, BID * 128 + TID) = s; }
KERNEL(256) last32(G const h8 *R x, G f4 *R o, G const f4 *R sums) { __local f4 t[64][4]; uint c = TID & 3, r = TID >> 2; f4 s = 0;
  EACH(k, 2) s += AT(sums, (k * 64 + r) * 256 + BID * 4 + c);
  t[r][c] = s;
  for (uint m = 32; m; m >>= 1) { wg_barrier(); if (r < m) t[r][c] += t[r + m][c]; }
  if (r == 0) AT(o, BID * 4 + c) = t[0][c]; }
