#include "wide.h"
// t[8192][1024], ids[4096] -> o[4096][1024]
KERNEL(128) group(G const h8 *R t, G const int *R ids, G h8 *R o) { AT(o, BID * 128 + TID) = AT(t, index_(ids[BID], 8192) * 128 + TID); }
KERNEL(256) wave(G const h8 *R t, G const int *R ids, G h8 *R o) { uint row = WAVE_OF(256), from = index_(ids[row], 8192);
  EACH(k, 128 / WAVE) AT(o, row * 128 + k * WAVE + LANE) = AT(t, from * 128 + k * WAVE + LANE); }
KERNEL(256) rows4(G const h8 *R t, G const int *R ids, G h8 *R o) { uint row = WAVE_OF(256) * 4;
  EACH(r, 4) { uint from = index_(ids[row + r], 8192);
    EACH(k, 128 / WAVE) AT(o, (row + r) * 128 + k * WAVE + LANE) = AT(t, from * 128 + k * WAVE + LANE); } }
