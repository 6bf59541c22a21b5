#include "device.h"
// Functions that are called: recursion, virtual functions, pointers to functions, arguments on the stack.

//: recursive_fibonacci fibonacci
static NOINLINE u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
KERNEL recursive_fibonacci(const u32 *in, u32 *out) { out[INDEX] = fibonacci(in[INDEX] % 9); }

//: ackermann_numbers ackermann
static NOINLINE u32 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL ackermann_numbers(u32 *out) { out[INDEX] = ackermann(LOCAL % 3, LOCAL % 4); }

//: mutual_recursion step_odd step_even
static NOINLINE u32 step_odd(u32 x, u32 depth);
static NOINLINE u32 step_even(u32 x, u32 depth) {
  if (depth == 0) return x;
  u32 rest = x & 2 ? step_odd(x / 2, depth - 1) : step_even(x / 2 + 1, depth - 1);
  return rest * 3 + x;
}
static NOINLINE u32 step_odd(u32 x, u32 depth) {
  if (depth == 0) return ~x;
  return (x & 1 ? step_even(3 * x + 1, depth - 1) : step_odd(x / 2, depth - 1)) ^ x;
}
KERNEL mutual_recursion(const u32 *in, u32 *out) { out[INDEX] = step_even(in[INDEX], 7); }

//: tree_depths depth_sum
// The sum of value times depth over a search tree given by arrays; the depth differs from lane to lane.
static NOINLINE u32 depth_sum(const i32 *left, const i32 *right, const u32 *value, i32 node, u32 depth) {
  if (node < 0) return 0;
  return value[node] * depth + depth_sum(left, right, value, left[node], depth + 1) +
         depth_sum(left, right, value, right[node], depth + 1);
}
KERNEL tree_depths(const i32 *left, const i32 *right, const u32 *value, u32 *out) {
  out[INDEX] = depth_sum(left, right, value, INDEX, 1);
}

//: virtual_shapes Shape Square Circle Pair shape_area
struct Shape {
  u32 size;
  virtual u32 area() const { return 0; }
  virtual u32 scaled(u32 by) const { return area() * by; }
};
struct Square : Shape {
  u32 area() const override { return size * size; }
};
struct Circle : Shape {
  u32 area() const override { return 3 * size * size; }
  u32 scaled(u32 by) const override { return area() * by * by; }
};
struct Pair : Shape {
  u32 other;
  u32 area() const override { return size * other; }
};
static NOINLINE u32 shape_area(const Shape *shape, u32 by) { return shape->area() + shape->scaled(by); }
KERNEL virtual_shapes(const u32 *in, u32 *out) {
  u32 x = in[INDEX];
  Square square;
  Circle circle;
  Pair pair;
  square.size = circle.size = pair.size = x >> 8 & 255;
  pair.other = x >> 16 & 255;
  const Shape *shape = x % 3 == 0 ? (const Shape *)&square : x % 3 == 1 ? (const Shape *)&circle : &pair;
  out[INDEX] = shape_area(shape, x & 7);
}

//: function_table twice_of square_of flip_of third_of chosen_functions
static NOINLINE u32 twice_of(u32 x) { return x * 2; }
static NOINLINE u32 square_of(u32 x) { return x * x; }
static NOINLINE u32 flip_of(u32 x) { return ~x; }
static NOINLINE u32 third_of(u32 x) { return x / 3; }
CONSTANT u32 (*const chosen_functions[4])(u32) = {twice_of, square_of, flip_of, third_of};
KERNEL function_table(const u32 *in, u32 *out) {
  u32 x = in[INDEX];
  for (u32 k = 0; k < 3; k++) x = chosen_functions[(x >> k) % 4](x + k);
  out[INDEX] = x;
}

//: uniform_function add_up take_away
static NOINLINE u32 add_up(u32 x, u32 y) { return x + 5 * y; }
static NOINLINE u32 take_away(u32 x, u32 y) { return x - y * 3; }
KERNEL uniform_function(const u32 *in, u32 *out, u32 which) {
  u32 (*function)(u32, u32) = which ? add_up : take_away;
  out[INDEX] = function(in[INDEX], LOCAL);
}

//: member_pointers Counter
struct Counter {
  u32 value;
  NOINLINE u32 up(u32 by) { return value += by; }
  NOINLINE u32 down(u32 by) { return value -= by * 2; }
};
KERNEL member_pointers(const u32 *in, u32 *out) {
  u32 x = in[INDEX];
  Counter counter{x};
  u32 (Counter::*step)(u32) = x & 1 ? &Counter::up : &Counter::down;
  u32 first = (counter.*step)(7);
  out[INDEX] = first * 31 + (counter.*step)(x & 15);
}

//: callbacks folded larger_of mixed_of
static NOINLINE u32 folded(const u32 *values, u32 count, u32 start, u32 (*combine)(u32, u32)) {
  for (u32 k = 0; k < count; k++) start = combine(start, values[k]);
  return start;
}
static NOINLINE u32 larger_of(u32 a, u32 b) { return a > b ? a : b; }
static NOINLINE u32 mixed_of(u32 a, u32 b) { return a * 33 ^ b; }
KERNEL callbacks(const u32 *in, u32 *out) {
  u32 i = INDEX;
  out[2 * i] = folded(in + i, 1 + i % 5, 0, larger_of);
  out[2 * i + 1] = folded(in + i, 4, 1, i & 1 ? mixed_of : larger_of);
}

//: returned_structs Moments moments_of
struct Moments {
  f32 sum, square;
  f64 cube;
  u32 count, parts[6];
};
static NOINLINE Moments moments_of(const f32 *x, u32 count) {
  Moments m{};
  for (u32 k = 0; k < count; k++) {
    m.sum += x[k];
    m.square += x[k] * x[k];
    m.cube += (f64)x[k] * x[k] * x[k];
    m.count++;
    m.parts[k % 6] += k;
  }
  return m;
}
KERNEL returned_structs(const f32 *in, f32 *sums, f64 *cubes, u32 *counts) {
  u32 i = INDEX;
  Moments m = moments_of(in + i, 1 + i % 9);
  sums[2 * i] = m.sum;
  sums[2 * i + 1] = m.square;
  cubes[i] = m.cube;
  counts[i] = m.count * 100 + m.parts[0] + 2 * m.parts[5];
}

//: many_arguments weighted Words
struct Words {
  u32 word[20];
};
static NOINLINE u32 weighted(Words a, u64 b, i16 c, Words d, u8 e, f64 f, u32 g, u32 h) {
  u32 sum = (u32)(b >> 16) + c * 3 + e * 5 + (u32)(i32)f + g * 7 + h * 11;
  for (u32 k = 0; k < 20; k++) sum += a.word[k] * k + d.word[k] * (k + 20);
  return sum;
}
KERNEL many_arguments(const u32 *in, u32 *out) {
  u32 i = INDEX;
  Words a, d;
  for (u32 k = 0; k < 20; k++) {
    a.word[k] = in[(i + k) % 128];
    d.word[k] = in[(i + 3 * k) % 128];
  }
  out[i] = weighted(a, (u64)in[i] << 20, (i16)in[i], d, (u8)in[i], (f64)(in[i] & 0xFFFF) / 4, i, ~i);
}

//: towers_of_hanoi hanoi
static NOINLINE void hanoi(u32 discs, u32 from, u32 to, u32 over, u32 *heights, u32 *moves) {
  if (discs == 0) return;
  hanoi(discs - 1, from, over, to, heights, moves);
  heights[from]--;
  heights[to]++;
  *moves = *moves * 5 + from * 3 + to;
  hanoi(discs - 1, over, to, from, heights, moves);
}
KERNEL towers_of_hanoi(u32 *out) {
  u32 discs = 1 + LOCAL % 5, heights[3] = {discs, 0, 0}, moves = 0;
  hanoi(discs, 0, 2, 1, heights, &moves);
  out[INDEX] = moves ^ heights[2] << 28;
}

//: recursive_quicksort quicksort
static NOINLINE void quicksort(u32 *x, i32 low, i32 high) {
  if (low >= high) return;
  u32 pivot = x[(low + high) / 2];
  i32 i = low, j = high;
  while (i <= j) {
    while (x[i] < pivot) i++;
    while (x[j] > pivot) j--;
    if (i <= j) {
      u32 kept = x[i];
      x[i++] = x[j];
      x[j--] = kept;
    }
  }
  quicksort(x, low, j);
  quicksort(x, i, high);
}
KERNEL recursive_quicksort(u32 *data) {
  u32 row[12];
  for (u32 k = 0; k < 12; k++) row[k] = data[INDEX * 12 + k];
  quicksort(row, 0, 11);
  for (u32 k = 0; k < 12; k++) data[INDEX * 12 + k] = row[k];
}

//: barrier_in_function row_sum_of
// A function that all waves call together, and that waits for them.
static NOINLINE u32 row_sum_of(u32 *row, u32 x) {
  row[LOCAL] = x;
  BARRIER;
  u32 sum = 0;
  for (u32 k = 0; k < 8; k++) sum += row[(LOCAL + 16 * k) % 128];
  BARRIER;
  return sum;
}
KERNEL barrier_in_function(const u32 *in, u32 *out) {
  SHARED u32 row[128];
  u32 first = row_sum_of(row, in[INDEX]);
  out[INDEX] = row_sum_of(row, first ^ 5);
}

//: variadic_sums summed
static NOINLINE f64 summed(u32 count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  f64 sum = 0;
  for (u32 k = 0; k < count; k++) sum += k & 1 ? __builtin_va_arg(list, f64) : (f64)__builtin_va_arg(list, i32);
  __builtin_va_end(list);
  return sum;
}
KERNEL variadic_sums(const i32 *in, f64 *out) {
  u32 i = INDEX;
  out[i] = summed(i & 1 ? 3 : 4, in[i], (f64)in[i] / 2, 7 - in[i], 0.25);
}
