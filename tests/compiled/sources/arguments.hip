#include "device.h"
// What a launch gives: arguments of every kind, grids of three dimensions, hidden arguments.
#define Y __builtin_amdgcn_workitem_id_y()
#define Z __builtin_amdgcn_workitem_id_z()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()
#define GROUP_Z __builtin_amdgcn_workgroup_id_z()

//: many_scalars
KERNEL many_scalars(u64 *out, i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h, f32 i, f64 j, bool k, char l) {
  u32 n = LOCAL;
  i64 v[12] = {a, b, c, d, e, (i64)f, g, (i64)h, (i64)(i * 4), (i64)(j * 8), k, l};
  if (n < 12) out[n] = (u64)v[n] * (GROUP_ID + 1);
}

//: small_struct Point
struct Point {
  f32 x, y;
  u8 kind;
};
KERNEL small_struct(f32 *out, Point p, u32 count) {
  if (INDEX < count) out[INDEX] = p.x * INDEX + (p.kind ? p.y : -p.y);
}

//: large_struct Table
// Read at an index that each lane computes.
struct Table {
  u16 head;
  u32 rows[40];
  f64 scale;
};
KERNEL large_struct(const u32 *in, f64 *out, Table table) {
  u32 x = in[INDEX];
  out[INDEX] = (table.rows[x % 40] + table.head) * table.scale;
}

//: changed_struct Bins
// The kernel writes into its own copy.
struct Bins {
  u32 counts[8];
};
KERNEL changed_struct(const u32 *in, u32 *out, Bins bins) {
  for (u32 k = 0; k < 6; k++) bins.counts[in[INDEX * 6 + k] % 8] += k + 1;
  for (u32 k = 0; k < 8; k++) out[INDEX * 8 + k] = bins.counts[k];
}

//: packed_struct Packed
struct __attribute__((packed)) Packed {
  u8 first;
  u32 second;
  u16 third;
  u64 fourth;
};
KERNEL packed_struct(u64 *out, Packed p, u8 last) { out[INDEX] = p.first + p.second * 3ull + p.third * LOCAL + (p.fourth ^ last); }

//: grid_of_three
KERNEL grid_of_three(u32 *out) {
  u32 nx = __builtin_amdgcn_grid_size_x(), ny = __builtin_amdgcn_grid_size_y();
  u32 x = GROUP_ID * __builtin_amdgcn_workgroup_size_x() + LOCAL, y = GROUP_Y * __builtin_amdgcn_workgroup_size_y() + Y;
  u32 z = GROUP_Z * __builtin_amdgcn_workgroup_size_z() + Z;
  out[(z * ny + y) * nx + x] = x + 100 * y + 10000 * z + __builtin_amdgcn_grid_size_z() * 1000000;
}

//: hidden_arguments
KERNEL hidden_arguments(u64 *out) {
  const u8 __attribute__((address_space(4))) *hidden = (const u8 __attribute__((address_space(4))) *)__builtin_amdgcn_implicitarg_ptr();
#define HIDDEN(type, at) (*(const type __attribute__((address_space(4))) *)(hidden + at))
  u64 v[13] = {HIDDEN(u32, 0), HIDDEN(u32, 4), HIDDEN(u32, 8), HIDDEN(u16, 12), HIDDEN(u16, 14), HIDDEN(u16, 16), HIDDEN(u16, 18),
               HIDDEN(u16, 20), HIDDEN(u16, 22), HIDDEN(u64, 40), HIDDEN(u64, 48), HIDDEN(u64, 56), HIDDEN(u16, 64)};
  u32 at = (GROUP_Y * HIDDEN(u32, 0) + GROUP_ID) * 13;
  if (LOCAL < 13 && Y == 0) out[at + LOCAL] = v[LOCAL];
}

//: odd_workgroups
// Workgroups whose last wave is not full.
KERNEL odd_workgroups(const u32 *in, u32 *out, u32 *sums) {
  SHARED u32 row[128];
  row[LOCAL] = in[INDEX];
  BARRIER;
  u32 size = GROUP_SIZE;
  out[INDEX] = row[size - 1 - LOCAL] * 2 + __builtin_popcountll(BALLOT(1));
  if (LOCAL == 0) {
    u32 sum = 0;
    for (u32 k = 0; k < size; k++) sum += row[k];
    sums[GROUP_ID] = sum;
  }
}

//: largest_workgroup
BLOCK(1024) KERNEL largest_workgroup(const u32 *in, u32 *out) {
  SHARED u32 row[1024];
  row[LOCAL] = in[INDEX];
  BARRIER;
  for (u32 half = 512; half; half /= 2) {
    if (LOCAL < half) row[LOCAL] ^= row[LOCAL + half] * 3;
    BARRIER;
  }
  out[INDEX] = row[0] + LOCAL;
}

//: vectors_by_value
typedef f32 float3 __attribute__((ext_vector_type(3)));
typedef u16 ushort8 __attribute__((ext_vector_type(8)));
typedef f64 double4 __attribute__((ext_vector_type(4)));
KERNEL vectors_by_value(f64 *out, float3 a, ushort8 b, double4 c) { out[INDEX] = (f64)a[LOCAL % 3] * b[LOCAL % 8] + c[LOCAL % 4]; }

//: no_arguments_but_one
KERNEL no_arguments_but_one(u32 *out) { out[INDEX] = INDEX * 2654435761u; }
