#include "common.h"
typedef half pair __attribute__((ext_vector_type(2)));
typedef half quad __attribute__((ext_vector_type(4)));

// f16, one at a time.
KERNEL(64, 1, 1) halves(IN(half) a, IN(half) b, IN(half) c, OUT(half) out, OUT(int) whole) {
  uint i = INDEX;
  half x = a[i], y = b[i], z = c[i];
  __global half *row = out + 14 * i;
  row[0] = x + y;
  row[1] = x - y;
  row[2] = x * y;
  row[3] = __builtin_elementwise_fma(x, y, z);
  row[4] = x / y;
  row[5] = __builtin_elementwise_sqrt(z);
  row[6] = __builtin_elementwise_minnum(x, y);
  row[7] = __builtin_elementwise_maxnum(x, y);
  row[8] = __builtin_elementwise_trunc(x);
  row[9] = __builtin_elementwise_floor(x);
  row[10] = __builtin_elementwise_roundeven(x);
  row[11] = __builtin_elementwise_abs(x) - (half)1;
  row[12] = (half)((float)x * 3.0f + (float)y);
  row[13] = x < y ? y : z;
  whole[3 * i] = (int)x;
  whole[3 * i + 1] = (x < y) | (x == y) << 1 | (x > (half)2) << 2 | (x != x) << 3;
  whole[3 * i + 2] = (short)y;
}

// Two and four f16 at a time, packed.
KERNEL(64, 1, 1) packed_halves(IN(pair) a, IN(pair) b, IN(quad) c, OUT(pair) out, OUT(quad) wide) {
  uint i = INDEX;
  pair x = a[i], y = b[i];
  __global pair *row = out + 8 * i;
  row[0] = x + y;
  row[1] = x * y;
  row[2] = __builtin_elementwise_fma(x, y, y);
  row[3] = __builtin_elementwise_minnum(x, y);
  row[4] = __builtin_elementwise_maxnum(x, y);
  row[5] = -x * y.yx;
  row[6] = x.xx + (pair)(y.y, -y.x);
  row[7] = (pair)(x.y, (half)0.5) * (half)4;
  quad z = c[i];
  wide[2 * i] = z * z.wzyx;
  wide[2 * i + 1] = __builtin_elementwise_fma(z, (quad)2, z.yxwz);
}

// Packed whole numbers of 16 bits.
KERNEL(64, 1, 1) packed_shorts(IN(short2) a, IN(short2) b, OUT(short2) out) {
  uint i = INDEX;
  short2 x = a[i], y = b[i];
  ushort2 p = as_ushort2(x), q = as_ushort2(y);
  __global short2 *row = out + 12 * i;
  row[0] = x + y;
  row[1] = x - y.yx;
  row[2] = x * y;
  row[3] = x * y + x;
  row[4] = MIN(x, y);
  row[5] = MAX(x, y);
  row[6] = as_short2(MIN(p, q));
  row[7] = as_short2(MAX(p, q));
  row[8] = x << (y & (short)15);
  row[9] = x >> (y & (short)15);
  row[10] = as_short2(p >> (q & (ushort)15));
  row[11] = (short2)(x.y, y.x) ^ (short)0x0ff0;
}

// Vectors of bytes and shorts: loaded, computed with and stored as wholes.
KERNEL(64, 1, 1) byte_vectors(IN(char4) a, IN(uchar4) b, IN(short4) c, IN(uchar16) d, OUT(char4) out, OUT(uchar4) unsigned_out, OUT(short4) shorts, OUT(uchar16) wide) {
  uint i = INDEX;
  char4 x = a[i];
  uchar4 y = b[i];
  short4 z = c[i];
  out[2 * i] = x * (char)3 + as_char4(y);
  out[2 * i + 1] = x >> (char)2;
  unsigned_out[2 * i] = (y >> (uchar)1) + y.wzyx;
  unsigned_out[2 * i + 1] = as_uchar4(MAX(x, -x));
  shorts[2 * i] = z * __builtin_convertvector(x, short4);
  shorts[2 * i + 1] = __builtin_convertvector(y, short4) - z.s3210;
  uchar16 v = d[i];
  wide[i] = v.sfedcba9876543210 + (uchar16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

// Bytes, shorts and halves that are read and written one at a time, at odd addresses too, in memory and in LDS.
KERNEL(64, 1, 1) narrow_memory(IN(char) a, IN(ushort) b, IN(half) c, OUT(char) out, OUT(ushort) shorts, OUT(half) halves_, OUT(uint) words) {
  __local char bytes[64];
  __local ushort wide[128];
  uint lane = LOCAL(x), i = INDEX;
  bytes[lane] = a[i];
  wide[2 * lane + 1] = b[i];
  wide[2 * lane] = as_ushort(c[i]);
  wait_for_group();
  out[3 * i] = bytes[63 - lane];
  out[3 * i + 1] = (char)(a[i] + bytes[lane ^ 1]);
  out[3 * i + 2] = (char)(wide[lane] >> 8);
  shorts[2 * i] = wide[127 - lane];
  shorts[2 * i + 1] = (ushort)((uchar)bytes[lane ^ 2] | (uchar)a[i] << 8);
  halves_[i] = as_half(wide[2 * (lane ^ 1)]) + (half)1;
  uint word;
  __builtin_memcpy(&word, a + i + 1, 4);
  words[i] = word;
}

// Dot products of packed numbers; each target has its own set.
KERNEL(64, 1, 1) dots(IN(int) a, IN(int) b, IN(int) c, OUT(int) out, OUT(float) floats) {
  uint i = INDEX;
  int x = a[i], y = b[i], z = c[i];
  __global int *row = out + 5 * i;
#ifdef __GFX9__
  row[0] = __builtin_amdgcn_sdot4(x, y, z, false);
  row[1] = __builtin_amdgcn_sdot8(x, y, z, false);
#else
  row[0] = __builtin_amdgcn_sudot4(true, x, true, y, z, false);
  row[1] = __builtin_amdgcn_sudot8(true, x, true, y, z, false);
#endif
  row[2] = (int)__builtin_amdgcn_udot4((uint)x, (uint)y, (uint)z, false);
  row[3] = (int)__builtin_amdgcn_udot8((uint)x, (uint)y, (uint)z, false);
  row[4] = (int)__builtin_amdgcn_udot4((uint)x, (uint)y, (uint)z, true);
  pair p = (pair)((half)(char)x, (half)(char)y), q = (pair)((half)(char)(x >> 8), (half)(char)(y >> 8));
  floats[i] = __builtin_amdgcn_fdot2(p, q, (float)(short)z, false);
}
