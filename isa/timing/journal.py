"""The clock loop's notes of a wave: the clock at which it issued each step, and the causes of its other
clocks.

A run of steps that repeats is noted once, with the number of its repetitions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CHARGE = 5
"""Numbers of a charge: three times the step, cause, clocks, and the culprit's instruction and wave. A charge
after the step's issue has the number of the next step, minus 1."""


class Journal:
    """The notes of a wave. The loop appends to `issue` and `charges`, which are never replaced. `charges` has
    the numbers of a charge after those of another."""

    __slots__ = ("_charges", "_issue", "charges", "issue")

    def __init__(self) -> None:
        self.issue: list[int] = []
        self.charges: list[int] = []
        self._issue: list[NDArray[np.int64]] = []  # before those in the lists
        self._charges: list[NDArray[np.int64]] = []

    def repeat(self, steps: int, charges: int, count: int, clocks: int) -> None:
        """Repeat the notes of the last `steps` steps, with the charges from number `charges` on, `count`
        times. A repetition takes `clocks`."""
        if not steps:
            return
        times = np.arange(1, count + 1, dtype=np.int64)[:, None]
        issued = np.array(self.issue[len(self.issue) - steps :], np.int64)
        charged = _array(self.charges[charges:])
        self._flush()
        self._issue.append((issued + times * clocks).reshape(-1))
        repeated = np.tile(charged, (count, 1))
        repeated[:, 0] += np.repeat(times[:, 0] * (3 * steps), len(charged))
        self._charges.append(repeated)

    def issued(self) -> NDArray[np.int64]:
        """The clock of each step."""
        return np.concatenate((*self._issue, np.array(self.issue, np.int64)))

    def charged(self) -> NDArray[np.int64]:
        """The charges, shape (charges, 5)."""
        return np.concatenate((*self._charges, _array(self.charges)))

    def _flush(self) -> None:
        self._issue.append(np.array(self.issue, np.int64))
        self._charges.append(_array(self.charges))
        self.issue.clear()
        self.charges.clear()


def _array(charges: list[int]) -> NDArray[np.int64]:
    return np.array(charges, np.int64).reshape(-1, CHARGE)
