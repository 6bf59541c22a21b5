#include "common.h"
// A tile of 16 by 16 through LDS, padded against bank conflicts.
KERNEL(16, 16, 1) lds_transpose(IN(float) a, OUT(float) out, uint height, uint width) {
  __local float tile[16][17];
  uint x = LOCAL(x), y = LOCAL(y), left = GROUP(x) * 16, top = GROUP(y) * 16;
  if (left + x < width && top + y < height) tile[y][x] = a[(top + y) * width + left + x];
  wait_for_group();
  if (left + y < width && top + x < height) out[(left + y) * height + top + x] = tile[x][y];
}

// Loads and stores of 8, 12, 16, 32 and 64 bytes, in memory and LDS.
KERNEL(64, 1, 1) wide_memory(IN(uint16) a, IN(ulong2) b, OUT(uint16) out, OUT(ulong2) longs, OUT(uint) threes) {
  __local uint4 shared[64];
  __local ulong pairs[128];
  uint lane = LOCAL(x), i = INDEX;
  uint16 v = a[i];
  shared[lane] = v.lo.lo + v.hi.hi;
  pairs[lane] = b[i].x;
  pairs[lane + 64] = b[i].y;
  wait_for_group();
  uint4 other = shared[63 - lane];
  v.s0123 ^= other;
  out[i] = v.s76543210fedcba98;
  longs[i] = (ulong2)(pairs[(lane + 1) & 63], pairs[64 + ((lane + 5) & 63)]);
  uint3 three;
  __builtin_memcpy(&three, (__global const uint *)a + 3 * i, 12);
  three += 7;
  __builtin_memcpy(threes + 3 * i, &three, 12);
}

// Raw buffers: what lies beyond the size reads as zero and is not written.
KERNEL(64, 1, 1) raw_buffers(__global uint *a, OUT(uint) out, __global uint *written, uint size) {
  uint i = INDEX;
  __amdgpu_buffer_rsrc_t in = __builtin_amdgcn_make_buffer_rsrc(a, 0, size, BUFFER_FLAGS);
  __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc(written, 0, size, BUFFER_FLAGS);
  __global uint *row = out + 11 * i;
  row[0] = __builtin_amdgcn_raw_buffer_load_b32(in, i * 4, 0, 0);
  uint2 two = __builtin_amdgcn_raw_buffer_load_b64(in, i * 8, 0, 0);
  row[1] = two.x;
  row[2] = two.y;
  uint4 four = __builtin_amdgcn_raw_buffer_load_b128(in, i * 16 + 16, 0, 0);
  row[3] = four.x;
  row[4] = four.y;
  row[5] = four.z;
  row[6] = four.w;
  row[7] = __builtin_amdgcn_raw_buffer_load_b8(in, i * 7, 0, 0);
  row[8] = __builtin_amdgcn_raw_buffer_load_b16(in, i * 6, 0, 0);
  row[9] = __builtin_amdgcn_raw_buffer_load_b32(in, i * 4 - 64, 0, 0); // an offset that wraps is beyond the size
  row[10] = __builtin_amdgcn_raw_buffer_load_b32(in, (i & 15) * 4, 64, 0);
  __builtin_amdgcn_raw_buffer_store_b32(i + 1, to, i * 8, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b16((ushort)(i * 3), to, i * 8 + 4, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b8((uchar)i, to, i * 8, 7, 0);
}

// Structs by value, with members of all sizes and an array.
typedef struct {
  char first;
  double second;
  short third[3];
  uint2 fourth;
  float fifth;
} Parts;
typedef struct {
  long a;
  uchar b[5];
} Small;
KERNEL(64, 1, 1) struct_arguments(OUT(double) out, char before, Parts parts, ushort between, Small small, half last) {
  uint i = INDEX;
  __global double *row = out + 12 * i;
  row[0] = parts.first + before;
  row[1] = parts.second;
  row[2] = parts.third[0];
  row[3] = parts.third[1];
  row[4] = parts.third[2];
  row[5] = parts.fourth.x;
  row[6] = parts.fourth.y;
  row[7] = parts.fifth;
  row[8] = between;
  row[9] = (double)small.a;
  row[10] = small.b[i % 5];
  row[11] = last;
}

// Pointers that may mean memory or LDS: flat loads, stores and atomics.
KERNEL(64, 1, 1) generic_pointers(IN(uint) a, OUT(uint) out, __global uint *counts) {
  __local uint shared[64];
  uint lane = LOCAL(x), i = INDEX;
  shared[lane] = a[i] * 3;
  wait_for_group();
  const uint *from = (lane & 1) ? (const uint *)&shared[63 - lane] : (const uint *)&a[i];
  uint value = *(const volatile uint *)from;
  wait_for_group();
  uint *to = (lane & 2) ? (uint *)&shared[lane] : (uint *)&counts[i];
  *(volatile uint *)to = value + 1;
  __atomic_fetch_add(to, value & 0xff, __ATOMIC_RELAXED);
  wait_for_group();
  out[i] = shared[lane];
}

// Scratch of bytes, shorts, longs and vectors, indexed by data.
KERNEL(64, 1, 1) private_arrays(IN(uint) a, OUT(ulong) out) {
  uint i = INDEX;
  volatile uchar bytes[20];
  volatile ushort shorts[12];
  volatile ulong longs[8];
  volatile uint4 vectors[4];
  uint x = a[i];
  for (uint k = 0; k < 20; k++) bytes[k] = (uchar)(x + k * 37);
  for (uint k = 0; k < 12; k++) shorts[k] = (ushort)(x * (k + 1));
  for (uint k = 0; k < 8; k++) longs[k] = (ulong)x << (k * 4);
  for (uint k = 0; k < 4; k++) vectors[k] = (uint4)(x, x + k, x ^ k, k);
  uint at = x % 20;
  bytes[(at + 7) % 20] = bytes[at];
  shorts[x % 12] ^= (ushort)(0x5500 | bytes[(at + 7) % 20]);
  ulong sum = 0;
  for (uint k = 0; k < 20; k++) sum = sum * 3 + bytes[k];
  for (uint k = 0; k < 12; k++) sum = sum * 5 + (ulong)(long)(short)shorts[k];
  sum += longs[(x >> 8) & 7];
  uint4 v = vectors[(x >> 12) & 3];
  out[i] = sum + v.x + v.y * 2 + v.z * 3 + v.w;
}

// Indices into arrays that stay in registers.
KERNEL(64, 1, 1) register_arrays(IN(uint) a, OUT(uint) out, uint which) {
  uint i = INDEX;
  uint v[8];
  for (uint k = 0; k < 8; k++) v[k] = a[(i + k) & 127] * (k + 1);
  uint x = v[which & 7];
  v[(which >> 4) & 7] = x + 5;
  uint sum = v[(a[i] >> 3) & 7];
#pragma unroll 1
  for (uint k = 0; k < 8; k++) sum = sum * 7 + v[k];
  out[i] = sum;
}
