"""Chooses the waves of a chunk that run next.

Of all waves that can run, those at the smallest program counter run next, so that waves meet again after
their paths diverged. A wave in a loop rests after some trips until every other wave has had its turn:
hardware lets every launched wave make progress, so a spinning wave must not block the wave that it waits for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.state.waves import Waves
from isa.named_tuple import NamedTuple

PATIENCE = 32  # rounds of a loop before the waves that wait have their turn
_NOWHERE = -1


class ObservedLoop(NamedTuple):
    """A loop that a wave goes round: the operations at which it begins and from which it goes back."""

    head: int
    tail: int


class _Sample(NamedTuple):
    """The registers of some waves at the head of a loop."""

    waves: NDArray[np.intp]
    vectors: NDArray[np.uint32]
    scalars: NDArray[np.uint32]


class Turns:
    """The program counter of each wave, and the waves that have ended, wait at a barrier or rest.

    A loop that does not change the registers of a wave only waits. Such a loop is recorded, and its waves
    rest after a trip or two. They go on a few at a time, because the next wave often waits for the same lock,
    or for the result of the previous wave.
    """

    def __init__(self, count: int, entry: int) -> None:
        self.counters = np.full(count, entry, np.int64)
        self.ended = np.zeros(count, np.bool_)
        self.waiting = np.zeros(count, np.bool_)
        self.heads = np.full(count, _NOWHERE, np.int64)  # of the loop that each wave went round last
        self.tails = np.full(count, _NOWHERE, np.int64)
        self._resting = np.zeros(count, np.bool_)
        self._any_rest = False
        self._spins = np.zeros(count, np.bool_)  # whether a resting wave rests from a loop that waits
        self._rounds = np.zeros(count, np.int64)
        self._idle: set[int] = set()  # heads of loops that wait
        self._samples: dict[int, _Sample] = {}
        self._queue = np.zeros(
            0, np.intp
        )  # waves that rest from such loops and have not gone on in this epoch
        self._woken = np.zeros(0, np.intp)  # those of them that went on last
        self.epoch = 0  # how often all that could run have had their turn

    def next_group(self, w: Waves) -> NDArray[np.intp] | None:
        """The waves that run next, with the same program counter and mode; None if no wave can run."""
        runnable = ~(self.ended | self.waiting)
        ready = runnable & ~self._resting if self._any_rest else runnable
        if not runnable.any():
            return None
        while not ready.any():  # a wave that rests may wait at a barrier too, so that waking it is not enough
            self._wake()
            ready = runnable & ~self._resting
        group = np.flatnonzero(ready & (self.counters == self.counters[ready].min()))
        modes = w.mode_bits[group]
        return group if (modes == modes[0]).all() else group[modes == modes[0]]

    def together(self, w: Waves) -> int:
        """The program counter that all waves share, with the same mode; or -1."""
        first = int(self.counters[0])
        if self._any_rest or (self.ended | self.waiting).any():
            return _NOWHERE
        if (self.counters != first).any() or (w.mode_bits != w.mode_bits[0]).any():
            return _NOWHERE
        self._rounds[:] = 0
        return first

    def _wake(self) -> None:
        """Wake resting waves: the next few that wait. After the last of those the epoch ends, and the next
        epoch begins with all waves that do not wait."""
        if not len(self._queue):
            self.epoch += 1
            self._rounds[:] = 0
            self._queue = np.flatnonzero(self._resting & self._spins)
            self._woken = self._queue[:0]
            working = self._resting & ~self._spins
            if working.any():
                self._resting[working] = False
                self._any_rest = bool(len(self._queue))
                return
        in_vain = len(self._woken) and self._resting[self._woken].all()
        count = 2 * len(self._woken) if in_vain else 1
        self._woken, self._queue = self._queue[:count], self._queue[count:]
        self._resting[self._woken] = False
        self._any_rest = bool(self._resting.any())

    def went(self, w: Waves, group: NDArray[np.intp], start: int, end: int, gives_way: bool) -> None:
        """The group has run the block from `start` to `end`, and its counters are set; `gives_way` if the
        block lets other waves go first."""
        back = self.counters[group] <= start
        if gives_way:
            self._rest(group, True)
        if not back.any():
            return
        waves = group[back]
        targets = self.counters[waves]
        self.heads[waves], self.tails[waves] = targets, end
        rounds = self._rounds[waves] + 1
        self._rounds[waves] = rounds
        head = int(targets[0])
        if head not in self._idle:
            self._look_for_change(w, head, waves, int(rounds[0]))
        # an additional trip now and then, so that waves do not stay in step for ever
        short = 1 + (self.epoch % 4 == 3)
        spins = (
            np.isin(targets, list(self._idle))
            if (targets != head).any()
            else np.full(len(waves), head in self._idle)
        )
        tired = rounds >= np.where(spins, short, PATIENCE)
        if tired.any():
            self._rest(waves[tired], spins[tired])

    def _rest(self, waves: NDArray[np.intp], spins: Any) -> None:
        self._resting[waves] = True
        self._spins[waves] = spins
        self._any_rest = True

    def _look_for_change(self, w: Waves, head: int, waves: NDArray[np.intp], rounds: int) -> None:
        """Whether the last of a loop's rounds before a rest leaves registers as they were, by two waves of
        those."""
        if rounds == PATIENCE - 1:
            few = np.unique(waves[[0, -1]])
            self._samples[head] = _Sample(few, w.u32[:, few].copy(), w.s32[:, few].copy())
        elif rounds >= PATIENCE and head in self._samples:
            before = self._samples.pop(head)
            if _unchanged(before.vectors, w.u32[:, before.waves]) and _unchanged(
                before.scalars, w.s32[:, before.waves]
            ):
                self._idle.add(head)

    def loop_of(self, wave: int) -> ObservedLoop | None:
        """The last loop of a wave; None if it has run no loop."""
        return (
            ObservedLoop(int(self.heads[wave]), int(self.tails[wave]))
            if self.heads[wave] != _NOWHERE
            else None
        )


def _unchanged(before: NDArray[Any], after: NDArray[Any]) -> bool:
    return bool((before == after).all())
