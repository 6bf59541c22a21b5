"""The result of the clock model: when each wave issued each instruction, and to which cause each clock of a
wave belongs.

The sum of a wave's clocks by cause is its residence, from its start to its end, exactly.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.trace import Trace


class Cause(Enum):
    """Why a wave spent a clock."""

    ISSUED = "issued"  # the wave issued an instruction
    DEPENDENCY = "dependency"  # a register is not ready; the culprit writes it
    COUNTER = "counter"  # a wait for memory; the culprit is the access that completes last
    PORT = "port"  # the port or the pipe is busy with the culprit, of this wave or another
    QUEUE = "queue"  # the queue of a unit is full; the culprit is its oldest entry
    LDS_CONFLICT = "LDS conflict"  # LDS serves the culprit again for lanes that share a bank
    BARRIER = "barrier"  # waves of the workgroup have not arrived; the culprit is the last to arrive
    FETCH = "fetch"  # the instruction is not in the instruction buffer
    BRANCH = "branch"  # the wave's next instruction is known late
    SLEEP = "sleep"  # s_sleep, s_nop and the like
    END = "end"  # after the last instruction, until the wave's registers are free


CAUSES = tuple(Cause)


class WaveClocks(NamedTuple):
    """The clocks of a wave.

    * `wave`: index in `Trace.waves`
    * `simd`: the SIMD that it ran on
    * `start`, `end`: from the start of the timeline
    * `issue`: the clock at which each step was issued, shape (steps,)
    * the charges, in the order of time, five arrays of equal length: `step` waited (or was issued) for
      `clocks` because of `cause` (an index of `CAUSES`); the culprit is instruction `culprit` (an index of
      `Trace.instructions`, -1 if there is none) of wave `other` (an index of `Trace.waves`, -1 if there is
      none)
    """

    wave: int
    simd: int
    start: int
    end: int
    issue: NDArray[np.int64]
    step: NDArray[np.int32]
    cause: NDArray[np.int8]
    clocks: NDArray[np.int64]
    culprit: NDArray[np.int32]
    other: NDArray[np.int32]


class Timeline(NamedTuple):
    """The waves of a trace on a compute unit (on RDNA a workgroup processor), and the clock at which the last
    of them ended."""

    trace: Trace
    waves: tuple[WaveClocks, ...]
    clocks: int

    def by_cause(self) -> dict[Cause, int]:
        """The clocks of all waves by cause; their sum is the sum of the residences."""
        sums = np.zeros(len(CAUSES), np.int64)
        for wave in self.waves:
            np.add.at(sums, wave.cause, wave.clocks)
        return {cause: int(total) for cause, total in zip(CAUSES, sums, strict=True) if total}
