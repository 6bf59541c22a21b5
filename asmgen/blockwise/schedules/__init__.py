"""Schedules: each writes a tile program for one fused kernel of the graph, from a small record of choices.

    row sums of {4096,1024}, on gfx942   row[rows=1, lanes=64, waves=1, teams=4, vector=4, repeat=4]

That is: a lane has 4 columns next to each other in one access, and the 64 lanes of 4 waves share a row, each
with one access. To change the program, change the record: no schedule computes its choices again from the
shapes.

- `work` is what a choice depends on: the dims of the kernel, which of them are reduced, and how many bytes
  are read. Dims that are one piece of memory in every buffer are merged.
- `choices` are the records, with their text; `choose`, `choose_row` and `choose_column` say what is taken for
  a target, by `sizes`, and by `room` where few registers were asked for.
- `pages.schedule(module, choice, target)` makes the tile program; `misfit` says why a choice is not for a
  kernel.
- `body` turns statements of the graph into statements on tiles. `needs` says what has to be made before
  a value. `reads` makes the tiles with which a computation begins: from `buffers`, at indices that may be
  data (`data_tiles`). `forms` brings a tile into another layout or type.
- `indices` are those of one element of a tensor. `maps` has the indices of an operand's element for those of
  a result's element, and `data` has the indices that are read from a tensor. `leaves` has the elements of
  buffers from which an element of a value is computed.
- `pointwise`, `row`, `column`, `transpose`, `scan` and `contract` are the schedules. `reduction` is what rows
  and columns share, `pieces` and `places` say which elements a workgroup has, and `tiling` makes layouts.

No schedule knows an instruction, and nothing below them knows a schedule.
"""
