"""Scan: each element combined with all before it in its row. A row a workgroup, chunk after chunk.

    cumulative sums of {6,1100} of f32 on gfx942    scan[waves=2, vector=4]: 512 columns at a time

A loop carries what all columns so far combine to. The graph has no op of this kind, so that the page takes
the type of the buffer and the combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.blockwise.actions import Below, Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.program import Value as Tile
from asmgen.blockwise.schedules.body import element_of
from asmgen.blockwise.schedules.choices import Scan
from asmgen.blockwise.schedules.maps import unflattened
from asmgen.blockwise.schedules.reduction import OPS, number_of
from asmgen.blockwise.schedules.sizes import ceil_power
from asmgen.blockwise.schedules.tiling import Deal, dealt, without
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import Index, constant
from asmgen.ir.types import TensorType, tensor
from asmgen.lanewise.types import computed
from isa.target import Target

MOST_WAVES = 4


def choose(type_: TensorType, target: Target) -> Scan:
    """As many waves as the row has work for, up to four."""
    vector = max(1, 16 // type_.element.bytes)
    return Scan(min(MOST_WAVES, ceil_power(-(-type_.dims[-1] // (vector * target.wave_size)))), vector)


def schedule(name: str, type_: TensorType, op: Combine, choice: Scan, target: Target) -> Kernel:
    """The kernel `name` of buffers `x`, of the type, and `z`: along the last axis of x the elements up to
    each combined.
    """
    columns, wave = type_.dims[-1], target.wave_size
    chunk = dealt(
        2,
        (
            Deal(Part.REGISTERS, 1, choice.vector),
            Deal(Part.LANES, 1, wave),
            Deal(Part.WAVES, 1, choice.waves),
        ),
        wave,
        choice.waves,
    )
    size, element = chunk.shape[1], computed(type_.element)
    builder = TileBuilder(name, {"row": prod(type_.dims[:-1])}, choice.waves, wave)
    _ = builder.layout("chunk", chunk)
    one = builder.layout("one", without(chunk, (1,)))
    x = builder.parameter("x", type_)
    z = builder.parameter("z", tensor(type_.element, type_.dims))
    row = unflattened(builder.ids[0], type_.dims[:-1])
    narrow, wide = TileType(type_.element, chunk), TileType(element, chunk)

    def turn(counter: Index, carried: Sequence[Tile]) -> list[Tile]:
        place = counter + coordinates(chunk.shape)[1]
        where = (Below(place, constant(columns)),) if place.high >= columns else ()
        tile = builder.load(x, (*row, place), narrow, where)
        tile = tile if element_of(tile) is element else builder.convert(tile, element)
        tile = builder.mask(tile, where, number_of(op, element)) if where else tile
        (before,) = carried
        so_far = builder.pointwise(OPS[op], builder.scan(op, 1, tile), builder.broadcast(before, wide))
        result = so_far if element is type_.element else builder.convert(so_far, type_.element)
        builder.store(result, z, (*row, place), where)
        return [builder.pointwise(OPS[op], before, builder.reduce(op, (1,), tile))]

    nothing = builder.fill(number_of(op, element), TileType(element, one))
    if columns <= size:
        _ = turn(constant(0), (nothing,))
    else:
        _ = builder.for_("k", 0, columns, size, (nothing,), turn)
    return builder.kernel()
