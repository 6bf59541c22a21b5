#include "wide.h"
// x[64][65536] -> i64: parts of 4096, then the first greatest of a row's sixteen. `best` is scratch memory.
INLINE uint first_of(f4 v, float m, uint at, uint place) { EACH(j, 4) { uint q = 3 - j; place = v[q] == m ? at + q : place; } return place; }
INLINE uint least(uint p) { EACH(k, 6) { uint m = WAVE >> (k + 1); if (m) { uint q = (uint)__builtin_amdgcn_ds_bpermute((LANE ^ m) << 2, (int)p); p = q < p ? q : p; } } return p; }
KERNEL(256) part(G const f4 *R x, G long *R o, G float *R best) { __local float s[16]; __local uint p[16]; f4 v[4]; float m = -INFINITY;
  EACH(k, 4) { v[k] = AT(x, BID * 1024 + k * 256 + TID); m = MAX_(m, max4(v[k])); }
  m = group_max(m, s, NW); uint place = ~0u;
  EACH(k, 4) place = first_of(v[3 - k], m, ((BID & 15) * 1024 + (3 - k) * 256 + TID) * 4, place);
  place = least(place); if (LANE == 0) p[TID / WAVE] = place; wg_barrier();
  if (TID == 0) { for (int i = 1; i < NW; i++) place = p[i] < place ? p[i] : place; AT(best, BID) = m; AT(best, 1024 + BID) = as_float(place); } }
KERNEL(64) last(G const f4 *R x, G long *R o, G float *R best) { float m = AT(best, TID * 16); uint place = as_uint(AT(best, 1024 + TID * 16));
  EACH(k, 15) { float w = AT(best, TID * 16 + k + 1); uint q = as_uint(AT(best, 1024 + TID * 16 + k + 1)); place = w > m ? q : place; m = MAX_(m, w); }
  AT(o, TID) = (long)place; }
