#include "common.h"
#define MOVED(x, control, bound) __builtin_amdgcn_update_dpp(0, x, control, 0xf, 0xf, bound)

// Votes of the wave, and lanes counted before one's own.
KERNEL(64, 1, 1) votes(IN(int) a, OUT(ulong) out) {
  uint i = INDEX;
  int x = a[i];
  __global ulong *row = out + 6 * i;
  row[0] = BALLOT(x > 0);
  row[1] = BALLOT(x & 4) == 0;
  row[2] = BALLOT(x > -100000) == ~0ul >> (64 - WAVE);
  row[3] = x & 2 ? BALLOT(x & 1) : 7;
  ulong before = BALLOT(x & 1);
  row[4] = __builtin_amdgcn_mbcnt_hi((uint)(before >> 32), __builtin_amdgcn_mbcnt_lo((uint)before, 100));
  row[5] = __builtin_popcountl(BALLOT(x > 0)) * 100 + __builtin_ctzl(BALLOT(x > 0) | 1ul << 63);
}

// A sum of prefixes and extremes over a row of 16 lanes, by shifts in DPP.
KERNEL(64, 1, 1) dpp_scan(IN(int) a, IN(float) b, OUT(int) out, OUT(float) floats) {
  uint i = INDEX;
  int x = a[i], sum = x;
  float y = b[i];
  sum += MOVED(sum, 0x111, true);
  sum += MOVED(sum, 0x112, true);
  sum += MOVED(sum, 0x114, true);
  sum += MOVED(sum, 0x118, true);
  out[5 * i] = sum;
  out[5 * i + 1] = __builtin_amdgcn_update_dpp(x, x, 0x101, 0xf, 0xf, false);          // row_shl:1, in place
  out[5 * i + 2] = __builtin_amdgcn_update_dpp(-5, x, 0x124, 0x5, 0x3, false);         // row_ror:4, some rows and banks
  out[5 * i + 3] = MAX(x, __builtin_amdgcn_update_dpp(x, x, 0x140, 0xf, 0xf, false));  // row_mirror
  out[5 * i + 4] = x & 1 ? MOVED(x, 0xe4 ^ 0x55, true) : 0;                            // quad_perm:[1,0,3,2] from inactive lanes
  float z = y;
  z = z + as_float(MOVED(as_int(z), 0xb1, true));
  z = z + as_float(MOVED(as_int(z), 0x4e, true));
  z = __builtin_fmaxf(z, as_float(MOVED(as_int(z), 0x141, true)));
  floats[i] = z * as_float(MOVED(as_int(y), 0x00, true)); // quad_perm:[0,0,0,0]
}

// ds_swizzle in its modes, ds_permute and ds_bpermute, in full waves.
KERNEL(64, 1, 1) lds_exchanges(IN(int) a, OUT(int) out) {
  uint i = INDEX, lane = LANE;
  int x = a[i];
  __global int *row = out + 8 * i;
  row[0] = __builtin_amdgcn_ds_swizzle(x, 0x041f); // xor 1
  row[1] = __builtin_amdgcn_ds_swizzle(x, 0x7c1f); // xor 31
  row[2] = __builtin_amdgcn_ds_swizzle(x, 0x00e7); // and 7, or 7
  row[3] = __builtin_amdgcn_ds_swizzle(x, 0x801b); // quads reversed
  row[4] = __builtin_amdgcn_ds_swizzle(x, 0x0018); // and 24: the first of eight
  row[5] = __builtin_amdgcn_ds_permute((int)((lane & 32) | ((lane * 5 + 1) & 31)) << 2, x);
  row[6] = __builtin_amdgcn_ds_bpermute((int)((lane & 32) | ((lane + 9) & 31)) << 2, x);
  row[7] = lane & 3 ? __builtin_amdgcn_ds_swizzle(x, 0x041f) : -1;
}

// Lanes read by number: constants, uniform values, the first active one.
KERNEL(64, 1, 1) lane_reads(IN(int) a, OUT(int) out, uint which) {
  uint i = INDEX, lane = LANE;
  int x = a[i];
  __global int *row = out + 5 * i;
  row[0] = __builtin_amdgcn_readlane(x, 31);
  row[1] = __builtin_amdgcn_readlane(x, which & (WAVE - 1));
  row[2] = x & 8 ? __builtin_amdgcn_readfirstlane(x) : 0;
  int sum = 0;
#pragma unroll 1
  for (uint k = 0; k < WAVE; k += 5) sum = sum * 3 + __builtin_amdgcn_readlane(x, k);
  row[3] = sum;
  // each value of the low bits in its turn: a loop over the lanes that differ
  int left = x & 7, turns = 0, mine = 0;
  while (left >= 0) {
    int now = __builtin_amdgcn_readfirstlane(left);
    turns++;
    if (left == now) {
      mine = now * 100 + __builtin_popcountl(BALLOT(1));
      left = -1;
    }
  }
  row[4] = mine;
}

// What one family has: broadcasts over rows, or permutations of rows, DPP of eight lanes, and exchange of halves.
KERNEL(64, 1, 1) rows_of_lanes(IN(int) a, OUT(int) out) {
  uint i = INDEX;
  int x = a[i];
  __global int *row = out + 6 * i;
#ifdef __GFX9__
  row[0] = __builtin_amdgcn_update_dpp(7, x, 0x142, 0xa, 0xf, false); // row_bcast:15 into rows 1 and 3
  row[1] = __builtin_amdgcn_update_dpp(7, x, 0x143, 0xc, 0xf, false); // row_bcast:31 into rows 2 and 3
  row[2] = __builtin_amdgcn_update_dpp(7, x, 0x138, 0xf, 0xf, false); // wave_shr:1
  row[3] = __builtin_amdgcn_update_dpp(7, x, 0x134, 0xf, 0xf, false); // wave_rol:1
#ifdef __gfx950__
  typedef unsigned int pair __attribute__((ext_vector_type(2)));
  pair rows16 = __builtin_amdgcn_permlane16_swap((uint)x, (uint)(x * 3), false, false);
  pair halves = __builtin_amdgcn_permlane32_swap((uint)x, (uint)(x * 3), false, false);
  row[4] = (int)(rows16.x * 5 + rows16.y);
  row[5] = (int)(halves.x * 5 + halves.y);
#else
  row[4] = row[5] = 0;
#endif
#else
  row[0] = __builtin_amdgcn_permlane16(x, x, 0x01234567, 0xfedcba98, true, false);
  row[1] = __builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, true, false);
  row[2] = MOVED(x, 0x165, true); // row_xmask:5
  row[3] = __builtin_amdgcn_mov_dpp8((uint)x, 07 | 06 << 3 | 05 << 6 | 04 << 9 | 0 << 12 | 0 << 15 | 1 << 18 | 2 << 21);
  row[4] = WAVE == 64 ? (int)__builtin_amdgcn_permlane64((uint)x) : x; // it does nothing in a wave of 32
  row[5] = MOVED(x, 0x153, true); // row_share:3
#endif
}

// Sums and maxima of the whole wave by every lane, with 64 bits and with the compiler's own reduction.
KERNEL(64, 1, 1) wave_reductions(IN(int) a, OUT(int) out, OUT(ulong) longs) {
  uint i = INDEX, lane = LANE;
  int x = a[i], sum = x, most = x;
  ulong wide = (ulong)(long)x * 0x10001ul;
#pragma unroll
  for (uint reach = 1; reach < 32; reach <<= 1) {
    int at = (int)(lane ^ reach) << 2;
    sum += __builtin_amdgcn_ds_bpermute(at, sum);
    most = MAX(most, __builtin_amdgcn_ds_bpermute(at, most));
    ulong other = (uint)__builtin_amdgcn_ds_bpermute(at, (int)wide) | (ulong)(uint)__builtin_amdgcn_ds_bpermute(at, (int)(wide >> 32)) << 32;
    wide += other;
  }
  out[4 * i] = sum; // of 32 lanes
  out[4 * i + 1] = most;
  out[4 * i + 2] = (int)__builtin_amdgcn_wave_reduce_add_u32((uint)x, 0);
  out[4 * i + 3] = (int)__builtin_amdgcn_wave_reduce_max_u32((uint)x & 0xffff, 0);
  longs[i] = wide;
}
