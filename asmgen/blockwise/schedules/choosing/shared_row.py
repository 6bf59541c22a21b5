"""Chooses how waves add up rows of f16 that are each multiplied by the same row, as a matrix by a token.

A wave that takes several rows loads the shared row once for them, and waits for memory once. Rows for each
wave are chosen by an estimate: the rows of the busiest unit, which take longer if waves are short.
Clocks of {1,k} by {n,k} turned, with 1, 2 and 4 rows a wave:

    n        k       gfx90a                           gfx942                    gfx950
    1,024    4,096    14,582    13,017    14,585      5,213   5,380   4,963     3,814   3,950   4,138
    6,144    4,096    78,456    66,286    62,598     22,122  23,180  25,337    17,935  16,683  16,752
    14,336   4,096   180,439   152,729   145,201     54,363  49,126  48,973    44,892  37,188  37,244
    32,768   2,048                                           56,081  55,058            45,684  42,148
"""

from __future__ import annotations

from math import gcd

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size, factor
from isa.target import Target

MOST_ROWS = 4  # of a wave
MOST_WAVES = 2  # of a row: {1,14336} by {4096,14336} on gfx90a, 142,815 clocks with two, 148,142 with four
LEAST_ACCESSES = 4  # of a row that a wave has, without which lanes of a wave have rows of their own
MOST_ACCESSES = 56  # in registers, the shared row's included
# With so many accesses of each matrix, the start and the end of a wave take little time. Otherwise a row
# takes longer by OF_SHORT, unless all waves of a unit run at once: up to 20 of gfx942 do, and 24 of gfx950
# take 1.08 times as long.
WHOLE_ACCESSES, OF_SHORT, WAVES_AT_ONCE = 16, 0.15, 21
# A row takes longer by OF_SHARED, to load the shared row again, if other rows evict it from a small cache of
# the unit.
OF_SHARED, SMALL_CACHE = 0.27, 16384


def rows_that_share(work: Work, target: Target, vector: int) -> Row | None:
    """The quickest number of rows for each wave, by estimate; None if rows share nothing, or if a wave has no
    room for an access of each. The work is a sum of pairs of f16."""
    is_sum = work.reduces_fast and len(work.reduced) == 1
    is_shared = work.along == work.streams + 1 and not work.of_pairs and bool(work.kept)
    has_room = target.has_agprs and work.room is None and not work.conditions
    if not (is_sum and is_shared and has_room) or isinstance(work.dims[-1], Size):
        return None
    most = gcd(MOST_ROWS, factor(work.dims[work.kept[-1]]))
    choices = [_of_rows(1 << bit, vector, work, target) for bit in range(most.bit_length())]
    fits = [choice for choice in choices if choice]
    return min(fits, key=lambda choice: _time(choice, work, target)) if fits else None


def _of_rows(rows: int, vector: int, work: Work, target: Target) -> Row | None:
    """The fewest waves that have so many rows and the shared row in registers."""
    waves = 1
    while waves <= MOST_WAVES:
        repeat, rest = divmod(work.planned[-1], target.wave_size * vector * waves)
        fills = rows * repeat * vector <= 2 * work.share(target)
        if rest or repeat < LEAST_ACCESSES or not fills:
            return None
        if (work.streams * rows + 1) * repeat <= MOST_ACCESSES:
            return Row(rows, target.wave_size, waves, 1, vector, repeat)
        waves *= 2
    return None


def _time(choice: Row, work: Work, target: Target) -> float:
    """The estimated time of the busiest unit, in rows."""
    from isa.timing.caches import CACHES

    rows = work.rows * work.other_rows
    waves = -(-rows // (choice.rows * target.units))
    is_whole = choice.rows * choice.repeat >= WHOLE_ACCESSES
    short = 0 if is_whole or waves <= WAVES_AT_ONCE else OF_SHORT
    is_small = CACHES[target.name].vector[0].size.value <= SMALL_CACHE
    return waves * choice.rows * (1 + short + (OF_SHARED / choice.rows if is_small else 0))
