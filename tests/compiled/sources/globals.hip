#include "device.h"
// Variables of the program: constant, writable, zero, and those that hold addresses.

//: constant_table primes
CONSTANT const u32 primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
KERNEL constant_table(const u32 *in, u32 *out) {
  u32 x = in[INDEX];
  out[INDEX] = primes[x & 15] * primes[x >> 4 & 15] + primes[GROUP_ID];
}

//: writable_counter events
DEVICE u32 events = 1000;
KERNEL writable_counter(const u32 *in, u32 *seen, u32 *last) {
  u32 i = INDEX;
  if (in[i] & 1) {
    u32 at = ADD(&events, 1u, RELAXED, AGENT);
    ADD(&seen[at - 1000], 1u, RELAXED, AGENT);
  }
  BARRIER;
  if (LOCAL == 0) *last = LOAD(&events, RELAXED, AGENT);
}

//: zero_rows zeros
DEVICE u32 zeros[256];
KERNEL zero_rows(const u32 *in, u32 *out) {
  u32 i = LOCAL;
  u32 before = zeros[i] + zeros[i + 128];
  BARRIER;
  zeros[i] = in[i];
  BARRIER;
  zeros[128 + (i ^ 1)] = zeros[127 - i] + before;
  BARRIER;
  out[i] = zeros[i + 128] + zeros[i];
}

//: names_of_months months
CONSTANT const char *const months[] = {"january", "february", "march", "april", "may", "june",
                                       "july", "august", "september", "october", "november", "december"};
KERNEL names_of_months(u32 *out) {
  u32 hash = 5381;
  for (const char *letter = months[INDEX % 12]; *letter; letter++) hash = hash * 33 + *letter;
  out[INDEX] = hash;
}

//: linked_records Record third second first entry
struct Record {
  u32 value;
  Record *next;
};
DEVICE Record third{30, nullptr}, second{20, &third}, first{10, &second};
DEVICE Record *entry = &first;
KERNEL linked_records(u32 *out) {
  u32 sum = 0, weight = 1;
  for (Record *at = entry; at; at = at->next) {
    sum += at->value * weight;
    weight *= LOCAL % 4 + 1;
  }
  out[INDEX] = sum;
}

//: records_with_functions Operation plus minus times operations
struct Operation {
  char name;
  u32 (*apply)(u32, u32);
  f32 weight;
};
static NOINLINE u32 plus(u32 a, u32 b) { return a + b; }
static NOINLINE u32 minus(u32 a, u32 b) { return a - b; }
static NOINLINE u32 times(u32 a, u32 b) { return a * b; }
DEVICE Operation operations[3] = {{'+', plus, 0.5f}, {'-', minus, 1.5f}, {'*', times, 2.5f}};
KERNEL records_with_functions(const u32 *in, u32 *out, f32 *weights) {
  u32 x = in[INDEX], which = 0;
  char wanted = "+-*"[x % 3];
  while (operations[which].name != wanted) which++;
  out[INDEX] = operations[which].apply(x, 17);
  weights[INDEX] = operations[which].weight;
}

//: crc_by_table crc_table
CONSTANT const u32 crc_table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
KERNEL crc_by_table(const u8 *bytes, u32 *out) {
  u32 crc = ~0u;
  for (u32 k = 0; k < 9; k++) {
    u8 byte = bytes[INDEX * 9 + k];
    crc = crc_table[(crc ^ byte) & 15] ^ crc >> 4;
    crc = crc_table[(crc ^ byte >> 4) & 15] ^ crc >> 4;
  }
  out[INDEX] = ~crc;
}

//: static_in_function next_ticket
static NOINLINE u32 next_ticket(u32 by) {
  static DEVICE u32 ticket = 7;
  return ADD(&ticket, by, RELAXED, AGENT);
}
KERNEL static_in_function(u32 *out) {
  u32 ticket = next_ticket(3);
  ADD(&out[(ticket - 7) / 3], 1u, RELAXED, AGENT);
}

//: mixed_fields Field field_rows
struct Field {
  u8 kind;
  i16 shift;
  u32 low : 5, high : 11;
  f64 scale;
  u8 name[3];
};
CONSTANT const Field field_rows[3] = {{1, -300, 17, 1000, 0.5, {1, 2, 3}}, {200, 12, 31, 2047, -2.25, {9, 8, 7}}, {7, 0, 1, 2, 1e10, {0, 255, 4}}};
KERNEL mixed_fields(const u32 *in, f64 *out) {
  const Field &f = field_rows[in[INDEX] % 3];
  out[INDEX] = (f.kind + f.shift * 2 + f.low * 3 + f.high * 5 + f.name[in[INDEX] / 3 % 3]) * f.scale;
}

//: polynomial_table coefficients
CONSTANT const f64 coefficients[4][4] = {{1, 2, 3, 4}, {0.5, -0.25, 0.125, 1}, {1e3, -1e-3, 7, 0}, {-1, 0, 0, 2}};
KERNEL polynomial_table(const f64 *in, f64 *out) {
  f64 x = in[INDEX], sum = 0;
  for (i32 k = 3; k >= 0; k--) sum = sum * x + coefficients[LOCAL & 3][k];
  out[INDEX] = sum;
}

//: table_of_tables evens odds both_tables
DEVICE u16 evens[4] = {2, 4, 6, 8}, odds[4] = {1, 3, 5, 7};
DEVICE u16 *both_tables[2] = {evens, odds};
KERNEL table_of_tables(const u32 *in, u32 *out) {
  u32 x = in[INDEX];
  if (INDEX == 0) {
    u16 *kept = both_tables[0];
    both_tables[0] = both_tables[1];
    both_tables[1] = kept;
    odds[2] += 100;
  }
  BARRIER;
  out[INDEX] = both_tables[x & 1][x >> 1 & 3];
}
