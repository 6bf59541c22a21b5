"""Which element of a tile each register of each lane of each wave has, as a linear map over F2.

    reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)

is a row of 1,024 columns in a workgroup of four waves of 64 lanes. Register bit 0 steps by one column and bit
1 by two, so that a lane has four consecutive ones; the lanes follow each other by 4, and the waves by 256.
A lowering finds everything that it needs in the layout:

- a load of four elements at a time: `queries.vector_bits(layout, axis=1)` is (0, 1);
- a sum of the row combines registers, then six lane bits, then two wave bits: `queries.within_axes(layout,
  (1,))`;
- its result has the layout `algebra.project(layout, (1,))`: `lane(0:0 0:0 0:0 0:0 0:0 0:0) wave(0:0 0:0)`,
  each holder a copy.

`layout` is the type, `algebra` makes layouts from layouts, `text` prints and reads them, `queries` asks one
layout and `relayout` two, `memory` places a tile in LDS, `swizzle` finds a placement without bank conflicts,
which `banks` counts. `f2` is the linear algebra that they use.
"""
