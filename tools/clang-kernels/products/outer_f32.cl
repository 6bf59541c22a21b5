// A tile of c = a b of f32 by multiply-adds of lanes, for targets without matrix instructions of f32.
// M, N, K, BATCH; 256 lanes with T x T elements each, BK inner indexes at a time; ROWS: b is {n,k}; SPLIT as in tile.cl.
#define NO_MATRIX
#define TYPE 3
#include "types.h"
#define BM (16 * T)
#define TM ((M + BM - 1) / BM)
#define TN ((N + BM - 1) / BM)
#define PITCH (BM + 4)
#define PART ((K + SPLIT * BK - 1) / (SPLIT * BK) * BK)
#define V (BM * BK / 1024)  // vectors of a lane
// a tile of rows with consecutive inner indexes, as columns in LDS
INLINE void load_rows(float4 *v, G const float *R p, uint first, uint limit, uint k, uint end) {
  for (uint i = 0; i < V; i++) {
    uint r = MIN(first + (TID + i * 256) / (BK / 4), limit - 1), at = k + TID % (BK / 4) * 4;
    G const float *q = p + (ulong)r * K + at;
    if (K % PART == 0 || at + 4 <= end) v[i] = as_float4(*(G const loose16 *)q);
    else for (uint j = 0; j < 4; j++) v[i][j] = at + j < end ? q[j] : 0;
  }
}
INLINE void store_rows(__local float *lds, float4 *v) {
  for (uint i = 0; i < V; i++)
    for (uint j = 0; j < 4; j++) lds[(TID % (BK / 4) * 4 + j) * PITCH + (TID + i * 256) / (BK / 4)] = v[i][j];
}
INLINE void load_columns(float4 *v, G const float *R p, uint first, uint k, uint end) {
  for (uint i = 0; i < V; i++) {
    uint row = k + (TID + i * 256) / (BM / 4), n = first + TID % (BM / 4) * 4;
    G const float *q = p + (ulong)row * N + n;
    v[i] = 0;
    if (K % PART == 0 || row < end) {
      if (N % BM == 0 || n + 4 <= N) v[i] = as_float4(*(G const loose16 *)q);
      else for (uint j = 0; j < 4; j++) if (n + j < N) v[i][j] = q[j];
    }
  }
}
INLINE void store_columns(__local float *lds, float4 *v) {
  for (uint i = 0; i < V; i++)
    *(__local float4 *)&lds[(TID + i * 256) / (BM / 4) * PITCH + TID % (BM / 4) * 4] = v[i];
}
KERNEL(256) outer_f32(G const float *R a, G const float *R b, G float *R c) {
  __local float as[BK * PITCH] __attribute__((aligned(16))), bs[BK * PITCH] __attribute__((aligned(16)));
  uint tx = TID & 15, ty = TID >> 4, tile = BID % (TM * TN), rest = BID / (TM * TN), part = rest % SPLIT, batch = rest / SPLIT;
  uint m0 = tile / TN * BM, n0 = tile % TN * BM, k0 = part * PART, end = MIN(k0 + PART, (uint)K);
  a += (ulong)batch * M * K; b += (ulong)batch * N * K; c += ((ulong)part * BATCH + batch) * M * N;
  float4 acc[T][T / 4], av[V], bv[V];
  for (uint i = 0; i < T; i++) for (uint j = 0; j < T / 4; j++) acc[i][j] = 0;
  load_rows(av, a, m0, M, k0, end);
  if (ROWS) load_rows(bv, b, n0, N, k0, end); else load_columns(bv, b, n0, k0, end);
  for (uint k = k0; k < end; k += BK) {
    store_rows(as, av);
    if (ROWS) store_rows(bs, bv); else store_columns(bs, bv);
    wg_barrier();
    if (k + BK < end) {
      load_rows(av, a, m0, M, k + BK, end);
      if (ROWS) load_rows(bv, b, n0, N, k + BK, end); else load_columns(bv, b, n0, k + BK, end);
    }
#pragma unroll
    for (uint kk = 0; kk < BK; kk++) {
      float4 x[T / 4], y[T / 4];
      for (uint i = 0; i < T / 4; i++) {
        x[i] = *(__local float4 *)&as[kk * PITCH + i * 64 + ty * 4];
        y[i] = *(__local float4 *)&bs[kk * PITCH + i * 64 + tx * 4];
      }
      for (uint i = 0; i < T; i++) for (uint j = 0; j < T / 4; j++) acc[i][j] += x[i / 4][i % 4] * y[j];
    }
    wg_barrier();
  }
  typedef float4 loose __attribute__((aligned(4)));
  for (uint i = 0; i < T; i++) for (uint j = 0; j < T / 4; j++) {
    uint m = m0 + i / 4 * 64 + ty * 4 + i % 4, n = n0 + j * 64 + tx * 4;
    if (m >= M) continue;
    G float *at = c + (ulong)m * N + n;
    if (N % BM == 0 || n + 4 <= N) *(G loose *)at = acc[i][j];
    else for (uint v = 0; v < 4; v++) if (n + v < N) at[v] = acc[i][j][v];
  }
}
KERNEL(256) parts(G const float *R a, G const float *R b, G float *R c, G const float *R part) {
  uint at = GID(256);
  if (at >= BATCH * M * N) return;
  float total = 0;
  for (uint s = 0; s < SPLIT; s++) total += part[(ulong)s * BATCH * M * N + at];
  c[at] = total;
}
