#include "wide.h"
#include "scan.h"
// rows of 1024
KERNEL(256) group(G const f4 *R x, G f4 *R o) { __local float t[16]; f4 a = AT(x, BID * 256 + TID); a.y += a.x; a.w += a.z; a.zw += a.y;
  float all = wave_scan(a.w); if (LANE == WAVE - 1) t[TID / WAVE] = all;
  wg_barrier(); float before = all - a.w;
  for (uint w = 0; w < TID / WAVE; w++) before += t[w];
  AT(o, BID * 256 + TID) = a + before; }
// a wave takes its row in turns of four elements a lane
KERNEL(256) wave(G const f4 *R x, G f4 *R o) { uint at = WAVE_OF(256) * 256 + LANE; float before = 0;
  EACH(k, 256 / WAVE) { f4 a = AT(x, at + k * WAVE); a.y += a.x; a.w += a.z; a.zw += a.y;
    float all = wave_scan(a.w); AT(o, at + k * WAVE) = a + (all - a.w + before);
    before += as_float(__builtin_amdgcn_readlane(as_int(all), WAVE - 1)); } }
