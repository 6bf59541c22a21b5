"""Chooses the numbers of `Column`, where memory is contiguous along an axis that is kept: lanes lie along the
columns, and those that are left over along the rows.
"""

from __future__ import annotations

from math import gcd

from asmgen.blockwise.schedules.choices import Column, Row
from asmgen.blockwise.schedules.choose_row import choose_of_few
from asmgen.blockwise.schedules.sizes import (
    GROUP_LANES,
    LARGEST_GROUP,
    MOST_HELD,
    MOST_HELD_OF_COLUMNS,
    STREAMED,
    ceil_power,
    is_narrow,
    widest_access,
)
from asmgen.blockwise.schedules.work import Work
from isa.target import Target

SEGMENT_BYTES = 128  # of a row of memory that columns next to each other take, a cache line
LEAST_OF_ROW = 4  # columns next to each other for which lanes lie along them


def choose_column(work: Work, target: Target) -> Row | Column:
    """As many lanes lie along the columns as leave enough workgroups; if there are never enough, rows are
    taken in parts. Where there are few elements, or few columns next to each other, lanes lie along the rows.
    """
    columns, rows, vector, wave = (
        work.dims[-1],
        work.dims[work.reduced[-1]],
        widest_access(work),
        target.wave_size,
    )
    usual = GROUP_LANES // wave
    if work.share(target) < vector or (columns < LEAST_OF_ROW and not work.is_packed):
        return choose_of_few(work, 1, target)
    if is_narrow(columns, vector) and work.is_packed:
        flat = vector // gcd(vector, columns)
        repeat = max(1, min(STREAMED, rows // (flat * wave * usual)))
        return Column(flat, columns, 1, usual, 1, 1, repeat)
    most = min(wave, ceil_power(-(-columns // vector)))
    few = min(most, max(1, SEGMENT_BYTES // (vector * work.element)))
    lanes = [1 << bit for bit in reversed(range(most.bit_length()))]
    wanted = work.workgroups(target)
    wide = [count for count in lanes if count >= few and _groups(work, count * vector) >= wanted]
    least = 1 if work.levels > 1 or work.whole else few // 2  # half a segment is better than a second launch
    narrow = [count for count in lanes if least <= count < few and _groups(work, count * vector) >= wanted]
    one = (wide or narrow or [few])[0]
    return _column(one, rows, vector, work, target)


def _column(lanes: int, rows: int, vector: int, work: Work, target: Target) -> Column:
    """Waves along the rows, those that they are enough for, and the others along the columns."""
    wave, usual = target.wave_size, GROUP_LANES // target.wave_size
    waves = min(usual, ceil_power(-(-rows * lanes // wave)))
    if work.levels > 1 or work.whole:
        more = [1 << bit for bit in range((LARGEST_GROUP // wave).bit_length()) if 1 << bit >= waves]
        for count in more:
            repeat = -(-rows // (wave // lanes * count))
            elements = MOST_HELD_OF_COLUMNS if count * wave >= LARGEST_GROUP else MOST_HELD
            if repeat <= max(1, elements // (vector * work.streams)):
                return Column(1, 1, lanes, count, _teams(count, lanes * vector, work, target), vector, repeat)
    repeat = max(1, min(STREAMED, -(-rows // (wave // lanes * waves))))
    return Column(1, 1, lanes, waves, _teams(waves, lanes * vector, work, target), vector, repeat)


def _teams(waves: int, columns: int, work: Work, target: Target) -> int:
    """Waves along the columns, where that leaves enough workgroups."""
    teams = max(1, GROUP_LANES // target.wave_size // waves)
    while teams > 1 and _groups(work, columns * teams) < max(
        work.workgroups(target), 1 + (work.dims[-1] > columns)
    ):
        teams //= 2
    return teams if work.dims[-1] > columns else 1


def _groups(work: Work, columns: int) -> int:
    return -(-work.dims[-1] // columns) * work.other_rows


def column_groups(choice: Column, work: Work) -> int:
    """Workgroups of a launch."""
    return _groups(work, choice.vector * choice.columns * choice.lanes * choice.teams)
