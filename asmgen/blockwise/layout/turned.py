"""Placements that are cheap to compute, for a tile that is written along an axis and read along another.

    {64,64} of f32, four of a column an access    offset(1:0 2:0 4:0 8:0 16:0 32:0 0:1 0:2 4:4 8:8 16:16 0:32)

Column c of the tile begins at 64 * c, and its units of four elements are turned by c // 4: an offset is the
XOR of two fields of the lane's number, shifted to its place. `swizzle` finds placements for any layouts, but
their offsets may take a multiply for each bit.
"""

from __future__ import annotations

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.banks import TileAccess
from asmgen.blockwise.layout.layout import join, split
from asmgen.blockwise.layout.placement import Placement, offset_columns, placement
from isa.target import Target


def turned(write: TileAccess, read: TileAccess, target: Target) -> Placement | None:
    """The placement without conflicts that turns the units of a column by the least bits of its number; None
    if there is none, or if the accesses do not have the same registers along a single axis.
    """
    inside = bases_of(write)
    sizes = write.layout.sizes
    if inside != bases_of(read) or not inside or len(sizes) < len((write, read)):
        return None
    axes = {axis for basis in inside for axis, at in enumerate(split(basis, sizes)) if at}
    if len(axes) != 1:
        return None
    (along,) = axes
    own = [basis for basis in _bases(sizes, along) if basis not in inside]
    if len(own) + len(inside) != len(_bases(sizes, along)):
        return None  # a basis of several bits: the others are not independent of it
    others = [basis for axis in range(len(sizes)) if axis != along for basis in _bases(sizes, axis)]
    for first in range(len(others)):
        turns = [0] * first + own + [0] * len(others)
        rows = [basis ^ turn for basis, turn in zip(others, turns, strict=False)]
        placed = placement(sizes, (*inside, *own, *rows), write.layout.repeat)
        if not _conflicts(write, placed, target) and not _conflicts(read, placed, target):
            return placed
    return None


def bases_of(access: TileAccess) -> list[int]:
    """The bases of the registers that an access of a lane takes together."""
    return [access.layout.registers[bit] for bit in access.bits]


def _bases(sizes: tuple[int, ...], axis: int) -> list[int]:
    """The bases of the bits of an axis, lowest first."""
    steps = [1 << bit for bit in range(sizes[axis].bit_length() - 1)]
    return [join(tuple([step if at == axis else 0 for at in range(len(sizes))]), sizes) for step in steps]


def _conflicts(access: TileAccess, placed: Placement, target: Target) -> int:
    """The cycles lost by an access of a wave. All accesses lose the same: their offsets differ by an XOR with
    a constant.
    """
    layout = access.layout
    first = len(layout.registers)
    lanes = f2.image(offset_columns(placed, layout)[first : first + len(layout.lanes)])
    phases = target.lds_access(access.bytes, access.stores)
    return phases.conflicts([offset * access.element for offset in lanes])
