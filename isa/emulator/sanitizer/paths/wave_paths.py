"""The paths of the waves of a chunk, and the effect of the current block on them.

A path is a number of `paths.py`. If all waves have the same path, it is looked up once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from isa.emulator.sanitizer.faults import Check
from isa.emulator.sanitizer.paths.paths import Effect, Finding, Paths
from isa.emulator.sanitizer.races.order import Pending
from isa.emulator.sanitizer.undefined import Doubt
from isa.emulator.state.waves import Waves

# the check that failed, the operation, the wave, the message and notes; it raises, unless the run goes on
Report = Callable[[Check, int, int, str, tuple[str, ...]], None]


class WavePaths:
    """The paths of a chunk of `count` waves. For the current block, `doubts` are the operations that may read
    undefined values, and `pending` the outstanding events at operations that release."""

    def __init__(self, paths: Paths, count: int, report: Report) -> None:
        self._paths = paths
        self._report = report
        self._state = np.full(count, paths.entry, np.int32)
        self._common = paths.entry  # the state of all waves, or -1
        self._block: tuple[int, int, int | NDArray[np.int32]] = (0, 0, 0)
        self.doubts: dict[int, list[Doubt]] = {}
        self.pending: dict[int, Pending] = {}

    def enter(self, w: Waves, start: int, end: int) -> None:
        """The group is about to run operations `start` to `end` - 1."""
        if w.width == w.count and self._common >= 0:
            self._block = start, end, self._common
            self._common, effect = self._through(w, self._common, start, end)
            suspects = effect.suspects
            self.doubts = (
                {suspect.index: [Doubt(suspect.units, suspect.kept, suspect.partial)] for suspect in suspects}
                if suspects
                else {}
            )
            self.pending = dict(effect.pending)
            return
        if self._common >= 0:
            self._state[:] = self._common
            self._common = -1
        self.doubts = {}
        self._block = start, end, self._state[w.indexes]
        self._enter_apart(w, start, end, self._state[w.indexes])

    def enter_again(self, w: Waves) -> None:
        """More is in doubt in the block that runs than was thought: its effect is worked out afresh."""
        start, end, states = self._block
        self.doubts.clear()
        if isinstance(states, int):
            self._state[:] = states
            states = self._state[w.indexes]
            self._common = -1
        self._enter_apart(w, start, end, states)

    def by_state(self, w: Waves, waves: NDArray[np.intp]) -> list[tuple[int, NDArray[np.intp]]]:
        """Waves by the state of their path."""
        if self._common >= 0:
            return [(self._common, waves)]
        states = self._state[waves]
        return [(int(number), waves[states == number]) for number in np.unique(states)]

    def _enter_apart(self, w: Waves, start: int, end: int, states: NDArray[np.int32]) -> None:
        """Waves of the group that came along different paths."""
        pending: dict[int, Pending] = {}
        for number in np.unique(states):
            after, effect = self._through(w, int(number), start, end)
            waves = w.indexes[states == number]
            self._state[waves] = after
            for suspect in effect.suspects:
                self.doubts.setdefault(suspect.index, []).append(
                    Doubt(suspect.units, suspect.kept, suspect.partial, waves)
                )
            for index, counts in effect.pending:
                pending[index] = Pending(*map(max, pending.get(index, counts), counts))
        self.pending = pending
        if w.width == w.count and (self._state == self._state[0]).all():
            self._common = int(self._state[0])

    def _through(self, w: Waves, number: int, start: int, end: int) -> tuple[int, Effect]:
        result = self._paths.through(number, start, end)
        while isinstance(result, Finding):
            wave = (
                int(w.indexes[0])
                if self._common >= 0
                else int(w.indexes[np.argmax(self._state[w.indexes] == number)])
            )
            self._report(result.check, result.index, wave, result.message, result.notes)
            self._paths.pass_over(result)
            result = self._paths.through(number, start, end)
        return result
