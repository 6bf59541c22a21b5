// Functions that are not inlined, one of which calls another, and a table of constants: what is reached by the program counter.
#include "common.h"

__constant uint TABLE[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 0x80000001u};

static __attribute__((noinline)) uint collatz(uint value, uint limit) {
  uint steps = 0;
  while (value != 1 && steps < limit) {
    value = value & 1 ? 3 * value + 1 : value >> 1;
    steps++;
  }
  return steps;
}

static __attribute__((noinline)) float polynomial(float x, IN(float) coefficients, uint count) {
  float result = 0.0f;
  for (uint i = 0; i < count; i++) result = __builtin_fmaf(result, x, coefficients[i]);
  return result;
}

static __attribute__((noinline)) float both_signs(float x, IN(float) coefficients, uint count) {
  return polynomial(x, coefficients, count) + polynomial(-x, coefficients, count);
}

KERNEL(64, 1, 1) calls(IN(uint) values, IN(float) x, IN(float) coefficients, OUT(uint) steps, OUT(float) out, uint count) {
  uint i = INDEX;
  if (i >= count) return;
  steps[i] = collatz(values[i], 100);
  out[i] = values[i] & 1 ? both_signs(x[i], coefficients, 4) : polynomial(x[i], coefficients, 3);
}

KERNEL(64, 1, 1) table(IN(uint) values, OUT(uint) out) { out[INDEX] = TABLE[values[INDEX] & 15] + TABLE[GROUP(x)]; }
