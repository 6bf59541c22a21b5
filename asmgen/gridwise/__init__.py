"""Gridwise: a program as its buffers and its launches. The sum of a million numbers is two launches:

    stage gridwise gfx942
    program @full_sum {
      x = parameter -> f32, {1048576}
      partial = temporary[first=partial_sum, last=full_sum] -> f32, {256,1}
      z = result -> f32, {1}
      launch @partial_sum(x) -> (partial) grid(256) by row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=4] {
        x = @param:x -> f32, {1048576}
        parts = reshape[dims={256,4096}](x)
        sums = reduce_sum[axes={1}](parts)
        @return(sums)
      }
      launch @full_sum(partial) -> (z) grid(1) by row[rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=1] {
        partial = @param:partial -> f32, {256,1}
        flat = reshape[dims={256}](partial)
        s = reduce_sum[axes={0}](flat)
        @return(s)
      }
    }

A launch reads buffers by their names, which are the names of its body's `@param` lines, and writes the
results of the body, in order, to the buffers after the arrow. Its body is a graph of the computation. After
`by` come the schedule of the computation and its choices. `partial` is kept from the launch `first` to the
launch `last`, and temporaries that are not kept at the same time may share memory (`arena`). Sizes and grids
may be expressions over dims that the program declares, such as `dim n = 1048576`.

- `program`: the records; `rows` is the table of declarations.
- `reader` and `printer`: text, both ways.
- `rules` and `verify`: the rules, each with its name.
- `cut` makes a program of a graph. Before that, `split` makes two steps of each large reduction: `division`
  says into how many parts it goes, `partial` makes the results of the parts, and `shifted` does so for
  softmax and the norms, `found` for argmax, `scanned` for scans. `epilogue` puts reductions of a matrix
  product into the launch of the product. `choose` takes a schedule for each launch.
- `lower` makes tile programs of the launches (`asmgen.blockwise`).
- `interpret` runs a program in numpy; `asmgen.runtime.calls` runs it with compiled kernels.
"""
