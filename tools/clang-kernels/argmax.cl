#include "common.h"
// x[rows][1024] -> the first index of the maximum, i64: the wave's maximum by DPP, its first lane by a ballot
KERNEL(256) argmax(G const float4 *R x, G long *R o) { __local float s[NW]; __local uint p[NW]; float4 v = AT(x, BID * 256u + TID);
  float m = wave_max(MAX_(MAX_(v.x, v.y), MAX_(v.z, v.w)));
  uint k = v.x == m ? 0u : v.y == m ? 1u : v.z == m ? 2u : 3u;
  _Bool here = v.x == m || v.y == m || v.z == m || v.w == m;
#if WAVE == 64
  uint lane = (uint)__builtin_ctzl(__builtin_amdgcn_ballot_w64(here));
#else
  uint lane = (uint)__builtin_ctz(__builtin_amdgcn_ballot_w32(here));
#endif
  uint w = TID / WAVE, place = (w * WAVE + lane) * 4 + (uint)__builtin_amdgcn_readlane((int)k, (int)lane);
  if ((TID & (WAVE - 1)) == 0) { s[w] = m; p[w] = place; }
  wg_barrier();
  if (TID == 0) { float b = s[0]; uint q = p[0];
    for (int i = 1; i < NW; i++) { q = s[i] > b ? p[i] : q; b = MAX_(b, s[i]); }
    AT(o, BID) = (long)q; } }
