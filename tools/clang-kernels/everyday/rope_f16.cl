#include "wide.h"
// x[2048][16][128], cos and sin[2048][64]: lane q of the eight of a head turns elements 8q and 64 + 8q
KERNEL(256) lane(G const h8 *R x, G const h8 *R c, G const h8 *R s, G h8 *R o) { uint i = GID(256), q = i & 7, head = i >> 3;
  uint at = head * 16 + q, angle = (head >> 4) * 8 + q;
  f8 a = CONVERT(AT(x, at), f8), b = CONVERT(AT(x, at + 8), f8), u = CONVERT(AT(c, angle), f8), v = CONVERT(AT(s, angle), f8);
  AT(o, at) = CONVERT(a * u - b * v, h8); AT(o, at + 8) = CONVERT(b * u + a * v, h8); }
// a workgroup of 128 lanes for each token: the lanes' angles from a uniform base
KERNEL(128) token(G const h8 *R x, G const h8 *R c, G const h8 *R s, G h8 *R o) { uint q = TID & 7, at = BID * 256 + (TID >> 3) * 16 + q, angle = BID * 8 + q;
  f8 a = CONVERT(AT(x, at), f8), b = CONVERT(AT(x, at + 8), f8), u = CONVERT(AT(c, angle), f8), v = CONVERT(AT(s, angle), f8);
  AT(o, at) = CONVERT(a * u - b * v, h8); AT(o, at + 8) = CONVERT(b * u + a * v, h8); }
// a lane turns two heads of the token, and converts the angles once
KERNEL(256) heads(G const h8 *R x, G const h8 *R c, G const h8 *R s, G h8 *R o) { uint i = GID(256), q = i & 7, head = (i >> 3) * 2;
  uint at = head * 16 + q, angle = (head >> 4) * 8 + q;
  f8 u = CONVERT(AT(c, angle), f8), v = CONVERT(AT(s, angle), f8);
  EACH(k, 2) { f8 a = CONVERT(AT(x, at + k * 16), f8), b = CONVERT(AT(x, at + k * 16 + 8), f8);
    AT(o, at + k * 16) = CONVERT(a * u - b * v, h8); AT(o, at + k * 16 + 8) = CONVERT(b * u + a * v, h8); } }
// in f16, as numpy does: each product and sum is rounded to f16, except that a product and a sum are an fma
KERNEL(256) packed(G const h8 *R x, G const h8 *R c, G const h8 *R s, G h8 *R o) { uint i = GID(256), q = i & 7, head = i >> 3;
  uint at = head * 16 + q, angle = (head >> 4) * 8 + q;
  h8 a = AT(x, at), b = AT(x, at + 8), u = AT(c, angle), v = AT(s, angle);
  AT(o, at) = a * u - b * v; AT(o, at + 8) = b * u + a * v; }
KERNEL(256) packed4(G const h8 *R x, G const h8 *R c, G const h8 *R s, G h8 *R o) { uint i = GID(256), q = i & 7, head = (i >> 3) * 4;
  uint at = head * 16 + q, angle = (head >> 4) * 8 + q; h8 u = AT(c, angle), v = AT(s, angle);
  EACH(k, 4) { h8 a = AT(x, at + k * 16), b = AT(x, at + k * 16 + 8); AT(o, at + k * 16) = a * u - b * v; AT(o, at + k * 16 + 8) = b * u + a * v; } }
