"""The clocks of a timeline by line, cause and culprit."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

import numpy as np

from asmgen.profile.model import Line, Stall
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.text.printing import format_instr
from isa.timing.busy import executions
from isa.timing.timeline import CAUSES, Cause, Timeline
from isa.timing.trace import Trace

_ISSUED = CAUSES.index(Cause.ISSUED)
_CLOCKS = attrgetter("clocks")


class Charge(NamedTuple):
    """Clocks of all waves at a line. The culprit is a line, -1 if there is none, of the wave itself or of
    another."""

    line: int
    cause: Cause
    clocks: int
    culprit: int
    other: bool


def charges_of(timeline: Timeline) -> tuple[Charge, ...]:
    """The charges of a timeline, summed over its waves, in the order of lines."""
    trace, waves = timeline.trace, timeline.waves
    if not waves:
        return ()
    lines = np.concatenate([trace.waves[wave.wave].steps[wave.step] for wave in waves])
    causes = np.concatenate([wave.cause for wave in waves])
    clocks = np.concatenate([wave.clocks for wave in waves])
    count = len(trace.instructions) + 1
    # most charges are issues, which have no culprit: their sums by line take no sort
    stalls = np.flatnonzero(causes != _ISSUED)
    line, clocks_of_stalls = lines[stalls].astype(np.int64), clocks[stalls]
    all_, of_stalls = np.bincount(lines, clocks, count), np.bincount(line, clocks_of_stalls, count)
    issues = (all_ - of_stalls).astype(np.int64)
    issued = np.flatnonzero(issues)
    culprits = np.concatenate([wave.culprit for wave in waves])[stalls].astype(np.int64) + 1
    others = np.concatenate([(wave.other >= 0) & (wave.other != wave.wave) for wave in waves])[stalls]
    packed = ((line * len(CAUSES) + causes[stalls]) * count + culprits) * 2 + others
    stalled, which = np.unique(packed, return_inverse=True)
    sums_of_stalls = np.bincount(which, clocks_of_stalls, len(stalled)).astype(np.int64)
    keys = np.concatenate(((issued * len(CAUSES) + _ISSUED) * count * 2, stalled))
    sums = np.concatenate((issues[issued], sums_of_stalls))
    order = np.argsort(keys)
    made: list[Charge] = []
    for key, total in zip(keys[order].tolist(), sums[order].tolist(), strict=True):
        rest, other = divmod(key, 2)
        rest, culprit = divmod(rest, count)
        line, cause = divmod(rest, len(CAUSES))
        made.append(Charge(line, CAUSES[cause], total, culprit - 1, bool(other)))
    return tuple(made)


def lines_of(trace: Trace, charges: Sequence[Charge]) -> tuple[Line, ...]:
    """The executed lines, in order."""
    by_line: dict[int, list[Charge]] = {}
    for charge in charges:
        by_line.setdefault(charge.line, []).append(charge)
    counts = executions(trace)
    return tuple([_line(trace, line, own, int(counts[line])) for line, own in by_line.items()])


def _line(trace: Trace, line: int, charges: Sequence[Charge], count: int) -> Line:
    instr = trace.instructions[line]
    stalls = [
        Stall(cause.value, clocks, culprit, other)
        for _, cause, clocks, culprit, other in charges
        if cause is not Cause.ISSUED
    ]
    stalls.sort(key=_CLOCKS, reverse=True)
    op, place = source_of(instr)
    total = sum([charge.clocks for charge in charges])
    return Line(line, format_instr(instr), op, place, count, total, tuple(stalls))


def source_of(instr: Instr) -> tuple[str, str]:
    """The source op of an instruction and its place; empty if they are not known."""
    origin = instr.origin
    if origin is None:
        return "", ""
    return origin.op, "" if origin.place is None else str(origin.place)
