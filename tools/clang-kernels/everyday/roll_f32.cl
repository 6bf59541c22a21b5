#include "wide.h"
// x[4096][1024] by one column: element 0 is the row's last
KERNEL(256) lane(G const float *R x, G f4 *R o) { uint at = BID * 1024 + TID * 4; f4 v;
  v.x = AT(x, BID * 1024 + ((TID * 4 + 1023) & 1023)); v.y = AT(x, at); v.z = AT(x, at + 1); v.w = AT(x, at + 2); AT(o, BID * 256 + TID) = v; }
typedef f4 f4u __attribute__((aligned(4)));
KERNEL(256) shifted(G const float *R x, G f4 *R o) { uint at = BID * 1024 + TID * 4; f4 w = AT((G const f4 *)x, BID * 256 + TID);
  float before = AT(x, BID * 1024 + ((TID * 4 + 1023) & 1023)); AT(o, BID * 256 + TID) = (f4)(before, w.x, w.y, w.z); }
