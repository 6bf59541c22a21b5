#include "wide.h"
KERNEL(256) lane(G const b8 *R x, G b8 *R o) { uint i = GID(256); AT(o, i) = CONVERT(gelu8(CONVERT(AT(x, i), f8)), b8); }
KERNEL(256) two(G const b8 *R x, G b8 *R o) { uint i = BID * 512 + TID; EACH(k, 2) AT(o, i + k * 256) = CONVERT(gelu8(CONVERT(AT(x, i + k * 256), f8)), b8); }
