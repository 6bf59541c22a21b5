#include "wide.h"
// mask[4 M] bytes: a value where it is true
KERNEL(256) eight(G const uchar8 *R m, G const h8 *R x, G h8 *R o) { uint i = GID(256); uchar8 c = AT(m, i); h8 v = AT(x, i);
  EACH(j, 8) v[j] = c[j] ? (half)-10000.0f : v[j]; AT(o, i) = v; }
KERNEL(256) sixteen(G const uchar16 *R m, G const h16 *R x, G h16 *R o) { uint i = GID(256); uchar16 c = AT(m, i); h16 v = AT(x, i);
  EACH(j, 16) v[j] = c[j] ? (half)-10000.0f : v[j]; AT(o, i) = v; }
// by bits: a byte of 0 or 1 as a mask of a half
KERNEL(256) bits(G const uchar8 *R m, G const u8_ *R x, G u8_ *R o) { uint i = GID(256); u8_ c = -CONVERT(AT(m, i), u8_), v = AT(x, i);
  AT(o, i) = (v & ~c) | (c & (ushort)0xf0e2); }
