// The number of Collatz steps ("half if even, else three times and one") that each lane's number takes to 1.
#include "common.h"

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void collatz(global const uint *restrict numbers, global uint *restrict steps) {
  uint n = numbers[LOCAL_X], count = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    count++;
  }
  steps[LOCAL_X] = count;
}
