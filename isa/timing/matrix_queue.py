"""The queue of a SIMD's vector ALU behind matrix instructions, on RDNA.

A matrix instruction that has not ended keeps itself and the vector instructions behind it in the queue:

* A vector instruction enters if fewer than `places` are in the queue.
* A matrix or a transcendental instruction enters if this is so and the transcendental instructions behind the
  last matrix instruction count twice.
* If the last instruction is transcendental, a matrix instruction that ends leaves a clock later.
* If several waves wait for a place with instructions of the same pipe, the wave that has waited longest goes
  first. A matrix instruction waits anew when a transcendental instruction enters, for which it waits too.

docs/timing.md says how the thread traces show the rule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from isa.timing.row_clocks import MATRIX_PIPE, NO_PIPE, TRANSCENDENTAL_PIPE


class MatrixQueue:
    """The queue of a SIMD. All times are clocks."""

    __slots__ = (
        "_behind", "_counts", "_last", "_leaves", "_places", "_taken", "_transcendental", "_waiting",
    )  # fmt: skip

    def __init__(self, places: int) -> None:
        self._places = places
        self._last = NO_PIPE  # of the last instruction
        # of each matrix instruction: when it leaves, and how many instructions leave with it
        self._leaves: deque[int] = deque()
        self._counts: deque[int] = deque()
        self._taken = 0  # the sum of these
        self._behind = 0  # transcendental instructions behind the last matrix instruction
        self._transcendental = 0  # from when on another transcendental instruction may execute
        # by wave, what waits for a place: its pipe, since when, and when it asks again
        self._waiting: dict[int, tuple[int, int, int]] = {}

    def enter(self, clock: int, pipe: int, leaves: int = 0) -> int:
        """Let an instruction of a pipe enter. `leaves` is when a matrix instruction leaves. Returns the clock
        from which on another vector instruction may enter, `clock` at the earliest."""
        self._last = pipe
        if pipe == MATRIX_PIPE:
            self._leaves.append(leaves)
            self._counts.append(1)
            self._taken += 1
            self._behind = 0
        elif self._counts:
            self._counts[-1] += 1
            self._taken += 1
            self._behind += pipe == TRANSCENDENTAL_PIPE
        return clock if self._taken < self._places else self.opens(clock)

    def opens(self, clock: int, pipe: int = NO_PIPE) -> int:
        """From which clock on, `clock` at the earliest, an instruction of a pipe may enter."""
        while self._leaves and self._leaves[0] < clock:
            self._leaves.popleft()
            self._taken -= self._counts.popleft()
        taken = self._taken + (self._behind if pipe != NO_PIPE else 0)
        if taken < self._places or not self._leaves:
            return clock
        late = self._last == TRANSCENDENTAL_PIPE
        for leaves, count in zip(self._leaves, self._counts, strict=True):
            if leaves + late > clock:
                if taken < self._places:
                    break
                clock = leaves + late
            taken -= count
        return clock

    def turn(self, wave: int, pipe: int, clock: int) -> int:
        """When it is a wave's turn to enter, `clock` at the earliest. Of waves that ask at the same clock for
        instructions of a pipe, the wave that has waited longest goes first."""
        opens = self.opens(clock, pipe)
        if opens == clock and not self._waiting:
            return clock
        _, since, _ = self._waiting.get(wave, (pipe, clock, opens))
        if opens == clock and any(
            other != wave and kind == pipe and begin < since and again == clock
            for other, (kind, begin, again) in self._waiting.items()
        ):
            opens += 1
        if opens > clock:
            self._waiting[wave] = pipe, since, opens
        return opens

    def go(self, wave: int) -> None:
        """Let a wave no longer wait: its instruction enters."""
        if self._waiting:
            _ = self._waiting.pop(wave, None)

    def delay_matrices(self, clock: int) -> None:
        """Let all waiting matrix instructions wait from a clock on, since a transcendental instruction keeps
        them until then."""
        for wave, (pipe, since, again) in self._waiting.items():
            if pipe == MATRIX_PIPE and since < clock:
                self._waiting[wave] = pipe, clock, again

    def spaced(self, execute: int, rate: int) -> int:
        """The clock at which a transcendental instruction executes, `execute` at the earliest. The pipe
        takes an instruction in `rate` clocks."""
        execute = max(execute, self._transcendental)
        self._transcendental = execute + rate
        return execute

    def state(self, now: int, past: int) -> tuple[object, ...]:
        """All that decides about the next instructions, by clocks from now. Times before `past` are alike."""
        self.opens(now)
        return (
            self._last,
            self._behind if self._counts else 0,
            max(self._transcendental - now, -past),
            *[leaves - now for leaves in self._leaves],
            tuple(self._counts),
            *self._waiting_state(now),
        )

    def _waiting_state(self, now: int) -> list[tuple[int, ...]]:
        """The waves that wait, which of them waits longer, and those that wait from a later clock on."""
        begins = sorted({since for _, since, _ in self._waiting.values()})
        return [
            (wave, pipe, bisect_left(begins, since), max(since - now, 0), again - now)
            for wave, (pipe, since, again) in sorted(self._waiting.items())
        ]

    def shift(self, clocks: int) -> None:
        """Move every time by some clocks."""
        self._transcendental += clocks
        self._leaves = deque([leaves + clocks for leaves in self._leaves])
        for wave, (pipe, since, again) in self._waiting.items():
            self._waiting[wave] = pipe, since + clocks, again + clocks
