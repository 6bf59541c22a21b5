"""Reads the ops of GPU Gen IR at the stages that have them (docs/seed-stages.md).

    stage gridwise gfx942            stage lanewise gfx942
    x = @param:x -> {256}            x = @param:x -> {16}
    z = @param:z -> {1}              z = @param:z -> {16}
    s = gridwise_reduce[op=sum,      i = gpu::gen::global_id
      algo=block,                    a = gpu::gen::load(x, i) -> scalar
      reduce_elements=256](x)        b = neg(a) -> scalar
    copy(s, z)                       store = gpu::gen::store(z, i, b)
    @return(copy)                    @return(store)

A file of a stage after the graph is GPU Gen IR if it has no programs of launches, no tiles and no
`launch`. `rows` has the ops, `parser` reads the text, `launches` makes a launch from ops on tensors, and
`lanes` makes our lanewise from ops of a lane.
"""
