#include "wide.h"
#include "scan.h"
// The running sums of 1 M elements: each workgroup of the first launch sums 4,096 of them; those of the second
// add the sums before them, and scan their own. `sums` is scratch memory.
KERNEL(256) sum(G const f4 *R x, G f4 *R o, G float *R sums) { __local float s[16]; f4 v = 0;
  EACH(k, 4) v += AT(x, BID * 1024 + k * 256 + TID);
  float r = group_sum(sum4(v), s, NW); if (TID == 0) AT(sums, BID) = r; }
KERNEL(256) scan(G const f4 *R x, G f4 *R o, G float *R sums) { __local float s[16], t[16]; f4 v[4];
  float before = group_sum(TID < BID ? AT(sums, TID) : 0.0f, s, NW);
  EACH(k, 4) { f4 a = AT(x, BID * 1024 + TID * 4 + k); a.y += a.x; a.w += a.z; a.zw += a.y; v[k] = a; }
  EACH(k, 3) v[k + 1] += v[k].w;
  float own = v[3].w, all = wave_scan(own);
  if (LANE == WAVE - 1) t[TID / WAVE] = all;
  wg_barrier();
  for (uint w = 0; w < TID / WAVE; w++) before += t[w];
  before += all - own;
  EACH(k, 4) AT(o, BID * 1024 + TID * 4 + k) = v[k] + before; }
