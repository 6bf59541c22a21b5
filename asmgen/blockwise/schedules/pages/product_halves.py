"""The loop of a matrix product that copies factors straight to LDS, by two groups of waves out of step.

The rows of a tile are in two halves, each with LDS of its own. A trip has two steps of memory and two of
products; one group of waves accesses memory and LDS while the other multiplies:

    step        reads from LDS                              copies to LDS          multiplies
    first       the columns of trip j                       both halves, for later the top half
    second      the bottom half of j, the top half of j+1   the columns of j + 2   the bottom half

Products that share a factor have a tile of each factor in a part.

A step reads elements that were copied two steps before. The step between waits for them, so that all waves
see them two barriers later. With two slots, the columns and the top half run two trips ahead, and the bottom
half a single trip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.index import Index, constant
from isa.named_tuple import NamedTuple

_AHEAD = 2  # trips


class Part(Enum):
    """A part of the factors of a trip."""

    TOP, BOTTOM, COLUMNS = range(3)


Tiles = list[TileValue]


class Steps(NamedTuple):
    """The accesses and sums of a loop: copies of a part of the trip that begins at a product along k, reads
    of the part from LDS, and the sums of each product with a half of the rows and the columns. A part has a
    tile of each factor of its side, and so many `copies`."""

    copies: Mapping[Part, int]
    copy: Callable[[Part, Index], None]
    read: Callable[[Part, Index], Tiles]
    multiply: Callable[[Tiles, Tiles, Tiles], Tiles]


class Halves(NamedTuple):
    """The sums of each product in the halves of a tile's rows."""

    top: Tiles
    bottom: Tiles


def in_halves(builder: TileBuilder, steps: Steps, length: int, k: int, zeros: Tiles) -> Halves:
    """The sums of `length` products along k, `k` in a trip, from sums of zero for each product."""
    return _Loop(builder, steps, k, len(zeros)).run(length, zeros)


class _Loop:
    def __init__(self, builder: TileBuilder, steps: Steps, k: int, products: int) -> None:
        self._builder, self._steps, self._k, self._products = builder, steps, k, products

    def run(self, length: int, zeros: Tiles) -> Halves:
        builder, steps, begin, second = self._builder, self._steps, constant(0), constant(self._k)
        _ = self._copied((Part.TOP, begin, True), (Part.COLUMNS, begin, True))
        # the bottom half may be under way until the first step has ended
        later = (Part.BOTTOM, begin, True), (Part.TOP, second, True), (Part.COLUMNS, second, True)
        builder.async_wait(self._copied(*later))
        builder.barrier()
        carried = [*zeros, *zeros, *steps.read(Part.TOP, begin)]
        builder.barrier()

        def trip(counter: Index, carried: Sequence[TileValue]) -> Tiles:
            return self._trip(counter, carried, _AHEAD)

        peeled = length - _AHEAD * self._k
        carried = list(builder.for_("k", 0, peeled, self._k, carried, trip, staggered=True))
        for left in reversed(range(_AHEAD)):
            carried = self._trip(constant(length - (left + 1) * self._k), carried, left)
        return Halves(*self._taken_apart(carried)[:2])

    def _taken_apart(self, carried: Sequence[TileValue]) -> tuple[Tiles, Tiles, Tiles]:
        """The sums of the top and of the bottom half, and the rows of the top half."""
        count = self._products
        return list(carried[:count]), list(carried[count : 2 * count]), list(carried[2 * count :])

    def _trip(self, counter: Index, carried: Sequence[TileValue], left: int) -> Tiles:
        """A trip, after which there are at least `left` others."""
        steps, (top, bottom, rows) = self._steps, self._taken_apart(carried)
        following, later = counter + self._k, counter + _AHEAD * self._k
        columns = steps.read(Part.COLUMNS, counter)
        started = self._copied((Part.TOP, later, left > 1), (Part.BOTTOM, following, left > 0))
        under_way = steps.copies[Part.COLUMNS] if left else 0  # of the next trip
        self._builder.async_wait(started + under_way)
        top = self._multiplied(rows, columns, top)
        below = steps.read(Part.BOTTOM, counter)
        if left:
            rows = steps.read(Part.TOP, following)
            self._builder.async_wait(started + self._copied((Part.COLUMNS, later, left > 1)))
        return [*top, *self._multiplied(below, columns, bottom), *rows]

    def _copied(self, *asked: tuple[Part, Index, bool]) -> int:
        """Start the copies that are needed; gives their number."""
        needed = [(part, at) for part, at, is_needed in asked if is_needed]
        for part, at in needed:
            self._steps.copy(part, at)
        return sum([self._steps.copies[part] for part, _ in needed])

    def _multiplied(self, rows: Tiles, columns: Tiles, totals: Tiles) -> Tiles:
        builder = self._builder
        builder.priority(1)
        builder.barrier()
        totals = self._steps.multiply(rows, columns, totals)
        builder.barrier()
        builder.priority(0)
        return totals
