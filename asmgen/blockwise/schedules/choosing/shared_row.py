"""Chooses how waves add up rows of f16 or of bytes that are each multiplied by the same row, as a matrix by a
token.

A wave that takes several rows loads the shared row once for them, and waits for memory once. Rows for each
wave are chosen by an estimate: the rows of the busiest unit, which take longer if waves are short.
Clocks of {1,k} by {n,k} turned, with 1, 2 and 4 rows a wave:

    n        k       gfx90a                           gfx942                    gfx950
    1,024    4,096    14,582    13,017    14,585      5,213   5,380   4,963     3,814   3,950   4,138
    6,144    4,096    78,456    66,286    62,598     22,122  23,180  25,337    17,935  16,683  16,752
    14,336   4,096   180,439   152,729   145,201     54,363  49,126  48,973    44,892  37,188  37,244
    32,768   2,048                                           56,081  55,058            45,684  42,148

Several waves of a workgroup have rows of their own if each workgroup then has a unit alone. So units have as
many rows each, and those without a workgroup leave their part of the bandwidth to others. Of gfx942:

    {1,4096} by {1024,4096}    1,024 workgroups of a row, four for the busiest of 304 units    5,213 clocks
                                256 workgroups of four rows                                    4,622

Rows of bytes, such as weights of fp8 with a scale of each row, are half as long in memory, so that a wave
with a single row ends sooner, and loads as much of the shared row of f16. Clocks of {1,4096} by {n,4096}
turned, with a row a wave, and with four rows for two waves, or two rows if units then have more even work:

    n                          gfx90a              gfx942              gfx950
    4,096 of fp8               43,193    41,006     9,181     8,724     8,027     7,028
    14,336 of i8              105,054    71,968    33,575    25,807    30,352    20,913
"""

from __future__ import annotations

from math import gcd

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.room import LARGEST_GROUP, row_groups
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size, factor
from isa.registers import DWORD
from isa.target import WIDEST_ACCESS, Target

MOST_ROWS = 4  # of a wave
# Of bytes: waves of a row, accesses of a row for each wave, if there are enough waves, and rows of a unit,
# with fewer of which a wave has a single row
WAVES_OF_BYTES, ACCESSES_OF_BYTES, LEAST_OF_UNIT = 4, 4, 8
UNEVEN = 1.1  # times the rows of the busiest unit, from which on waves take half as many rows
MOST_WAVES = 2  # of a row: {1,14336} by {4096,14336} on gfx90a, 142,815 clocks with two, 148,142 with four
LEAST_ACCESSES = 4  # of a row that a wave has, without which lanes of a wave have rows of their own
MOST_ACCESSES = 56  # in registers, the shared row's included
SPARE_REGISTERS = 24  # of a lane, besides those of the accesses
# With so many accesses of each matrix, the start and the end of a wave take little time. Otherwise a row
# takes longer by OF_SHORT, unless all waves of a unit run at once: up to 20 of gfx942 do, and 24 of gfx950
# take 1.08 times as long.
WHOLE_ACCESSES, OF_SHORT, WAVES_AT_ONCE = 16, 0.15, 21
# The part of a unit's own cache in which loads under way have places: {1,2560} by {2560,2560} on gfx942 takes
# 6,943 clocks if 160 units load the shared row once for each row, 6,761 if once for two. Rows take EVEN times
# as long if all waves of a unit begin and end together: {1,5120} by {5120,5120} takes 22,626 clocks by 32
# rows of each of 160 units, 22,382 by up to 17.
UNDER_WAY, EVEN = 0.65, 1.02
# A row takes longer by OF_SHARED, to load the shared row again, if other rows evict it from a small cache of
# the unit.
OF_SHARED, SMALL_CACHE = 0.27, 16384


def rows_that_share(work: Work, target: Target, vector: int) -> Row | None:
    """The quickest number of rows for each wave, by estimate; None if rows share nothing, or if a wave has no
    room for an access of each. The work is a sum of pairs of f16, or of rows of bytes."""
    is_sum = work.reduces_fast and len(work.reduced) == 1
    is_shared = work.along == work.streams + 1 and not work.of_pairs and bool(work.kept)
    has_room = target.has_agprs and work.room is None and not work.conditions
    if not (is_sum and is_shared and has_room) or isinstance(work.dims[-1], Size):
        return None
    most = gcd(MOST_ROWS, factor(work.dims[work.kept[-1]]))
    if not work.has_pairs:
        return _of_bytes(most, vector, work, target)
    choices = [_of_rows(1 << bit, vector, work, target) for bit in range(most.bit_length())]
    fits = [each for choice in choices if choice for each in (choice, *_of_units(choice, work, target))]

    def order(choice: Row) -> tuple[float, int]:
        return _time(choice, work, target), choice.rows

    return min(fits, key=order) if fits else None


def _of_bytes(rows: int, vector: int, work: Work, target: Target) -> Row | None:
    """So many rows of bytes for the fewest waves that have a few accesses of each, or for the most waves."""
    if work.rows * work.other_rows < LEAST_OF_UNIT * target.units:
        return None
    if rows > 1 and _busiest(rows, work, target) > UNEVEN * _busiest(rows // 2, work, target):
        rows //= 2
    for waves in (1, 2, WAVES_OF_BYTES):
        repeat, rest = divmod(work.planned[-1], target.wave_size * vector * waves)
        most = ACCESSES_OF_BYTES if waves < WAVES_OF_BYTES else 2 * ACCESSES_OF_BYTES
        if repeat and not rest and repeat <= most:
            return Row(rows, target.wave_size, waves, 1, vector, repeat)
    return None


def _busiest(rows: int, work: Work, target: Target) -> int:
    """The rows of the busiest unit if each wave has so many."""
    return -(-work.rows * work.other_rows // (rows * target.units)) * rows


def _of_units(choice: Row, work: Work, target: Target) -> list[Row]:
    """The choice with so many rows in a workgroup that each workgroup has a unit alone."""
    most = LARGEST_GROUP // (choice.waves * target.wave_size)
    several = [replace(choice, teams=1 << bit) for bit in range(1, most.bit_length())]
    return [each for each in several if _is_alone(each, work, target)]


def _is_alone(choice: Row, work: Work, target: Target) -> bool:
    """Whether each workgroup has a unit alone that reads as fast as memory gives: with registers for all of
    its waves, and with places in its cache for all lines under way."""
    from isa.timing.caches import CACHES

    if not has_unit_each(choice, work, target):
        return False
    taken = _accesses(choice.rows, choice.repeat, work) * WIDEST_ACCESS // DWORD + SPARE_REGISTERS
    if -(-choice.waves * choice.teams // target.simds) * taken > target.vgpr_file:
        return False
    caches = CACHES[target.name].with_buffers(work.bytes)
    of_unit = caches.memory_rate.value * target.units / row_groups(choice, work, target)
    asked = of_unit * (1 + 1 / (work.streams * choice.rows)) * caches.memory.clocks
    return asked <= UNDER_WAY * caches.vector[0].size.value


def has_unit_each(choice: Row, work: Work, target: Target) -> bool:
    """Whether each workgroup has a unit of CDNA alone, and so many units read as fast as all of them: waves
    load their rows at once."""
    is_at_once = work.is_sum and choice.vector * choice.lanes * choice.waves * choice.repeat == work.dims[-1]
    groups = row_groups(choice, work, target)
    return target.has_agprs and is_at_once and target.units < 2 * groups <= 2 * target.units


def _accesses(rows: int, repeat: int, work: Work) -> int:
    """The accesses that a wave has in registers, the shared row's included."""
    return (work.streams * rows + 1) * repeat


def _of_rows(rows: int, vector: int, work: Work, target: Target) -> Row | None:
    """The fewest waves that have so many rows and the shared row in registers."""
    waves = 1
    while waves <= MOST_WAVES:
        repeat, rest = divmod(work.planned[-1], target.wave_size * vector * waves)
        fills = rows * repeat * vector <= 2 * work.share(target)
        if rest or repeat < LEAST_ACCESSES or not fills:
            return None
        if _accesses(rows, repeat, work) <= MOST_ACCESSES:
            return Row(rows, target.wave_size, waves, 1, vector, repeat)
        waves *= 2
    return None


def _time(choice: Row, work: Work, target: Target) -> float:
    """The estimated time of the busiest unit, in rows."""
    from isa.timing.caches import CACHES

    rows = work.rows * work.other_rows
    waves = _busiest(choice.rows, work, target) // choice.rows
    busiest = EVEN * rows / target.units if choice.teams > 1 else waves * choice.rows
    is_whole = choice.rows * choice.repeat >= WHOLE_ACCESSES
    short = 0 if is_whole or waves <= WAVES_AT_ONCE else OF_SHORT
    is_small = CACHES[target.name].vector[0].size.value <= SMALL_CACHE
    return busiest * (1 + short + (OF_SHARED / choice.rows if is_small else 0))
