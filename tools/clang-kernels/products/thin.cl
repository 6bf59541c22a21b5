// Products with few rows: a matrix by a vector, both ways, and matrix instructions on factors straight from memory.
// M, N, K, BATCH, TYPE, S as in tile.cl.
#ifndef SKINNY_KERNEL
#define NO_MATRIX
#endif
#include "types.h"
INLINE uint4_ loaded(G const elem *p) { return *(G const loose16 *)p; }
INLINE float dot16(uint4_ x, uint4_ y, float c) {
#if TYPE == 0
  typedef _Float16 h2 __attribute__((ext_vector_type(2)));
  for (uint i = 0; i < 4; i++) c = __builtin_amdgcn_fdot2(__builtin_astype(x[i], h2), __builtin_astype(y[i], h2), c, false);
#else
  for (uint i = 0; i < VE; i++) c += number(((elem *)&x)[i]) * number(((elem *)&y)[i]);
#endif
  return c;
}

#ifdef ROW_KERNEL
// Each wave: RW rows of a matrix of ROWS_ x K by a vector. VECTOR_FIRST: the vector is a, and the matrix b {n,k}.
#define STEP (WAVE * VE)
#define ROWS_ (VECTOR_FIRST ? N : M)
__attribute__((amdgpu_flat_work_group_size(LANES, LANES), reqd_work_group_size(LANES, 1, 1)))
__kernel void rows(G const elem *R a, G const elem *R b, G out *R c) {
  uint lane = TID % WAVE, groups = (ROWS_ + RW * (LANES / WAVE) - 1) / (RW * (LANES / WAVE)), batch = BID / groups;
  uint first = (BID % groups * (LANES / WAVE) + TID / WAVE) * RW;
  G const elem *matrix = (VECTOR_FIRST ? b : a) + (ulong)batch * ROWS_ * K, *x = (VECTOR_FIRST ? a : b) + (ulong)batch * K;
  float total[RW] = {0};
#pragma unroll UNROLL
  for (uint k = lane * VE; k < K; k += STEP) {
    uint4_ xv = loaded(x + k);
#pragma unroll
    for (uint r = 0; r < RW; r++) total[r] = dot16(loaded(matrix + (ulong)(first + r) * K + k), xv, total[r]);
  }
  for (uint r = 0; r < RW; r++) {
    float sum_ = wave_sum(total[r]);
    if (lane == 0 && first + r < ROWS_) c[(ulong)batch * ROWS_ + first + r] = rounded(sum_);
  }
}
#endif

#ifdef COLUMN_KERNEL
// Each workgroup: LN lanes with VE columns each of b {k,n}; its other lanes have other rows.
#define WAYS (LANES / LN)
#define PART (K / SPLIT)
#define TN (N / (LN * VE))
#if SPLIT > 1
#define RESULT float
#define STORED(x) (x)
#else
#define RESULT out
#define STORED(x) rounded(x)
#endif
__attribute__((amdgpu_flat_work_group_size(LANES, LANES), reqd_work_group_size(LANES, 1, 1)))
__kernel void columns(G const elem *R a, G const elem *R b, G RESULT *R c) {
  __local float sums_[WAYS][LN * VE + 1];
  uint column = TID % LN, way = TID / LN, n0 = BID % TN * LN * VE, part = BID / TN % SPLIT, batch = BID / TN / SPLIT;
  G const elem *x = a + (ulong)batch * K, *p = b + (ulong)batch * K * N + n0 + column * VE;
  float total[VE] = {0};
#pragma unroll UNROLL
  for (uint k = part * PART + way; k < (part + 1) * PART; k += WAYS) {
    uint4_ v = loaded(p + (ulong)k * N);
    float scale = number(x[k]);
    for (uint i = 0; i < VE; i++) total[i] += scale * number(((elem *)&v)[i]);
  }
  for (uint i = 0; i < VE; i++) sums_[way][column * VE + i] = total[i];
  wg_barrier();
  for (uint n = TID; n < LN * VE; n += LANES) {
    float sum_ = 0;
    for (uint w = 0; w < WAYS; w++) sum_ += sums_[w][n];
    c[((ulong)part * BATCH + batch) * N + n0 + n] = STORED(sum_);
  }
}
KERNEL(256) parts(G const elem *R a, G const elem *R b, G out *R c, G const float *R part) {
  uint at = GID(256);
  if (at >= BATCH * N) return;
  float total = 0;
  for (uint s = 0; s < SPLIT; s++) total += part[(ulong)s * BATCH * N + at];
  c[at] = rounded(total);
}
#endif

#ifdef SKINNY_KERNEL
// Each workgroup: IN * S columns of c, with weights b {n,k} straight from memory; its waves share k.
#define IM ((M + S - 1) / S)
#define WK (LANES / WAVE)
__attribute__((amdgpu_flat_work_group_size(LANES, LANES), reqd_work_group_size(LANES, 1, 1)))
__kernel void skinny(G const elem *R a, G const elem *R b, G out *R c) {
  __local sum parts_[WK][IN * IM * SUMS][WAVE];
  uint lane = TID % WAVE, wave = TID / WAVE, n0 = BID % (N / (S * IN)) * S * IN, batch = BID / (N / (S * IN));
  a += (ulong)batch * M * K; b += (ulong)batch * N * K; c += (ulong)batch * M * N;
  sums acc[IN][IM];
  for (int i = 0; i < IN; i++) for (int j = 0; j < IM; j++) acc[i][j] = 0;
#pragma unroll UNROLL
  for (uint k = wave * KS; k < K; k += WK * KS) {
    frag fa[IM], fb[IN];
    for (uint i = 0; i < IN; i++) for (uint p = 0; p < PARTS; p++)
      fb[i].part[p] = loaded(b + (ulong)(n0 + i * S + lane % S) * K + k + INNER(lane) + p * VE);
    for (uint j = 0; j < IM; j++) for (uint p = 0; p < PARTS; p++)
      fa[j].part[p] = loaded(a + (ulong)MIN(j * S + lane % S, (uint)M - 1) * K + k + INNER(lane) + p * VE);
    for (uint i = 0; i < IN; i++) for (uint j = 0; j < IM; j++) acc[i][j] = multiply(fb[i], fa[j], acc[i][j]);
  }
  for (uint i = 0; i < IN; i++) for (uint j = 0; j < IM; j++) for (uint r = 0; r < SUMS; r++)
    parts_[wave][(i * IM + j) * SUMS + r][lane] = acc[i][j][r];
  wg_barrier();
  for (uint e = TID; e < IN * IM * SUMS * WAVE; e += LANES) {
    uint l = e % WAVE, which = e / WAVE, r = which % SUMS, j = which / SUMS % IM, i = which / SUMS / IM;
    sum total = 0;
    for (uint w = 0; w < WK; w++) total += parts_[w][which][l];
    uint m = j * S + l % S, n = n0 + i * S + row_of(l, r);
    if (m < M) c[(ulong)m * N + n] = rounded(total);
  }
}
#endif

#ifdef OUTER_KERNEL
// K = 1: each lane has VE columns of a row.
KERNEL(256) outer(G const elem *R a, G const elem *R b, G out *R c) {
  uint at = GID(256) * VE, m = at / N, n = at % N;
  uint4_ v = loaded(b + n), s;
  for (uint i = 0; i < VE; i++) ((out *)&s)[i] = rounded(number(a[m]) * number(((elem *)&v)[i]));
  *(G uint4_ *)(c + at) = s;
}
#endif
