"""Lanewise: the program of a single lane of a workgroup. The squares of 1,000 numbers, four of them a lane:

    stage lanewise gfx942
    module @squares {
      launch[grid={1,1,1}, block={256,1,1}]
      x = @param:x -> f32, {1000}
      y = @param:y -> f32, {1000}
      lane = local_id -> u32
      limit = @literal{250} -> u32
      inside = less(lane, limit) -> bool
      if(inside) {
        four = @literal{4} -> u32
        index = mul(lane, four) -> u32
        some = vector_load[size=4](x, index) -> f32x4
        squares = mul(some, some) -> f32x4
        vector_store[size=4](y, index, squares)
        yield
      }
      @return(y)
    }

Every lane runs these statements with its own `lane`, here 0 to 255. `x` and `y` are buffers in memory; every
other value is in the registers of a lane, `some` as four adjacent numbers. The last six lanes of the 256
would be beyond the buffers: for them `inside` is false, and they do nothing.

- `ops` is the table of the ops, with `reduction_ops` and `atomic_ops`; `records` are the attributes of an op
  as a record with types.
- `verify` checks the rules that a text has to keep beyond those of each statement.
- `builder` makes such programs. `interpret` runs them in numpy.
- `final` and `math` expand functions that the hardware does not have, such as exp.
"""
