"""The sums of a matrix product that has its waves along k: each wave has a part of every sum. In the end they
are added up through LDS.

    {8,4096} x {4096,1024} of f16    contract[m=8, n=32, k=..., waves=4, along=...]
    every wave has sums of 8 by 32 results over a quarter of k
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from math import prod

from asmgen.blockwise.actions import Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.swizzle import chosen
from asmgen.blockwise.program import TileValue, layout_of
from asmgen.blockwise.schedules.choices import lds_with_sums
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index import constant
from isa.target import Target


@contextmanager
def added_up(
    builder: TileBuilder, parts: Sequence[TileValue], wanted: Layout | None, waves: int, target: Target
) -> Generator[Mapping[TileValue, TileValue]]:
    """The sum {M,N} of each tile of parts {P,M,N}, in the first `waves` waves of the workgroup.

    The parts of all tiles go through LDS together, in the layout `wanted`, so that waves wait for each other
    once: {8,4096} by {4096,6144} of f16 in three products takes 23,019 clocks on gfx942, 25,755 tile by tile
    in all waves. If it is None, each tile is reduced alone, in all waves.

    If LDS has no room for the parts beside the factors, they take the memory of the factors."""
    if _have_no_room(builder, parts, target):
        builder.barrier()  # other waves may still read their factors
    if wanted is None:
        yield {part: builder.reduce(Combine.SUM, (0,), part) for part in parts}
        return
    held, element = layout_of(parts[0]), parts[0].type.element
    *_, placement = chosen(held, wanted, element.bytes, target)
    lds = builder.lds(LdsType(element, placement, len(parts)))
    for slot, part in enumerate(parts):
        builder.lds_store(part, lds, slot=slot)
    builder.barrier()
    with builder.waves(0, waves) if 1 << len(held.waves) > waves else nullcontext():
        type_ = TileType(element, _of_waves(wanted, waves))
        loaded = {part: builder.lds_load(lds, type_, slot=constant(slot)) for slot, part in enumerate(parts)}
        yield {part: builder.reduce(Combine.SUM, (0,), tile) for part, tile in loaded.items()}


def _have_no_room(builder: TileBuilder, parts: Sequence[TileValue], target: Target) -> bool:
    """Whether LDS has no room for tiles beside those that it has."""
    made = [value.type for statement in builder.statements for value in statement.results]
    taken = sum([type_.bytes for type_ in made if isinstance(type_, LdsType)])
    sums = sum([prod(part.type.shape) * part.type.element.bytes for part in parts])
    return lds_with_sums(taken, sums, target) < taken + sums


def waves_with_elements(of: Layout) -> int:
    """The number of the first waves that have all elements of a tile; the others have copies."""
    return 1 << max([bit + 1 for bit, basis in enumerate(of.waves) if basis], default=0)


def _of_waves(of: Layout, waves: int) -> Layout:
    """The layout of the first waves."""
    return layout(of.sizes, of.registers, of.lanes, of.waves[: waves.bit_length() - 1])
