"""Charges each clock of a wave to a cause: an issue, or a wait between two issues."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.timing.state import CONFLICT, COUNTED, ENDED, ISSUED, Wave
from isa.timing.timeline import WaveClocks


def charge(wave: Wave, clock: int) -> None:
    """Charge the clocks between the wave's last issue and its next, which is at `clock`.

    The clocks form three stretches, in this order. In the first, the last instruction keeps the wave from
    issuing. In the second, the next instruction waits for its operands or counters. In the third, the wave
    waits for a port, a queue or a pipe that it shares with other waves.
    """
    step, since, charges = 3 * wave.position, wave.slot_end, wave.charges
    if wave.next > since:
        culprit, other = wave.next_culprit
        charges += (step - 1, wave.next_cause, min(clock, wave.next) - since, culprit, other)
        since = wave.next
    bound = min(clock, wave.bound)
    if bound > since:
        conflict = min(bound - since, wave.conflicts.get(wave.culprit, 0)) if wave.cause == COUNTED else 0
        if bound - since > conflict:
            charges += (step, wave.cause, bound - since - conflict, wave.culprit, -1)
        if conflict:
            charges += (step, CONFLICT, conflict, wave.culprit, -1)
        since = bound
    if clock > since:
        cause, culprit, other = wave.blocked
        charges += (step, cause, clock - since, culprit, other)


def clocks_of(wave: Wave, is_issued: NDArray[np.bool_], issue_clocks: int) -> WaveClocks:
    """The record of a wave that is done. `is_issued` says of each instruction whether it needs an issue,
    which takes `issue_clocks`."""
    steps, stalls = wave.traced.steps, wave.journal.charged()
    issued = np.flatnonzero(is_issued[steps])
    charges = np.full((len(issued), 5), -1, np.int64)
    charges[:, 0], charges[:, 1], charges[:, 2] = 3 * issued + 1, ISSUED, issue_clocks
    if wave.end > wave.slot_end:
        last = np.array([[3 * len(steps) - 1, ENDED, wave.end - wave.slot_end, -1, -1]])
        stalls = np.concatenate((stalls, last))
    charges = np.concatenate((stalls, charges))
    charges = charges[np.argsort(charges[:, 0], kind="stable")]
    return WaveClocks(
        wave=wave.index,
        simd=wave.simd,
        start=wave.start,
        end=wave.end,
        issue=wave.journal.issued(),
        step=np.maximum(charges[:, 0] // 3, 0).astype(np.int32),
        cause=charges[:, 1].astype(np.int8),
        clocks=charges[:, 2],
        culprit=charges[:, 3].astype(np.int32),
        other=charges[:, 4].astype(np.int32),
    )
