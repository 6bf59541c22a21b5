"""The way back of loads that return as their data arrive, as on RDNA 4.

A wave's loads return in the order of their issue, but a wave may overtake another. Loads of a clause stay
together:

    two waves load a clause of 3 from memory, and a clause of 4 from the cache      A A A B B B B each
    they return                                                                     AAA aaa BBBB bbbb

So it is not known when a load returns until no other may come first. Until then, counters have `PENDING` in
place of its clock.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from isa.timing.state import AGE, AGE_BITS, FIRST_RETURN, INSTRUCTION_BITS, PENDING, WHO_BITS, Loading, Wave


class Returns:
    """The way back of a compute unit."""

    def __init__(
        self, instance: int, events: list[int], free: list[int], waves: Sequence[Wave],
        is_known: Callable[[Wave], bool],
    ) -> None:  # fmt: skip
        """`free` is when each unit is free, `waves` are in the order of their age. `is_known` looks again
        whether the clocks for which a wave waits are known."""
        self._number = FIRST_RETURN + instance
        self._instance, self._events, self._free = instance, events, free
        self._waves, self._is_known = waves, is_known
        self._ready: list[int] = []  # a heap: when the next load of a wave is ready, and the wave's age
        self._at = -1  # the clock at which the next load returns

    def add(self, wave: Wave, load: Loading) -> None:
        """Let a load wait for its data, and for those that are ready before."""
        for counter in load.counters:
            wave.counters[counter].append(PENDING | load.instruction)
        returning = wave.returning
        if returning and returning[-1].soonest > load.soonest:
            load = load._replace(soonest=returning[-1].soonest)
        returning.append(load)
        if len(returning) == 1:
            heappush(self._ready, load.soonest << AGE_BITS | wave.age)
            self._call()

    def _call(self) -> None:
        """Serve the first load as soon as it is ready and the way is free."""
        clock = max(self._ready[0] >> AGE_BITS, self._free[self._instance])
        if self._at < 0 or clock < self._at:
            self._at = clock
            heappush(self._events, clock << WHO_BITS | self._number)

    def serve(self, clock: int) -> None:
        """Return the load that is ready first, and those of its clause that are ready too."""
        if clock != self._at:
            return  # another load was ready earlier
        self._at = -1
        if self._free[self._instance] <= clock:
            self._return(self._waves[heappop(self._ready) & AGE], clock)
        if self._ready:
            self._call()

    def _return(self, wave: Wave, clock: int) -> None:
        returning, follows = wave.returning, False
        while returning and returning[0].soonest <= clock and (returning[0].follows or not follows):
            follows, load = True, returning.popleft()
            clock += load.clocks
            _complete(wave, load, clock)
        self._free[self._instance] = clock
        if returning:
            heappush(self._ready, returning[0].soonest << AGE_BITS | wave.age)
        if wave.awaits and self._is_known(wave):
            heappush(self._events, wave.bound << WHO_BITS | wave.rank)

    def state(self, now: int) -> int:
        """The state that decides about the next loads besides those that wait: from when on the way is free,
        by clocks from now."""
        return max(0, self._free[self._instance] - now)

    def shift(self, clocks: int) -> None:
        """Move every time by some clocks, but for those of the units and of the events."""
        self._at += clocks if self._at >= 0 else 0
        self._ready[:] = [each + (clocks << AGE_BITS) for each in self._ready]  # still a heap


def _complete(wave: Wave, load: Loading, clock: int) -> None:
    """Give the counters the clock of a load."""
    ending = clock << INSTRUCTION_BITS | load.instruction
    for counter in load.counters:
        outstanding = wave.counters[counter]
        place = bisect_left(outstanding, PENDING)
        del outstanding[place]
        insort(outstanding, ending, hi=place)
        wave.in_order[counter] = clock
