// C without a language of kernels: the calling convention and the address spaces are stated.
typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"), amdgpu_flat_work_group_size(1, 256))) void
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))
#define LDS __attribute__((address_space(3), loader_uninitialized))
#define LOCAL __builtin_amdgcn_workitem_id_x()
#define INDEX (__builtin_amdgcn_workgroup_id_x() * 64 + LOCAL)
#define BARRIER                                            \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                          \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

//: visible_globals visible_total visible_scale
// Symbols that another object may replace are reached through the global offset table.
GLOBAL u32 visible_total = 50;
GLOBAL const u32 visible_scale = 3;
KERNEL visible_globals(GLOBAL const u32 *in, GLOBAL u32 *out) {
  u32 x = in[INDEX] * visible_scale;
  u32 old = __atomic_fetch_add(&visible_total, x & 7, __ATOMIC_RELAXED);
  out[INDEX] = x + (old < 50);
  BARRIER;
  if (LOCAL == 0) out[64] = __atomic_load_n(&visible_total, __ATOMIC_RELAXED);
}

//: visible_functions visible_step visible_jump
__attribute__((noinline)) u32 visible_step(u32 x) { return x * 5 + 1; }
__attribute__((noinline)) u32 visible_jump(u32 x) { return x ^ x >> 3; }
KERNEL visible_functions(GLOBAL const u32 *in, GLOBAL u32 *out) {
  u32 x = in[INDEX];
  u32 (*function)(u32) = x & 4 ? visible_step : visible_jump;
  out[INDEX] = visible_step(function(x));
}

//: switch_to_table
// A switch over dense constants becomes a table of constants.
KERNEL switch_to_table(GLOBAL const u32 *in, GLOBAL u32 *out) {
  u32 result;
  switch (in[INDEX] % 12) {
  case 0: result = 901; break;
  case 1: result = 77; break;
  case 2: result = 65537; break;
  case 3: result = 4; break;
  case 4: result = 1u << 31; break;
  case 5: result = 12345; break;
  case 6: result = 678; break;
  case 7: result = 90; break;
  case 8: result = 31; break;
  case 9: result = 0; break;
  default: result = 0xFFFFFFFF;
  }
  out[INDEX] = result;
}

//: lds_without_language row
static LDS u32 row[64];
KERNEL lds_without_language(GLOBAL const u32 *in, GLOBAL u32 *out) {
  row[LOCAL] = in[INDEX];
  BARRIER;
  out[INDEX] = row[LOCAL ^ 9] - row[63 - LOCAL];
}

//: switch_of_work
// A switch whose cases do different work, some with loops.
KERNEL switch_of_work(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL const u32 *more) {
  u32 x = in[INDEX], y = more[INDEX];
  switch (x % 7) {
  case 0:
    while (y > 100) y -= y / 3;
    break;
  case 1: y = y * y; /* fall through */
  case 2: y += x; break;
  case 3:
    for (u32 k = 0; k < (x & 15); k++) y = y << 1 ^ k;
    break;
  case 4: y = y / (x | 1); break;
  case 5: y = more[y % 64]; break;
  default: y = ~y;
  }
  out[INDEX] = y;
}
