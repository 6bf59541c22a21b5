"""The lines that a trace touches and that the caches have: all touches of a trace at once.

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
from isa.timing.caches import Level, Lru, placed, sets_of

_UNIT_BITS = 56  # of a line's number
_STEP = 750  # touches: a step back for `n` touches takes as long as `n + _STEP` times 4 ns
_FOLLOWED = 25  # to follow a touch takes as long as 50 such times; not every touch is followed


class Touches(NamedTuple):
    """Lines that accesses touch, in order.

    * `access`, `lines`: which access touches which line
    * `units`, `loads`: the compute unit of each, and whether it loads
    * `epochs`: how many waits its wave has passed. A line that another access of this epoch does not have is
      on its way.
    """

    access: NDArray[np.intp]
    lines: NDArray[np.int64]
    units: NDArray[np.int64]
    loads: NDArray[np.bool_]
    epochs: NDArray[np.int64]


class Missing(NamedTuple):
    """The accesses that miss in the levels of caches.

    * `counts`: the lines of each access that each level does not have, in its own lines; shape (accesses,
      levels)
    * `deepest`: how many levels each access waits for that do not have all its lines; it also waits for lines
      on their way
    * `fetches`: the access that fetches the line for which each access waits: itself, or an earlier access
    """

    counts: NDArray[np.int64]
    deepest: NDArray[np.int64]
    fetches: NDArray[np.intp]


def missing_lines(
    levels: Sequence[Level], units: int, touches: Touches, accesses: int, together: int = 1
) -> Missing:
    """The accesses that miss in the levels. Stores go past the first level, which is a compute unit's own;
    `units` of them share the others. So many neighbouring lines arrive `together`."""
    counts = np.zeros((accesses, len(levels)), np.int64)
    depths = np.zeros(len(touches.lines), np.int64)
    sets, ways = sets_of(levels[0], 1)
    apart = touches.units << _UNIT_BITS
    asked = ~touches.loads
    first_lines = placed(touches.lines, sets) if levels[0].spread.value else touches.lines
    asked[touches.loads] = misses(first_lines[touches.loads], sets, ways, apart[touches.loads])
    which, lines = np.flatnonzero(asked), touches.lines[asked]
    for place, level in enumerate(levels):
        if place:
            which, lines = _as_lines(which, lines, levels[place - 1], level)
            missed = misses(lines, *sets_of(level, units))
            which, lines = which[missed], lines[missed]
        counts[:, place] = np.bincount(touches.access[which], minlength=accesses)
        depths[which] = place + 1
    depths[~touches.loads] = 0
    deepest = np.zeros(accesses, np.int64)
    find = first_fetched_by if together > 1 else fetched_by
    fetches = find(touches.lines // together + apart, depths > 0, touches.epochs)
    waited = np.where(fetches >= 0, depths[fetches], 0)
    np.maximum.at(deepest, touches.access, waited)
    fetcher = np.arange(accesses)
    slowest = np.flatnonzero((waited > 0) & (waited == deepest[touches.access]))
    fetcher[touches.access[slowest]] = touches.access[fetches[slowest]]
    own = slowest[touches.access[fetches[slowest]] == touches.access[slowest]]
    fetcher[touches.access[own]] = touches.access[own]
    return Missing(counts, deepest, fetcher)


def fetched_by(
    lines: NDArray[np.int64], missed: NDArray[np.bool_], epochs: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The touch that fetches the line of each touch: the line's last miss, if that is of the same epoch. -1
    if the cache has the line."""
    order = np.argsort(lines, kind="stable")
    own, misses_, of_epoch = lines[order], missed[order], epochs[order]
    begins = np.concatenate(([True], own[1:] != own[:-1]))
    last = np.maximum.accumulate(np.where(misses_ | begins, np.arange(len(own)), 0))
    fetches = np.empty(len(own), np.intp)
    fetches[order] = np.where(misses_[last] & (of_epoch == of_epoch[last]), order[last], -1)
    return fetches


def first_fetched_by(
    lines: NDArray[np.int64], missed: NDArray[np.bool_], epochs: NDArray[np.int64]
) -> NDArray[np.intp]:
    """The touch that fetches the line of each touch: the line's first miss of the same epoch. -1 if there is
    none."""
    order = np.lexsort((epochs, lines))
    own, of_epoch = lines[order], epochs[order]
    begins = np.concatenate(([True], (own[1:] != own[:-1]) | (of_epoch[1:] != of_epoch[:-1])))
    group = np.cumsum(begins) - 1
    first = np.full(group[-1] + 1, len(lines))
    np.minimum.at(first, group[missed[order]], order[missed[order]])
    fetches = np.empty(len(lines), np.intp)
    fetches[order] = first[group]
    return np.where(fetches < len(lines), fetches, -1)


def _as_lines(
    which: NDArray[np.intp], lines: NDArray[np.int64], before: Level, level: Level
) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Lines of the size of a level's as those of the next level, and which touch each is of."""
    size, wanted = int(before.line.value), int(level.line.value)
    if size <= wanted:
        return which, lines * size // wanted
    parts = size // wanted
    return np.repeat(which, parts), (lines[:, None] * parts + np.arange(parts)).reshape(-1)


def misses(
    lines: NDArray[np.int64], sets: int, ways: int, apart: NDArray[np.int64] | int = 0
) -> NDArray[np.bool_]:
    """Whether each touch of a line misses in a cache that is empty at first. Lines that differ in `apart`
    are in caches of their own."""
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
    since some place, those with a previous touch before it are of different lines. To look far back may take
    longer than to follow the sets."""
    for window in (2 * ways, 8 * ways):
        if not len(unsure) or window * (len(unsure) + _STEP) > _FOLLOWED * len(previous):
            break
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
        hits[first:end] = Lru(1, 1, ways).touch_all(lines[first:end].tolist())
