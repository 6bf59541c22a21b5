#include "opencl.h"
// Whole numbers of 8 to 128 bits.

//: saturated_bytes
KERNEL saturated_bytes(IN(uchar) a, IN(char) b, OUT(uchar) sums, OUT(char) differences) {
  uint i = INDEX;
  sums[i] = __builtin_elementwise_add_sat(a[i], (uchar)(b[i] & 127));
  differences[i] = __builtin_elementwise_sub_sat(b[i], (char)(a[i] >> 1));
}

//: byte_vectors
KERNEL byte_vectors(IN(uchar4) a, IN(uchar4) b, OUT(uchar4) out, OUT(uint) sad) {
  uchar4 x = a[INDEX], y = b[INDEX];
  uchar4 high = MAX(x, y), low = MIN(x, y);
  uchar4 d = high - low;
  out[INDEX] = (uchar4)(x.w, y.z, (uchar)(x.y + y.y), (uchar)(x.x * y.x)) ^ d.yxwz;
  sad[INDEX] = d.x + d.y + d.z + d.w;
}

//: short_arithmetic
KERNEL short_arithmetic(IN(short) a, IN(short) b, OUT(short) out, OUT(ushort) shifted) {
  short x = a[INDEX], y = b[INDEX];
  short quotient = y ? x / y : -1;
  out[INDEX] = quotient * 3 + MIN(x, y) - (short)(x >> (y & 7));
  shifted[INDEX] = (ushort)x << (y & 15) | (ushort)x >> (16 - (y & 15) & 15);
}

//: long_division
KERNEL long_division(IN(long) a, IN(long) b, OUT(long) quotients, OUT(long) rests) {
  quotients[INDEX] = a[INDEX] / b[INDEX];
  rests[INDEX] = a[INDEX] % b[INDEX];
}

//: unsigned_long_division
KERNEL unsigned_long_division(IN(ulong) a, IN(ulong) b, OUT(ulong) quotients, OUT(ulong) rests, ulong by) {
  quotients[INDEX * 2] = a[INDEX] / b[INDEX];
  quotients[INDEX * 2 + 1] = a[INDEX] / by;
  rests[INDEX * 2] = a[INDEX] % b[INDEX];
  rests[INDEX * 2 + 1] = a[INDEX] % 1000000007ul;
}

//: word_division
KERNEL word_division(IN(int) a, IN(int) b, OUT(int) signed_ones, OUT(uint) unsigned_ones) {
  int x = a[INDEX], y = b[INDEX];
  signed_ones[INDEX] = x / y * 7 + x % y;
  unsigned_ones[INDEX] = (uint)x / (uint)y + (uint)x % (uint)y * 3 + (uint)x / 10 + (uint)x % 641;
}

//: wide_products
// 64 by 64 bits to 128.
KERNEL wide_products(IN(ulong) a, IN(ulong) b, OUT(ulong) out, OUT(uint) upper) {
  __uint128_t product = (__uint128_t)a[INDEX] * b[INDEX] + a[INDEX];
  out[INDEX * 2] = (ulong)product;
  out[INDEX * 2 + 1] = (ulong)(product >> 64);
  upper[INDEX] = (uint)((ulong)(uint)a[INDEX] * (uint)b[INDEX] >> 32) ^ (uint)((long)(int)a[INDEX] * (int)b[INDEX] >> 32);
}

//: long_shifts
KERNEL long_shifts(IN(ulong) in, OUT(ulong) out) {
  ulong x = in[INDEX];
  uint by = LOCAL;
  out[INDEX * 4] = x << (by & 63);
  out[INDEX * 4 + 1] = x >> (by & 63);
  out[INDEX * 4 + 2] = (ulong)((long)x >> (by & 63));
  out[INDEX * 4 + 3] = __builtin_rotateleft64(x, by);
}

//: bit_counts
KERNEL bit_counts(IN(ulong) in, OUT(uint) out) {
  ulong x = in[INDEX];
  uint y = (uint)x;
  out[INDEX * 5] = __builtin_popcountl(x) * 100 + __builtin_popcount(y);
  out[INDEX * 5 + 1] = x ? __builtin_clzl(x) : 64;
  out[INDEX * 5 + 2] = y ? __builtin_ctz(y) : 32;
  out[INDEX * 5 + 3] = __builtin_bitreverse32(y) ^ __builtin_bswap32((uint)(x >> 32));
  out[INDEX * 5 + 4] = (y >> 5 & 0x7F) | __builtin_amdgcn_ubfe((uint)(x >> 32), 3, 9) << 7;
}

//: big_additions
// Numbers of 256 bits: the carry runs through eight words.
KERNEL big_additions(IN(uint) a, IN(uint) b, OUT(uint) out) {
  ulong carry = 0;
  for (uint k = 0; k < 8; k++) {
    carry += (ulong)a[INDEX * 8 + k] + b[INDEX * 8 + k];
    out[INDEX * 9 + k] = (uint)carry;
    carry >>= 32;
  }
  out[INDEX * 9 + 8] = (uint)carry;
}

//: modular_powers
KERNEL modular_powers(IN(ulong) base, IN(uint) exponent, OUT(ulong) out, ulong modulus) {
  ulong x = base[INDEX] % modulus, result = 1;
  for (uint left = exponent[INDEX]; left; left >>= 1) {
    if (left & 1) result = result * x % modulus;
    x = x * x % modulus;
  }
  out[INDEX] = result;
}

//: whole_roots
KERNEL whole_roots(IN(ulong) in, OUT(uint) out) {
  ulong x = in[INDEX], root = 0;
  for (ulong bit = 1ul << 62; bit; bit >>= 2) {
    if (x >= root + bit) {
      x -= root + bit;
      root = (root >> 1) + bit;
    } else
      root >>= 1;
  }
  out[INDEX] = (uint)root;
}

//: hashed_blocks rotated
// Rounds as of SHA-256 on a block of 16 words.
static uint rotated(uint x, uint by) { return x >> by | x << (32 - by); }
KERNEL hashed_blocks(IN(uint) in, OUT(uint) out, __constant uint *keys) {
  uint w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint k = 0; k < 16; k++) w[k] = in[INDEX * 16 + k];
  for (uint k = 0; k < 32; k++) {
    uint t1 = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + keys[k] + w[k & 15];
    uint t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (uint j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
    w[k & 15] += w[(k + 9) & 15] + (rotated(w[(k + 1) & 15], 7) ^ w[(k + 1) & 15] >> 3);
  }
  for (uint k = 0; k < 8; k++) out[INDEX * 8 + k] = s[k];
}

//: random_walks
KERNEL random_walks(IN(uint) seeds, OUT(int) out, uint steps) {
  uint state = seeds[INDEX];
  int x = 0, y = 0;
  for (uint k = 0; k < steps; k++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    switch (state >> 30) {
    case 0: x++; break;
    case 1: x--; break;
    case 2: y++; break;
    default: y--;
    }
  }
  out[INDEX * 2] = x;
  out[INDEX * 2 + 1] = y;
}

//: base_64
KERNEL base_64(IN(uchar) in, OUT(uchar) out) {
  uint word = in[INDEX * 3] << 16 | in[INDEX * 3 + 1] << 8 | in[INDEX * 3 + 2];
  for (uint k = 0; k < 4; k++) {
    uint x = word >> (18 - 6 * k) & 63;
    out[INDEX * 4 + k] = x < 26 ? 'A' + x : x < 52 ? 'a' + x - 26 : x < 62 ? '0' + x - 52 : x == 62 ? '+' : '/';
  }
}

//: bit_transposes
// An 8 by 8 matrix of bits in a 64-bit word, turned.
KERNEL bit_transposes(IN(ulong) in, OUT(ulong) out) {
  ulong x = in[INDEX], t = (x ^ x >> 7) & 0x00AA00AA00AA00AAul;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000CCCC0000CCCCul;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000F0F0F0F0ul;
  out[INDEX] = x ^ t ^ t << 28;
}

//: decimal_digits
KERNEL decimal_digits(IN(uint) in, OUT(uchar) out) {
  uint x = in[INDEX];
  for (int k = 9; k >= 0; k--) {
    out[INDEX * 10 + k] = '0' + x % 10;
    x /= 10;
  }
}

//: dot_products_of_bytes
KERNEL dot_products_of_bytes(IN(int) a, IN(int) b, OUT(int) out) {
  int x = a[INDEX], y = b[INDEX];
#ifdef __GFX9__
  int sum = __builtin_amdgcn_sdot4(x, y, 100, false);
#else
  int sum = __builtin_amdgcn_sudot4(true, x, true, y, 100, false);
#endif
  out[INDEX] = sum + (int)__builtin_amdgcn_udot4(x, y, 5, false) * 2;
}
