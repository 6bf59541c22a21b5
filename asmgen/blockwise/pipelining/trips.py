"""The trips of a loop as indices: their number, and the counter in trips from the start or from the end."""

from __future__ import annotations

from asmgen.blockwise.actions import For, counted
from asmgen.index import Index
from asmgen.index.reach import reach


class Trips:
    def __init__(self, loop: For) -> None:
        self.loop = loop

    @property
    def span(self) -> Index:
        return self.loop.stop - self.loop.start

    @property
    def count(self) -> int | None:
        """The number of trips; None if only the launch knows it."""
        return max(0, -(-self.span.constant // self.loop.step)) if self.span.is_constant else None

    def are_at_least(self, count: int) -> bool:
        """Whether the bounds show that the loop has at least `count` trips."""
        return reach(self.span)[0] > (count - 1) * self.loop.step

    def has(self, count: int) -> Index:
        """1 if the loop has at least `count` trips, else 0."""
        step = self.loop.step
        return ((self.span + (step - 1)) // (step * count)).at_most(1)

    def counter(self, trip: int) -> Index:
        """The counter of a trip from the first, 0."""
        return self.loop.start + trip * self.loop.step

    def counter_from_end(self, trip: int) -> Index:
        """The counter of a trip from the last, -1. From a stop that is no whole number of steps from the
        start, the counter could be less than the start.
        """
        loop, step = self.loop, self.loop.step
        if self.count is not None:
            return self.counter(self.count + trip)
        if self.span.multiple % step == 0:
            return loop.stop + trip * step
        return loop.start + (self.span + (step - 1)) // step * step + trip * step

    def between(self, first: int, last: int, turns: int) -> For:
        """The loop from a trip on and without its last trips, of which there are at least so many; a trip of
        it is `turns` trips."""
        loop = self.loop
        start, stop = self.counter(first), self.counter_from_end(-last)
        return counted(loop.counter.name, start, stop, loop.step * turns, loop.staggered)
