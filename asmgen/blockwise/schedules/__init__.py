"""Schedules: each writes a tile program for one fused kernel of the graph, from a small record of choices.

    row sums of {4096,1024}, on gfx942   row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=1]

Read aloud: a lane has 4 columns next to each other in one access, 64 lanes of 4 waves share a row, and nobody
does so twice. Whoever changes the record changes the program: no schedule looks at the shapes a second time.

- `work` says of a kernel's graph what a choice depends on: its dims, merged where every buffer walks them
  alike, which of them are reduced, and how many bytes are read.
- `choices` are the records, with their text; `choose`, `choose_row` and `choose_column` say what is taken for
  a target, by `sizes`.
- `pages.schedule(module, choice, target)` is the way in; `misfit` says which choices a kernel does not take.
- `body` turns statements of the graph into statements on tiles; `maps` has the index of an operand's element
  for that of a result.
- `pointwise`, `row`, `column`, `transpose`, `scan` and `contract` are the pages, one a schedule; `reduction`
  is what rows and columns share, `pieces` and `places` which elements a workgroup has of it, `tiling` how
  layouts are dealt out.

No schedule knows an instruction, and nothing below them knows a schedule.
"""
