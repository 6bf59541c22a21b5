"""Blockwise: what the workgroups of a launch do, as programs on tiles.

A value is a tile, and its type says which register of which lane of which wave has which element. Softmax of
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

`row` is the id of the workgroup. `at` says which element of the buffer becomes the tile's element `c0:c1`:
the one in row `row` and column `c1`. `c0` is always 0 in a tile of one row and is not named. Register bits 0
and 1 of layout `a` step by one column and by two, so that a lane has four columns next to each other and
reads them by one load of 16 bytes. The maximum combines the registers of a lane, then the lanes of a wave,
then the four waves, because the bits of all three lie along axis 1 in `a`. Afterwards every register, lane
and wave has the result, as the zero bases of `b` say. That is why `broadcast` moves nothing. To have two
waves for a row, change the layouts and `waves`; the rules below name whatever else has to change.

- `layout`: the type of layouts and its algebra.
- `types`, `program`, `actions`: what a program is made of; `rows` is the table of its ops.
- `infer` and `verify`: the rules; `access`, `reduction` and `contract` have those of single ops, `matrix` the
  layouts of matrix instructions, and `races` finds LDS that waves share without a barrier.
- `reader` and `printer`: text, both ways. `builder` makes programs for schedules.
- `interpret`: runs a program in numpy, on whole tiles, or holder by holder through the layouts.
"""
