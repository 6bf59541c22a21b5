"""Chooses `Row` for few reduced elements: each lane has all elements of its results, which are next to each
other, so that nothing passes between lanes.

    {262144,8} f32 over 1               row[rows=1, lanes=1, waves=1, teams=4, vector=8, repeat=1]
    2x2 pooling, NHWC f16               row[rows=8, lanes=1, waves=1, teams=4, vector=4, repeat=1]
    3x3 pooling, NCHW f32               row[rows=1, lanes=1, waves=1, teams=4, vector=1, repeat=9]

A lane has as many results as make accesses of 16 bytes, but fewer if

- a lane would then read more than an access of adjacent elements: each access of a wave touches the lines of
  all of them, which leave the first cache before the next access. On RDNA a lane reads two accesses if SIMDs
  then have eight waves (`FULL`);
- the elements would not fit in registers, and outputs need them again;
- fewer than an eighth of the target's SIMDs would have a wave;
- so many results would not be next to each other.
"""

from __future__ import annotations

from math import gcd

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    MOST_MASKS,
    STREAMED,
    UNROLLED,
    ceil_power,
    fitting,
    floor_power,
    held_room,
    pieces_of_trip,
    under_way,
)
from asmgen.blockwise.schedules.choosing.row import spread
from asmgen.blockwise.schedules.elements.joined_dims import OF_LANE
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size, most
from isa.target import WIDEST_ACCESS, Target

LONGEST_RUN = 2 * WIDEST_ACCESS  # of adjacent reduced elements of a lane
MOST_OF_LANE = 96  # elements that a lane keeps for outputs: four waves of a SIMD have room for so many
MOST_ADJACENT = 16  # elements of a result in registers that are dealt by bits
SHARE = 8  # times as many elements as a lane has if every SIMD has a wave
# How many times as many elements as lanes of two accesses have if every SIMD of RDNA has four waves. Of 99
# poolings (2x2, 1x2, 3x2, 4x4, 2x4; f32, f16, bf16, i8) of so many elements and more on gfx1100 and gfx1201,
# 95 take 0.92 to 1.00 of the clocks, and four 1.02 to 1.08; with fewer elements up to 1.42. 186 sums, maxima
# and softmax of rows of 2 to 8 elements take 0.95 in the geometric mean, 1.09 at worst.
FULL = 2
SPARE = 8  # an eighth more results are computed at most, so that lanes have adjacent results


def choose_lane(work: Work, target: Target) -> Row | None:
    """The choice, or None if several lanes should share the reduced elements."""
    count = work.dims[work.reduced[-1]]
    if isinstance(count, Size) or count > OF_LANE or (len(work.reduced), len(work.kept)) != (1, 1):
        return None
    if work.run * work.element > LONGEST_RUN or count > SHARE * work.share(target):
        return None
    if not work.is_sum and count > _most_held(work):
        return None
    rows = _rows(work, count, target)
    most_adjacent = MOST_ADJACENT if work.run or not work.is_sum else under_way(work, rows, STREAMED)
    vector = min(count & -count, most_adjacent)
    repeat = _at_once(work, rows * vector, count // vector)
    lanes = -(-work.rows // rows)
    teams = min(GROUP_LANES // target.wave_size, ceil_power(-(-lanes // target.wave_size)))
    pieces = pieces_of_trip(work, rows * vector, repeat, UNROLLED)
    return spread(Row(rows, 1, 1, teams, vector, repeat, pieces), work, target)


def _rows(work: Work, count: int, target: Target) -> int:
    """The results of a lane."""
    of_access = max(1, WIDEST_ACCESS // work.element)
    rows = of_access // gcd(of_access, count) if work.reduces_fast and work.whole else of_access
    most_elements = SHARE * work.share(target)
    if not work.is_sum:
        most_elements = min(most_elements, _most_held(work))
    most_rows = min(rows, most(work.stretch), most_elements // count, MOST_MASKS // max(1, work.conditions))
    if work.run:
        most_rows = min(most_rows, _rows_of_run(work, count, target))
    rows = fitting(work, floor_power(max(1, most_rows)))
    while rows > 1 and not _is_filled(work, rows):
        rows //= 2
    return rows


def _rows_of_run(work: Work, count: int, target: Target) -> int:
    """The results of a lane that reads an access of adjacent elements, or two."""
    rows = WIDEST_ACCESS // (work.run * work.element)
    has_few = 2 * rows * count * FULL > work.share(target)
    return rows if target.has_agprs or has_few else 2 * rows


def _most_held(work: Work) -> int:
    """The most elements of each buffer that a lane keeps for an output."""
    held = held_room(work, MOST_OF_LANE) // work.streams
    return min(held, max(1, MOST_MASKS // work.conditions)) if work.conditions else held


def _is_filled(work: Work, rows: int) -> bool:
    """Whether lanes have few results twice, because the results next to each other are no multiple."""
    if isinstance(work.stretch, Size) or work.stretch == work.dims[work.kept[-1]]:
        return True
    return -work.stretch % rows * SPARE <= work.stretch


def _at_once(work: Work, elements: int, accesses: int) -> int:
    """How many accesses of `elements` a lane has at a time: all of them if an output needs the elements."""
    if not work.is_sum:
        return accesses
    bytes_ = elements * work.element * work.streams
    fit = max(1, UNROLLED // bytes_ if work.run else STREAMED * WIDEST_ACCESS // bytes_)
    fit = under_way(work, elements, fit)
    return next(few for few in range(min(fit, accesses), 0, -1) if accesses % few == 0)
