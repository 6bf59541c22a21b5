#include "common.h"
// an index may be negative, and is clamped to x[1M]: four elements for each lane
KERNEL(256) gather_add_bounded(G const float *R x, G const int4 *R idx, G const float4 *R y, G float4 *R o) { uint i = GID(256);
  int4 j = AT(idx, i); j += (j >> 31) & 1048576; float4 v;
  for (int k = 0; k < 4; k++) { int c = j[k] < 0 ? 0 : j[k] > 1048575 ? 1048575 : j[k]; v[k] = AT(x, (uint)c); }
  AT(o, i) = v + AT(y, i); }
