#include "wide.h"
INLINE f8 silu(f8 g) { f8 r; EACH(k, 8) r[k] = g[k] * sigmoid_(g[k]); return r; }
KERNEL(256) lane(G const h8 *R g, G const h8 *R u, G h8 *R o) { uint i = GID(256);
  f8 a = CONVERT(AT(g, i), f8), b = CONVERT(AT(u, i), f8); AT(o, i) = CONVERT(silu(a) * b, h8); }
KERNEL(256) two(G const h8 *R g, G const h8 *R u, G h8 *R o) { uint i = BID * 512 + TID;
  EACH(k, 2) { f8 a = CONVERT(AT(g, i + k * 256), f8), b = CONVERT(AT(u, i + k * 256), f8); AT(o, i + k * 256) = CONVERT(silu(a) * b, h8); } }
