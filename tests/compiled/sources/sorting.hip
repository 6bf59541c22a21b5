#include "device.h"
// Sorting, merging, selecting.

//: bitonic_sort
KERNEL bitonic_sort(const u32 *in, u32 *out) {
  SHARED u32 data[256];
  u32 i = LOCAL;
  data[i] = in[GROUP_ID * 256 + i];
  data[i + 128] = in[GROUP_ID * 256 + i + 128];
  BARRIER;
  for (u32 size = 2; size <= 256; size *= 2)
    for (u32 reach = size / 2; reach; reach /= 2) {
      u32 low = 2 * i - (i & (reach - 1)), high = low + reach;
      u32 x = data[low], y = data[high];
      if ((x > y) == ((low & size) == 0)) {
        data[low] = y;
        data[high] = x;
      }
      BARRIER;
    }
  out[GROUP_ID * 256 + i] = data[i];
  out[GROUP_ID * 256 + i + 128] = data[i + 128];
}

//: odd_even_sort
KERNEL odd_even_sort(i32 *data) {
  SHARED i32 row[64];
  u32 i = LOCAL;
  row[i] = data[INDEX];
  BARRIER;
  for (u32 round = 0; round < 64; round++) {
    if ((i & 1) == (round & 1) && i < 63) {
      i32 x = row[i], y = row[i + 1];
      row[i] = smaller(x, y);
      row[i + 1] = larger(x, y);
    }
    BARRIER;
  }
  data[INDEX] = row[i];
}

//: radix_sort
// One bit at a time, kept in order by a scan of the zeros.
KERNEL radix_sort(const u32 *in, u32 *out) {
  SHARED u32 keys[128], scan[128];
  u32 i = LOCAL, x = in[INDEX];
  for (u32 bit = 0; bit < 12; bit++) {
    u32 zero = ~x >> bit & 1;
    scan[i] = zero;
    BARRIER;
    for (u32 reach = 1; reach < 128; reach *= 2) {
      u32 left = i >= reach ? scan[i - reach] : 0;
      BARRIER;
      scan[i] += left;
      BARRIER;
    }
    u32 zeros = scan[127], before = scan[i] - zero;
    keys[zero ? before : zeros + i - before] = x;
    BARRIER;
    x = keys[i];
    BARRIER;
  }
  out[INDEX] = x;
}

//: counting_ranks
KERNEL counting_ranks(const f32 *in, f32 *out, u32 *order) {
  SHARED f32 row[100];
  u32 i = LOCAL, rank = 0;
  f32 x = in[INDEX];
  row[i] = x;
  BARRIER;
  for (u32 k = 0; k < 100; k++) rank += row[k] < x || (row[k] == x && k < i);
  out[GROUP_ID * 100 + rank] = x;
  order[GROUP_ID * 100 + rank] = i;
}

//: merged_rows
// Two sorted rows become one: each work-item finds its place by binary search in the other.
KERNEL merged_rows(const u32 *a, const u32 *b, u32 *out) {
  u32 i = LOCAL, base = GROUP_ID * 64;
  for (u32 side = 0; side < 2; side++) {
    const u32 *mine = (side ? b : a) + base, *other = (side ? a : b) + base;
    u32 x = mine[i], low = 0, high = 64;
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (side ? other[middle] <= x : other[middle] < x) low = middle + 1;
      else high = middle;
    }
    out[2 * base + i + low] = x;
  }
}

//: insertion_sort
KERNEL insertion_sort(const u16 *in, u16 *out) {
  u16 row[20];
  for (u32 k = 0; k < 20; k++) {
    u16 x = in[INDEX * 20 + k];
    i32 at = (i32)k;
    while (at > 0 && row[at - 1] > x) {
      row[at] = row[at - 1];
      at--;
    }
    row[at] = x;
  }
  for (u32 k = 0; k < 20; k++) out[INDEX * 20 + k] = row[k];
}

//: selected_medians
KERNEL selected_medians(const u32 *in, u32 *out) {
  u32 row[15];
  for (u32 k = 0; k < 15; k++) row[k] = in[INDEX * 15 + k];
  i32 low = 0, high = 14;
  while (low < high) {
    u32 pivot = row[7];
    i32 i = low, j = high;
    do {
      while (row[i] < pivot) i++;
      while (pivot < row[j]) j--;
      if (i <= j) {
        u32 kept = row[i];
        row[i++] = row[j];
        row[j--] = kept;
      }
    } while (i <= j);
    if (j < 7) low = i;
    if (7 < i) high = j;
  }
  out[INDEX] = row[7];
}

//: best_of_each
// The four largest of each work-item's row, kept in registers, then of the workgroup, in LDS.
KERNEL best_of_each(const u32 *in, u32 *out, u32 count) {
  SHARED u32 best[64][4];
  u32 top[4] = {0, 0, 0, 0};
  for (u32 k = 0; k < count; k++) {
    u32 x = in[(GROUP_ID * count + k) * 64 + LOCAL];
    for (u32 j = 0; j < 4; j++) {
      u32 kept = larger(top[j], x);
      x = smaller(top[j], x);
      top[j] = kept;
    }
  }
  for (u32 j = 0; j < 4; j++) best[LOCAL][j] = top[j];
  BARRIER;
  for (u32 half = 32; half; half /= 2) {
    if (LOCAL < half) {
      u32 i = 0, j = 0;
      for (u32 k = 0; k < 4; k++) top[k] = best[LOCAL][i] >= best[LOCAL + half][j] ? best[LOCAL][i++] : best[LOCAL + half][j++];
      for (u32 k = 0; k < 4; k++) best[LOCAL][k] = top[k];
    }
    BARRIER;
  }
  if (LOCAL < 4) out[GROUP_ID * 4 + LOCAL] = best[0][LOCAL];
}

//: heap_sort sift
static inline void sift(u32 *heap, u32 at, u32 count) {
  for (;;) {
    u32 child = 2 * at + 1;
    if (child >= count) return;
    if (child + 1 < count && heap[child + 1] > heap[child]) child++;
    if (heap[at] >= heap[child]) return;
    u32 kept = heap[at];
    heap[at] = heap[child];
    heap[child] = kept;
    at = child;
  }
}
KERNEL heap_sort(u32 *data) {
  u32 heap[16];
  for (u32 k = 0; k < 16; k++) heap[k] = data[INDEX * 16 + k];
  for (i32 k = 7; k >= 0; k--) sift(heap, k, 16);
  for (u32 count = 16; count > 0; count--) {
    data[INDEX * 16 + count - 1] = heap[0];
    heap[0] = heap[count - 1];
    sift(heap, 0, count - 1);
  }
}
