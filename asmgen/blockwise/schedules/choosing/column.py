"""Chooses the numbers of `Column`: memory is contiguous along a kept axis. Lanes lie along the columns, and
the remaining lanes along the rows.
"""

from __future__ import annotations

from math import gcd, isqrt

from asmgen.blockwise.schedules.choices import Column, Row
from asmgen.blockwise.schedules.choosing.alone import SUM, alone_bytes
from asmgen.blockwise.schedules.choosing.column_units import EVEN, even, groups_of, unevenness_of_turns
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    LARGEST_GROUP,
    MOST_HELD,
    MOST_HELD_OF_COLUMNS,
    STREAMED,
    UNROLLED,
    ceil_power,
    held_room,
    is_narrow,
    pieces_of_trip,
    under_way,
    widest_access,
)
from asmgen.blockwise.schedules.choosing.row import choose_of_few
from asmgen.blockwise.schedules.elements.joined_dims import OF_LANE
from asmgen.blockwise.schedules.work import BYTES_OF_PARTS, Work
from asmgen.index.size import Size, divides
from asmgen.ir.types import F32
from isa.target import Target

SEGMENT_BYTES = 128  # of adjacent columns in a row of memory: a cache line
# Rows that a lane adds up before waves share rows, since sharing costs a barrier and LDS, by the waves of a
# compute unit: with fewer, waves have less to read, and more of them read at once. By the clock model half
# as many rows take 0.98 to 1.00 times the clocks on gfx942 and gfx1100, with up to 1.8 times the
# instructions, and twice as many 1.04 to 1.08 times (`tools.judge_choices --neighbours`).
ROWS_OF_LANE = ((0, 16), (1, 32), (16, 64))
# Accesses of a lane that are added up as a tree, of f32 on RDNA 3, which issues additions in pairs: 0.96 to
# 1.00 times the instructions of STREAMED, in as many clocks. Others take STREAMED: with 8 gfx1201 takes
# 1.01 times the instructions, and gfx942 1.06 times the cycles (middle_sum_f32).
SUMMED_IN_PAIRS = 8
# Lanes of a workgroup, and most pieces of a trip, that add up a named number of columns, if each element has
# a condition: the rows of a part may end anywhere. A loop would wait for its loads in each of a few trips, so
# a part needs none. With 512 lanes and 2 pieces, sums of {1024,64} take 1.5 times the clocks on gfx942 and
# gfx90a, {65536,64} 1.17 times on gfx942 and 0.94 on gfx90a, {4096,1024} 1.33 times on gfx1201. On RDNA 3
# these 512 lanes take 0.84 to 1.12 times the clocks, 1.00 in the mean.
OPEN_LANES, OPEN_PIECES = LARGEST_GROUP, 4
OPEN_LANES_IN_PAIRS, OPEN_PIECES_IN_PAIRS = 512, 2
PARTS_OF_LINE = 4  # that workgroups have at most
LONGEST_PART = 256  # rows of a part of columns, of which there are many
LEAST_OF_ROW = 4  # adjacent columns: with fewer, lanes do not lie along the columns


def choose_column(work: Work, target: Target) -> Row | Column:
    """As many lanes lie along the columns as leave enough workgroups; if there are never enough, rows are
    taken in parts. If there are few elements, or few adjacent columns, lanes lie along the rows.
    """
    columns, rows, vector, wave = (
        work.planned[-1],
        work.planned[work.reduced[-1]],
        widest_access(work),
        target.wave_size,
    )
    usual = GROUP_LANES // wave
    is_few = work.share(target) < vector and not (work.is_sum and columns * work.element >= SEGMENT_BYTES)
    if is_few or (columns < LEAST_OF_ROW and not work.is_packed):
        return choose_of_few(work, 1, target)
    if isinstance(work.dims[-1], int) and is_narrow(columns, vector) and work.is_packed:
        flat = vector // gcd(vector, columns)
        waves = usual if work.is_sum else _waves_of_narrow(flat * wave, work, target)
        repeat = max(1, min(STREAMED, rows // (flat * wave * waves)))
        return Column(flat, columns, 1, waves, 1, 1, repeat)
    return lanes_along_columns(work, target)


def lanes_along_columns(work: Work, target: Target) -> Column:
    """As many lanes lie along the columns as leave enough workgroups."""
    columns, rows, vector, wave = (
        work.planned[-1],
        work.planned[work.reduced[-1]],
        widest_access(work),
        target.wave_size,
    )
    if not isinstance(work.dims[-1], int) and not divides(vector, work.dims[-1]).is_shown:
        vector = 1  # adjacent columns of a lane would each need a condition of their own
    most = min(wave, ceil_power(-(-columns // vector)))
    few = min(most, max(1, SEGMENT_BYTES // (vector * work.element)))
    lanes = [1 << bit for bit in reversed(range(most.bit_length()))]
    if work.is_sum:
        return _summed(lanes, few, vector, work, target)
    choices = [
        _column(count, rows, vector, work, target) for count in _counts(lanes, few, vector, work, target)
    ]
    return next((choice for choice in choices if is_held(choice, work, target)), choices[0])


def _counts(lanes: list[int], few: int, vector: int, work: Work, target: Target) -> list[int]:
    """The numbers of lanes along the columns to choose from, the best first: `few` lanes read a line.

    Whole lines need a part of the compute units: the variance of {1024,4096} f32 over its first axis takes
    7.9 us on gfx942 by 128 workgroups that read lines, and 14.8 by 1,024 that read a fourth of each. If all
    elements are stored, workgroups with parts of lines may have all their rows in registers.
    """
    wanted, fourth = work.workgroups(target), few // PARTS_OF_LINE
    groups = {count: groups_of(work, count * vector) for count in lanes}
    wide = [count for count in lanes if count >= few and groups[count] >= wanted]
    narrow = [count for count in lanes if count < few]
    takes_long = work.whole or work.element < F32.bytes  # by element: stored too, or widened
    if groups[few] > (target.compute_units if takes_long else target.compute_units // PARTS_OF_LINE):
        is_open = isinstance(work.dims[work.reduced[-1]], Size)
        return (wide or [few]) + (narrow if work.whole and not is_open else [])
    return wide + [
        count
        for count in narrow
        if groups[count] >= wanted or (count == fourth and groups[count] > target.compute_units)
    ] or [few]


def is_held(choice: Column, work: Work, target: Target) -> bool:
    """Whether the lanes of a workgroup have all rows in registers, so that none is read again."""
    return work.planned[work.reduced[-1]] <= choice.repeat * rows_at_a_time(choice, target)


def rows_at_a_time(choice: Column, target: Target) -> int:
    """The rows that an access of all lanes of a workgroup reads."""
    return choice.rows * (target.wave_size // choice.lanes) * choice.waves


def _waves_of_narrow(rows_of_wave: int, work: Work, target: Target) -> int:
    """The waves of a workgroup. They are doubled, up to the largest workgroup, while loops read the rows
    again and compute units would idle: more waves have as many loads under way as a wave with more elements.
    """
    rows, waves = work.planned[work.reduced[-1]], GROUP_LANES // target.wave_size
    while 2 * waves <= LARGEST_GROUP // target.wave_size:
        if rows < STREAMED * waves * rows_of_wave or work.other_rows * waves >= 4 * target.compute_units:
            break
        waves *= 2
    return waves


def _summed(lanes: list[int], few: int, vector: int, work: Work, target: Target) -> Column:
    """The choice for sums, which need no element again once it is added. Half a segment is better than a
    second launch, but the other half is read again: the sum of {64,1024,64} over its middle axis takes 1.4 to
    1.8 times the clocks with it by the clock model (tools.bench_peers). So whole segments suffice if each
    unit has a workgroup: {32,4096,128} of f16 on gfx1201 takes 56 thousand clocks, and 108 with halves.

    If only the launch knows how many times there are so many long columns, that may be once: lanes have a
    segment, and workgroups as many waves as for a workgroup a unit. Means of {m,1024,768} over axis 1 take
    9,466 clocks on gfx942 for m = 1, 35,514 by a wave along columns, and 474,425 and 541,201 for m = 256."""
    count, wave = work.planned[work.reduced[-1]], target.wave_size
    wanted = work.waves_of_columns(target)
    enough = [count for count in lanes if 2 * groups_of(work, count * vector) >= wanted]
    whole = [count for count in enough if count >= few]
    if whole and _idles(few * vector, work, target):
        whole = [few]
    of_whole = groups_of(work, few * vector)
    alone = alone_bytes(SUM, work.element, of_whole, target)
    is_alone = of_whole >= target.units or work.worth <= of_whole * alone
    halves = [] if is_alone else [count for count in enough if count >= few // 2]
    chosen, teams = even(whole or halves or [few], few, vector, work, target)
    is_open = count > LONGEST_PART and any(isinstance(work.dims[axis], Size) for axis in work.kept[:-1])
    if is_open:
        chosen, teams = few, 1
    of_lane = -(-count // (wave // chosen))
    groups, waves = target.compute_units if is_open else groups_of(work, chosen * vector * teams), 1
    while waves * teams < LARGEST_GROUP // wave:
        of_unit = groups * waves * teams // target.compute_units
        if of_lane <= waves * max(rows for least, rows in ROWS_OF_LANE if of_unit >= least):
            break
        if groups > target.units and of_unit and waves >= GROUP_LANES // wave:
            break
        waves *= 2
    in_pairs = target.generation == "rdna3" and work.element == F32.bytes
    summed = SUMMED_IN_PAIRS if in_pairs else STREAMED
    repeat = under_way(work, vector, max(1, min(summed, of_lane // waves)))
    if work.conditions and any(isinstance(work.dims[axis], Size) for axis in work.kept):
        waves = max(waves, (OPEN_LANES_IN_PAIRS if in_pairs else OPEN_LANES) // wave)
        most = OPEN_PIECES_IN_PAIRS if in_pairs else OPEN_PIECES
        pieces = max(1, min(most, of_lane // (waves * repeat)))
        return Column(1, 1, chosen, waves, teams, vector, repeat, pieces)
    return Column(1, 1, chosen, waves, teams, vector, repeat, pieces_of_trip(work, vector, repeat, UNROLLED))


def _idles(columns: int, work: Work, target: Target) -> bool:
    """Whether half of the units of CDNA have no workgroup, even if each has only as many columns as a
    segment. The sum of {64,1024} f32 takes 2,814 clocks on gfx942 by two segments a workgroup, 1,701 by a
    single segment; on gfx1100 2,491 and 2,729."""
    return target.has_agprs and not work.kept[:-1] and 2 * groups_of(work, columns) <= target.units


def _column(lanes: int, rows: int, vector: int, work: Work, target: Target) -> Column:
    """As many waves along the rows as the rows suffice for, and the others along the columns."""
    wave, usual = target.wave_size, GROUP_LANES // target.wave_size
    waves = min(usual, ceil_power(-(-rows * lanes // wave)))
    more = [1 << bit for bit in range((LARGEST_GROUP // wave).bit_length()) if 1 << bit >= waves]
    for count in more:
        repeat = -(-rows // (wave // lanes * count))
        elements = held_room(work, MOST_HELD_OF_COLUMNS if count * wave >= LARGEST_GROUP else MOST_HELD)
        if repeat <= max(1, elements // (vector * work.streams)):
            return Column(1, 1, lanes, count, _teams(count, lanes * vector, work, target), vector, repeat)
    repeat = max(1, min(STREAMED, -(-rows // (wave // lanes * waves))))
    return Column(1, 1, lanes, waves, _teams(waves, lanes * vector, work, target), vector, repeat)


def _teams(waves: int, columns: int, work: Work, target: Target) -> int:
    """Waves along the columns, if that leaves enough workgroups."""
    teams = max(1, GROUP_LANES // target.wave_size // waves)
    while teams > 1 and groups_of(work, columns * teams) < max(
        work.workgroups(target), 1 + (work.planned[-1] > columns)
    ):
        teams //= 2
    return teams if work.planned[-1] > columns else 1


def rows_of_part(work: Work, target: Target) -> int:
    """The rows of a part, if columns are added up in parts. As many lanes as possible lie along the columns,
    so that a lane stores its result without an exchange. It is a power of two near the number that keeps the
    target busy, so that many numbers of rows are whole parts.

    Longer parts leave fewer results for the second launch. So a part has up to about as many rows as there
    are parts, if units have as even work: {100000,64} f32 takes 27,104 clocks on gfx942 with 128 rows, and
    32,518 with 64. Lanes that have whole parts (`choose_lane`) would be fewer with longer parts, so these
    have more rows than a lane takes.
    """
    vector, rows = widest_access(work), work.planned[work.reduced[-1]]
    columns = groups_of(work, vector * min(target.wave_size, ceil_power(-(-work.planned[-1] // vector))))
    parts = max(1, work.waves_of_columns(target, BYTES_OF_PARTS) // columns)
    least, most = (ceil_power(-(-3 * rows // (4 * count))) for count in (parts, isqrt(rows)))
    longer = [least << bit for bit in range(1, (most // least).bit_length())]
    lengths = [least, *[length for length in longer if length > OF_LANE]]
    turns = {length: unevenness_of_turns(-(-rows // length) * columns, target) for length in lengths}
    return max(length for length in lengths if turns[length] <= EVEN * min(turns.values()))


def rows_held(work: Work, target: Target) -> int:
    """The most rows that the lanes of a workgroup have in registers, if each row is read by whole lines."""
    vector = widest_access(work)
    lanes = min(target.wave_size, SEGMENT_BYTES // (vector * work.element))
    of_lane = held_room(work, MOST_HELD_OF_COLUMNS) // (vector * work.streams)
    return LARGEST_GROUP // lanes * max(1, of_lane)


def column_groups(choice: Column, work: Work) -> int:
    """Workgroups of a launch."""
    return groups_of(work, columns_of_group(choice))


def columns_of_group(choice: Column) -> int:
    """Columns of a workgroup."""
    return choice.vector * choice.columns * choice.lanes * choice.teams
