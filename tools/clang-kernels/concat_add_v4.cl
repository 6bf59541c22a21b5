#include "common.h"
// out[1M] = concat(a[600000], b[448576]) + c, four elements a lane: the seam is a multiple of four
KERNEL(256) concat_add_v4(G const float4 *R a, G const float4 *R b, G const float4 *R c, G float4 *R o) { uint i = GID(256);
  G const float4 *p = i < 150000u ? a + i : b + (i - 150000u); float4 w = AT(c, i); AT(o, i) = *p + w; }
