#include "common.h"
// All three dimensions of work-items and workgroups, and the sizes that come as hidden arguments.
KERNEL(5, 3, 7) ids(__global uint4 *out) {
  uint sx = 5, sy = 3, sz = 7;
  __constant uint *hidden = (__constant uint *)__builtin_amdgcn_implicitarg_ptr();
  uint nx = hidden[0], ny = hidden[1];
  uint x = GROUP(x) * sx + LOCAL(x), y = GROUP(y) * sy + LOCAL(y), z = GROUP(z) * sz + LOCAL(z);
  __constant ushort *packet = (__constant ushort *)__builtin_amdgcn_dispatch_ptr();
  uint width = nx * sx, height = ny * sy;
  out[(z * height + y) * width + x] = (uint4)(x, y, z, packet[2] * 10000 + packet[3] * 100 + packet[4]);
}
