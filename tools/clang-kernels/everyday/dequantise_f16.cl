#include "wide.h"
// q[4096][1024], scale[4096] -> f16
KERNEL(256) sixteen(G const c16 *R q, G const half *R scale, G h16 *R o) { uint i = GID(256); float s = (float)AT(scale, i >> 6);
  AT(o, i) = CONVERT(CONVERT(CONVERT(AT(q, i), i16_), f16_) * s, h16); }
KERNEL(256) eight(G const c8 *R q, G const half *R scale, G h8 *R o) { uint i = GID(256); float s = (float)AT(scale, i >> 7);
  AT(o, i) = CONVERT(CONVERT(CONVERT(AT(q, i), i8_), f8) * s, h8); }
// i8 and its product with an f16 are computed in f16: the integer is exact, and the product is rounded once
KERNEL(128) row(G const c8 *R q, G const half *R scale, G h8 *R o) { half s = scale[BID];
  AT(o, BID * 128 + TID) = CONVERT(CONVERT(AT(q, BID * 128 + TID), s8), h8) * s; }
KERNEL(64) row16(G const c16 *R q, G const half *R scale, G h16 *R o) { half s = scale[BID]; uint i = BID * 64 + TID; c16 v = AT(q, i);
  AT(o, i) = (h16)(CONVERT(CONVERT(v.lo, s8), h8) * s, CONVERT(CONVERT(v.hi, s8), h8) * s); }
