#include "opencl.h"
// Lanes of a wave that read each other's registers.
#define DPP(old, x, control) __builtin_amdgcn_update_dpp((int)(old), (int)(x), control, 0xf, 0xf, false)

//: reversed_lanes
KERNEL reversed_lanes(IN(int) in, OUT(int) out) {
  int x = in[INDEX];
  out[INDEX * 2] = __builtin_amdgcn_ds_bpermute((31 - (LANE & 31) + (LANE & 32)) * 4, x);
  out[INDEX * 2 + 1] = __builtin_amdgcn_ds_permute(((LANE * 5 + 1) & 31 | (LANE & 32)) * 4, x);
}

//: broadcast_lanes
KERNEL broadcast_lanes(IN(int) in, OUT(int) out, uint which) {
  int x = in[INDEX];
  out[INDEX * 3] = __builtin_amdgcn_readlane(x, 7);
  out[INDEX * 3 + 1] = __builtin_amdgcn_readlane(x, which);
  int first = -1;
  if (x & 1) first = __builtin_amdgcn_readfirstlane(x);
  out[INDEX * 3 + 2] = first;
}

//: row_scans
// A scan of rows of 16 lanes by DPP shifts; lanes without a neighbour keep zero.
KERNEL row_scans(IN(int) in, OUT(int) out) {
  int x = in[INDEX];
  x += DPP(0, x, 0x111);
  x += DPP(0, x, 0x112);
  x += DPP(0, x, 0x114);
  x += DPP(0, x, 0x118);
  out[INDEX] = x;
}

//: quad_swaps
KERNEL quad_swaps(IN(int) in, OUT(int) out) {
  int x = in[INDEX];
  out[INDEX * 4] = DPP(0, x, 0xB1);   // quad_perm [1, 0, 3, 2]
  out[INDEX * 4 + 1] = DPP(0, x, 0x1B) - x; // quad_perm [3, 2, 1, 0]
  out[INDEX * 4 + 2] = DPP(0, x, 0x140) * 2; // row_mirror
  out[INDEX * 4 + 3] = DPP(0, x, 0x141) ^ x; // row_half_mirror
}

//: masked_moves
// Rows and banks that a DPP move leaves alone keep the old value, lanes out of the row as well unless they take zero.
KERNEL masked_moves(IN(int) in, OUT(int) out) {
  int x = in[INDEX];
  out[INDEX * 3] = __builtin_amdgcn_update_dpp(-5, x, 0x113, 0x5, 0xf, false);
  out[INDEX * 3 + 1] = __builtin_amdgcn_update_dpp(-6, x, 0x102, 0xf, 0xa, false);
  out[INDEX * 3 + 2] = __builtin_amdgcn_update_dpp(-7, x, 0x121, 0xf, 0xf, true);
}

//: swizzled_lanes
KERNEL swizzled_lanes(IN(int) in, OUT(int) out) {
  int x = in[INDEX];
  out[INDEX * 3] = __builtin_amdgcn_ds_swizzle(x, 0x401F); // lane ^ 16
  out[INDEX * 3 + 1] = __builtin_amdgcn_ds_swizzle(x, 0x0C1C); // (lane & 28) ^ 3
  out[INDEX * 3 + 2] = __builtin_amdgcn_ds_swizzle(x, 0x801B); // quads reversed
}

//: voting_lanes
KERNEL voting_lanes(IN(int) in, OUT(uint) out) {
  int x = in[INDEX];
  ulong big = BALLOT(x > 50), odd = BALLOT(x & 1);
  uint rank = __builtin_popcountl(big & ((1ul << LANE) - 1)), inner = 0;
  if (x & 1) inner = __builtin_popcountl(BALLOT(x > 50));
  out[INDEX * 3] = __builtin_popcountl(big) * 100 + rank;
  out[INDEX * 3 + 1] = inner;
  out[INDEX * 3 + 2] = (big == 0) + (odd != 0) * 2 + (uint)__builtin_ctzl(big | 1ul << 63) * 4;
}

//: ranks_by_key
// A loop that serves one key after another, each by the lanes that have it.
KERNEL ranks_by_key(IN(uint) in, OUT(uint) out) {
  uint key = in[INDEX] & 7, rank = 0, rounds = 0;
  bool waiting = true;
  while (waiting) {
    uint chosen = __builtin_amdgcn_readfirstlane(key);
    rounds++;
    if (key == chosen) {
      ulong same = BALLOT(1);
      rank = __builtin_popcountl(same & ((1ul << LANE) - 1)) * 16 + rounds;
      waiting = false;
    }
  }
  out[INDEX] = rank;
}

//: transposed_by_lanes
// Eight lanes turn a block of eight by eight, by three exchanges.
KERNEL transposed_by_lanes(IN(int) in, OUT(int) out) {
  int row[8];
  uint lane = LANE;
  for (uint k = 0; k < 8; k++) row[k] = in[INDEX * 8 + k];
#pragma unroll
  for (uint reach = 1; reach < 8; reach *= 2) {
    int turned[8];
#pragma unroll
    for (uint k = 0; k < 8; k++) {
      int other = __builtin_amdgcn_ds_bpermute((lane ^ reach) * 4, row[k ^ reach]);
      turned[k] = ((k & reach) != 0) == ((lane & reach) != 0) ? row[k] : other;
    }
#pragma unroll
    for (uint k = 0; k < 8; k++) row[k] = turned[k];
  }
  for (uint k = 0; k < 8; k++) out[INDEX * 8 + k] = row[k];
}

//: shuffled_longs
KERNEL shuffled_longs(IN(ulong) in, OUT(ulong) out) {
  ulong x = in[INDEX];
  uint from = ((LANE + 9) & 31 | (LANE & 32)) * 4;
  uint low = __builtin_amdgcn_ds_bpermute(from, (int)x), high = __builtin_amdgcn_ds_bpermute(from, (int)(x >> 32));
  out[INDEX] = ((ulong)high << 32 | low) + x;
}

//: lanes_in_branches
// Exchanges where some lanes are off: those that read from lanes that are on.
KERNEL lanes_in_branches(IN(int) in, OUT(int) out) {
  int x = in[INDEX], result = x;
  if (LANE % 4 < 2) result = __builtin_amdgcn_ds_bpermute((LANE ^ 1) * 4, x * 3) + DPP(0, x, 0xB1);
  else
    for (int k = 0; k < (x & 3); k++) result = result * 5 + __builtin_popcountl(BALLOT(k < 3));
  out[INDEX] = result;
}

#ifndef __GFX9__
//: crossed_rows
KERNEL crossed_rows(IN(uint) in, OUT(uint) out) {
  uint x = in[INDEX];
  out[INDEX * 2] = __builtin_amdgcn_permlane16(x, x, 0x76543210, 0xfedcba98 ^ 0x11111111, false, false);
  out[INDEX * 2 + 1] = __builtin_amdgcn_permlanex16(x, x, 0x89abcdef, 0x01234567, false, false);
}
#endif

//: written_lanes
KERNEL written_lanes(IN(int) in, OUT(int) out, int value) {
  int x = in[INDEX];
  // clang puts no waits and wait states before what is written here
#if __GFX12__
#define SGPR_WRITTEN "s_wait_alu depctr_va_sdst(0)\n\t"
#else
#define SGPR_WRITTEN "s_nop 4\n\t"
#endif
  __asm__(SGPR_WRITTEN "v_writelane_b32 %0, %1, 3" : "+v"(x) : "s"(__builtin_amdgcn_readfirstlane(value)));
  __asm__(SGPR_WRITTEN "v_writelane_b32 %0, %1, 30" : "+v"(x) : "s"(__builtin_amdgcn_readlane(x, 5)));
  out[INDEX] = x;
}
