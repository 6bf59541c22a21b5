"""Charges each clock of a wave to a cause: an issue, or a wait between two issues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.timing.state import CONFLICT, COUNTED, ENDED, ISSUED, Wave
from isa.timing.timeline import WaveClocks


def charge(wave: Wave, clock: int) -> None:
    """Charge the clocks between the wave's last issue and a clock at which it issues, or waits for something
    else.

    The clocks form three stretches, in this order. In the first, the last instruction keeps the wave from
    issuing. In the second, the next instruction waits for its operands or counters. In the third, the wave
    waits for a port, a queue or a pipe that it shares with other waves.
    """
    step, since, charges, bound = 3 * wave.position, wave.charged, wave.charges, wave.bound
    if wave.next > since:
        culprit, other = wave.next_culprit
        charges += (step - 1, wave.next_cause, min(clock, wave.next) - since, culprit, other)
        since = wave.next
    if bound > clock:
        bound = clock
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


def block(wave: Wave, clock: int, blocker: tuple[int, int, int]) -> None:
    """Note the cause, the instruction and the wave that block a wave after a clock. Another blocker is
    charged with the clocks before."""
    if clock > wave.bound and blocker != wave.blocked:
        charge(wave, clock)
        wave.charged = clock
    wave.blocked = blocker


def clocks_of(waves: Sequence[Wave], is_issued: NDArray[np.bool_], issue_clocks: int) -> list[WaveClocks]:
    """The records of waves that are done. `is_issued` says of each instruction whether it needs an issue,
    which takes `issue_clocks`."""
    if not waves:
        return []
    lengths = np.array([wave.length for wave in waves])
    firsts = np.cumsum(lengths) - lengths
    charged = [_charged_to_end(wave) for wave in waves]
    counts = [len(each) for each in charged]
    stalls = np.concatenate(charged).T.copy()  # a row for each number of a charge
    issued = np.flatnonzero(is_issued[np.concatenate([wave.traced.steps for wave in waves])])
    owners = np.repeat(np.arange(len(waves)), lengths)[issued]
    # a stall comes before the issue of a step, or at the end of its wave, which has a number after its steps
    before = (stalls[0] + 1) // 3 + np.repeat(firsts + np.arange(len(waves)), counts)
    before = np.bincount(before, minlength=lengths.sum() + len(waves)).cumsum()
    # both are in order, so an issue comes after the other issues and the stalls before it
    is_stall = np.ones(len(issued) + len(stalls[0]), np.bool_)
    at = np.arange(len(issued)) + before[issued + owners]
    is_stall[at] = False
    stalled = np.flatnonzero(is_stall)

    def merged(
        kind: type[np.signedinteger], of_issue: NDArray[np.int64] | int, of_stall: NDArray[np.int64]
    ) -> NDArray[Any]:
        column = np.empty(len(is_stall), kind)
        column[at], column[stalled] = of_issue, of_stall
        return column

    ends = np.cumsum(counts) + issued.searchsorted(firsts + lengths)
    step = merged(np.int32, issued - firsts[owners], np.maximum(stalls[0] // 3, 0))
    cause, clocks = merged(np.int8, ISSUED, stalls[1]), merged(np.int64, issue_clocks, stalls[2])
    culprit, other = merged(np.int32, -1, stalls[3]), merged(np.int32, -1, stalls[4])
    records: list[WaveClocks] = []
    begin = 0
    for wave, end in zip(waves, ends.tolist(), strict=True):
        own = slice(begin, end)
        records.append(
            WaveClocks(
                wave=wave.index, simd=wave.simd, start=wave.start, end=wave.end, issue=wave.journal.issued(),
                step=step[own], cause=cause[own], clocks=clocks[own], culprit=culprit[own], other=other[own],
            )
        )  # fmt: skip
        begin = end
    return records


def _charged_to_end(wave: Wave) -> NDArray[np.int64]:
    """The charges of a wave that is done, to its end."""
    if wave.end > wave.charged:
        wave.charges += (3 * wave.length - 1, ENDED, wave.end - wave.charged, -1, -1)
        wave.charged = wave.end
    return wave.journal.charged()
