#include "device.h"
// Neighbours on grids of one, two and three dimensions.
#define Y __builtin_amdgcn_workitem_id_y()
#define Z __builtin_amdgcn_workitem_id_z()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()
#define GROUP_Z __builtin_amdgcn_workgroup_id_z()

//: smoothed_row
KERNEL smoothed_row(const f32 *in, f32 *out, u32 count) {
  SHARED f32 tile[66];
  u32 i = INDEX;
  f32 x = i < count ? in[i] : 0;
  tile[LOCAL + 1] = x;
  if (LOCAL == 0) tile[0] = i ? in[i - 1] : 0;
  if (LOCAL == 63) tile[65] = i + 1 < count ? in[i + 1] : 0;
  BARRIER;
  if (i < count) out[i] = tile[LOCAL] * 0.25f + x * 0.5f + tile[LOCAL + 2] * 0.25f;
}

//: five_points
KERNEL five_points(const f32 *in, f32 *out, i32 width, i32 height) {
  i32 x = GROUP_ID * 16 + LOCAL, y = GROUP_Y * 8 + Y;
  if (x >= width || y >= height) return;
  f32 sum = in[y * width + x] * -4;
  if (x) sum += in[y * width + x - 1];
  if (x + 1 < width) sum += in[y * width + x + 1];
  if (y) sum += in[(y - 1) * width + x];
  if (y + 1 < height) sum += in[(y + 1) * width + x];
  out[y * width + x] = sum;
}

//: seven_points
KERNEL seven_points(const i32 *in, i32 *out, i32 nx, i32 ny, i32 nz) {
  i32 x = GROUP_ID * 4 + LOCAL, y = GROUP_Y * 4 + Y, z = GROUP_Z * 4 + Z;
  if (x >= nx || y >= ny || z >= nz) return;
  i32 at = (z * ny + y) * nx + x;
  i32 sum = 6 * in[at];
  sum -= in[(z * ny + y) * nx + (x + 1) % nx] + in[(z * ny + y) * nx + (x + nx - 1) % nx];
  sum -= in[(z * ny + (y + 1) % ny) * nx + x] + in[(z * ny + (y + ny - 1) % ny) * nx + x];
  sum -= in[((z + 1) % nz * ny + y) * nx + x] + in[((z + nz - 1) % nz * ny + y) * nx + x];
  out[at] = sum;
}

//: game_of_life
// Several generations in LDS, one workgroup for a torus of 16 by 16.
KERNEL game_of_life(const u8 *in, u8 *out, u32 generations) {
  SHARED u8 cells[2][16][16];
  u32 x = LOCAL, y = Y, from = 0;
  cells[0][y][x] = in[GROUP_ID * 256 + y * 16 + x];
  BARRIER;
  for (u32 k = 0; k < generations; k++) {
    u32 sum = 0;
    for (u32 dy = 15; dy <= 17; dy++)
      for (u32 dx = 15; dx <= 17; dx++) sum += cells[from][(y + dy) % 16][(x + dx) % 16];
    u8 alive = cells[from][y][x];
    cells[1 - from][y][x] = sum == 3 || (sum == 4 && alive);
    from = 1 - from;
    BARRIER;
  }
  out[GROUP_ID * 256 + y * 16 + x] = cells[from][y][x];
}

//: convolved_image kernel_weights
CONSTANT const f32 kernel_weights[5][5] = {{1, 4, 7, 4, 1}, {4, 16, 26, 16, 4}, {7, 26, 41, 26, 7}, {4, 16, 26, 16, 4}, {1, 4, 7, 4, 1}};
KERNEL convolved_image(const f32 *in, f32 *out, u32 width, u32 height) {
  SHARED f32 tile[12][20];
  for (u32 k = Y * 16 + LOCAL; k < 12 * 20; k += 128) {
    i32 x = (i32)(GROUP_ID * 16 + k % 20) - 2, y = (i32)(GROUP_Y * 8 + k / 20) - 2;
    tile[k / 20][k % 20] = x >= 0 && y >= 0 && x < (i32)width && y < (i32)height ? in[y * width + x] : 0;
  }
  BARRIER;
  f32 sum = 0;
  for (u32 dy = 0; dy < 5; dy++)
    for (u32 dx = 0; dx < 5; dx++) sum += tile[Y + dy][LOCAL + dx] * kernel_weights[dy][dx];
  u32 x = GROUP_ID * 16 + LOCAL, y = GROUP_Y * 8 + Y;
  if (x < width && y < height) out[y * width + x] = sum / 273;
}

//: heat_steps
// Steps of a rod's heat in one workgroup, from one buffer in memory to the other: barriers order memory too.
KERNEL heat_steps(f64 *a, f64 *b, u32 steps) {
  u32 i = LOCAL, n = GROUP_SIZE;
  f64 *from = a, *to = b;
  for (u32 k = 0; k < steps; k++) {
    f64 left = i ? from[i - 1] : 1, right = i + 1 < n ? from[i + 1] : 0;
    to[i] = from[i] + 0.25 * (left - 2 * from[i] + right);
    f64 *kept = from;
    from = to;
    to = kept;
    BARRIER;
  }
}

//: padded_transpose
KERNEL padded_transpose(const u32 *in, u32 *out, u32 width, u32 height) {
  SHARED u32 tile[16][17];
  u32 x = GROUP_ID * 16 + LOCAL;
  for (u32 k = Y; k < 16; k += 4)
    if (x < width && GROUP_Y * 16 + k < height) tile[k][LOCAL] = in[(GROUP_Y * 16 + k) * width + x];
  BARRIER;
  x = GROUP_Y * 16 + LOCAL;
  for (u32 k = Y; k < 16; k += 4)
    if (x < height && GROUP_ID * 16 + k < width) out[(GROUP_ID * 16 + k) * height + x] = tile[LOCAL][k];
}

//: edges_of_image
// Sobel's operator on bytes; the result is clamped.
KERNEL edges_of_image(const u8 *in, u8 *out, i32 width, i32 height) {
  i32 x = INDEX % width, y = INDEX / width;
  if (y >= height) return;
  i32 v[3][3];
  for (i32 dy = 0; dy < 3; dy++)
    for (i32 dx = 0; dx < 3; dx++) {
      i32 cx = smaller(larger(x + dx - 1, 0), width - 1), cy = smaller(larger(y + dy - 1, 0), height - 1);
      v[dy][dx] = in[cy * width + cx];
    }
  i32 gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
  i32 gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
  out[y * width + x] = (u8)smaller((gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy), 255);
}

//: median_of_nine
KERNEL median_of_nine(const u16 *in, u16 *out, u32 width) {
  u32 x = 1 + LOCAL, y = 1 + GROUP_ID;
  u16 v[9];
  for (u32 k = 0; k < 9; k++) v[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  for (u32 k = 0; k < 5; k++)
    for (u32 j = 8; j > k; j--) {
      u16 low = smaller(v[j - 1], v[j]), high = larger(v[j - 1], v[j]);
      v[j - 1] = low;
      v[j] = high;
    }
  out[GROUP_ID * 60 + LOCAL] = v[4];
}

//: enlarged_image
KERNEL enlarged_image(const f32 *in, f32 *out, u32 width, u32 height, f32 scale) {
  u32 x = GROUP_ID * 8 + LOCAL, y = GROUP_Y * 8 + Y;
  f32 fx = (f32)x * scale, fy = (f32)y * scale;
  u32 ix = smaller((u32)fx, width - 2), iy = smaller((u32)fy, height - 2);
  f32 tx = fx - (f32)ix, ty = fy - (f32)iy;
  const f32 *p = in + iy * width + ix;
  f32 top = p[0] + (p[1] - p[0]) * tx, bottom = p[width] + (p[width + 1] - p[width]) * tx;
  out[y * 32 + x] = top + (bottom - top) * ty;
}

//: shortest_paths
// Floyd and Warshall's distances on a graph of 16 nodes in LDS.
KERNEL shortest_paths(const u32 *in, u32 *out) {
  SHARED u32 d[16][16];
  u32 x = LOCAL, y = Y;
  d[y][x] = in[GROUP_ID * 256 + y * 16 + x];
  BARRIER;
  for (u32 k = 0; k < 16; k++) {
    u32 through = d[y][k] + d[k][x], now = d[y][x];
    BARRIER;
    if (through < now) d[y][x] = through;
    BARRIER;
  }
  out[GROUP_ID * 256 + y * 16 + x] = d[y][x];
}
