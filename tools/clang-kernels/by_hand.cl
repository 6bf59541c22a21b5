// The kernels of examples/by_hand as a person writes them in OpenCL C. Work-item functions are builtins.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef unsigned int u32;
typedef unsigned long u64;
#define WG(n) __attribute__((reqd_work_group_size(n, 1, 1))) kernel void
#define LID ((u32)__builtin_amdgcn_workitem_id_x())
#define GID ((u32)__builtin_amdgcn_workgroup_id_x())
#define GIDY ((u32)__builtin_amdgcn_workgroup_id_y())
#define BARRIER() do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); \
                       __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
#define LANES ((u32)WAVE) // lanes of a wave, given by -D

WG(256) saxpy(global const float *restrict x, global float *restrict y, float a, u32 n) {
  u32 i = GID * 256 + LID;
  if (i < n) y[i] = a * x[i] + y[i];
}

#define DPP(v, c, rows) __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(__builtin_bit_cast(int, v), \
    __builtin_bit_cast(int, v), c, rows, 0xf, 0))
#define STEP(v, c, rows, OP) v = OP(v, DPP(v, c, rows))

static float reduce_wave_sum(float v) {
#define ADD0(v, c, rows) v += __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, v), c, rows, 0xf, 0))
  ADD0(v, 0x111, 0xf); ADD0(v, 0x112, 0xf); ADD0(v, 0x114, 0xf); ADD0(v, 0x118, 0xf);
#if WAVE == 64
  ADD0(v, 0x142, 0xa); ADD0(v, 0x143, 0xc);
  return __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 63));
#else
  return __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 15)) +
         __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 31));
#endif
}

static float reduce_wave_max(float v) {
#define MAX0(v, c, rows) v = __builtin_fmaxf(v, DPP(v, c, rows))
  MAX0(v, 0x111, 0xf); MAX0(v, 0x112, 0xf); MAX0(v, 0x114, 0xf); MAX0(v, 0x118, 0xf);
#if WAVE == 64
  MAX0(v, 0x142, 0xa); MAX0(v, 0x143, 0xc);
  return __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 63));
#else
  return __builtin_fmaxf(__builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 15)),
         __builtin_bit_cast(float, __builtin_amdgcn_readlane(__builtin_bit_cast(int, v), 31)));
#endif
}

typedef float float4_ __attribute__((ext_vector_type(4)));

WG(256) dot_product(global const float4_ *restrict x, global const float4_ *restrict y, global float *restrict sums, u32 n) {
  local float parts[8];
  u32 i = GID * 256 + LID;
  float total = 0;
  if (4 * i < n) {
    float4_ a = x[i], b = y[i];
    total = a.x * b.x; total += a.y * b.y; total += a.z * b.z; total += a.w * b.w;
  }
  total = reduce_wave_sum(total);
  if (LID % LANES == 0) parts[LID / LANES] = total;
  BARRIER();
  if (LID < 1) {
    float whole = parts[0];
    for (u32 w = 1; w < 256 / LANES; w++) whole += parts[w];
    sums[GID] = whole;
  }
}

WG(256) transpose(global const float *restrict x, global float *restrict y, u32 rows, u32 cols) {
  local float tile[32 * 32];
  u32 row = LID / 8, piece = LID % 8, above = 32 * GIDY, left = 32 * GID;
  *(local float4_ *)&tile[32 * row + 4 * (piece ^ (row / 4))] = *(global const float4_ *)&x[(above + row) * cols + left + 4 * piece];
  BARRIER();
  float4_ out;
  for (u32 part = 0; part < 4; part++) {
    u32 source = 4 * piece + part;
    out[part] = tile[32 * source + 4 * ((row / 4) ^ (source / 4)) + row % 4];
  }
  *(global float4_ *)&y[(left + row) * rows + above + 4 * piece] = out;
}

WG(256) softmax(global const float *restrict x, global float *restrict y) {
  u32 lanes = LANES, row = GID * (256 / lanes) + LID / lanes;
  u32 first = 1024 * row + 4 * (LID % lanes);
  float4_ v[8];
  float most = -__builtin_inff();
#pragma unroll
  for (u32 i = 0; i < 1024 / (4 * LANES); i++) v[i] = *(global const float4_ *)&x[first + 4 * lanes * i];
#pragma unroll
  for (u32 i = 0; i < 1024 / (4 * LANES); i++)
    most = __builtin_fmaxf(most, __builtin_fmaxf(__builtin_fmaxf(v[i].x, v[i].y), __builtin_fmaxf(v[i].z, v[i].w)));
  most = reduce_wave_max(most) * 1.44269504f;
  float total = 0;
#pragma unroll
  for (u32 i = 0; i < 1024 / (4 * LANES); i++) {
    for (u32 p = 0; p < 4; p++) { v[i][p] = __builtin_amdgcn_exp2f(__builtin_fmaf(v[i][p], 1.44269504f, -most)); total += v[i][p]; }
  }
  float scale = __builtin_amdgcn_rcpf(reduce_wave_sum(total));
#pragma unroll
  for (u32 i = 0; i < 1024 / (4 * LANES); i++) *(global float4_ *)&y[first + 4 * lanes * i] = v[i] * scale;
}

static u32 exchange(u32 v, u32 step) { // of the lane of which the number differs in a bit
  switch (step) {
  case 1: return __builtin_amdgcn_mov_dpp(v, 0xb1, 0xf, 0xf, 1);
  case 2: return __builtin_amdgcn_mov_dpp(v, 0x4e, 0xf, 0xf, 1);
  case 4: return __builtin_amdgcn_ds_swizzle(v, 0x101f);
  case 8: return __builtin_amdgcn_mov_dpp(v, 0x128, 0xf, 0xf, 1);
  default: return __builtin_amdgcn_ds_swizzle(v, 0x401f);
  }
}

WG(1024) bitonic_sort(global u32 *restrict keys) {
  local u32 shared[1024];
  u32 i = LID, key = keys[1024 * GID + i];
#pragma unroll
  for (u32 size = 2; size <= 1024; size *= 2)
#pragma unroll
    for (u32 step = size / 2; step; step /= 2) {
      u32 other;
      if (step < 32) {
        other = exchange(key, step);
      } else {
        BARRIER();
        shared[i] = key;
        BARRIER();
        other = shared[i ^ step];
      }
      u32 smaller = key < other ? key : other, larger = key < other ? other : key;
      key = ((i / step) & 1) == ((i / size) & 1) ? smaller : larger;
    }
  keys[1024 * GID + i] = key;
}

// C = A B^T of f16, 128 x 128 of C a workgroup, double-buffered LDS with exchanged pieces of 16 bytes
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef float float8_ __attribute__((ext_vector_type(8)));
#define PIECE(tile, row, piece) (*(local half8_ *)&(tile)[32 * (row) + 8 * ((piece) ^ ((row) / 2 % 4))])

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define GEMM 256
typedef float4_ sums_;
static void multiply(sums_ c[4][4], local const half *a, local const half *b, u32 lane) {
  half8_ left[4], right[4];
  for (u32 i = 0; i < 4; i++) {
    left[i] = PIECE(a, 16 * i + lane % 16, lane / 16);
    right[i] = PIECE(b, 16 * i + lane % 16, lane / 16);
  }
  for (u32 i = 0; i < 4; i++)
    for (u32 j = 0; j < 4; j++) {
      c[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(left[i].lo, right[j].lo, c[i][j], 0, 0, 0);
      c[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(left[i].hi, right[j].hi, c[i][j], 0, 0, 0);
    }
}
#elif defined(__gfx1201__) && WAVE == 32
#define GEMM 128
typedef float8_ sums_;
static void multiply(sums_ c[4][4], local const half *a, local const half *b, u32 lane) {
  for (u32 k = 0; k < 2; k++) {
    half8_ left[4], right[4];
    for (u32 i = 0; i < 4; i++) {
      left[i] = PIECE(a, 16 * i + lane % 16, 2 * k + lane / 16);
      right[i] = PIECE(b, 16 * i + lane % 16, 2 * k + lane / 16);
    }
    for (u32 i = 0; i < 4; i++)
      for (u32 j = 0; j < 4; j++)
        c[i][j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(left[i], right[j], c[i][j]);
  }
}
#endif

#ifdef GEMM
#define PASSES (512 / GEMM) // pieces that an item brings of each matrix
WG(GEMM) gemm(global const half *restrict a, global const half *restrict b, global float *restrict c, u32 n, u32 depth) {
  local half tiles[2][2][128 * 32];
  u32 t = LID, lane = t % LANES, wave = t / LANES, row = t / 4, piece = t % 4;
  u32 above = 128 * GIDY, left = 128 * GID, up = 64 * (wave / 2), along = 64 * (wave % 2);
  global const half *from_a = a + (u64)(above + row) * depth + 8 * piece, *from_b = b + (u64)(left + row) * depth + 8 * piece;
  sums_ sums[4][4];
  half8_ coming[2][PASSES];
  for (u32 i = 0; i < 4; i++)
    for (u32 j = 0; j < 4; j++) sums[i][j] = 0;
#define FETCH() for (u32 p = 0; p < PASSES; p++) { \
    coming[0][p] = *(global const half8_ *)(from_a + (u64)(GEMM / 4 * p) * depth); \
    coming[1][p] = *(global const half8_ *)(from_b + (u64)(GEMM / 4 * p) * depth); }
#define PUT(slot) for (u32 m = 0; m < 2; m++) for (u32 p = 0; p < PASSES; p++) \
    PIECE(tiles[slot][m], row + GEMM / 4 * p, piece) = coming[m][p];
  FETCH();
  PUT(0);
  BARRIER();
  for (u32 step = 0; step < depth / 32; step += 2) {
    for (u32 slot = 0; slot < 2; slot++) {
      u32 on = step + slot + 1 < depth / 32 ? 32 : 0; // the last step is fetched again
      from_a += on; from_b += on;
      FETCH();
      multiply(sums, tiles[slot][0] + 32 * up, tiles[slot][1] + 32 * along, lane);
      PUT(1 - slot);
      BARRIER();
    }
  }
  global float *to = c + (u64)(above + up) * n + left + along + lane % 16;
  u32 lines = sizeof(sums_) / 4;
  for (u32 i = 0; i < 4; i++)
    for (u32 j = 0; j < 4; j++)
      for (u32 r = 0; r < lines; r++) to[(16 * i + lines * (lane / 16) + r) * n + 16 * j] = sums[i][j][r];
}
#endif

// the running sum of a vector in one pass, by looking back at the workgroups before
typedef u32 uint4_ __attribute__((ext_vector_type(4)));
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE

static u32 scan_lanes(u32 v) {
#define ADD1(c, rows) v += __builtin_amdgcn_update_dpp(0, v, c, rows, 0xf, 0)
  ADD1(0x111, 0xf); ADD1(0x112, 0xf); ADD1(0x114, 0xf); ADD1(0x118, 0xf);
#if defined(__GFX9__)
  ADD1(0x142, 0xa); ADD1(0x143, 0xc);
#else
  u32 lane = LID % LANES, before = __builtin_amdgcn_permlanex16(v, v, -1, -1, 0, 0);
  if (lane & 16) v += before;
#if WAVE == 64
  u32 half_ = __builtin_amdgcn_readlane(v, 31);
  if (lane & 32) v += half_;
#endif
#endif
  return v;
}

WG(256) scan(global const uint4_ *restrict x, global uint4_ *restrict y, global u64 *restrict words, global u32 *restrict counter) {
  local u32 shared[256 / LANES], number;
  u32 t = LID, lane = t % LANES, wave = t / LANES;
  if (t == 0) number = __opencl_atomic_fetch_add((global atomic_uint *)counter, 1, RELAXED);
  BARRIER();
  u32 group = __builtin_amdgcn_readfirstlane(number);
  uint4_ v = x[256 * group + t];
  v.y += v.x; v.z += v.y; v.w += v.z;
  u32 before_lane = scan_lanes(v.w);
  if (lane == LANES - 1) shared[wave] = before_lane;
  BARRIER();
  u32 before_wave = 0, total = 0;
  for (u32 w = 0; w < 256 / LANES; w++) {
    if (w == wave) before_wave = total;
    total += __builtin_amdgcn_readfirstlane(shared[w]);
  }
  global atomic_ulong *own = (global atomic_ulong *)words + group;
  if (t == 0) __opencl_atomic_store(own, (u64)total << 32 | 1, RELAXED);
  u32 before = 0, at = group, mark = 1;
  while (at > 0 && mark < 2) {
    u64 word = __opencl_atomic_load((global atomic_ulong *)words + (at - 1), RELAXED);
    mark = __builtin_amdgcn_readfirstlane((u32)word);
    if (mark) { before += __builtin_amdgcn_readfirstlane((u32)(word >> 32)); at--; }
  }
  if (t == 0) __opencl_atomic_store(own, (u64)(before + total) << 32 | 2, RELAXED);
  y[256 * group + t] = v + (before + before_wave + before_lane - v.w);
}
