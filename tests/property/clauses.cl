// Runs of loads and stores that clang leaves longer than LLVM's hazard recognizer looks back.
#define G __global
#define TID __builtin_amdgcn_workitem_id_x()

__kernel void pointers_in_memory(G uint *o, G ulong *p) {
  uint x = TID;
  G ulong *q = p + x;
  ulong s = 0;
#pragma unroll
  for (int i = 0; i < 24; i++) s += *(G uint *)q[i * 64];
  o[x] = s;
}

__kernel void bytes_through_scratch(G uchar *restrict o, const G uchar *restrict a) {
  uint x = TID;
  uchar r[64];
  for (int i = 0; i < 64; i++) r[i] = a[x * 64 + i];
  for (int i = 0; i < 64; i++) o[x * 64 + ((i * 7) & 63)] = r[i] ^ r[(i + 3) & 63];
}

__kernel void registers_by_index(G uint *restrict o, const G uint *restrict a, uint n) {
  uint x = TID;
  uint r[40];
  for (int i = 0; i < 40; i++) r[i] = a[x + i * 64];
  for (uint i = 0; i < n; i++) {
    uint j = a[i] % 40, k = a[i + 1] % 40, t = r[j];
    r[j] = r[k] + 1;
    r[k] = t;
  }
  for (int i = 0; i < 40; i++) o[x + i * 64] = r[i];
}

__kernel void either_memory(G uint *o, G ulong *pointers, G uint *which) {
  uint x = TID;
  __local uint l[256];
  l[x] = x;
  uint *b = (uint *)pointers[1], *c = (uint *)pointers[2], *d = (uint *)pointers[3];
  uint *p = (which[0] & 1) ? (uint *)pointers[0] : (uint *)l;
  uint s = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) s += p[x + i * 16] * b[x * i] + c[x + i] * d[i];
  o[x] = s;
}

__kernel void pointers_in_sgprs(G uint *o, const __constant ulong *p, const __constant uint *q) {
  ulong s = 0;
#pragma unroll
  for (int i = 0; i < 24; i++) s += ((const __constant uint *)p[i])[i] * q[i * 3];
  o[TID] = s;
}
