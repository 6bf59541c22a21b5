#pragma once
// The running sums of a wave's lanes.
#define SHIFTED(x, ctrl, rows) as_float(__builtin_amdgcn_update_dpp(0, as_int(x), ctrl, rows, 0xf, false))
INLINE float wave_scan(float x) {
  x += SHIFTED(x, 0x111, 0xf); x += SHIFTED(x, 0x112, 0xf); x += SHIFTED(x, 0x114, 0xf); x += SHIFTED(x, 0x118, 0xf);
#if WAVE == 64
  x += SHIFTED(x, 0x142, 0xa); x += SHIFTED(x, 0x143, 0xc);
#else
  float half_ = as_float(__builtin_amdgcn_readlane(as_int(x), 15)); x += LANE >= 16 ? half_ : 0.0f;
#endif
  return x; }
