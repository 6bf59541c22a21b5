#include "device.h"
// Matrices without matrix instructions.
#define Y __builtin_amdgcn_workitem_id_y()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()

//: plain_product
KERNEL plain_product(const f32 *a, const f32 *b, f32 *c, u32 n, u32 k, u32 m) {
  u32 column = GROUP_ID * 8 + LOCAL, row = GROUP_Y * 8 + Y;
  if (row >= n || column >= m) return;
  f32 sum = 0;
  for (u32 i = 0; i < k; i++) sum = __builtin_fmaf(a[row * k + i], b[i * m + column], sum);
  c[row * m + column] = sum;
}

//: tiled_product
KERNEL tiled_product(const f32 *a, const f32 *b, f32 *c, u32 n) {
  SHARED f32 left[16][16], right[16][16];
  u32 x = LOCAL, y = Y, column = GROUP_ID * 16 + x, row = GROUP_Y * 16 + y;
  f32 sum = 0;
  for (u32 base = 0; base < n; base += 16) {
    left[y][x] = a[row * n + base + x];
    right[y][x] = b[(base + y) * n + column];
    BARRIER;
    for (u32 i = 0; i < 16; i++) sum = __builtin_fmaf(left[y][i], right[i][x], sum);
    BARRIER;
  }
  c[row * n + column] = sum;
}

//: register_tiles
// Each work-item has four by four elements; two tiles in LDS take turns, so that one barrier a step is enough.
KERNEL register_tiles(const f32 *a, const f32 *b, f32 *c, u32 n) {
  SHARED f32 left[2][8][32], right[2][8][32];
  u32 x = LOCAL % 8, y = LOCAL / 8;
  f32 sums[4][4] = {};
  for (u32 base = 0; base < n; base += 8) {
    u32 half = base / 8 & 1;
    for (u32 k = 0; k < 4; k++) {
      u32 i = k * 64 + LOCAL;
      left[half][i % 8][i / 8] = a[(GROUP_Y * 32 + i / 8) * n + base + i % 8];
      right[half][i / 32][i % 32] = b[(base + i / 32) * n + GROUP_ID * 32 + i % 32];
    }
    BARRIER;
    for (u32 i = 0; i < 8; i++)
      for (u32 r = 0; r < 4; r++)
        for (u32 s = 0; s < 4; s++) sums[r][s] += left[half][i][y * 4 + r] * right[half][i][x * 4 + s];
  }
  for (u32 r = 0; r < 4; r++)
    for (u32 s = 0; s < 4; s++) c[(GROUP_Y * 32 + y * 4 + r) * n + GROUP_ID * 32 + x * 4 + s] = sums[r][s];
}

//: half_product
KERNEL half_product(const f16 *a, const f16 *b, f16 *c, u32 n) {
  u32 column = LOCAL, row = GROUP_ID;
  f32 sum = 0;
  for (u32 i = 0; i < n; i++) sum += (f32)a[row * n + i] * (f32)b[i * n + column];
  c[row * n + column] = (f16)sum;
}

//: byte_product
KERNEL byte_product(const i8 *a, const i8 *b, i32 *c, u32 n) {
  SHARED i8 column_of[64 * 32];
  for (u32 k = LOCAL; k < n * 32; k += GROUP_SIZE) column_of[k % 32 * n + k / 32] = b[k];
  BARRIER;
  u32 column = LOCAL % 32, row = GROUP_ID * 4 + LOCAL / 32;
  i32 sum = 0;
  for (u32 i = 0; i < n; i++) sum += a[row * n + i] * column_of[column * n + i];
  c[row * 32 + column] = sum;
}

//: matrix_by_vector
KERNEL matrix_by_vector(const f64 *a, const f64 *x, f64 *y, u32 columns) {
  SHARED f64 parts[4][32];
  u32 row = LOCAL / 32, lane = LOCAL % 32;
  f64 sum = 0;
  for (u32 k = lane; k < columns; k += 32) sum += a[(GROUP_ID * 4 + row) * columns + k] * x[k];
  parts[row][lane] = sum;
  BARRIER;
  for (u32 half = 16; half; half /= 2) {
    if (lane < half) parts[row][lane] += parts[row][lane + half];
    BARRIER;
  }
  if (lane == 0) y[GROUP_ID * 4 + row] = parts[row][0];
}

//: triangular_solve
KERNEL triangular_solve(const f64 *l, const f64 *b, f64 *x) {
  SHARED f64 solved[32];
  u32 i = LOCAL;
  f64 rest = b[GROUP_ID * 32 + i];
  const f64 *row = l + (GROUP_ID * 32 + i) * 32;
  for (u32 k = 0; k < 32; k++) {
    if (i == k) solved[k] = rest / row[k];
    BARRIER;
    if (i > k) rest -= row[k] * solved[k];
  }
  x[GROUP_ID * 32 + i] = solved[i];
}

//: cholesky_factor
KERNEL cholesky_factor(f64 *a) {
  SHARED f64 m[16][16];
  u32 x = LOCAL, y = Y;
  m[y][x] = a[GROUP_ID * 256 + y * 16 + x];
  BARRIER;
  for (u32 k = 0; k < 16; k++) {
    if (x == k && y == k) m[k][k] = __builtin_sqrt(m[k][k]);
    BARRIER;
    if (x == k && y > k) m[y][k] /= m[k][k];
    BARRIER;
    if (x > k && y >= x) m[y][x] -= m[y][k] * m[x][k];
    BARRIER;
  }
  a[GROUP_ID * 256 + y * 16 + x] = x <= y ? m[y][x] : 0;
}

//: small_inverses
// Each work-item inverts a matrix of three by three.
KERNEL small_inverses(const f32 *in, f32 *out) {
  f32 m[9], r[9];
  for (u32 k = 0; k < 9; k++) m[k] = in[INDEX * 9 + k];
  for (u32 i = 0; i < 3; i++)
    for (u32 j = 0; j < 3; j++)
      r[j * 3 + i] = m[(i + 1) % 3 * 3 + (j + 1) % 3] * m[(i + 2) % 3 * 3 + (j + 2) % 3] - m[(i + 1) % 3 * 3 + (j + 2) % 3] * m[(i + 2) % 3 * 3 + (j + 1) % 3];
  f32 d = m[0] * r[0] + m[1] * r[3] + m[2] * r[6];
  for (u32 k = 0; k < 9; k++) out[INDEX * 9 + k] = r[k] / d;
}

//: gauss_elimination
KERNEL gauss_elimination(f32 *a, u32 n) {
  SHARED f32 pivot[24];
  u32 row = LOCAL;
  for (u32 k = 0; k + 1 < n; k++) {
    if (row == k)
      for (u32 j = k; j < n; j++) pivot[j] = a[k * n + j];
    BARRIER;
    if (row > k && row < n) {
      f32 factor = a[row * n + k] / pivot[k];
      a[row * n + k] = factor;
      for (u32 j = k + 1; j < n; j++) a[row * n + j] -= factor * pivot[j];
    }
    BARRIER;
  }
}
