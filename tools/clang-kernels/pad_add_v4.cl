#include "common.h"
// out[1M] = pad(x[1M-1000], lo=300, hi=700) + y, four elements a lane: both ends are multiples of four
KERNEL(256) pad_add_v4(G const float4 *R x, G const float4 *R y, G float4 *R o) { uint i = GID(256);
  uint j = i - 75u; float4 b = AT(y, i), v = 0; if (j < (262144u - 250u)) v = AT(x, j); AT(o, i) = v + b; }
