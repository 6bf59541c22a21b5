"""List scheduling: an order of a block with few clocks of waiting.

The scheduler prefers, in this order:

1. an instruction with operands that are ready;
2. the instruction with the longest chain of dependants;
3. the earliest instruction of the program.

So loads come early and their readers late, the steps of several reductions alternate, and slow instructions
run while others issue. An instruction that would exceed the register budget waits until others have freed
registers. If memory serves loads in groups, the first load of a group waits until there are registers for
several.

An order may also spread the instructions that keep a pipe, such as exponentials, among others. Then an
instruction waits until its pipe is free; instructions that may become a dual instruction wait for each
other's operands; and readers come so late that they need no `s_delay_alu`. If a pipe should never be idle, as
that of matrix instructions, an instruction that uses it comes as soon as it is free (`pipes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from msgspec import Struct

from asmgen.passes.schedule.pipes import PIPES, Pipe
from asmgen.passes.schedule.pressure import FILES, VECTOR, BlockPressure, Count, count_of
from asmgen.passes.schedule.timing import Timing

# half and double change none of 97 programs on gfx942 (`tools.judge_choices --neighbours`)
TRIES = 64  # candidates to look at if each takes too many registers


class Placed(Struct, frozen=True):
    """An instruction in the order: the clock of its issue, the idle clocks before it, the clocks that depend
    on it, the number of candidates, and whether the budget delayed a longer chain."""

    number: int
    clock: int
    idle: int
    height: int
    choices: int
    held_back: bool


class ListScheduler:
    """The walk through a block. `grouped` are the loads that should be next to each other, by number, and how
    many wait for registers together. An order that `spreads` has other instructions between those of a busy
    pipe."""

    def __init__(
        self, timing: Timing, pressure: BlockPressure, budget: Count, grouped: Mapping[int, int],
        spreads: bool = False,
    ) -> None:  # fmt: skip
        self._timing = timing
        self._walk = pressure.walk()
        self._budget = budget
        self._grouped = dict(grouped)  # those that are left
        self._in_group = False
        self._heights = timing.heights_to_both(spreads)
        self._missing = [len(earlier) for earlier in timing.before]
        self._ready_at = list(timing.arrival)
        self._ready: list[tuple[int, int]] = []  # by height: operands are there
        self._for_binding: list[tuple[int, int]] = []  # the same, if they use the pipe that binds
        self._waiting: list[tuple[int, int]] = []  # by the clock at which they are
        self._parked: list[tuple[int, int]] = []  # by height: too many registers for the budget
        self._twin_of = timing.twin_of if spreads else {}
        self._apart = timing.apart if spreads else {}
        self._pipes: Mapping[int, Pipe] = timing.pipes if spreads else {}
        self._binding = timing.binding if spreads else None
        self._pipe_free = [0] * PIPES  # the clock
        self._clock = 0

    def run(self) -> list[Placed]:
        for number, missing in enumerate(self._missing):
            if not missing and self._twin_of.get(number, 0) <= number:
                self._wait(number)
        order: list[Placed] = []
        while self._ready or self._for_binding or self._waiting or self._parked:
            number, idle, choices = self._next()
            height = self._heights[number]
            held_back = bool(self._parked) and height < -self._parked[0][0]
            order.append(Placed(number, self._clock, idle, height, choices, held_back))
            self._take(number)
        return order

    @property
    def most(self) -> Count:
        """The largest pressure of the order so far."""
        return count_of(self._walk.most)

    def _next(self) -> tuple[int, int, int]:
        """The instruction to come next, the clocks lost before it, and among how many it was chosen."""
        idle = 0
        while True:
            idle += self._advance()
            choices = len(self._ready) + len(self._for_binding)
            while ready := self._first():
                entry = heappop(ready)
                free = self._free_at(entry[1])
                if free > self._clock:
                    heappush(self._waiting, (free, entry[1]))
                elif self._fits(entry[1]):
                    return entry[1], idle, choices
                else:
                    heappush(self._parked, entry)
            if not self._waiting and not self._for_binding:
                return self._forced(), idle, len(self._parked) + 1

    def _first(self) -> list[tuple[int, int]]:
        """The instructions of which the first is next, if it fits."""
        if self._binding is not None and self._pipe_free[self._binding] <= self._clock:
            return self._for_binding or self._ready
        return self._ready

    def _advance(self) -> int:
        """Move an instruction to the ready list once its operands have arrived; if there is none, advance the
        clock. Returns the lost clocks."""
        lost = 0
        if not self._first():
            ready_at = [entry[0] for entry in self._waiting[:1]]
            if self._for_binding and self._binding is not None:
                ready_at.append(self._pipe_free[self._binding])
            lost = max(0, min(ready_at, default=0) - self._clock)
            self._clock += lost
        while self._waiting and self._waiting[0][0] <= self._clock:
            self._make_ready(heappop(self._waiting)[1])
        return lost

    def _make_ready(self, number: int) -> None:
        pipe = self._pipes.get(number)
        is_binding = pipe is not None and pipe[0] == self._binding
        heappush(self._for_binding if is_binding else self._ready, (-self._heights[number], number))

    def _free_at(self, number: int) -> int:
        """The clock from which on the pipe of an instruction is free."""
        pipe = self._pipes.get(number)
        return self._pipe_free[pipe[0]] if pipe else 0

    def _forced(self) -> int:
        """Of the instructions that the budget keeps back, the first that takes least."""
        growth = self._walk.growth
        _, chosen = min([(growth(entry[1]), entry) for entry in self._parked[:TRIES]])
        self._parked.remove(chosen)
        heapify(self._parked)
        return chosen[1]

    def _take(self, number: int) -> None:
        if number in self._pipes:
            pipe, clocks = self._pipes[number]
            self._pipe_free[pipe] = max(self._pipe_free[pipe], self._clock) + clocks
        freed = -self._walk.take(number)
        self._in_group = number in self._grouped
        _ = self._grouped.pop(number, None)
        if self._parked:  # a register is free: another instruction may try
            for _ in range(min(max(freed, self._in_group), len(self._parked))):
                self._make_ready(heappop(self._parked)[1])
        ready_at, missing, now = self._ready_at, self._missing, self._clock
        apart = now + self._apart.get(number, 0)
        for later, clocks in self._timing.after[number]:
            ready_at[later] = max(ready_at[later], now + clocks, apart)
            missing[later] -= 1
            if not missing[later]:
                self._wait(later)
        self._clock += self._timing.issue[number]

    def _wait(self, number: int) -> None:
        """Let an instruction wait for its operands, of which the instructions are in the order. One of twins
        waits for those of the other too."""
        other = self._twin_of.get(number)
        if other is None:
            heappush(self._waiting, (self._ready_at[number], number))
        elif not self._missing[other]:
            both = max(self._ready_at[number], self._ready_at[other])
            heappush(self._waiting, (both, number))
            heappush(self._waiting, (both, other))

    def _fits(self, number: int) -> bool:
        live, budget = self._walk.live, self._budget
        is_grouped = number in self._grouped
        if not is_grouped and self._walk.has_room(number, budget):
            return True
        growth = list(self._walk.grows(number))
        if is_grouped and not self._in_group:
            growth[VECTOR] *= min(self._grouped[number], len(self._grouped))
        return all(growth[file] <= 0 or live[file] + growth[file] <= budget[file] for file in FILES)
