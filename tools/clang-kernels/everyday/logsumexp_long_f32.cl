#include "wide.h"
// x[64][65536]: parts of 4096 of a row, then its sixteen parts. `best` is scratch memory.
KERNEL(256) part(G const f4 *R x, G float *R o, G float *R best) { __local float s[16], t[16]; f4 v[4]; float m = -INFINITY; f4 e = 0;
  EACH(k, 4) { v[k] = AT(x, BID * 1024 + k * 256 + TID); m = MAX_(m, max4(v[k])); }
  m = group_max(m, s, NW);
  EACH(k, 4) e += exp4(v[k] * LOG2E - m * LOG2E);
  float r = group_sum(sum4(e), t, NW); if (TID == 0) { AT(best, BID) = m; AT(best, 1024 + BID) = r; } }
KERNEL(64) last(G const f4 *R x, G float *R o, G float *R best) { float m = -INFINITY, r = 0;
  EACH(k, 16) m = MAX_(m, AT(best, TID * 16 + k));
  EACH(k, 16) r += AT(best, 1024 + TID * 16 + k) * exp2_((AT(best, TID * 16 + k) - m) * LOG2E);
  AT(o, TID) = m + log_(r); }
