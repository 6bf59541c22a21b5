"""An order of a loop's trips: the clock of each instruction, and the interval from trip to trip."""

from __future__ import annotations

from collections.abc import Sequence

from isa.named_tuple import NamedTuple


class LoopOrder(NamedTuple):
    """Instruction `number` of trip `t` issues at `start[number] + t * interval`, in clocks. `start` has an
    entry for each instruction of the problem, in the order of its block. An instruction of stage
    `start // interval` works on the trip that began so many intervals before."""

    interval: int
    start: Sequence[int]

    def stage(self, number: int) -> int:
        """The intervals between the begin of a trip and the instruction."""
        return self.start[number] // self.interval

    def slot(self, number: int) -> int:
        """The clock of the instruction within its interval."""
        return self.start[number] % self.interval
