"""Live intervals with holes: for every unit, the ranges of positions in which it is live.

`regalloc.slots` defines positions. A range is half open, `(start, end)`. A value read last in slot `s` ends
at `2 * s + 1`, the start of a result of that slot, so the two may share a register. An early result begins at
`2 * s`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Set

from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VIRTUAL
from regalloc.constraints import Constraints
from regalloc.dataflow import elements
from regalloc.liveness import Liveness
from regalloc.slots import BlockSlots

Segments = list[tuple[int, int]]


class Intervals(NamedTuple):
    """`segments` are the ranges of every unit that is ever live, ascending. `deaths` lists the virtual units
    that slot `s` reads last, `unused` the virtual units without a reader. `born` is the early position at
    which an early unit begins."""

    segments: dict[int, Segments]
    deaths: list[list[int]]
    unused: set[int]
    born: dict[int, int]


def build_intervals(liveness: Liveness, constraints: Constraints) -> Intervals:
    """Build the intervals by walking each block backward."""
    slots, universe = liveness.slots, liveness.universe
    physical = bisect_left(universe, FIRST_VIRTUAL)
    virtual = (1 << len(universe)) - (1 << physical)
    intervals = Intervals({}, [[] for _ in range(sum(len(block.uses) for block in slots))], set(), {})
    passed = 0  # the units that are live through the last blocks, as bits
    since: dict[int, int] = {}  # the position from which on each of them is
    for number, block_slots in enumerate(slots):
        through = liveness.entering_bits(number) & liveness.leaving_bits(number) & virtual
        _end_stretches(intervals, universe, passed & ~through, since, 2 * block_slots.first)
        since.update((universe[place], 2 * block_slots.first) for place in elements(through & ~passed))
        passed = through
        ending = [universe[place] for place in elements(liveness.leaving_bits(number) & ~through)]
        _walk_block(intervals, block_slots, ending, since.keys(), constraints)
    _end_stretches(intervals, universe, passed, since, 2 * len(intervals.deaths))
    for unit, stretches in intervals.segments.items():
        if len(stretches) > 1:
            intervals.segments[unit] = _joined(stretches)
    return intervals


def _end_stretches(
    intervals: Intervals, universe: list[int], ended: int, since: dict[int, int], end: int
) -> None:
    """Note the ranges of units that are live through some blocks, but not through the next."""
    for place in elements(ended):
        unit = universe[place]
        intervals.segments.setdefault(unit, []).append((since.pop(unit), end))


def _joined(stretches: Segments) -> Segments:
    """Ranges in order; adjacent ranges are merged."""
    stretches.sort()
    joined = stretches[:1]
    for start, end in stretches[1:]:
        if start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _walk_block(
    intervals: Intervals, block: BlockSlots, leaving: list[int], through: Set[int], constraints: Constraints
) -> None:
    """Note the ranges in a block of all units but those that are live all `through` it, which it only reads.
    `leaving` are the other units that are live at its end."""
    segments, deaths = intervals.segments, intervals.deaths
    begin = 2 * block.first
    end_of = dict.fromkeys(leaving, begin + 2 * len(block.uses))
    early, early_physical = constraints.early, constraints.early_physical
    for index in range(len(block.uses) - 1, -1, -1):
        slot = block.first + index
        written = 2 * slot + 1
        for unit in block.defines[index]:
            start = written
            if unit in early or (slot, unit) in early_physical:
                start = intervals.born[unit] = written - 1
            end = end_of.pop(unit, 0)
            if not end:
                end = written + 1
                intervals.unused.add(unit)
            if unit in segments:
                segments[unit].append((start, end))
            else:
                segments[unit] = [(start, end)]
        for unit in block.uses[index]:
            if unit not in end_of and unit not in through:
                end_of[unit] = written
                if unit >= FIRST_VIRTUAL:
                    deaths[slot].append(unit)
    for unit in block.parameters:
        if unit not in end_of:
            end_of[unit] = begin + 1
            intervals.unused.add(unit)
    for unit, end in end_of.items():
        segments.setdefault(unit, []).append((begin, end))


def overlap(first: Segments, second: Segments) -> bool:
    """Whether two lists of stretches meet."""
    i = max(bisect_right(first, (second[0][0],)) - 1, 0) if second else 0
    j = max(bisect_right(second, (first[0][0],)) - 1, 0) if first else 0
    while i < len(first) and j < len(second):
        start, end = first[i]
        other_start, other_end = second[j]
        if end <= other_start:
            i += 1
        elif other_end <= start:
            j += 1
        else:
            return True
    return False


def from_results(intervals: Intervals, unit: int) -> Segments:
    """The ranges of an early unit as if it began with the results of its instruction."""
    born = intervals.born.get(unit)
    return [(begin + 1, end) if begin == born else (begin, end) for begin, end in intervals.segments[unit]]
