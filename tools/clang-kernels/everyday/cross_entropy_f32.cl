#include "wide.h"
// x[1024][8192], labels[1024] -> log(sum(exp(x))) - x[label]
KERNEL(256) group(G const f4 *R x, G const int *R labels, G float *R o) { __local float s[16], t[16]; f4 v[8]; float m = -INFINITY;
  EACH(k, 8) { v[k] = AT(x, BID * 2048 + k * 256 + TID); m = MAX_(m, max4(v[k])); }
  m = group_max(m, s, NW); f4 e = 0;
  EACH(k, 8) { f4 d = (v[k] - m) * 1.4426950408889634f; EACH(j, 4) e[j] += __builtin_amdgcn_exp2f(d[j]); }
  float r = group_sum(sum4(e), t, NW);
  if (TID == 0) AT(o, BID) = m + log_(r) - ((G const float *)x)[BID * 8192 + labels[BID]]; }
KERNEL(1024) wide(G const f4 *R x, G const int *R labels, G float *R o) { __local float s[32], t[32]; f4 v[2];
  EACH(k, 2) v[k] = AT(x, BID * 2048 + k * 1024 + TID);
  float m = group_max(MAX_(max4(v[0]), max4(v[1])), s, 1024 / WAVE); f4 e = 0;
  EACH(k, 2) { f4 d = (v[k] - m) * 1.4426950408889634f; EACH(j, 4) e[j] += __builtin_amdgcn_exp2f(d[j]); }
  float r = group_sum(sum4(e), t, 1024 / WAVE);
  if (TID == 0) AT(o, BID) = m + log_(r) - ((G const float *)x)[BID * 8192 + labels[BID]]; }
