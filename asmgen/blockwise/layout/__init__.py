"""Layouts: the element of a tile in each register of each lane of each wave, as a linear map over F2.

    reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)

is a row of 1,024 columns in a workgroup of four waves of 64 lanes. Register bit 0 steps by a column and bit 1
by two, so a lane has four consecutive columns; the lanes are 4 columns apart, and the waves 256. The layout
has all the information that a lowering needs:

- a load of four elements at a time: `queries.vector_bits(layout, axis=1)` is (0, 1);
- a sum of the row combines registers, then six lane bits, then two wave bits: `queries.within_axes(layout,
  (1,))`;
- its result has the layout `algebra.project(layout, (1,))`: `lane(0:0 0:0 0:0 0:0 0:0 0:0) wave(0:0 0:0)`,
  each holder a copy.

| module | its part |
|---|---|
| `layout` | the type |
| `algebra` | layouts from layouts |
| `text` | prints and reads layouts |
| `queries`, `steps`, `relayout` | questions about a layout, and about a pair |
| `placement` | the place of a tile in LDS |
| `swizzle`, `turned` | find a placement without bank conflicts; `banks` counts them |
| `f2` | the linear algebra |
"""
