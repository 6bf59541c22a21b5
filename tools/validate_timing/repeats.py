"""How well the measurements of a trace predict each other: a bound for models that know the code only.

The gap between two instructions is predicted by the median of the other gaps of this pair in the same trace,
and a wave's time by the median of the other waves. A model can be better only if it knows why the gaps of a
pair differ: what other waves do at that time, and what memory does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from isa.named_tuple import NamedTuple
from tools.validate_timing.gaps import Agreement, Gap, Warmth, agreement, spread, warm_parts


class Repeats(NamedTuple):
    """The gaps of a trace that the wave has met before, each with its prediction as the modelled clocks, and
    the measured and the predicted clocks of each wave. A pair that is there once is predicted by itself."""

    gaps: tuple[Gap, ...]
    waves: tuple[tuple[float, float], ...]


def repeats_of(gaps: Iterable[Gap]) -> Repeats:
    """The predictions of a trace's gaps by each other."""
    of_pairs: defaultdict[tuple[int, int], list[Gap]] = defaultdict(list)
    of_waves: defaultdict[int, list[Gap]] = defaultdict(list)
    for gap in gaps:
        of_waves[gap.wave].append(gap)
        if gap.warmth is Warmth.WARM:
            of_pairs[gap.before, gap.after].append(gap)
    found = [
        gap._replace(modelled=round(predicted))
        for pair in of_pairs.values()
        for gap, predicted in zip(pair, _by_others([gap.measured for gap in pair]), strict=True)
    ]
    spent = [clocks for clocks, _ in map(warm_parts, of_waves.values()) if clocks]
    return Repeats(tuple(found), tuple(zip(spent, _by_others(spent), strict=True)))


def figures_of(some: Sequence[Repeats]) -> tuple[Agreement, float]:
    """The figures of gaps, and the median error of waves."""
    return (
        agreement(gap for each in some for gap in each.gaps),
        spread(pair for each in some for pair in each.waves),
    )


def _by_others(values: Sequence[int]) -> list[float]:
    """For each value the median of the others; a value alone has itself."""
    order = sorted(values)
    if len(order) < 2:
        return [float(value) for value in order]
    found: list[float] = []
    for value in values:
        place = bisect_left(order, value)
        found.append(median(order[:place] + order[place + 1 :]))
    return found
