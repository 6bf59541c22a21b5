#include "device.h"
// LDS whose size the launch decides.
extern SHARED u32 dynamic[];
extern SHARED f64 dynamic_doubles[];

//: dynamic_reverse
KERNEL dynamic_reverse(const u32 *in, u32 *out) {
  u32 size = GROUP_SIZE, i = LOCAL;
  dynamic[i] = in[INDEX];
  BARRIER;
  out[INDEX] = dynamic[size - 1 - i];
}

//: static_and_dynamic
// What is static comes first, what is dynamic after it.
KERNEL static_and_dynamic(const u32 *in, u32 *out) {
  SHARED u32 fixed[33];
  u32 i = LOCAL;
  dynamic[i] = in[INDEX];
  if (i < 33) fixed[i] = in[INDEX] * 2;
  BARRIER;
  out[INDEX] = dynamic[i ^ 1] + fixed[i % 33];
}

//: dynamic_parts
// One allocation is cut into parts of several types.
KERNEL dynamic_parts(const f32 *in, f32 *out, u32 count) {
  f32 *values = (f32 *)dynamic;
  u16 *order = (u16 *)(values + count);
  u8 *flags = (u8 *)(order + count);
  u32 i = LOCAL;
  values[i] = in[INDEX];
  order[i] = (i * 5 + 3) % count;
  flags[i] = in[INDEX] > 0.5f;
  BARRIER;
  u32 from = order[i];
  out[INDEX] = flags[from] ? values[from] : -values[i];
}

//: dynamic_size_known
// How much the launch gave stands in the hidden arguments.
KERNEL dynamic_size_known(u32 *out) {
  SHARED u32 fixed[5];
  const u8 __attribute__((address_space(4))) *hidden =
      (const u8 __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr();
  u32 size = *(const u32 __attribute__((address_space(4))) *)(hidden + 120);
  if (LOCAL < 5) fixed[LOCAL] = LOCAL;
  BARRIER;
  for (u32 k = LOCAL; k < size / 4; k += GROUP_SIZE) dynamic[k] = k * k;
  BARRIER;
  u32 sum = fixed[LOCAL % 5];
  for (u32 k = 0; k < size / 4; k++) sum += dynamic[k];
  out[INDEX] = LOCAL ? sum : size;
}

//: dynamic_transpose
KERNEL dynamic_transpose(const f32 *in, f32 *out, u32 width, u32 height) {
  f32 *tile = (f32 *)dynamic;
  u32 x = LOCAL, y = __builtin_amdgcn_workitem_id_y(), column = GROUP_ID * 16 + x;
  u32 row = __builtin_amdgcn_workgroup_id_y() * 16 + y;
  if (column < width && row < height) tile[y * 17 + x] = in[row * width + column];
  BARRIER;
  column = __builtin_amdgcn_workgroup_id_y() * 16 + x;
  row = GROUP_ID * 16 + y;
  if (column < height && row < width) out[row * height + column] = tile[x * 17 + y];
}

//: dynamic_histogram
KERNEL dynamic_histogram(const u32 *in, u32 *out, u32 bins, u32 each) {
  for (u32 k = LOCAL; k < bins; k += GROUP_SIZE) dynamic[k] = 0;
  BARRIER;
  for (u32 k = 0; k < each; k++) ADD(&dynamic[in[(GROUP_ID * each + k) * GROUP_SIZE + LOCAL] % bins], 1u, RELAXED, GROUP);
  BARRIER;
  for (u32 k = LOCAL; k < bins; k += GROUP_SIZE) ADD(&out[k], dynamic[k], RELAXED, AGENT);
}

//: dynamic_doubles_scan
KERNEL dynamic_doubles_scan(const f64 *in, f64 *out) {
  u32 i = LOCAL, n = GROUP_SIZE, from = 0;
  dynamic_doubles[i] = in[INDEX];
  BARRIER;
  for (u32 reach = 1; reach < n; reach *= 2) {
    f64 x = dynamic_doubles[from + i];
    if (i >= reach) x += dynamic_doubles[from + i - reach];
    from = n - from;
    dynamic_doubles[from + i] = x;
    BARRIER;
  }
  out[INDEX] = dynamic_doubles[from + i];
}
