"""Tiles of a matrix product that go from memory straight to LDS (`async_copy`).

The lanes of a copy write successive places, so LDS has the rows of memory as they are. Against bank
conflicts a row begins with another access than the row before it: some row bits of the offset also have a bit
of the column.

    {64,64} of f16, 16 bytes a lane     offset(0:1 0:2 0:4 0:8 0:16 0:32 1:8 2:16 4:32 8:0 16:0 32:0)
    8 lanes copy a row, 4 waves         reg(0:1 0:2 0:4 32:0) lane(0:8 0:16 0:32 1:8 2:16 4:32) wave(8:0 16:0)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from asmgen.blockwise.layout.banks import TileAccess
from asmgen.blockwise.layout.layout import Layout, join, layout
from asmgen.blockwise.layout.placement import Placement, placement
from asmgen.blockwise.layout.swizzle import is_free
from isa.named_tuple import NamedTuple
from isa.target import Target


class Copied(NamedTuple):
    """The lane that copies an element, and the place of the element in LDS."""

    layout: Layout
    placement: Placement


class Reader(NamedTuple):
    """The layout in which lanes load a tile from LDS, and the most bytes of a lane's load. An element has
    `element` bytes."""

    layout: Layout
    widest: int
    element: int

    @property
    def bits(self) -> int:
        """The bits of an offset inside the widest load."""
        return (self.widest // self.element).bit_length() - 1


def copied(reader: Reader, along: int, width: int, waves: int, target: Target) -> Copied | None:
    """Copies of `width` elements a lane. Memory is contiguous along the axis `along` of the tile. None if the
    tile has no access for each lane of all waves, or no such placement is without bank conflicts."""
    read = reader.layout
    if read.repeat or width > read.sizes[along]:
        return None
    inside, lanes = width.bit_length() - 1, target.wave_size.bit_length() - 1
    of_waves = waves.bit_length() - 1
    for offsets in _placements(reader, along, width):
        if len(offsets) < inside + lanes + of_waves:
            return None
        made = placement(read.sizes, offsets)
        if is_free(_access(reader, made), made, target):
            first, last = inside + lanes, inside + lanes + of_waves
            registers = (*offsets[:inside], *offsets[last:])
            return Copied(layout(read.sizes, registers, offsets[inside:first], offsets[first:last]), made)
    return None


def _placements(reader: Reader, along: int, width: int) -> Iterator[tuple[int, ...]]:
    """The offsets of successive rows of memory: as they are, and with swizzles of rows that lanes load
    together. The elements of an access of either side stay next to each other."""
    read, sizes = reader.layout, reader.layout.sizes

    def basis(axis: int, step: int) -> int:
        return join(tuple([step if each == axis else 0 for each in (0, 1)]), sizes)

    columns = [basis(along, 1 << bit) for bit in range(sizes[along].bit_length() - 1)]
    rows = [basis(1 - along, 1 << bit) for bit in range(sizes[1 - along].bit_length() - 1)]
    loaded = takewhile(lambda basis: basis in read.registers, columns[: reader.bits])
    chunks = columns[max(width.bit_length() - 1, len(list(loaded))) :]
    together = [basis for basis in read.lanes if basis in rows]
    yield (*columns, *rows)
    for first in range(len(together)):
        for lowest in range(len(chunks)):
            moved = dict(zip(together[first:], chunks[lowest:], strict=False))
            yield (*columns, *[row ^ moved.get(row, 0) for row in rows])


def _access(reader: Reader, placed: Placement) -> TileAccess:
    """The widest access by which a lane loads its registers."""
    registers, bits = reader.layout.registers, list[int]()
    for offset in placed.offsets[: reader.bits]:
        if offset not in registers:
            break
        bits.append(registers.index(offset))
    return TileAccess(reader.layout, tuple(bits), reader.element, False)
