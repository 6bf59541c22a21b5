#include "wide.h"
// x[4096][1023] -> o[4096][1023 - 7] : the rows from column 7, which begin at odd places
typedef h8 h8u __attribute__((aligned(2)));
KERNEL(128) row(G const half *R x, G h8 *R o) { if (TID < 127) AT(o, BID * 127 + TID) = *(G const h8u *)(x + BID * 1023u + 7 + TID * 8); }
KERNEL(256) lane(G const half *R x, G h8 *R o) { uint i = GID(256); if (i >= 4096 * 127) return; uint r = i / 127; AT(o, i) = *(G const h8u *)(x + (i * 8 + r * 7 + 7)); }
