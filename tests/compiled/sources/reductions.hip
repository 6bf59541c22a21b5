#include "device.h"
// Sums, scans, histograms: what a workgroup makes of its elements.

//: tree_sum
KERNEL tree_sum(const f32 *in, f32 *out) {
  SHARED f32 sums[256];
  sums[LOCAL] = in[INDEX];
  BARRIER;
  for (u32 half = 128; half; half /= 2) {
    if (LOCAL < half) sums[LOCAL] += sums[LOCAL + half];
    BARRIER;
  }
  if (LOCAL == 0) out[GROUP_ID] = sums[0];
}

//: strided_sums
// A grid that strides over more elements than it has work-items.
KERNEL strided_sums(const u32 *in, u64 *out, u32 count) {
  u64 sum = 0;
  for (u32 i = INDEX; i < count; i += GROUPS * GROUP_SIZE) sum += (u64)in[i] * in[i];
  ADD(out, sum, RELAXED, AGENT);
}

//: wave_then_group_sum
// Each wave by ds_bpermute, then the waves through LDS.
KERNEL wave_then_group_sum(const u32 *in, u32 *out) {
  SHARED u32 sums[16];
  u32 x = in[INDEX];
  for (u32 reach = 1; reach < WAVE; reach *= 2) x += __builtin_amdgcn_ds_bpermute((LANE ^ reach) * 4, x);
  if (LANE == 0) sums[LOCAL / WAVE] = x;
  BARRIER;
  u32 total = 0;
  for (u32 k = 0; k < GROUP_SIZE / WAVE; k++) total += sums[k];
  out[INDEX] = total - x;
}

//: place_of_maximum
KERNEL place_of_maximum(const f32 *in, f32 *most, u32 *where, u32 columns) {
  SHARED f32 values[64];
  SHARED u32 places[64];
  f32 best = -1;
  u32 place = 0;
  for (u32 k = LOCAL; k < columns; k += 64) {
    f32 x = in[GROUP_ID * columns + k];
    if (x > best) {
      best = x;
      place = k;
    }
  }
  values[LOCAL] = best;
  places[LOCAL] = place;
  BARRIER;
  for (u32 half = 32; half; half /= 2) {
    if (LOCAL < half) {
      f32 x = values[LOCAL + half];
      u32 p = places[LOCAL + half];
      if (x > values[LOCAL] || (x == values[LOCAL] && p < places[LOCAL])) {
        values[LOCAL] = x;
        places[LOCAL] = p;
      }
    }
    BARRIER;
  }
  if (LOCAL == 0) {
    most[GROUP_ID] = values[0];
    where[GROUP_ID] = places[0];
  }
}

//: running_variance
// Welford's mean and variance, each work-item down its column.
KERNEL running_variance(const f64 *in, f64 *means, f64 *variances, u32 rows) {
  f64 mean = 0, m2 = 0;
  for (u32 k = 0; k < rows; k++) {
    f64 x = in[k * 64 + LOCAL], d = x - mean;
    mean += d / (k + 1);
    m2 += d * (x - mean);
  }
  means[LOCAL] = mean;
  variances[LOCAL] = m2 / rows;
}

//: doubling_scan
KERNEL doubling_scan(const u32 *in, u32 *out) {
  SHARED u32 sums[2][128];
  u32 from = 0;
  sums[0][LOCAL] = in[INDEX];
  BARRIER;
  for (u32 reach = 1; reach < 128; reach *= 2) {
    sums[1 - from][LOCAL] = sums[from][LOCAL] + (LOCAL >= reach ? sums[from][LOCAL - reach] : 0);
    from = 1 - from;
    BARRIER;
  }
  out[INDEX] = sums[from][LOCAL];
}

//: tree_scan
// Up the tree and down again; what is left of each element, it apart.
KERNEL tree_scan(const u32 *in, u32 *out) {
  SHARED u32 tree[128];
  u32 i = LOCAL;
  tree[2 * i] = in[GROUP_ID * 128 + 2 * i];
  tree[2 * i + 1] = in[GROUP_ID * 128 + 2 * i + 1];
  u32 reach = 1;
  for (u32 nodes = 64; nodes; nodes /= 2) {
    BARRIER;
    if (i < nodes) tree[reach * (2 * i + 2) - 1] += tree[reach * (2 * i + 1) - 1];
    reach *= 2;
  }
  if (i == 0) tree[127] = 0;
  for (u32 nodes = 1; nodes < 128; nodes *= 2) {
    reach /= 2;
    BARRIER;
    if (i < nodes) {
      u32 left = reach * (2 * i + 1) - 1, right = reach * (2 * i + 2) - 1;
      u32 kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  BARRIER;
  out[GROUP_ID * 128 + 2 * i] = tree[2 * i];
  out[GROUP_ID * 128 + 2 * i + 1] = tree[2 * i + 1];
}

//: segmented_scan
KERNEL segmented_scan(const u32 *in, const u8 *heads, u32 *out) {
  SHARED u32 sums[64];
  SHARED u8 flags[64];
  u32 i = LOCAL;
  sums[i] = in[INDEX];
  flags[i] = heads[INDEX];
  BARRIER;
  for (u32 reach = 1; reach < 64; reach *= 2) {
    u32 sum = sums[i];
    u8 flag = flags[i];
    if (i >= reach && !flag) {
      sum += sums[i - reach];
      flag = flags[i - reach];
    }
    BARRIER;
    sums[i] = sum;
    flags[i] = flag;
    BARRIER;
  }
  out[INDEX] = sums[i];
}

//: compacted
// Elements that are odd move together, in their order, over the whole grid by a counter for each group.
KERNEL compacted(const u32 *in, u32 *out, u32 *counts) {
  SHARED u32 waves[16];
  u32 x = in[INDEX], wave = LOCAL / WAVE;
  u64 odd = BALLOT(x & 1);
  if (LANE == 0) waves[wave] = __builtin_popcountll(odd);
  BARRIER;
  u32 at = __builtin_popcountll(odd & ((1ull << LANE) - 1));
  for (u32 k = 0; k < wave; k++) at += waves[k];
  if (x & 1) out[GROUP_ID * GROUP_SIZE + at] = x;
  if (LOCAL == 0) {
    u32 total = 0;
    for (u32 k = 0; k < GROUP_SIZE / WAVE; k++) total += waves[k];
    counts[GROUP_ID] = total;
  }
}

//: private_histograms
// A histogram for each wave, then one of the group, then one of the grid.
KERNEL private_histograms(const u8 *in, u32 *out, u32 count) {
  SHARED u32 bins[4][64];
  u32 wave = LOCAL / WAVE;
  for (u32 k = LOCAL; k < 256; k += GROUP_SIZE) bins[k / 64][k % 64] = 0;
  BARRIER;
  for (u32 i = INDEX; i < count; i += GROUPS * GROUP_SIZE) ADD(&bins[wave % 4][in[i] >> 2], 1u, RELAXED, GROUP);
  BARRIER;
  if (LOCAL < 64) {
    u32 sum = bins[0][LOCAL] + bins[1][LOCAL] + bins[2][LOCAL] + bins[3][LOCAL];
    if (sum) ADD(&out[LOCAL], sum, RELAXED, AGENT);
  }
}

//: run_lengths
KERNEL run_lengths(const u8 *in, u32 *out, u32 count) {
  u32 i = INDEX;
  if (i >= count) return;
  u32 length = 0;
  if (i == 0 || in[i - 1] != in[i])
    do length++;
    while (i + length < count && in[i + length] == in[i]);
  out[i] = length;
}

//: dot_product
KERNEL dot_product(const f64 *a, const f64 *b, f64 *out, u32 count) {
  SHARED f64 sums[128];
  f64 sum = 0;
  for (u32 i = LOCAL; i < count; i += 128) sum = __builtin_fma(a[i], b[i], sum);
  sums[LOCAL] = sum;
  BARRIER;
  for (u32 half = 64; half; half /= 2) {
    if (LOCAL < half) sums[LOCAL] += sums[LOCAL + half];
    BARRIER;
  }
  if (LOCAL == 0) *out = sums[0];
}

//: two_maxima
// The largest and the second largest of a workgroup, by 64-bit atomics in LDS.
KERNEL two_maxima(const u32 *in, u64 *out) {
  SHARED u64 first, second;
  if (LOCAL == 0) first = second = 0;
  BARRIER;
  u64 mine = (u64)in[INDEX] << 32 | LOCAL;
  __hip_atomic_fetch_max(&first, mine, RELAXED, GROUP);
  BARRIER;
  if (first != mine) __hip_atomic_fetch_max(&second, mine, RELAXED, GROUP);
  BARRIER;
  if (LOCAL == 0) {
    out[GROUP_ID * 2] = first;
    out[GROUP_ID * 2 + 1] = second;
  }
}

//: softmax_rows
// Each row's exponentials over their sum; the exponential is a power of two by the hardware.
KERNEL softmax_rows(const f32 *in, f32 *out, u32 columns) {
  SHARED f32 row[64];
  f32 most = -1e30f, sum = 0;
  for (u32 k = LOCAL; k < columns; k += 64) most = larger(most, in[GROUP_ID * columns + k]);
  row[LOCAL] = most;
  BARRIER;
  for (u32 half = 32; half; half /= 2) {
    if (LOCAL < half) row[LOCAL] = larger(row[LOCAL], row[LOCAL + half]);
    BARRIER;
  }
  most = row[0];
  BARRIER;
  for (u32 k = LOCAL; k < columns; k += 64) sum += __builtin_amdgcn_exp2f((in[GROUP_ID * columns + k] - most) * 1.44269504f);
  row[LOCAL] = sum;
  BARRIER;
  for (u32 half = 32; half; half /= 2) {
    if (LOCAL < half) row[LOCAL] += row[LOCAL + half];
    BARRIER;
  }
  for (u32 k = LOCAL; k < columns; k += 64)
    out[GROUP_ID * columns + k] = __builtin_amdgcn_exp2f((in[GROUP_ID * columns + k] - most) * 1.44269504f) / row[0];
}
