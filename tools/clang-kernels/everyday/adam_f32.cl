#include "wide.h"
// A step of an optimiser on 1 M parameters: p, g, m, v -> p, m, v
KERNEL(256) lane(G const f4 *R p, G const f4 *R g, G const f4 *R m, G const f4 *R v, G f4 *R op, G f4 *R om, G f4 *R ov) { uint i = GID(256);
  f4 d = AT(g, i), a = 0.9f * AT(m, i) + 0.1f * d, b = 0.999f * AT(v, i) + 0.001f * (d * d), r;
  EACH(j, 4) r[j] = __builtin_amdgcn_rcpf(__builtin_amdgcn_sqrtf(b[j]) + 1e-8f);
  AT(om, i) = a; AT(ov, i) = b; AT(op, i) = AT(p, i) - 0.001f * (a * r); }
KERNEL(256) two(G const f4 *R p, G const f4 *R g, G const f4 *R m, G const f4 *R v, G f4 *R op, G f4 *R om, G f4 *R ov) { uint i = BID * 512 + TID;
  EACH(k, 2) { f4 d = AT(g, i + k * 256), a = 0.9f * AT(m, i + k * 256) + 0.1f * d, b = 0.999f * AT(v, i + k * 256) + 0.001f * (d * d), r;
    EACH(j, 4) r[j] = __builtin_amdgcn_rcpf(__builtin_amdgcn_sqrtf(b[j]) + 1e-8f);
    AT(om, i + k * 256) = a; AT(ov, i + k * 256) = b; AT(op, i + k * 256) = AT(p, i + k * 256) - 0.001f * (a * r); } }
