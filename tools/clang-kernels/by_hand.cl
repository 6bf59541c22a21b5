// The kernels of examples/by_hand as a person writes them in OpenCL C. Work-item functions are builtins.
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

WG(1024) bitonic_sort(global u32 *restrict keys) {
  local u32 shared[1024];
  u32 i = LID, key = keys[1024 * GID + i];
#pragma unroll
  for (u32 size = 2; size <= 1024; size *= 2)
#pragma unroll
    for (u32 step = size / 2; step; step /= 2) {
      u32 other;
      if (step < 32) {
        other = __builtin_amdgcn_ds_bpermute(4 * ((i % LANES) ^ step), key);
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
