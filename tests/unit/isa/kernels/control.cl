#include "common.h"
// Loops in loops whose trip counts differ between lanes, left and continued from within.
KERNEL(64, 1, 1) nested_loops(IN(uint) a, OUT(uint) out) {
  uint i = INDEX, x = a[i], sum = 0;
#pragma unroll 1
  for (uint outer = 0; outer < (x & 7) + 1; outer++) {
    if ((x >> outer & 3) == 3) continue;
#pragma unroll 1
    for (uint inner = 0;; inner++) {
      sum = sum * 3 + inner;
      if (inner > (x >> 8 & 5) + outer) break;
      if (sum & 1) continue;
      sum += x >> 16;
      if (sum % 11 == 4) goto out_of_both;
    }
    sum ^= outer << 20;
  }
  sum += 1000000;
out_of_both:
  out[i] = sum;
}

// A switch with many cases, one with a fall-through, and one whose values come from a table.
__attribute__((always_inline)) static uint chosen(uint which, uint x) {
  switch (which) {
  case 0: return x + 5;
  case 1: return x * x;
  case 2: x ^= 0x55;
  case 3: return x << 3;
  case 4: return x / 3;
  case 5: return ~x;
  case 6: return x >> (x & 7);
  case 7: return x * 17 - 4;
  case 9: return x % 100;
  default: return 42;
  }
}
KERNEL(64, 1, 1) switches(IN(uint) a, OUT(uint) out, uint uniform) {
  uint i = INDEX, x = a[i], sum = 0;
#pragma unroll 1
  for (uint step = 0; step < 4; step++) sum = sum * 31 + chosen((x >> 4 * step) % 11, x + sum);
  out[2 * i] = sum;
  out[2 * i + 1] = chosen(uniform, x);
}

// A state machine: a switch in a loop.
KERNEL(64, 1, 1) states(IN(uint) a, OUT(uint) out) {
  uint i = INDEX, x = a[i], state = 0, seen = 0;
#pragma unroll 1
  for (uint at = 0; at < 32 && state != 4; at++) {
    uint bit = x >> at & 1;
    switch (state) {
    case 0: state = bit ? 1 : 0; break;
    case 1: state = bit ? 2 : 0; break;
    case 2:
      seen++;
      state = bit ? 3 : 1;
      break;
    default: state = bit ? 4 : 2; break;
    }
  }
  out[i] = state * 100 + seen;
}

// Chains of selections and short circuits, of lanes and of the whole wave.
KERNEL(64, 1, 1) selections(IN(int) a, IN(float) b, OUT(int) out, OUT(float) floats, int uniform) {
  uint i = INDEX;
  int x = a[i];
  float y = b[i];
  out[4 * i] = x > 100 ? 1 : x > 50 ? 2 : x > 0 ? 3 : x > -50 ? 4 : 5;
  out[4 * i + 1] = (x > 10 && (x < 60 || y > 0.0f)) ? x : uniform > 5 ? uniform : -x;
  out[4 * i + 2] = (uniform & 4 ? x : ~x) + (x == uniform) * 1000;
  out[4 * i + 3] = (x < 0) ^ (y < 0.5f) ? (x & 1 ? 11 : 12) : (x & 2 ? 13 : 14);
  floats[2 * i] = y < 0.0f ? -y : y > 0.5f ? 1.0f - y : y * 2.0f;
  floats[2 * i + 1] = x & 1 ? (uniform > 0 ? y : 0.25f) : (float)x;
}

KERNEL(64, 1, 1) common_divisors(IN(uint) a, IN(uint) b, OUT(uint) out, OUT(ulong) powers) {
  uint i = INDEX, x = a[i], y = b[i];
  while (y) {
    uint rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
  ulong base = a[i], result = 1;
#pragma unroll 1
  for (uint left = b[i] & 31; left; left >>= 1) {
    if (left & 1) result *= base;
    base *= base;
  }
  powers[i] = result;
}

// A sort of 128 numbers by 64 work-items in LDS, a barrier after each step, and a sum of prefixes.
KERNEL(64, 1, 1) lds_sort(IN(uint) a, OUT(uint) sorted, OUT(uint) prefix) {
  __local uint data[128], sums[2][64];
  uint lane = LOCAL(x), base = GROUP(x) * 128;
  data[lane] = a[base + lane];
  data[lane + 64] = a[base + lane + 64];
  wait_for_group();
  for (uint size = 2; size <= 128; size <<= 1)
    for (uint reach = size >> 1; reach; reach >>= 1) {
      uint low = 2 * lane - (lane & (reach - 1)), high = low + reach;
      uint x = data[low], y = data[high];
      if ((x > y) == ((low & size) == 0)) {
        data[low] = y;
        data[high] = x;
      }
      wait_for_group();
    }
  sorted[base + lane] = data[lane];
  sorted[base + lane + 64] = data[lane + 64];
  uint from = 0;
  sums[0][lane] = data[2 * lane];
  wait_for_group();
  for (uint reach = 1; reach < 64; reach <<= 1) {
    sums[1 - from][lane] = sums[from][lane] + (lane >= reach ? sums[from][lane - reach] : 0);
    from = 1 - from;
    wait_for_group();
  }
  prefix[GROUP(x) * 64 + lane] = sums[from][lane];
}

// Points of the plane that stay near zero: a float loop that each lane leaves in its own time.
KERNEL(64, 1, 1) escape_times(IN(float) a, IN(float) b, OUT(uint) out) {
  uint i = INDEX, steps = 0;
  float cx = a[i], cy = b[i], x = 0, y = 0;
  while (x * x + y * y <= 4.0f && steps < 60) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    steps++;
  }
  out[i] = steps;
}

// Lanes that leave early, and what the others do afterwards together.
KERNEL(64, 1, 1) early_exits(IN(int) a, OUT(int) out, uint count) {
  uint i = INDEX;
  out[i] = -1;
  if (i >= count) return;
  int x = a[i];
  if (x < 0) {
    out[i] = -2;
    if (x & 1) return;
    x = -x;
  }
  ulong rest = BALLOT(x > 3);
  out[i] = x + __builtin_popcountl(rest) * 1000;
}
