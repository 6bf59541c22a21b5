"""The loop of a matrix product that copies factors straight to LDS, by two groups of waves out of step.

The rows of a tile are in two halves, each with LDS of its own. A trip has two steps of memory and two of
products; one group of waves accesses memory and LDS while the other multiplies:

    step        reads from LDS                              copies to LDS          multiplies
    first       the columns of trip j                       both halves, for later the top half
    second      the bottom half of j, the top half of j+1   the columns of j + 2   the bottom half

A step reads elements that were copied two steps before. The step between waits for them, so that all waves
see them two barriers later. With two slots, the columns and the top half run two trips ahead, and the bottom
half a single trip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.index import Index, constant
from isa.named_tuple import NamedTuple

_AHEAD = 2  # trips


class Part(Enum):
    """A part of the factors of a trip."""

    TOP, BOTTOM, COLUMNS = range(3)


class Steps(NamedTuple):
    """The accesses and sums of a loop: a copy of a part of the trip that begins at a product along k, a read
    of the part from LDS, and the sums with the products of a half and the columns."""

    copy: Callable[[Part, Index], None]
    read: Callable[[Part, Index], TileValue]
    multiply: Callable[[TileValue, TileValue, TileValue], TileValue]


def in_halves(builder: TileBuilder, steps: Steps, length: int, k: int, zero: TileValue) -> list[TileValue]:
    """The sums of the top and the bottom half of `length` products, `k` in a trip, from sums of zero."""
    return _Loop(builder, steps, k).run(length, zero)


class _Loop:
    def __init__(self, builder: TileBuilder, steps: Steps, k: int) -> None:
        self._builder, self._steps, self._k = builder, steps, k

    def run(self, length: int, zero: TileValue) -> list[TileValue]:
        builder, steps, begin, second = self._builder, self._steps, constant(0), constant(self._k)
        for part in (Part.TOP, Part.COLUMNS, Part.BOTTOM):
            steps.copy(part, begin)
        steps.copy(Part.TOP, second)
        steps.copy(Part.COLUMNS, second)
        builder.async_wait(3)  # the bottom half may be under way until the first step has ended
        builder.barrier()
        carried = [zero, zero, steps.read(Part.TOP, begin)]
        builder.barrier()

        def trip(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
            return self._trip(counter, carried, _AHEAD)

        peeled = length - _AHEAD * self._k
        carried = list(builder.for_("k", 0, peeled, self._k, carried, trip, staggered=True))
        for left in reversed(range(_AHEAD)):
            carried = self._trip(constant(length - (left + 1) * self._k), carried, left)
        return carried[:2]

    def _trip(self, counter: Index, carried: Sequence[TileValue], left: int) -> list[TileValue]:
        """A trip, after which there are at least `left` others."""
        steps, (top, bottom, rows) = self._steps, carried
        following, later = counter + self._k, counter + _AHEAD * self._k
        columns = steps.read(Part.COLUMNS, counter)
        started = self._copied((Part.TOP, later, left > 1), (Part.BOTTOM, following, left > 0))
        self._builder.async_wait(started + (left > 0))  # the columns of the next trip are under way too
        top = self._multiplied(rows, columns, top)
        below = steps.read(Part.BOTTOM, counter)
        if left:
            rows = steps.read(Part.TOP, following)
            self._builder.async_wait(started + self._copied((Part.COLUMNS, later, left > 1)))
        return [top, self._multiplied(below, columns, bottom), rows]

    def _copied(self, *asked: tuple[Part, Index, bool]) -> int:
        """Start the copies that are needed; gives their number."""
        needed = [(part, at) for part, at, is_needed in asked if is_needed]
        for part, at in needed:
            self._steps.copy(part, at)
        return len(needed)

    def _multiplied(self, rows: TileValue, columns: TileValue, total: TileValue) -> TileValue:
        builder = self._builder
        builder.priority(1)
        builder.barrier()
        total = self._steps.multiply(rows, columns, total)
        builder.barrier()
        builder.priority(0)
        return total
