"""Lowers tile programs to lane programs. It reads only the layouts and indices of the text.

For softmax of rows of 1,024 columns (`asmgen.blockwise`) the statements

    t = tile_load[at={row, c1}](x) -> f32, {1,1024} @ reg(0:1 0:2) lane(0:4 ... 0:128) wave(0:256 0:512)
    m = reduce[op=max, axes={1}](t) -> f32, {1,1} @ b

become, for each lane,

    mul = mul(lane, 4)                         a lane has the columns from 4*lane on
    row = mul(workgroup, 1024)                 the part that is uniform in the workgroup
    x_1 = add(row, mul)
    t = vector_load[size=4](x, x_1)            register bits 0 and 1 step along memory: one access
    m = lane_reduce[op=max](t)                 the register bits lie along axis 1,
    m_1 = dpp_reduce[op=max](m)                all lane bits do,
    m_2 = reduce_waves[op=max, waves=4](m_1, lds)    and all wave bits

| file | role |
|---|---|
| `program`, `kernel` | lower kernels, and statements in order, each by the function of its op |
| `guard` | branches around statements that are needed only for guarded stores |
| `context` | shared state: builder, conversions of elements, guards, LDS |
| `tile` | a tile's registers as elements of a lane's vectors |
| `addresses/places` | index expressions of a tile's elements, in symbols for the bits of the local id |
| `addresses/bits`, `indices` | linear maps of the local id, and index expressions, as u32 |
| `addresses/conditions` | conditions on indices: their canonical form, and their value as bools of a lane |
| `addresses/access` | the accesses of a tile to a buffer |
| `ops/global_memory`, `lds` | loads and stores of buffers and of LDS |
| `ops/pointwise` | ops element by element, fills, masks, and broadcasts, which only rename registers |
| `ops/reduction`, `scan`, `exchange` | combine registers, lanes and waves; exchange values between them |
| `ops/sort` | a network of compares of registers, lanes and waves |
| `ops/searches`, `first_index` | find the index of a row's extreme |
| `ops/relayout` | renames registers, exchanges between lanes, or goes through LDS with a swizzle |
| `ops/product` | `contract`: outer products in registers, or a matrix instruction for each tile |
| `ops/loops` | `for` with carried tiles |
"""

from asmgen.blockwise.lowering.program import lower

__all__ = ["lower"]
