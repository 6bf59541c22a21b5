#include "opencl.h"
// LDS that is an argument: the launch gives its size.

//: local_pointer
KERNEL local_pointer(IN(uint) in, OUT(uint) out, __local uint *row) {
  row[LOCAL] = in[INDEX] * 3;
  BARRIER;
  out[INDEX] = row[LOCAL ^ 5];
}

//: two_local_pointers
KERNEL two_local_pointers(__local ushort *order, IN(uint) in, OUT(uint) out, __local uint *row, uint shift) {
  order[LOCAL] = (LOCAL * 7 + shift) & 63;
  row[LOCAL] = in[INDEX];
  BARRIER;
  out[INDEX] = row[order[LOCAL]] + order[63 - LOCAL];
}

//: local_pointer_beside_array
KERNEL local_pointer_beside_array(IN(uint) in, OUT(uint) out, __local uint *row) {
  __local uint fixed[64];
  fixed[LOCAL] = in[INDEX];
  BARRIER;
  row[63 - LOCAL] = fixed[LOCAL] ^ fixed[LOCAL ^ 1];
  BARRIER;
  out[INDEX] = row[LOCAL] + fixed[LOCAL];
}

//: local_pointer_passed_on row_maximum
static __attribute__((noinline)) uint row_maximum(__local uint *row, uint count) {
  uint most = 0;
  for (uint k = 0; k < count; k++) most = MAX(most, row[k]);
  return most;
}
KERNEL local_pointer_passed_on(IN(uint) in, OUT(uint) out, __local uint *row) {
  row[LOCAL] = in[INDEX];
  BARRIER;
  out[INDEX] = row_maximum(row, LOCAL + 1);
}
