#include "opencl.h"
// Accesses of every width, gathers, buffers with bounds, copies straight into LDS.

//: all_widths
KERNEL all_widths(IN(uchar) in, OUT(uchar) out) {
  uint i = INDEX;
  ((__global char *)out)[i] = ((__global const char *)in)[i] + 1;
  ((__global ushort *)(out + 128))[i] = ((__global const ushort *)(in + 128))[i] * 3;
  ((__global uint *)(out + 384))[i] = ((__global const uint *)(in + 384))[i] ^ 0x55;
  ((__global uint2 *)(out + 896))[i] = ((__global const uint2 *)(in + 896))[i].yx;
  ((__global uint4 *)(out + 1920))[i] = ((__global const uint4 *)(in + 1920))[i].wzyx;
  ((__global uint4 *)(out + 3968))[i].xyz = ((__global const uint4 *)(in + 3968))[i].zxy;
}

//: unaligned_words
typedef uint __attribute__((aligned(1))) loose_uint;
typedef ulong __attribute__((aligned(1))) loose_ulong;
KERNEL unaligned_words(IN(uchar) in, OUT(uchar) out) {
  uint x = *(__global const loose_uint *)(in + INDEX * 4 + 1);
  *(__global loose_uint *)(out + INDEX * 4 + 3) = x + 1;
  *(__global loose_ulong *)(out + 512 + INDEX * 9) = *(__global const loose_ulong *)(in + INDEX * 3) ^ x;
}

//: gathered
KERNEL gathered(IN(float) table, IN(int) where, OUT(float) out) {
  int at = where[INDEX];
  out[INDEX] = at < 0 ? -1.0f : table[at] + table[at / 2 + 1];
}

//: scattered
KERNEL scattered(IN(uint) in, IN(uint) where, OUT(uint) out) { out[where[INDEX] * 2 + 1] = in[INDEX] + LOCAL; }

//: volatile_accesses
KERNEL volatile_accesses(__global volatile uint *cells, OUT(uint) out) {
  cells[INDEX] = 5;
  cells[INDEX] = cells[INDEX] + LOCAL;
  out[INDEX] = cells[INDEX] * 2 + cells[INDEX];
}

//: streamed
KERNEL streamed(IN(float4) in, OUT(float4) out) {
  float4 x = __builtin_nontemporal_load(in + INDEX);
  __builtin_nontemporal_store(x * 2.0f - x.wzyx, out + INDEX);
}

//: bounded_buffers
// Loads beyond a buffer's end give zero, stores there go nowhere.
KERNEL bounded_buffers(__global uint *in, OUT(uint) out, uint bytes) {
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc(in, 0, bytes, BUFFER_FLAGS);
  uint i = INDEX;
  uint x = __builtin_amdgcn_raw_buffer_load_b32(from, i * 4, 0, 0);
  uint2 pair = __builtin_amdgcn_raw_buffer_load_b64(from, i * 8, 4, 0);
  ushort half_word = __builtin_amdgcn_raw_buffer_load_b16(from, i * 2, 0, 0);
  __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc(out, 0, 4 * 100, BUFFER_FLAGS);
  __builtin_amdgcn_raw_buffer_store_b32(x + pair.x * 3 + pair.y * 5 + half_word, to, i * 4, 0, 0);
}

//: generic_pointers
KERNEL generic_pointers(IN(uint) in, OUT(uint) out) {
  __local uint row[64];
  uint own[4];
  row[LOCAL] = in[INDEX] + 1;
  for (uint k = 0; k < 4; k++) own[k] = in[INDEX] + k * 10;
  const uint *p = in[INDEX] % 3 == 0 ? (const uint *)&row[LOCAL] : in[INDEX] % 3 == 1 ? (const uint *)&own[LOCAL & 3] : (const uint *)&in[INDEX];
  out[INDEX] = *p + __builtin_amdgcn_is_shared(p) * 1000 + __builtin_amdgcn_is_private(p) * 2000;
}

//: wide_lds
KERNEL wide_lds(IN(uint4) in, OUT(uint4) out) {
  __local uint4 rows[64];
  __local ulong longs[64];
  rows[LOCAL] = in[INDEX];
  longs[63 - LOCAL] = (ulong)in[INDEX].x << 32 | in[INDEX].y;
  BARRIER;
  uint4 x = rows[LOCAL ^ 3];
  __local const uint *words = (__local const uint *)rows;
  out[INDEX] = x + (uint4)(words[LOCAL * 4 + 1], words[255 - LOCAL * 4], (uint)(longs[LOCAL] >> 32), ((__local const ushort *)longs)[LOCAL]);
}

//: bytes_in_lds
// Bytes of one word written by different waves.
KERNEL bytes_in_lds(IN(uchar) in, OUT(uchar) out) {
  __local uchar bytes[256];
  __local ushort shorts[128];
  bytes[(LOCAL * 67) & 255] = in[INDEX];
  if (LOCAL < 128) shorts[(LOCAL * 35) & 127] = in[INDEX] * 3;
  BARRIER;
  out[INDEX] = bytes[LOCAL] + (uchar)shorts[LOCAL / 2];
}

//: fenced_message
// A workgroup's wave leaves data in memory for the others of its group.
KERNEL fenced_message(IN(uint) in, OUT(uint) row, OUT(uint) out) {
  for (uint round = 0; round < 3; round++) {
    row[GROUP * 128 + LOCAL] = in[INDEX] * (round + 1);
    BARRIER;
    out[INDEX * 3 + round] = row[GROUP * 128 + ((LOCAL + 64 + round) & 127)];
    BARRIER;
  }
}

//: clocks
KERNEL clocks(OUT(uint) out) {
  ulong first = __builtin_readcyclecounter();
  __builtin_amdgcn_s_sleep(2);
  __builtin_amdgcn_s_setprio(2);
  ulong second = __builtin_readcyclecounter();
  __builtin_amdgcn_s_setprio(0);
  out[INDEX] = second >= first;
}

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
//: copied_into_lds
// Memory goes into LDS without a register: word by word, the wave's lanes next to each other.
KERNEL copied_into_lds(__global const uint *in, OUT(uint) out) {
  __local uint row[256];
  uint wave = __builtin_amdgcn_readfirstlane(LOCAL / 64);
  for (uint k = 0; k < 2; k++)
    __builtin_amdgcn_global_load_lds(in + GROUP * 256 + k * 128 + LOCAL, row + k * 128 + wave * 64, 4, 0, 0);
  BARRIER;
  out[GROUP * 256 + LOCAL] = row[255 - LOCAL];
  out[GROUP * 256 + LOCAL + 128] = row[LOCAL] * 2;
}

//: buffer_into_lds
KERNEL buffer_into_lds(__global uint *in, OUT(uint) out, uint bytes) {
  __local uint row[64];
  __amdgpu_buffer_rsrc_t from = __builtin_amdgcn_make_buffer_rsrc(in, 0, bytes, BUFFER_FLAGS);
  __builtin_amdgcn_raw_ptr_buffer_load_lds(from, row, 4, INDEX * 4, 0, 0, 0);
  BARRIER;
  out[INDEX] = row[LOCAL ^ 1] + 1;
}
#endif
#ifdef __gfx950__
//: wide_into_lds
KERNEL wide_into_lds(__global const uint4 *in, OUT(uint4) out) {
  __local uint4 row[64];
  __builtin_amdgcn_global_load_lds(in + INDEX, row, 16, 0, 0);
  BARRIER;
  out[INDEX] = row[63 - LOCAL];
}
#endif
