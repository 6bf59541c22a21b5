"""How well the model's clocks agree with those of a thread trace: gaps between the events of a wave, and
whole waves.

Most gaps are an issue slot, so a model that says "an instruction a slot" is right about most. The figures are
of *stalls*, the gaps that are longer than a slot in the trace or in the model: the median of the relative
error, and the sum of errors in the sum of the measured gaps (time-weighted).

* warm: an instruction that the wave has executed before, so that the pipeline alone decides when it issues
* wait: a wait or a barrier, which memory and other waves decide
* first: a first execution, which the instruction cache decides
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from math import log2
from statistics import median

from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.timing.timeline import Timeline
from tools.validate_timing.thread_traces import ThreadTrace

_STRAIGHT = "discover_ops"  # the kernel that executes each instruction once
_FETCHED_AT_ONCE = 60  # a gap in it that no instruction fetch explains, in clocks
_WAITING = frozenset({Trait.WAIT, Trait.BARRIER, Trait.SIGNAL})


class Warmth(Enum):
    WARM = "warm"
    WAIT = "wait"
    FIRST = "first"


class Gap(NamedTuple):
    """A gap before an event of a wave: before instruction `after` of the listing, which follows `before`."""

    wave: int
    warmth: Warmth
    before: int
    after: int
    measured: int
    modelled: int
    grain: int

    @property
    def error(self) -> float:
        """The relative error."""
        return abs(self.modelled - self.measured) / max(self.measured, self.grain)

    @property
    def is_stall(self) -> bool:
        return self.measured > self.grain or self.modelled > self.grain


class Agreement(NamedTuple):
    """The figures of some gaps."""

    gaps: int
    stalls: int
    median: float
    time_weighted: float


def gaps_of(thread: ThreadTrace, timeline: Timeline) -> Iterator[Gap]:
    """The gaps of the waves of a trace."""
    trace = thread.trace
    for wave, events, measured in zip(thread.traced, thread.events, thread.measured, strict=True):
        steps: list[int] = trace.waves[wave].steps[events].tolist()
        modelled = timeline.waves[wave].issue[events].tolist()
        clocks = measured.tolist()
        seen: set[int] = set()
        for i in range(1, len(steps)):
            length = clocks[i] - clocks[i - 1]
            fetched = steps[i] in seen or (thread.kernel == _STRAIGHT and length < _FETCHED_AT_ONCE)
            warmth = _warmth(trace.instructions[steps[i]], fetched)
            later = modelled[i] - modelled[i - 1]
            yield Gap(wave, warmth, steps[i - 1], steps[i], length, later, thread.grain)
            seen.add(steps[i])


def _warmth(instr: Instr, fetched: bool) -> Warmth:
    if not instr.row.traits.isdisjoint(_WAITING):
        return Warmth.WAIT
    return Warmth.WARM if fetched else Warmth.FIRST


def agreement(gaps: Iterable[Gap]) -> Agreement:
    """The figures of some gaps."""
    some = list(gaps)
    stalls = [gap.error for gap in some if gap.is_stall]
    missed = sum(abs(gap.modelled - gap.measured) for gap in some)
    spent = sum(gap.measured for gap in some)
    return Agreement(
        len(some), len(stalls), median(stalls) if stalls else 0.0, missed / spent if spent else 0.0
    )


def residences(thread: ThreadTrace, timeline: Timeline) -> Iterator[tuple[int, int]]:
    """The measured and the modelled clocks from the first to the last event of each wave."""
    for wave, events, measured in zip(thread.traced, thread.events, thread.measured, strict=True):
        if len(events) > 2:
            issue = timeline.waves[wave].issue[events]
            yield int(measured[-1] - measured[0]), int(issue[-1] - issue[0])


def warm_parts(gaps: Iterable[Gap]) -> tuple[int, int]:
    """The measured and the modelled clocks of a wave without waits and first executions."""
    warm = [gap for gap in gaps if gap.warmth is Warmth.WARM]
    return sum(gap.measured for gap in warm), sum(gap.modelled for gap in warm)


def spread(pairs: Iterable[tuple[float, float]]) -> float:
    """The median of |log2(modelled / measured)| as a relative error."""
    logs = [abs(log2(modelled / measured)) for measured, modelled in pairs if measured > 0 and modelled > 0]
    return 2 ** median(logs) - 1 if logs else 0.0


def rank_correlation(pairs: Iterable[tuple[float, float]]) -> float:
    """Spearman's rank correlation of measured and modelled figures."""
    some = list(pairs)
    first, second = (_ranks([pair[side] for pair in some]) for side in (0, 1))
    middle = (len(some) - 1) / 2
    across = sum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    squares = [sum((rank - middle) ** 2 for rank in ranks) for ranks in (first, second)]
    return across / (squares[0] * squares[1]) ** 0.5 if squares[0] and squares[1] else 1.0


def _ranks(values: list[float]) -> list[float]:
    """The rank of each value; equal values share the mean of theirs."""
    order = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(order)))}
    return [first[value] + (order.count(value) - 1) / 2 for value in values]
