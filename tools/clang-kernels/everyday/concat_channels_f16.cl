#include "wide.h"
// a[16][64][28][28], b[16][128][28][28] -> o[16][192][28][28]: 98 vectors of eight to a plane
KERNEL(256) lane(G const h8 *R a, G const h8 *R b, G h8 *R o) { uint i = GID(256), n = i / 18816, r = i % 18816;
  G const h8 *p = r < 6272 ? a + (n * 6272 + r) : b + (n * 12544 + r - 6272); AT(o, i) = *p; }
// 24 workgroups copy a image's a and 49 its b: 896 = 7 * 128 vectors each
KERNEL(128) copy(G const h8 *R a, G const h8 *R b, G h8 *R o) { uint n = BID / 21, g = BID % 21;
  if (g < 7) { EACH(k, 7) AT(o, n * 18816 + g * 896 + k * 128 + TID) = AT(a, n * 6272 + g * 896 + k * 128 + TID); }
  else { EACH(k, 7) AT(o, n * 18816 + g * 896 + k * 128 + TID) = AT(b, n * 12544 + (g - 7) * 896 + k * 128 + TID); } }
