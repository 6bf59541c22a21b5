"""Which of the lines that a trace touches the caches have: all touches of a trace at once.

The result is that of `isa.timing.caches.Hierarchy`, which takes an access after the other. A cache has a line
if fewer other lines of its set were touched since than the set has ways. Most touches show that without a
look at the order of the others: no more touches than ways came between, or as many lines came for the first
time. Only the sets of the others are followed touch by touch.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.caches import Level, Lru, sets_of

_UNIT_BITS = 56  # of a line's number
_FAR_BACK = 64  # touches: further back it is faster to follow the set


class Touches(NamedTuple):
    """Lines that accesses touch, in order: which access touches the line, the compute unit, and whether it
    loads."""

    access: NDArray[np.intp]
    lines: NDArray[np.int64]
    units: NDArray[np.int64]
    loads: NDArray[np.bool_]


def missing_lines(levels: Sequence[Level], units: int, touches: Touches, accesses: int) -> NDArray[np.int64]:
    """How many lines of each access each level does not have, in its own lines; shape (accesses, levels).
    Stores go past the first level. The first is a compute unit's own; `units` of them share the others."""
    counts = np.zeros((accesses, len(levels)), np.int64)
    sets, ways = sets_of(levels[0], 1)
    asked = ~touches.loads
    asked[touches.loads] = misses(
        touches.lines[touches.loads], sets, ways, touches.units[touches.loads] << _UNIT_BITS
    )
    access, lines = touches.access[asked], touches.lines[asked]
    counts[:, 0] = np.bincount(access, minlength=accesses)
    for place, level in enumerate(levels[1:], 1):
        access, lines = _as_lines(access, lines, levels[place - 1], level)
        missed = misses(lines, *sets_of(level, units))
        access, lines = access[missed], lines[missed]
        counts[:, place] = np.bincount(access, minlength=accesses)
    return counts


def _as_lines(
    access: NDArray[np.intp], lines: NDArray[np.int64], before: Level, level: Level
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Lines of the size of a level's as those of the next level."""
    size, wanted = int(before.line.value), int(level.line.value)
    if size <= wanted:
        return access, lines * size // wanted
    parts = size // wanted
    return np.repeat(access, parts), (lines[:, None] * parts + np.arange(parts)).reshape(-1)


def misses(
    lines: NDArray[np.int64], sets: int, ways: int, apart: NDArray[np.int64] | int = 0
) -> NDArray[np.bool_]:
    """Which touches of lines miss in a cache that is empty at first. Lines that differ in `apart` are in
    caches of their own."""
    by_set = np.argsort(lines % sets + apart, kind="stable")
    own = (lines + apart)[by_set]
    previous = _previous(own)
    at = np.arange(len(lines))
    again = previous >= 0
    hits = again & (at - previous <= ways)
    firsts = np.concatenate(([0], np.cumsum(~again)))
    unsure = at[again & ~hits & (firsts[at] - firsts[previous + 1] < ways)]
    unsure = _look_back(previous, unsure, ways, hits)
    if len(unsure):
        _follow(own, (lines % sets + apart)[by_set], unsure, ways, hits)
    result = np.empty(len(lines), np.bool_)
    result[by_set] = ~hits
    return result


def _previous(lines: NDArray[np.int64]) -> NDArray[np.intp]:
    """The place of each line's previous touch, or -1."""
    order = np.argsort(lines, kind="stable")
    same = lines[order][1:] == lines[order][:-1]
    previous = np.full(len(lines), -1, np.intp)
    previous[order[1:][same]] = order[:-1][same]
    return previous


def _look_back(
    previous: NDArray[np.intp], unsure: NDArray[np.intp], ways: int, hits: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Find the hits among touches by looking at those before them; the rest is still unsure. Of the touches
    since some place, those whose previous touch is before it are of different lines."""
    for window in [window for window in (2 * ways, 8 * ways) if window <= _FAR_BACK]:
        since = np.maximum(previous[unsure], unsure - window - 1)
        different = np.zeros(len(unsure), np.intp)
        for step in range(1, window + 1):
            different += (unsure - step > since) & (previous[unsure - step] <= since)
        known = since == previous[unsure]
        hits[unsure[known & (different < ways)]] = True
        unsure = unsure[~known & (different < ways)]
    return unsure


def _follow(
    lines: NDArray[np.int64], sets: NDArray[np.int64], unsure: NDArray[np.intp], ways: int,
    hits: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Find the hits of the sets with unsure touches; touches of a set are next to each other."""
    for which in np.unique(sets[unsure]).tolist():
        first, end = np.searchsorted(sets, (which, which + 1))
        cache = Lru(1, 1, ways)
        hits[first:end] = [cache.touch(line) for line in lines[first:end].tolist()]
