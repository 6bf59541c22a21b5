#include "common.h"
// Values of other lanes: DPP, bpermute, readlane, ballot, mbcnt, and a sum over rows. WAVE is the lanes of a wave.
#define DPP(x, control, bound) __builtin_amdgcn_update_dpp(-1, x, control, 0xf, 0xf, bound)
#ifdef ROW_SHARE
#define LAST_OF_A_ROW 0x15f // row_share:15, the lane's own row
#else
#define LAST_OF_A_ROW 0x142 // row_bcast:15, the row before
#endif
KERNEL(64, 1, 1) cross_lane(__global const int *in, __global int *out) {
  uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  uint i = GROUP(x) * 64 + LOCAL(x);
  int x = in[i];
  __global int *row = out + 8 * i;
  row[0] = __builtin_amdgcn_ds_bpermute((int)((lane & 32) | ((lane * 7 + 3) & 31)) << 2, x);
  row[1] = DPP(x, 0x111, false);            // row_shr:1, lane 0 of a row keeps -1
  row[2] = DPP(x, 0x1b, true);              // quad_perm:[3,2,1,0]
  row[3] = DPP(x, LAST_OF_A_ROW, false);
  row[4] = __builtin_amdgcn_readlane(x, 17) + __builtin_amdgcn_readfirstlane(x);
  ulong odd = BALLOT(x & 1);
  row[5] = __builtin_amdgcn_mbcnt_hi((uint)(odd >> 32), __builtin_amdgcn_mbcnt_lo((uint)odd, 0));
  row[6] = __builtin_amdgcn_ds_swizzle(x, 0x401f); // xor 16
  int sum = x;
  sum += DPP(sum, 0xb1, true);
  sum += DPP(sum, 0x4e, true);
  sum += DPP(sum, 0x141, true);
  sum += DPP(sum, 0x140, true);
  if (x & 1) sum += __builtin_amdgcn_ds_bpermute((int)(lane ^ 16) << 2, sum); // inactive sources give 0
  row[7] = sum;
}
