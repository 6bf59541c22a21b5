"""Lowers tile programs to what one lane does. The layouts and indices of the text are all that it uses.

Of softmax of rows of 1,024 columns (`asmgen.blockwise`) the statements

    t = tile_load[at={row, c1}](x) -> f32, {1,1024} @ reg(0:1 0:2) lane(0:4 ... 0:128) wave(0:256 0:512)
    m = reduce[op=max, axes={1}](t) -> f32, {1,1} @ b

become, for each lane,

    mul = mul(lane, 4)                         a lane has the columns from 4*lane on
    row = mul(workgroup, 1024)                 what is the same in the workgroup is computed apart
    x_1 = add(row, mul)
    t = vector_load[size=4](x, x_1)            register bits 0 and 1 step along memory: one access
    m = lane_reduce[op=max](t)                 the register bits lie along axis 1,
    m_1 = dpp_reduce[op=max](m)                all lane bits do,
    m_2 = reduce_waves[op=max, waves=4](m_1, lds)    and all wave bits

| file | role |
|---|---|
| `program`, `kernel` | the statements in their order, each to the function of its op |
| `context` | the builder and what all need: elements as lanes compute and move them, guards, LDS |
| `tile` | a tile's registers as elements of the vectors of a lane |
| `places` | index expressions of the elements of a tile, in symbols for the bits of the local id |
| `bits`, `indices`, `atoms` | linear maps of the local id, and index expressions, as u32 |
| `conditions`, `comparisons` | conditions on indices: in one form, and as bools of a lane |
| `access`, `memory` | which accesses a tile has to a buffer; `tile_load` and `tile_store` |
| `lds` | the same for LDS, by placements |
| `pointwise` | ops element by element, fills, masks; broadcasts, which only rename registers |
| `reduction`, `scan` | registers, lanes and waves combined; `exchange` has what lanes and waves pass on |
| `relayout` | other names for registers, exchanges between lanes, or a way through LDS with a swizzle |
| `contract` | outer products in registers, or a matrix instruction for each of its tiles |
| `loops` | `for` with tiles that it carries |
"""

from asmgen.blockwise.lowering.program import lower

__all__ = ["lower"]
