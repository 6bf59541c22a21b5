"""The types of a sort's results, from the layout of the keys.

{1,1024} @ reg(0:1 0:2 0:4) lane(0:8 ... 0:256) wave(0:512) along axis 1
all of them      the same
the first 16     {1,16} @ reg(0:1 0:2 0:4) lane(0:8 0:0 ... 0:0) wave(0:0)     the other lanes have copies
"""

from __future__ import annotations

from asmgen.blockwise.actions import Sort
from asmgen.blockwise.layout.layout import Layout, is_power_of_two, layout, moved
from asmgen.blockwise.layout.steps import steps_along
from asmgen.blockwise.layout.text import layout_difference
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.types import TileType
from asmgen.ir.types import I32, I64, U32, U64

KEYS = (I32, U32, I64, U64)
NUMBERS = (I32, U32)


def sorted_types(tiles: tuple[TileType, ...], action: Sort) -> tuple[TileType, ...]:
    """The types of the results. Raises `BrokenRule`."""
    keys, *places = tiles
    of = keys.layout
    if not 0 <= action.axis < of.rank:
        broken(f"axis is {action.axis}, wanted 0 to {of.rank - 1}")
    if keys.element not in KEYS:
        broken(f"the keys are {keys.element}, wanted i32, u32, i64 or u64")
    for tile in places:
        if tile.element not in NUMBERS:
            broken(f"the numbers are {tile.element}, wanted i32 or u32")
        difference = layout_difference(of, tile.layout)
        if difference:
            broken(f"the keys and their numbers differ in {difference}; relayout one of them")
    count = of.shape[action.axis]
    if of.counts[action.axis] > 1 or steps_along(of, action.axis) is None:
        broken(f"the bases along axis {action.axis} are repeated or mix coordinates; relayout the keys")
    if action.first and not (is_power_of_two(action.first) and action.first <= count):
        broken(f"first is {action.first}, wanted a power of two of at most {count}")
    if action.blocks and not (is_power_of_two(action.blocks) and action.blocks <= count):
        broken(f"blocks is {action.blocks}, wanted a power of two of at most {count}")
    if action.first and action.blocks > action.first:
        broken(f"blocks is {action.blocks}, wanted at most the {action.first} elements of first")
    kept = first_of(of, action.axis, action.first or count)
    return tuple([TileType(tile.element, kept) for tile in tiles])


def first_of(of: Layout, axis: int, first: int) -> Layout:
    """The layout of the first elements along an axis. Lanes and waves of the others have copies of them, and
    registers of the others are left out."""
    sizes = tuple([first if at == axis else size for at, size in enumerate(of.sizes)])
    if sizes == of.sizes:
        return of
    nothing = (0,) * of.rank
    kept = moved(of, sizes, lambda at: nothing if at[axis] >= first else at)
    registers = tuple([basis for basis in kept.registers if basis])
    return layout(sizes, registers, kept.lanes, kept.waves, of.repeat)
