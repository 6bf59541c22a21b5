#include "device.h"
// Arrays of a work-item's own: scratch memory, with sizes known and not.

//: large_array
KERNEL large_array(const u32 *in, u32 *out, u32 steps) {
  u32 cells[300], x = in[INDEX];
  for (u32 k = 0; k < 300; k++) cells[k] = k * x;
  u32 at = x % 300, sum = 0;
  for (u32 k = 0; k < steps; k++) {
    sum = sum * 7 + cells[at];
    cells[at] = sum ^ k;
    at = (at * 13 + sum) % 300;
  }
  out[INDEX] = sum;
}

//: stack_bytes
KERNEL stack_bytes(const u8 *in, u32 *out) {
  u8 text[48];
  for (u32 k = 0; k < 48; k++) text[k] = in[INDEX % 16 + k];
  u16 halves[8];
  for (u32 k = 0; k < 8; k++) halves[k] = text[(in[INDEX] + k) % 48] * 300;
  u32 word;
  __builtin_memcpy(&word, text + 1 + LOCAL % 7, 4);
  out[INDEX] = word + halves[LOCAL & 7];
}

//: variable_array
// An array whose length is known to the launch alone: the stack grows as it runs.
KERNEL variable_array(const u32 *in, u32 *out, u32 count) {
  u32 row[count];
  for (u32 k = 0; k < count; k++) row[k] = in[(INDEX + k) % 128];
  u32 sum = 0;
  for (u32 k = 0; k < count; k++) sum = sum * 3 + row[(k * 5 + LOCAL) % count];
  out[INDEX] = sum;
}

//: allocated_in_loop
// A list whose nodes come from alloca, one for each round.
struct Node {
  u32 value;
  Node *next;
};
KERNEL allocated_in_loop(const u32 *in, u32 *out, u32 rounds) {
  Node *list = nullptr;
  for (u32 k = 0; k < rounds; k++) {
    Node *node = (Node *)__builtin_alloca(sizeof(Node));
    node->value = in[INDEX] >> k & 0xFF;
    node->next = list;
    list = node;
  }
  u32 sum = 0;
  for (; list; list = list->next) sum = sum * 31 + list->value;
  out[INDEX] = sum;
}

//: eight_queens
// How many ways queens stand on a board whose first column is given, by a stack of its own.
KERNEL eight_queens(u32 *out, u32 size) {
  u32 columns[8], count = 0;
  columns[0] = LOCAL % size;
  i32 row = 1;
  columns[1] = 0;
  while (row > 0) {
    bool fits = false;
    for (; columns[row] < size; columns[row]++) {
      fits = true;
      for (i32 k = 0; k < row && fits; k++) fits = columns[k] != columns[row] && (i32)columns[row] - (i32)columns[k] != row - k && (i32)columns[k] - (i32)columns[row] != row - k;
      if (fits) break;
    }
    if (!fits) {
      row--;
      columns[row]++;
    } else if (row + 1 == (i32)size) {
      count++;
      columns[row]++;
    } else
      columns[++row] = 0;
  }
  out[INDEX] = count;
}

//: depth_first_search
KERNEL depth_first_search(const u32 *neighbours, u32 *out) {
  u8 stack[32];
  bool seen[12] = {};
  u32 top = 0, order = 0, found = 0;
  stack[top++] = LOCAL % 12;
  while (top) {
    u32 node = stack[--top];
    if (seen[node]) continue;
    seen[node] = true;
    order = order * 29 + node;
    found++;
    for (u32 k = 0; k < 12; k++)
      if (neighbours[node] >> k & 1 && !seen[k] && top < 32) stack[top++] = k;
  }
  out[INDEX * 2] = order;
  out[INDEX * 2 + 1] = found;
}

//: hash_table
KERNEL hash_table(const u32 *in, u32 *out) {
  u32 keys[16], counts[16];
  for (u32 k = 0; k < 16; k++) keys[k] = counts[k] = 0;
  for (u32 k = 0; k < 12; k++) {
    u32 key = in[(INDEX * 7 + k) % 256] % 9 + 1, slot = key * 5 % 7;
    while (keys[slot] && keys[slot] != key) slot = (slot + 1) % 16;
    keys[slot] = key;
    counts[slot]++;
  }
  u32 best = 0, sum = 0;
  for (u32 k = 0; k < 16; k++) {
    best = larger(best, counts[k]);
    sum += keys[k];
  }
  out[INDEX] = best * 1000 + sum;
}

//: copied_structs
struct Particle {
  f32 position[3], velocity[3];
  u32 kind;
  u8 tag[5];
};
KERNEL copied_structs(const f32 *in, f32 *out, u32 steps) {
  Particle now[3], before[3];
  for (u32 k = 0; k < 3; k++) {
    for (u32 j = 0; j < 3; j++) {
      now[k].position[j] = in[(INDEX + k * 3 + j) % 64];
      now[k].velocity[j] = 0.5f * j - k;
    }
    now[k].kind = k;
    for (u32 j = 0; j < 5; j++) now[k].tag[j] = (u8)(j * k);
  }
  for (u32 s = 0; s < steps; s++) {
    __builtin_memcpy(before, now, sizeof now);
    for (u32 k = 0; k < 3; k++) {
      const Particle &other = before[(k + s + INDEX) % 3];
      for (u32 j = 0; j < 3; j++) now[k].position[j] += other.velocity[j] * 0.25f + other.tag[j + 2];
      now[k].kind = other.kind;
    }
  }
  for (u32 k = 0; k < 3; k++) out[INDEX * 3 + k] = now[k].position[k] + now[k].kind;
}

//: many_live_values
// More values than registers where the workgroup is large: they are spilled.
__attribute__((amdgpu_flat_work_group_size(1024, 1024), amdgpu_num_vgpr(24))) KERNEL many_live_values(const u32 *in, u32 *out) {
  u32 v[48], i = INDEX;
#pragma unroll
  for (u32 k = 0; k < 48; k++) v[k] = in[(i + k * 37) % 1024];
#pragma unroll
  for (u32 round = 0; round < 3; round++)
#pragma unroll
    for (u32 k = 0; k < 48; k++) v[k] = v[k] * 5 + v[(k * 7 + 11) % 48];
  u32 sum = 0;
#pragma unroll
  for (u32 k = 0; k < 48; k++) sum = sum * 3 ^ v[k];
  out[i] = sum;
}

//: pointer_to_stack scaled_sum
static NOINLINE f64 scaled_sum(f64 *row, u32 count, f64 by) {
  f64 sum = 0;
  for (u32 k = 0; k < count; k++) {
    row[k] *= by;
    sum += row[k];
  }
  return sum;
}
KERNEL pointer_to_stack(const f64 *in, f64 *out) {
  f64 row[10];
  for (u32 k = 0; k < 10; k++) row[k] = in[(INDEX + k) % 64];
  f64 first = scaled_sum(row, 4 + LOCAL % 6, 0.5);
  out[INDEX] = first + scaled_sum(row + 2, 5, 2.0) + row[LOCAL % 10];
}

//: chosen_memory
// A pointer that leads to the stack, to LDS or to memory.
KERNEL chosen_memory(const u32 *in, u32 *out, u32 *more) {
  SHARED u32 shared_row[64];
  u32 own[8];
  for (u32 k = 0; k < 8; k++) own[k] = in[INDEX] + k;
  shared_row[LOCAL] = in[INDEX] * 2;
  more[INDEX] = in[INDEX] * 3;
  u32 which = in[INDEX] % 3;
  u32 *p = which == 0 ? &own[LOCAL & 7] : which == 1 ? &shared_row[LOCAL] : &more[INDEX];
  *p += 5;
  out[INDEX] = *p + own[3];
}
