/* Kernels for the instruction text tests: between them clang emits a good part of the table. No library is linked, so
   everything is an operator, a builtin or an inline function. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define K __kernel void
#define L(x) __builtin_amdgcn_workitem_id_##x()
#define G (__builtin_amdgcn_workgroup_id_x() * 256 + L(x))
#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define RELAXED memory_order_relaxed, memory_scope_device
#define WG memory_order_relaxed, memory_scope_work_group
#define BARRIER __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

K f64_arithmetic(__global double *a, __global double *b, __global double *o, int n) {
  int i = G;
  if (i >= n) return;
  double x = a[i], y = b[i];
  double r = x / y + __builtin_sqrt(x) + __builtin_fma(x, y, x);
  r += __builtin_fmin(x, y) * __builtin_fmax(y, r);
  r += __builtin_floor(r) + __builtin_trunc(x) + __builtin_ceil(y) + __builtin_rint(x) + __builtin_ldexp(x, (int)y);
  r = (x > y) ? r : -r;
  r = __builtin_fabs(r) + (float)x + (int)y + (uint)x + (long)x + (double)(ulong)y;
  o[i] = r + __builtin_amdgcn_rcp(x) + __builtin_amdgcn_rsq(y) + __builtin_amdgcn_fract(x) + __builtin_amdgcn_frexp_mant(x) +
         __builtin_amdgcn_frexp_exp(y) + __builtin_copysign(x, y);
}
K f64_compare(__global double *a, __global double *b, __global long *o) {
  int i = G;
  double x = a[i], y = b[i];
  o[i] = (x == y) + 2 * (x < y) + 4 * (x != y) + 8 * (x >= y) + 16 * __builtin_isnan(x) + 32 * __builtin_isinf(y) + (long)x + (ulong)y +
         (int)x + (uint)y + 64 * !(x < y) + 128 * !(x >= y) + 256 * __builtin_isunordered(x, y);
}
K f32_arithmetic(__global float *a, __global float *b, __global float *o) {
  int i = G;
  float x = a[i], y = b[i];
  float r = x / y + __builtin_sqrtf(x) + __builtin_floorf(x) + __builtin_ceilf(y) + __builtin_truncf(x) + __builtin_rintf(y) +
            __builtin_fminf(x, y) + __builtin_fmaxf(x, y) + __builtin_copysignf(x, y) + __builtin_ldexpf(x, 3) + __builtin_exp2f(x) +
            __builtin_log2f(y) + __builtin_expf(x) + __builtin_logf(y) + __builtin_fmaf(x, y, -x) + __builtin_fabsf(x - y) * -x;
  r += (float)(int)x + (float)(uint)y + (float)(long)x + (float)(ulong)y + (float)(uchar)(int)x;
  r += __builtin_amdgcn_rcpf(x) + __builtin_amdgcn_rsqf(x) + __builtin_amdgcn_sinf(x) + __builtin_amdgcn_cosf(x) +
       __builtin_amdgcn_fractf(x) + __builtin_amdgcn_frexp_mantf(x) + __builtin_amdgcn_frexp_expf(x) +
       __builtin_amdgcn_fmed3f(x, 1.f, 3.f) + __builtin_amdgcn_sqrtf(x) + __builtin_amdgcn_exp2f(x) + __builtin_amdgcn_logf(x);
  o[i] = r + MIN(MIN(x, y), r) + MAX(MAX(x, 2.f), r);
}
K f32_compare(__global float *a, __global float *b, __global int *o) {
  int i = G;
  float x = a[i], y = b[i];
  o[i] = (x == y) + 2 * (x < y) + 4 * (x != y) + 8 * (x >= y) + 16 * __builtin_isnan(x) + 32 * __builtin_isinf(y) +
         64 * __builtin_isfinite(x) + 128 * __builtin_isnormal(y) + 256 * __builtin_signbit(x) + (x <= y ? 5 : 0) +
         __builtin_isunordered(x, y) + __builtin_islessgreater(x, y) + (!(x < y) ? 9 : 0) + (!(x >= y) ? 19 : 0) + (int)x + (uint)y;
}
K f16_arithmetic(__global half *a, __global half *b, __global half *o) {
  int i = G;
  half x = a[i], y = b[i];
  half r = x * y + x / y - x;
  r = r > x ? r : y;
  r = MIN(r, x) + MAX(r, y) + __builtin_fabsf16(x) + __builtin_sqrtf16(y) + __builtin_floorf16(x) + __builtin_rintf16(y);
  o[i] = r + (half)(short)x + (half)(ushort)y + (half)(int)x + (half)(float)i;
}
K f16_pairs(__global half2 *a, __global half2 *b, __global half2 *o) {
  int i = G;
  half2 x = a[i], y = b[i];
  o[i] = x * y + x - y.yx * MIN(x, y) + MAX(x, -y);
}
K f16_mixed(__global half4 *a, __global half4 *b, __global float4 *o) {
  int i = G;
  half4 x = a[i], y = b[i];
  o[i] = __builtin_convertvector(x, float4) * __builtin_convertvector(y, float4) + __builtin_convertvector(x * y + x, float4);
}
K i64_arithmetic(__global long *a, __global long *b, __global long *o) {
  int i = G;
  long x = a[i], y = b[i];
  o[i] = x / y + x % y + x * y + (x << (y & 63)) + (x >> (y & 63)) + (long)((ulong)x >> 3) + MIN(x, y) + ((ulong)x > (ulong)y ? x : 7) +
         (x & y) - (x | y) + (x ^ ~y) + (x == 3) + (x < 9);
}
K u64_arithmetic(__global ulong *a, __global ulong *b, __global ulong *o) {
  int i = G;
  ulong x = a[i], y = b[i];
  o[i] = x / y + x % y + __builtin_popcountl(x) + __builtin_clzl(y) + __builtin_ctzl(x | 1) + MAX(x, y) + (x >= y);
}
K i32_arithmetic(__global int *a, __global int *b, __global int *o) {
  int i = G;
  int x = a[i], y = b[i];
  o[i] = x / y + x % y + x * y + (x >> (y & 31)) + __builtin_popcount(x) + __builtin_clz(y) + __builtin_ctz(x | 1) +
         __builtin_elementwise_abs(x) + MIN(x, y) + MAX(x, y) + (int)(((long)x * y) >> 32) + ((x << 3) | y) + MIN(MAX(x, -4), 9) +
         (x & (y | ~x)) + ((x << 8) >> 8) + ((x ^ y) + 3) + MIN(MIN(x, y), 100) + ((x + y) << 4) + ((x & 0xff) | y);
}
K u32_arithmetic(__global uint *a, __global uint *b, __global uint *o) {
  int i = G;
  uint x = a[i], y = b[i];
  o[i] = x / y + x % y + (x >> (y & 31)) + MIN(x, y) + MAX(x, y) + (uint)(((ulong)x * y) >> 32) + ((x >> 3) & 0x1f) +
         (x & 0xffffff) * (y & 0xffffff) + __builtin_rotateleft32(x, y) + __builtin_elementwise_add_sat(x, y) +
         __builtin_elementwise_sub_sat(x, y) + __builtin_bswap32(x) + __builtin_bitreverse32(y) + (x * 5 + y) * 3 + (x & ~y);
}
K bytes(__global uchar *a, __global char *b, __global uchar *o, int n) {
  int i = G;
  uchar x = a[i];
  char y = b[i];
  o[i] = x + y * 3;
  o[i + n] = x > y ? x : (uchar)y;
}
K byte_vectors(__global uchar4 *a, __global float4 *o, __global uchar4 *p) {
  int i = G;
  uchar4 x = a[i];
  o[i] = __builtin_convertvector(x, float4) * 2.f;
  p[i] = x + (uchar4)(1, 2, 3, 4);
}
K shorts(__global short *a, __global ushort *b, __global short *o) {
  int i = G;
  short x = a[i];
  ushort y = b[i];
  o[i] = x * y + (x >> 2) + MIN(x, (short)y) + MAX(x, (short)3) + (x << (y & 15)) + (y >> 3);
}
K short_pairs(__global short2 *a, __global short2 *b, __global short2 *o) {
  int i = G;
  short2 x = a[i], y = b[i];
  o[i] = x * y + MIN(x, y) - MAX(x, y) + (x << (short2)2) + (x >> (short2)3);
}
K lds_atomics(__global int *o, __local atomic_int *l, __local atomic_uint *u, __local atomic_long *w) {
  int i = G, t = L(x), expected = i;
  __opencl_atomic_fetch_add(&l[t & 7], i, WG);
  __opencl_atomic_fetch_max(&l[t & 3], i, WG);
  __opencl_atomic_fetch_min(&u[t & 3], i, WG);
  __opencl_atomic_fetch_xor(&l[t & 1], i, WG);
  __opencl_atomic_fetch_add(&w[t & 1], i, WG);
  BARRIER;
  int r = __opencl_atomic_fetch_add(&l[2], t, WG) + __opencl_atomic_exchange(&l[4], t, WG) + __opencl_atomic_fetch_and(&l[5], t, WG) +
          __opencl_atomic_fetch_or(&l[6], t, WG) + __opencl_atomic_fetch_sub(&l[7], t, WG) + (int)__opencl_atomic_exchange(&w[4], t, WG);
  __opencl_atomic_compare_exchange_strong(&l[3], &expected, t, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group);
  o[i] = r + expected;
}
K global_atomics(__global atomic_int *a, __global atomic_uint *u, __global atomic_long *w, __global int *o) {
  int i = G, t = L(x), expected = i;
  __opencl_atomic_fetch_add(a + i, t, RELAXED);
  __opencl_atomic_fetch_sub(a + i + 1, t, RELAXED);
  __opencl_atomic_fetch_max(a + i + 2, t, RELAXED);
  __opencl_atomic_fetch_min(a + i + 3, t, RELAXED);
  __opencl_atomic_fetch_max(u + i, t, RELAXED);
  __opencl_atomic_fetch_min(u + i + 1, t, RELAXED);
  __opencl_atomic_fetch_add(w + i, t, RELAXED);
  int r = __opencl_atomic_fetch_add(a + i + 4, t, RELAXED) + __opencl_atomic_exchange(a + i + 6, t, RELAXED) +
          __opencl_atomic_fetch_and(a + i + 9, i, RELAXED) + __opencl_atomic_fetch_or(a + i + 10, i, RELAXED) +
          __opencl_atomic_fetch_xor(a + i + 11, i, RELAXED) + (int)__opencl_atomic_fetch_add(w + i + 1, t, RELAXED);
  __opencl_atomic_compare_exchange_strong(a + i + 5, &expected, t, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
  o[i] = r + expected;
}
K float_atomics(__global double *d, __local float *l, __global atomic_float *f) {
#ifdef __GFX9__
  __builtin_amdgcn_global_atomic_fadd_f64(d, 1.0);
#endif
  __builtin_amdgcn_ds_faddf(l, 2.f, 0, 0, false);
  __opencl_atomic_fetch_add(f + L(x), 1.f, RELAXED);
}
K scratch_words(__global int *a, __global int *o, int n, int k) {
  int buf[64], i = G, s = 0;
  for (int j = 0; j < 64; j++) buf[j] = a[i * 64 + j];
  for (int j = 0; j < n; j++) {
    buf[(buf[j & 63] + k) & 63] += j;
    s += buf[(j * k) & 63];
  }
  o[i] = s + buf[k & 63];
}
K scratch_bytes(__global char *a, __global char *o, int n, int k) {
  char buf[128];
  short halves[32];
  int i = G, s = 0;
  for (int j = 0; j < 128; j++) buf[j] = a[i * 128 + j];
  for (int j = 0; j < 32; j++) halves[j] = a[j];
  for (int j = 0; j < n; j++) {
    buf[(buf[j & 127] + k) & 127] += j;
    halves[(buf[j & 127] + k) & 31] += j;
    s += buf[(j * k) & 127] + halves[(j * k) & 31];
  }
  o[i] = s;
}
K ids(__global int *o) {
  int x = G, y = __builtin_amdgcn_workgroup_id_y() * 4 + L(y), z = __builtin_amdgcn_workgroup_id_z() * 2 + L(z);
  o[(z * 16 + y) * 256 + x] = L(x) + L(y) * __builtin_amdgcn_grid_size_x() + __builtin_amdgcn_workgroup_size_y();
}
K divergent(__global int *a, __global int *o, int n) {
  int i = G, x = a[i], c = 0;
  while (x != 1 && c < n) {
    if (x & 1) x = 3 * x + 1; else x >>= 1;
    c++;
    if (c == 77) continue;
    if (x < 0) break;
  }
  if (c > 10) {
    switch (x & 7) {
    case 0: c += 3; break;
    case 1: c *= 5; break;
    case 2: c -= a[c]; break;
    default: c ^= 9;
    }
  }
  o[i] = c;
}
K bit_fields(__global uint *u) {
  int i = G;
  uint v = u[i];
  u[i] = __builtin_amdgcn_ubfe(v, 3, 5) + __builtin_amdgcn_sbfe(v, 3, 5) + __builtin_amdgcn_perm(v, i, 0x01020304) +
         __builtin_amdgcn_alignbit(v, i, 7) + __builtin_amdgcn_alignbyte(v, i, 1) + __builtin_amdgcn_sad_u8(v, i, 3) +
         __builtin_amdgcn_lerp(v, i, 3) + __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
K lanes(__global int *a, __global int *o) {
  int i = G, x = a[i];
  x += __builtin_amdgcn_readfirstlane(x);
  x += __builtin_amdgcn_readlane(x, 3);
  x += __builtin_amdgcn_ds_bpermute(i * 4, x);
  x += __builtin_amdgcn_ds_permute(i * 4, x);
  x += __builtin_amdgcn_ds_swizzle(x, 0x401f);
  x += __builtin_amdgcn_mov_dpp(x, 0x111, 0xf, 0xf, true);
#ifdef __GFX9__
  x += __builtin_amdgcn_update_dpp(7, x, 0x142, 0xa, 0xf, false);
#endif
  x += __builtin_amdgcn_update_dpp(x, x, 0x1b, 0xf, 0xf, false);
  x += __builtin_amdgcn_mov_dpp(x, 0x140, 0xf, 0xf, true);
#ifdef __GFX9__
  x += __builtin_popcountl(__builtin_amdgcn_ballot_w64(x > 3));
#else
  x += __builtin_popcount(__builtin_amdgcn_ballot_w32(x > 3));
#endif
#ifdef __GFX9__
  o[i] = x + (int)__builtin_amdgcn_s_memtime() + (int)__builtin_amdgcn_s_memrealtime();
#else
  o[i] = x + (int)__builtin_readcyclecounter();
#endif
  __builtin_amdgcn_s_sleep(3);
  __builtin_amdgcn_s_setprio(1);
  BARRIER;
}
K mode(__global int *o) {
  o[G] = __builtin_amdgcn_s_getreg(0xf801);
  __builtin_amdgcn_s_setreg(0x1801, 3);
  o[G + 1] = __builtin_amdgcn_s_getreg(0x1801);
}
K dots(__global half2 *a, __global half2 *b, __global float *o, __global int *x, __global int *y) {
  int i = G;
  o[i] = __builtin_amdgcn_fdot2(a[i], b[i], o[i], false);
#ifdef __GFX9__
  x[i] = __builtin_amdgcn_sdot4(x[i], y[i], 3, false) + __builtin_amdgcn_udot4(x[i], y[i], 3, false);
#else
  x[i] = __builtin_amdgcn_sudot4(true, x[i], true, y[i], 3, false) + __builtin_amdgcn_udot4(x[i], y[i], 3, false);
#endif
}
K lds_widths(__global float4 *a, __global float4 *o, __local float4 *l, __local char *c, __local short *s, __local double *w) {
  int t = L(x);
  l[t] = a[G];
  c[t] = t;
  s[t] = t;
  w[t] = t;
  BARRIER;
  float3 q = ((__local float3 *)l)[t ^ 1];
  o[G] = l[t ^ 3] + (float4)(q, 1.f) + c[t ^ 1] + s[t ^ 2] + (uchar)c[t ^ 5] + (ushort)s[t ^ 9] + (float)w[t ^ 1] + (float)w[(t ^ 1) + 64];
}
K uniform_work(__global int *a, __global int *o, int n, int m, long q) {
  int s = 0;
  for (int j = 0; j < n; j++) {
    if (j * m > 100) s += a[j]; else s -= a[j + m];
    s ^= (j << m) | (j >> 2);
    s = MAX(s, j);
  }
  long p = q * n + m;
  o[0] = s + (int)(p >> 5) + __builtin_popcount(n) + __builtin_clz(m) + __builtin_elementwise_abs(s) + (n > m) + (p > q) + (int)(q / (m | 1)) + n % (m | 1);
}
K fences(__global int *a) {
  a[0] = 1;
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
  a[1] = 2;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  a[2] = 3;
}
K nontemporal(__global float4 *a, __global float4 *o) { __builtin_nontemporal_store(__builtin_nontemporal_load(a + G), o + G); }
K volatile_words(__global volatile int *a) { a[G] = a[G + 1] + 1; }
K generic_pointer(__global int *a, __global int *o, __local int *l, int c) {
  l[L(x)] = a[G];
  int *p = c ? (int *)l : (int *)a;
  o[G] = p[G & 63];
  p[3] = 4;
}
K triples(__global float *a, __global float *o) {
  typedef float packed3 __attribute__((ext_vector_type(3), aligned(4)));
  *(__global packed3 *)(o + 3 * G) = *(__global packed3 *)(a + 3 * G) * 2.f;
}
#ifdef __GFX9__
K matrices(__global half4 *a, __global float *o) {
  typedef float f32x16 __attribute__((ext_vector_type(16)));
  float4 c = 0;
  f32x16 w = 0;
  c = __builtin_amdgcn_mfma_f32_16x16x16f16(a[G], a[G + 1], c, 0, 0, 0);
  c = __builtin_amdgcn_mfma_f32_16x16x4f32(o[1], o[2], c, 0, 0, 0);
  w = __builtin_amdgcn_mfma_f32_32x32x8f16(a[2], a[3], w, 0, 0, 0);
  o[G] = c.x + c.y + c.z + c.w + w.s0 + w.sf;
}
#endif
