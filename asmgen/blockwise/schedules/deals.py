"""Makes a layout from a list of deals: the next elements along an axis go to registers, to lanes or to waves.

    deal((Part.REGISTERS, 1, 4), (Part.LANES, 1, 64), (Part.WAVES, 0, 2))    of rank 2, for 64 lanes, 2 waves
    reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(1:0)

Four columns next to each other in registers, then 64 lanes along the columns, and a row a wave.
"""

from __future__ import annotations

from functools import cache

from asmgen.blockwise.layout.algebra import Part, project
from asmgen.blockwise.layout.layout import Layout, Sizes, join, layout
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple


class Deal(NamedTuple):
    """The next `size` elements along an axis, a power of two, are dealt to the registers, lanes or waves."""

    part: Part
    axis: int
    size: int


@cache
def dealt(rank: int, deals: tuple[Deal, ...], lanes: int, waves: int, repeat: Sizes = ()) -> Layout:
    """The layout; bits of lanes and waves that nothing is dealt to have copies."""
    sizes = [1] * rank
    steps: dict[Part, list[tuple[int, int]]] = {part: [] for part in Part}
    for part, axis, size in deals:
        for _ in range(size.bit_length() - 1):
            steps[part].append((axis, sizes[axis]))
            sizes[axis] *= 2
    whole = tuple(sizes)

    def bases(part: Part, bits: int) -> tuple[int, ...]:
        made = [
            join(tuple([step if at == axis else 0 for at in range(rank)]), whole)
            for axis, step in steps[part]
        ]
        return tuple(made + [0] * (bits - len(made)))

    of_lanes, of_waves = bases(Part.LANES, lanes.bit_length() - 1), bases(Part.WAVES, waves.bit_length() - 1)
    return layout(whole, bases(Part.REGISTERS, 0), of_lanes, of_waves, repeat)


def repeated(rank: int, axis: int, count: int) -> Sizes:
    """`repeat` of a layout: `count` along an axis."""
    return tuple([count if at == axis else 1 for at in range(rank)])


def without(of: Layout, axes: tuple[int, ...]) -> Layout:
    """The layout without `axes`, along which all elements are the same."""
    made = project(of, axes)
    if made is None:
        raise InternalError("schedules", "layout", f"without {axes} of {of} no layout is left")
    return made
