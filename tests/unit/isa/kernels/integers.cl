#include "common.h"
typedef unsigned __int128 u128;

// 64-bit products, low and high, signed and unsigned, and of 32-bit factors with a 64-bit addend.
KERNEL(64, 1, 1) long_product(IN(ulong) a, IN(ulong) b, OUT(ulong) out) {
  uint i = INDEX;
  ulong x = a[i], y = b[i];
  __global ulong *row = out + 6 * i;
  row[0] = x * y;
  row[1] = ((u128)x * y) >> 64;
  row[2] = ((__int128)(long)x * (long)y) >> 64;
  row[3] = (ulong)(uint)x * (uint)y + y;
  row[4] = (ulong)((long)(int)x * (int)y + (long)x);
  row[5] = x * 0x123456789abcdefUL;
}

// 128-bit sums, differences, shifts and comparisons: carries go through VCC or SCC.
KERNEL(64, 1, 1) carries(IN(ulong) a, IN(ulong) b, OUT(ulong) out, ulong uniform, ulong other) {
  uint i = INDEX;
  u128 x = (u128)a[i] << 64 | b[i], y = (u128)b[i] << 64 | ~a[i];
  u128 u = (u128)uniform << 64 | other;
  u128 results[6] = {x + y, x - y, -x, x << (a[i] & 127), (u128)((__int128)y >> (b[i] & 127)), u * 3 - ~u};
  __global ulong *row = out + 14 * i;
  for (int k = 0; k < 6; k++) {
    row[2 * k] = results[k];
    row[2 * k + 1] = results[k] >> 64;
  }
  row[12] = x < y;
  row[13] = (__int128)x < (__int128)y;
}

// Quotients and remainders of 32, 16 and 8 bits, by variables and constants.
KERNEL(64, 1, 1) division(IN(int) a, IN(int) b, OUT(int) out) {
  uint i = INDEX;
  int x = a[i], y = b[i];
  __global int *row = out + 10 * i;
  row[0] = x / y;
  row[1] = x % y;
  row[2] = (int)((uint)x / (uint)y);
  row[3] = (int)((uint)x % (uint)y);
  row[4] = x / 7;
  row[5] = (int)((uint)x % 1000u);
  row[6] = (short)x / (short)(y | 1);
  row[7] = (ushort)x % (ushort)(y | 1);
  row[8] = (char)x / (char)(y | 1);
  row[9] = (uchar)x % (uchar)(y | 1);
}

KERNEL(64, 1, 1) long_remainder(IN(long) a, IN(long) b, OUT(long) out) {
  uint i = INDEX;
  long x = a[i], y = b[i];
  __global long *row = out + 5 * i;
  row[0] = x % y;
  row[1] = (long)((ulong)x / (ulong)y);
  row[2] = x / 10;
  row[3] = (long)((ulong)x % 3600ul);
  row[4] = x / (int)(y | 1);
}

// Counting, finding, reversing, rotating, extracting and inserting bits.
KERNEL(64, 1, 1) bits(IN(uint) a, IN(uint) b, IN(ulong) c, OUT(uint) out, OUT(ulong) wide) {
  uint i = INDEX;
  uint x = a[i], y = b[i];
  ulong z = c[i];
  __global uint *row = out + 24 * i;
  row[0] = __builtin_popcount(x);
  row[1] = __builtin_popcountl(z);
  row[2] = x ? __builtin_clz(x) : 32;
  row[3] = x ? __builtin_ctz(x) : 32;
  row[4] = z ? __builtin_clzl(z) : 64;
  row[5] = z ? __builtin_ctzl(z) : 64;
  row[6] = __builtin_bitreverse32(x);
  row[7] = __builtin_bswap32(x);
  row[8] = __builtin_rotateleft32(x, y);
  row[9] = __builtin_rotateright32(x, 11);
  row[10] = __builtin_amdgcn_ubfe(x, y & 31, 5);
  row[11] = __builtin_amdgcn_sbfe((int)x, 7, y & 31);
  row[12] = (x >> 5) & 0x3ff;
  row[13] = (uint)((int)(x << 7) >> 20);
  row[14] = (x & y) | (~x & (uint)z);
  row[15] = __builtin_amdgcn_perm(x, y, 0x0c060107u);
  row[16] = __builtin_amdgcn_alignbit(x, y, (uint)z);
  row[17] = __builtin_amdgcn_alignbyte(x, y, (uint)z);
  row[18] = ~(x ^ y);
  row[19] = (x << 3) | y;
  row[20] = (x & y) | (uint)z;
  row[21] = x ^ y ^ (uint)z;
  row[22] = (x & 0xffff00ff) | ((y & 0xff) << 8);
  row[23] = (x << (y & 31)) + (uint)z;
  __global ulong *long_row = wide + 7 * i;
  long_row[0] = __builtin_bitreverse64(z);
  long_row[1] = __builtin_bswap64(z);
  long_row[2] = __builtin_rotateleft64(z, y);
  long_row[3] = z << (y & 63);
  long_row[4] = z >> (y & 63);
  long_row[5] = (ulong)((long)z >> (y & 63));
  long_row[6] = ((z >> 13) & 0x7ffffffffUL) ^ ~z;
}

// Products of 24 and 16 bits, sums of absolute differences, averages of bytes.
KERNEL(64, 1, 1) short_products(IN(uint) a, IN(uint) b, IN(uint) c, OUT(uint) out) {
  uint i = INDEX;
  uint x = a[i], y = b[i], z = c[i];
  __global uint *row = out + 12 * i;
  row[0] = (x & 0xffffff) * (y & 0xffffff);
  row[1] = (x & 0xffffff) * (y & 0xffffff) + z;
  row[2] = (uint)(((int)(x << 8) >> 8) * ((int)(y << 8) >> 8) + (int)z);
  row[3] = (uint)(((ulong)(x & 0xffffff) * (y & 0xffffff)) >> 32);
  row[4] = (uint)(((long)((int)(x << 8) >> 8) * ((int)(y << 8) >> 8)) >> 32);
  row[5] = (ushort)((ushort)x * (ushort)y + (ushort)z);
  row[6] = (uint)((int)(short)x * (short)y + (int)z);
  row[7] = (uint)(((ulong)x * y) >> 32);
  row[8] = (uint)(((long)(int)x * (int)y) >> 32);
  row[9] = __builtin_amdgcn_sad_u8(x, y, z);
  row[10] = __builtin_amdgcn_sad_u16(x, y, z);
  row[11] = __builtin_amdgcn_lerp(x, y, 0x01000101);
}

// Minimum, maximum and median of three, signed, unsigned, of 16 bits; clamps; absolute values.
KERNEL(64, 1, 1) extremes(IN(int) a, IN(int) b, IN(int) c, OUT(int) out) {
  uint i = INDEX;
  int x = a[i], y = b[i], z = c[i];
  __global int *row = out + 12 * i;
  row[0] = MIN(MIN(x, y), z);
  row[1] = MAX(MAX(x, y), z);
  row[2] = MAX(MIN(x, y), MIN(MAX(x, y), z));
  row[3] = (int)MIN(MIN((uint)x, (uint)y), (uint)z);
  row[4] = (int)MAX(MAX((uint)x, (uint)y), (uint)z);
  row[5] = (int)MAX(MIN((uint)x, (uint)y), MIN(MAX((uint)x, (uint)y), (uint)z));
  row[6] = MIN(MIN((short)x, (short)y), (short)z);
  row[7] = MAX(MAX((ushort)x, (ushort)y), (ushort)z);
  row[8] = MIN(MAX(x, -128), 127);
  row[9] = x < 0 ? -x : x;
  row[10] = MAX(MIN(x, y), z);
  row[11] = (short)x < 0 ? (short)-(short)x : (short)x;
}

// Sums and differences that saturate, and narrowing that does.
KERNEL(64, 1, 1) saturated_sums(IN(int) a, IN(int) b, IN(long) c, IN(long) d, OUT(int) out, OUT(long) wide) {
  uint i = INDEX;
  int x = a[i], y = b[i];
  __global int *row = out + 10 * i;
  row[0] = __builtin_elementwise_add_sat(x, y);
  row[1] = __builtin_elementwise_sub_sat(x, y);
  row[2] = (int)__builtin_elementwise_add_sat((uint)x, (uint)y);
  row[3] = (int)__builtin_elementwise_sub_sat((uint)x, (uint)y);
  row[4] = __builtin_elementwise_add_sat((short)x, (short)y);
  row[5] = __builtin_elementwise_sub_sat((ushort)x, (ushort)y);
  row[6] = __builtin_elementwise_add_sat((char)x, (char)y);
  row[7] = as_int(__builtin_elementwise_sub_sat(as_short2(x), as_short2(y)));
  row[8] = as_int(__builtin_amdgcn_cvt_pk_i16(x, y));
  row[9] = as_int(__builtin_amdgcn_cvt_pk_u16((uint)x, (uint)y));
  wide[2 * i] = __builtin_elementwise_add_sat(c[i], d[i]);
  wide[2 * i + 1] = (long)__builtin_elementwise_sub_sat((ulong)c[i], (ulong)d[i]);
}
