"""Blockwise: programs on tiles for the workgroups of a launch.

A value is a tile. Its type has a layout, which maps registers, lanes and waves to elements. Softmax of
rows of 1,024 columns, a row a workgroup of four waves:

    stage blockwise gfx942
    kernel @softmax grid(row: 4096) waves(4) lanes(64) {
      layout a = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)
      layout b = lane(0:0 0:0 0:0 0:0 0:0 0:0) wave(0:0 0:0)
      x = @param:x -> f32, {4096,1024}
      z = @param:z -> f32, {4096,1024}
      t = tile_load[at={row, c1}](x) -> f32, {1,1024} @ a
      m = reduce[op=max, axes={1}](t) -> f32, {1,1} @ b
      mb = broadcast(m) -> f32, {1,1024} @ a
      d = sub(t, mb) -> f32, {1,1024} @ a
      e = exp(d) -> f32, {1,1024} @ a
      s = reduce[op=sum, axes={1}](e) -> f32, {1,1} @ b
      r = recip(s) -> f32, {1,1} @ b
      rb = broadcast(r) -> f32, {1,1024} @ a
      o = mul(e, rb) -> f32, {1,1024} @ a
      tile_store[at={row, c1}](o, z)
    }

`row` is the id of the workgroup. `at` is the element of the buffer for the tile's element `c0:c1`: the
element in row `row` and column `c1`. In a tile of a single row `c0` is always 0. Register bits 0 and 1 of
layout `a` step by one column and by two, so that a lane has four adjacent columns and loads them by an access
of 16 bytes. The maximum combines the registers of a lane, then the lanes of a wave, then the four waves,
because the bits of all three lie along axis 1 in `a`. Afterwards every register, lane and wave has the
result, as the zero bases of `b` say. That is why `broadcast` moves nothing. To use two waves for a row,
change the layouts and `waves`; the rules name all other necessary changes.

- `layout`: the type of layouts and its algebra.
- `types`, `program`, `actions`: the records of programs; `rows` is the table of ops, and `matrix` has the
  layouts of matrix instructions.
- `rules`: infers types, checks programs, and finds races in LDS.
- `pipelining`: writes loops with stages as prologue, loop and epilogue.
- `text`: reads and prints programs. `builder` makes programs for schedules.
- `interpret`: runs a program in numpy, on whole tiles, or register by register through the layouts.
- `schedules`: writes a program for a kernel of the graph. `lowering`: lowers programs to lanes.
"""
