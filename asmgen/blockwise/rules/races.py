"""Finds races in LDS: an element that a wave writes and another wave accesses with no barrier between.

The statements are visited in order, and the trips of a loop until its slots repeat. Each access of LDS is
compared with the accesses since the last barrier:

    lds_store[slot=k mod 2](t, lds)       in the trip before, waves may still read the other slot
    barrier()
    u = lds_load[slot=k mod 2](lds)

The accesses of a wave happen in the order of the text, so that elements which only one of the waves accesses
need no barrier. The wave of an element is a linear map from the bits of the element to those of the wave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from asmgen.blockwise.actions import AsyncCopy, Barrier, For, LdsLoad, LdsStore
from asmgen.blockwise.layout.algebra import invert
from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.op_table import row_of
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.types import LdsType, TileType
from asmgen.index import Symbol


class Race(NamedTuple):
    rule: str
    statement: TileStatement


class _Access(NamedTuple):
    """A part of a slot. `waves` has the bits of a wave for each bit of an element; None if several waves have
    the same element."""

    statement: TileStatement
    lds: TileValue
    slot: int
    origin: Sizes
    layout: Layout
    writes: bool
    waves: tuple[int, ...] | None


def races(kernel: Kernel) -> Iterator[Race]:
    """The accesses that race with an earlier access, once for each statement."""
    sizes = [
        value.type.slots for s in kernel.walk() for value in s.results if isinstance(value.type, LdsType)
    ]
    if not sizes or kernel.waves == 1:
        return
    found: set[int] = set()
    walk = _Walk(dict.fromkeys(kernel.grid, 0), max(sizes) + 1)
    for race in walk.statements(kernel.statements):
        if id(race.statement) not in found:
            found.add(id(race.statement))
            yield race


class _Walk:
    """`symbols` are the values of ids and counters; `trips` is how many trips of a loop are taken."""

    def __init__(self, symbols: dict[Symbol, int], trips: int) -> None:
        self._symbols = symbols
        self._trips = trips
        self._since: list[_Access] = []  # since the last barrier

    def statements(self, statements: Sequence[TileStatement]) -> Iterator[Race]:
        for statement in statements:
            action = statement.op
            if isinstance(action, Barrier):
                self._since = []
            elif isinstance(action, For):
                yield from self._loop(statement, action)
            elif isinstance(action, LdsStore | LdsLoad | AsyncCopy):
                access = self._access(statement, action)
                yield from [_race(access, earlier) for earlier in self._since if _meets(access, earlier)]
                self._since.append(access)

    def _loop(self, statement: TileStatement, action: For) -> Iterator[Race]:
        start, stop = (bound.evaluate(self._symbols, 0) for bound in (action.start, action.stop))
        for counter in range(start, min(stop, start + self._trips * action.step), action.step):
            self._symbols[action.counter] = counter
            for region in statement.regions:
                yield from self.statements(region.statements)

    def _access(self, statement: TileStatement, action: LdsStore | LdsLoad | AsyncCopy) -> _Access:
        lds = statement.operands[0 if isinstance(action, LdsLoad) else 1]
        layout, writes = _layout(statement, action), not isinstance(action, LdsLoad)
        origin = tuple([index.evaluate(self._symbols, 0) for index in action.origin]) or (0,) * layout.rank
        slot = action.slot.evaluate(self._symbols, 0)
        return _Access(statement, lds, slot, origin, layout, writes, _waves(layout, writes))


def _layout(statement: TileStatement, action: LdsStore | LdsLoad | AsyncCopy) -> Layout:
    if isinstance(action, AsyncCopy):
        return action.layout
    tile = (statement.result if isinstance(action, LdsLoad) else statement.operands[0]).type
    assert isinstance(tile, TileType), statement
    return tile.layout


def _waves(layout: Layout, writes: bool) -> tuple[int, ...] | None:
    """For each bit of an element the bits of the wave that accesses it; None if several waves read the same
    element. If several waves have copies of a written element, a single wave writes it.
    """
    if not writes and 0 in layout.waves:
        return None
    below = len(layout.registers) + len(layout.lanes)
    return tuple([number >> below for number in invert(layout)])


def _meets(one: _Access, other: _Access) -> bool:
    """Whether two accesses may meet in an element without an order between them: one of them writes, and they
    are not of the same wave.
    """
    if one.lds is not other.lds or one.slot != other.slot or not (one.writes or other.writes):
        return False
    apart = any(
        first + size <= second or second + length <= first
        for first, size, second, length in zip(
            one.origin, one.layout.shape, other.origin, other.layout.shape, strict=True
        )
    )
    alike = one.origin == other.origin and _sizes(one.layout) == _sizes(other.layout)
    return not apart and not (alike and one.waves is not None and one.waves == other.waves)


def _sizes(layout: Layout) -> tuple[Sizes, Sizes]:
    return layout.sizes, layout.counts


def _race(later: _Access, earlier: _Access) -> Race:
    before = row_of(earlier.statement.op).name
    at = f" at {earlier.statement.place}" if earlier.statement.place else ""
    name = later.lds.name
    if earlier.writes:
        does = "writes" if later.writes else "reads"
        rule = f"a wave {does} what another writes to {name} by {before}{at}"
    else:
        rule = f"a wave overwrites what another may still read of {name} by {before}{at}"
    return Race(f"{rule}, and no barrier is between; put barrier() there", later.statement)
