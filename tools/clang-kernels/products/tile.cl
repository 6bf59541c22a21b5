// A tile of c = a b in each workgroup: tiles of a and b in LDS, the next ones under way in registers, sums in registers.
// M, N, K, BATCH; BM, BN, BK: the tile; WM, WN: waves; ROWS: b is {n,k}; SPLIT: parts of k, each with a c of its own.
#include "types.h"
#define LANES (WM * WN * WAVE)
// the place of an element in LDS: the vectors of a row change places by its number, so that eight rows use all banks
#define VR (BK / VE < 8 ? BK / VE : 8)
#define AT_LDS(r, k) ((r) * BK + (((k) / VE) ^ (r) / (8 / VR) % VR) * VE + (k) % VE)
#define IM (BM / WM / S)
#define IN (BN / WN / S)
#define TM ((M + BM - 1) / BM)
#define TN ((N + BN - 1) / BN)
#define PART ((K + SPLIT * BK - 1) / (SPLIT * BK) * BK)  // inner indexes of a part
#define AV (BM * BK / VE / LANES)  // vectors of a lane
#define GROUP 8  // tiles of rows that take turns, so that workgroups at the same time share b
#if SPLIT > 1
#define RESULT sum
#define STORED(x) (x)
#else
#define RESULT out
#define STORED(x) rounded(x)
#endif

// 16 bytes from column k of a row, zeros beyond the row
INLINE uint4_ vector(G const elem *R row, uint k, uint end) {
  if (PART % BK == 0 && K % PART == 0) return *(G const loose16 *)(row + k);
  if (k + VE <= end) return *(G const loose16 *)(row + k);
  elem x[VE];
  for (uint i = 0; i < VE; i++) x[i] = k + i < end ? row[k + i] : (elem)0;
  return *(uint4_ *)x;
}

// a tile of rows with consecutive inner indexes
#define LOAD_ROWS(into, from, first, limit, tile, k) \
  for (uint i = 0; i < tile * BK / VE / LANES; i++) { \
    uint r = (TID + i * LANES) / (BK / VE), at = first + r; \
    into[i] = vector(from + (ulong)(limit % tile ? MIN(at, (uint)limit - 1) : at) * K, (k) + (TID % (BK / VE)) * VE, end); }
#define STORE_ROWS(lds, from, tile) \
  for (uint i = 0; i < tile * BK / VE / LANES; i++) \
    *(__local uint4_ *)&lds[AT_LDS((TID + i * LANES) / (BK / VE), TID % (BK / VE) * VE)] = from[i];

// four rows of b {k,n} with BV elements each, transposed on their way to LDS
#define BV (BN * BK / LANES / 4 < VE ? BN * BK / LANES / 4 : VE)
#define BLOCKS (BN * BK / LANES / 4 / BV)
INLINE void columns(elem (*x)[BV], G const elem *R b, uint first, uint k, uint end) {
  uint kq = TID % (BK / 4) * 4, n = first + TID / (BK / 4) * BV;
#pragma unroll
  for (uint j = 0; j < BLOCKS; j++, n += LANES / (BK / 4) * BV)
#pragma unroll
    for (uint i = 0; i < 4; i++) {
      uint row = k + kq + i;
      G const elem *p = b + (ulong)row * N + n;
      bool there = K % PART == 0 || row < end;
      if (N % BN == 0 || n + BV <= N) {
        if (there) {
          if (sizeof(elem) * BV == 16) *(uint4_ *)x[j * 4 + i] = *(G const loose16 *)p;
          else *(uint2 *)x[j * 4 + i] = *(G const loose8 *)p;
        } else for (uint v = 0; v < BV; v++) x[j * 4 + i][v] = 0;
      } else for (uint v = 0; v < BV; v++) x[j * 4 + i][v] = there && n + v < N ? p[v] : (elem)0;
    }
}
INLINE void store_columns(__local elem *lds, elem (*x)[BV]) {
  uint kq = TID % (BK / 4) * 4, n = TID / (BK / 4) * BV;
#pragma unroll
  for (uint j = 0; j < BLOCKS; j++, n += LANES / (BK / 4) * BV)
#pragma unroll
    for (uint v = 0; v < BV; v++) {
      elem y[4] = {x[j * 4][v], x[j * 4 + 1][v], x[j * 4 + 2][v], x[j * 4 + 3][v]};
      if (sizeof(elem) == 4) *(__local uint4_ *)&lds[AT_LDS(n + v, kq)] = *(uint4_ *)y;
      else *(__local uint2 *)&lds[AT_LDS(n + v, kq)] = *(uint2 *)y;
    }
}

__attribute__((amdgpu_flat_work_group_size(LANES, LANES), reqd_work_group_size(LANES, 1, 1)))
__kernel void tile(G const elem *R a, G const elem *R b, G RESULT *R c) {
  __local elem as[BM * BK] __attribute__((aligned(16))), bs[BN * BK] __attribute__((aligned(16)));
  uint lane = TID % WAVE, wave = TID / WAVE, wm = wave / WN * (BM / WM), wn = wave % WN * (BN / WN);
  uint tile_ = BID % (TM * TN), rest = BID / (TM * TN), part = rest % SPLIT, batch = rest / SPLIT;
  uint band = tile_ / (GROUP * TN), high = MIN((uint)GROUP, (uint)TM - band * GROUP), within = tile_ - band * GROUP * TN;
  uint m0 = (band * GROUP + within % high) * BM, n0 = within / high * BN;
  a += (ulong)batch * M * K; b += (ulong)batch * N * K; c += ((ulong)part * BATCH + batch) * M * N;
  uint k0 = part * PART, end = MIN(k0 + PART, (uint)K);
  sums acc[IN][IM];
  for (int i = 0; i < IN; i++) for (int j = 0; j < IM; j++) acc[i][j] = 0;
  uint4_ av[AV];
  LOAD_ROWS(av, a, m0, M, BM, k0)
#if ROWS
  uint4_ bv[BN * BK / VE / LANES];
  LOAD_ROWS(bv, b, n0, N, BN, k0)
#else
  elem bv[BLOCKS * 4][BV] __attribute__((aligned(16)));
  columns(bv, b, n0, k0, end);
#endif
  for (uint k = k0; k < end; k += BK) {
    STORE_ROWS(as, av, BM)
#if ROWS
    STORE_ROWS(bs, bv, BN)
#else
    store_columns(bs, bv);
#endif
    wg_barrier();
    if (k + BK < end) {
      LOAD_ROWS(av, a, m0, M, BM, k + BK)
#if ROWS
      LOAD_ROWS(bv, b, n0, N, BN, k + BK)
#else
      columns(bv, b, n0, k + BK, end);
#endif
    }
#pragma unroll
    for (uint kk = 0; kk < BK; kk += KS) {
      frag fa[IM], fb[IN];
      for (uint i = 0; i < IM; i++) for (uint p = 0; p < PARTS; p++)
        fa[i].part[p] = *(__local uint4_ *)&as[AT_LDS(wm + i * S + lane % S, kk + INNER(lane) + p * VE)];
      for (uint i = 0; i < IN; i++) for (uint p = 0; p < PARTS; p++)
        fb[i].part[p] = *(__local uint4_ *)&bs[AT_LDS(wn + i * S + lane % S, kk + INNER(lane) + p * VE)];
      for (uint i = 0; i < IN; i++) for (uint j = 0; j < IM; j++)
        acc[i][j] = RUN > 1 ? multiply(fb[i], fa[j], acc[i][j]) : multiply(fa[j], fb[i], acc[i][j]);
    }
    wg_barrier();
  }
#if defined(__GFX11__) && N % BN && PART <= 4 * BK
  // else clang 22, if it unrolls the loop, moves WMMA to the lanes that store, where the others load no factors
  for (uint i = 0; i < IN; i++) for (uint j = 0; j < IM; j++) __asm__ volatile("" : "+v"(acc[i][j]));
#endif
#pragma unroll
  for (uint i = 0; i < IN; i++)
#pragma unroll
    for (uint j = 0; j < IM; j++)
#pragma unroll
      for (uint r = 0; r < SUMS; r += RUN) {
        uint inner = row_of(lane, r), outer = lane % S;
        uint m = m0 + wm + j * S + (RUN > 1 ? outer : inner), n = n0 + wn + i * S + (RUN > 1 ? inner : outer);
        G RESULT *at = c + (ulong)m * N + n;
        if (M % BM && m >= M) continue;
        if (N % BN == 0 || n + RUN <= N) {
          typedef RESULT stored __attribute__((ext_vector_type(RUN), aligned(sizeof(RESULT))));
          stored s;
          for (uint v = 0; v < RUN; v++) ((RESULT *)&s)[v] = STORED(acc[i][j][r + v]);
          *(G stored *)at = s;
        } else for (uint v = 0; v < RUN; v++) if (n + v < N) at[v] = STORED(acc[i][j][r + v]);
      }
}

// the sum of the parts, four elements a lane
KERNEL(256) parts(G const elem *R a, G const elem *R b, G out *R c, G const sum *R part) {
  uint at = GID(256) * 4;
  if (at >= BATCH * M * N) return;
  typedef sum four __attribute__((ext_vector_type(4), aligned(4)));
  four total = *(G const four *)(part + at);
  for (uint s = 1; s < SPLIT; s++) total += *(G const four *)(part + (ulong)s * BATCH * M * N + at);
  for (uint v = 0; v < 4 && at + v < BATCH * M * N; v++) c[at + v] = rounded(total[v]);
}
