"""Counts the bank conflicts of accesses to LDS, lane by lane and by the target's phases.

    32 lanes read f32 at offsets 0, 32, 64, ... of 32 banks      the same bank: 31 cycles lost
    32 lanes read f32 at offsets 0, 1, 2, ...                    no conflict

Tests compare this count with the result that `swizzle` derives by linear algebra.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement, offset_columns
from isa.named_tuple import NamedTuple
from isa.target import Target


class TileAccess(NamedTuple):
    """The accesses of a layout's holders to LDS, with `element` bytes for each element.

    `bits` are the register bits of an access, lowest step first.
    """

    layout: Layout
    bits: tuple[int, ...]
    element: int
    stores: bool

    @property
    def bytes(self) -> int:
        """The bytes of a lane's access."""
        return self.element << len(self.bits)


def conflicts(access: TileAccess, placement: Placement, target: Target) -> int:
    """The cycles lost to bank conflicts by all accesses of all waves. Raises `ValueError` if an access is not
    consecutive.
    """
    phases = target.lds_access(access.bytes, access.stores)
    return sum(
        phases.conflicts([offset * access.element for offset in offsets])
        for offsets in _instructions(access, placement)
    )


def _instructions(access: TileAccess, placement: Placement) -> Iterator[list[int]]:
    """For each access of each wave the offset at which every lane's begins, in elements."""
    layout = access.layout
    columns = offset_columns(placement, layout)
    first, last = len(layout.registers), len(layout.registers) + len(layout.lanes)
    registers, lanes, waves = (
        f2.image(part) for part in (columns[:first], columns[first:last], columns[last:])
    )
    steps = [
        sum(1 << bit for at, bit in enumerate(access.bits) if step >> at & 1)
        for step in range(1 << len(access.bits))
    ]
    together = steps[-1]
    for turn in range(layout.repeats):
        for wave in waves:
            for register in range(1 << first):
                if not register & together:
                    here = [registers[register | step] ^ wave for step in steps]
                    yield [_first([_at(placement, offset ^ lane, turn) for offset in here]) for lane in lanes]


def _at(placement: Placement, inside: int, turn: int) -> int:
    return placement.padding.padded(inside | turn << len(placement.offsets))


def _first(offsets: list[int]) -> int:
    """The first of an access's offsets, which must be consecutive from a multiple of their number on."""
    first, count = offsets[0], len(offsets)
    if offsets != list(range(first, first + count)) or first % count:
        raise ValueError(f"an access of {offsets}, wanted consecutive offsets from a multiple of {count}")
    return first
