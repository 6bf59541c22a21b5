#include "wide.h"
// x[16384][49] -> the mean of each row: 128 rows of 98 bytes in LDS, two lanes for each of them
KERNEL(256) two(G const h8 *R x, G half *R o) { __local h8 t[784]; uint r = TID >> 1, part = TID & 1; __local half *h = (__local half *)t;
  EACH(k, 3) t[k * 256 + TID] = AT(x, BID * 784 + k * 256 + TID);
  if (TID < 16) t[768 + TID] = AT(x, BID * 784 + 768 + TID);
  wg_barrier(); float s = 0;
  EACH(j, 24) s += (float)h[r * 49 + part * 24 + j];
  s += part ? (float)h[r * 49 + 48] : 0.0f;
  s += DPPF(s, 0xB1); if (part == 0) AT(o, BID * 128 + r) = (half)(s * (1.0f / 49)); }
// a lane for each row, 256 rows in LDS
KERNEL(256) lane(G const h8 *R x, G half *R o) { __local h8 t[1568]; __local half *h = (__local half *)t;
  EACH(k, 6) t[k * 256 + TID] = AT(x, BID * 1568 + k * 256 + TID);
  if (TID < 32) t[1536 + TID] = AT(x, BID * 1568 + 1536 + TID);
  wg_barrier(); float s = 0;
  EACH(j, 49) s += (float)h[TID * 49 + j];
  AT(o, BID * 256 + TID) = (half)(s * (1.0f / 49)); }
