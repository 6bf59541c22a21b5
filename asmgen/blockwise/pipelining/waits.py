"""How many asynchronous copies a wait leaves under way in the pipelined loop.

    async_copy[slot=(k floordiv 64) mod 3](a, lds)       stage 0
    async_wait()                                         stage 2: the copy of this trip is there

In the loop the copies of the next trips were started in between: the wait leaves 1 under way. A wait asks for
all copies that come before it in the loop as it is written, except the last `pending`. In the new order it
leaves those that start after the last of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from asmgen.blockwise.actions import AsyncCopy, AsyncWait
from asmgen.blockwise.program import TileStatement
from asmgen.blockwise.rules.stages import Placed, Staged
from asmgen.ir.program import walk
from isa.named_tuple import NamedTuple


class _At(NamedTuple):
    """A statement: its stage, and its place in a trip as it is written and in an iteration."""

    stage: int
    written: int
    placed: int


class Waits:
    def __init__(self, split: Staged, order: Sequence[Placed]) -> None:
        text = [statement for stage in split.stages for statement in stage]
        written = {id(statement): number for number, statement in enumerate(text)}
        self._at = {
            id(statement): _At(stage, written[id(statement)], number)
            for number, (stage, statement) in enumerate(order)
        }
        copies = [
            inner for statement in text for inner in walk((statement,)) if isinstance(inner.op, AsyncCopy)
        ]
        self._copies = [self._at[id(copy)] for copy in copies if id(copy) in self._at]
        self._are_counted = len(self._copies) == len(copies)  # not those of loops inside
        self._depth = split.depth

    def in_loop(self, statement: TileStatement, copy: TileStatement) -> TileStatement:
        """The copy of a statement in the loop; a wait with a number for whatever trip."""
        trips = range(self._window(statement))
        return self._least(statement, copy, [(trip, trip + self._depth + 1) for trip in trips])

    def in_trip(
        self, statement: TileStatement, copy: TileStatement, trip: int, count: int | None
    ) -> TileStatement:
        """The copy of a statement for a trip outside of the loop: counted from the end if it is negative.
        `count` is how many trips there are, None if only the launch knows; then there are at least as many as
        the depth.
        """
        if trip >= 0:
            after = trip + self._depth + 1
            return self._least(statement, copy, [(trip, after if count is None else min(count, after))])
        most = self._window(statement) + self._depth  # more trips change nothing
        counts = range(self._depth, most) if count is None else [min(count, most)]
        return self._least(statement, copy, [(count + trip, count) for count in counts])

    def _window(self, statement: TileStatement) -> int:
        """Trips after which the number does not change any more."""
        pending = statement.op.pending if isinstance(statement.op, AsyncWait) else 0
        return pending // max(1, len(self._copies)) + self._depth + 2

    def _least(
        self, statement: TileStatement, copy: TileStatement, trips: Iterable[tuple[int, int]]
    ) -> TileStatement:
        """A wait with the least number for some trips, each with the number of trips."""
        action = statement.op
        if not isinstance(action, AsyncWait) or not self._are_counted:
            return copy
        pending = min([self._pending(statement, action.pending, trip, count) for trip, count in trips])
        return replace(copy, op=replace(action, pending=pending))

    def _pending(self, statement: TileStatement, pending: int, trip: int, count: int) -> int:
        wait = self._at[id(statement)]
        before: list[tuple[int, int, _At]] = []  # as written
        for other in range(count):
            before += [
                (other, copy.written, copy)
                for copy in self._copies
                if (other, copy.written) < (trip, wait.written)
            ]
        before.sort(key=lambda entry: entry[:2])
        needed = before[: max(0, len(before) - pending)]
        started = [
            (other + copy.stage, copy.placed)
            for other in range(count)
            for copy in self._copies
            if (other + copy.stage, copy.placed) < (trip + wait.stage, wait.placed)
        ]
        if not needed:  # copies from before the loop
            return len(started) + pending - len(before)
        last = max([(other + copy.stage, copy.placed) for other, _, copy in needed])
        return sum(1 for start in started if start > last)
