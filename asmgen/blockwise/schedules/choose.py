"""What is chosen for a kernel on a target.

A choice follows three rules, in this order:

1. A launch has at least as many workgroups as four for each compute unit of the target, or one for each
   16 KiB that it reads, if that is less (`Work.workgroups`).
2. What is reduced is held in registers from one reduction to the next and to the outputs, as far as
   `MOST_HELD` elements a lane go.
3. Accesses have 16 bytes a lane.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.work import Work
from isa.target import Target

ACCESS_BYTES = 16  # of a lane's widest access of memory
GROUP_LANES = 256  # of a workgroup, where nothing asks for another number
LARGEST_GROUP = 1024
MOST_OF_WAVE = 1024  # bytes of a row that one wave takes
MOST_OF_GROUP = 32  # elements a lane has of a row that a workgroup of GROUP_LANES takes
MOST_HELD = 64  # elements a lane holds of what is reduced
STREAMED = 4  # accesses under way in a loop that streams
SEGMENT_BYTES = (
    128  # of a row of memory that columns next to each other take, a cache line, if there is a choice
)


def choose(work: Work, target: Target) -> Pointwise | Row | Column:
    """What is taken for a kernel without matrix products."""
    if not work.reduced:
        return choose_pointwise(work, target)
    return choose_row(work, target) if work.reduces_fast else choose_column(work, target)


def choose_pointwise(work: Work, target: Target) -> Pointwise:
    vector = _vector(work)
    lanes = -(-work.dims[-1] // vector)
    waves = min(GROUP_LANES // target.wave_size, ceil_power(-(-lanes // target.wave_size)))
    return Pointwise(vector, waves)


def choose_row(work: Work, target: Target) -> Row:
    """A lane, part of a wave, a wave or a workgroup a row."""
    columns, vector, wave = work.dims[-1], _vector(work), target.wave_size
    if _is_narrow(columns, vector) and work.is_packed:
        rows = vector // gcd(vector, columns)
        return _spread_row(
            Row(min(rows, ceil_power(work.rows)), 1, 1, GROUP_LANES // wave, 1, columns), work, target
        )
    whole = max(vector, columns - columns % vector)
    if columns * work.element <= MOST_OF_WAVE:
        lanes = min(wave, ceil_power(-(-whole // vector)))
        teams = min(GROUP_LANES // wave, ceil_power(-(-work.rows * lanes // wave)))
        return _spread_row(Row(1, lanes, 1, teams, vector, -(-whole // (lanes * vector))), work, target)
    return _spread_row(_row_of_group(whole, vector, work, target), work, target)


def _row_of_group(columns: int, vector: int, work: Work, target: Target) -> Row:
    """The waves that leave the fewest lanes without columns, of those which can hold the row."""
    wave = target.wave_size
    usual, most = GROUP_LANES // wave, LARGEST_GROUP // wave
    chunks = {
        waves: -(-columns // (waves * wave * vector))
        for waves in (1 << bit for bit in range(most.bit_length()))
    }
    fits = [waves for waves in chunks if waves <= usual and chunks[waves] * vector <= MOST_OF_GROUP]
    fits = (
        fits
        or [
            waves for waves in chunks if waves > usual and chunks[waves] * vector <= MOST_HELD // work.streams
        ][:1]
    )
    if not fits:
        return Row(1, wave, most if work.levels > 1 else usual, 1, vector, STREAMED)
    waves = min(fits, key=lambda count: (count * chunks[count], -count))
    teams = max(1, min(usual // waves, ceil_power(work.rows)))
    return Row(1, wave, waves, teams, vector, chunks[waves])


def _spread_row(choice: Row, work: Work, target: Target) -> Row:
    """The choice with fewer rows a workgroup, and then with as many parts, as spread the work."""
    wanted = work.workgroups(target)
    while choice.teams > 1 and row_groups(choice, work, target) * _most_parts(work) < wanted:
        choice = replace(choice, teams=choice.teams // 2)
    wanted = -(-wanted // row_groups(choice, work, target))
    if wanted == 1 or choice.lanes == 1:
        return choice
    if len(work.reduced) > 1:
        return replace(choice, split=_parts(work.dims[work.reduced[0]], wanted, 1))
    chunk = choice.vector * choice.lanes * choice.waves
    repeat = max(1, min(STREAMED, work.dims[-1] // wanted // chunk))
    return replace(choice, repeat=repeat, split=_parts(work.dims[-1], wanted, chunk * repeat))


def _most_parts(work: Work) -> int:
    """Into how many parts an outer one of several reduced axes can be taken; 1 where there is one axis."""
    return work.dims[work.reduced[0]] if len(work.reduced) > 1 else 1


def row_groups(choice: Row, work: Work, target: Target) -> int:
    """Workgroups of a launch, of one of its parts."""
    of_group = choice.rows * (target.wave_size // choice.lanes) * choice.teams
    return -(-work.rows // of_group) * work.other_rows


def choose_column(work: Work, target: Target) -> Column:
    """As many lanes along the columns as leave enough workgroups; parts of the rows where none do."""
    columns, rows, vector, wave = work.dims[-1], work.dims[work.reduced[-1]], _vector(work), target.wave_size
    usual = GROUP_LANES // wave
    if _is_narrow(columns, vector) and work.is_packed:
        flat = vector // gcd(vector, columns)
        repeat = max(1, min(STREAMED, rows // (flat * wave * usual)))
        return _spread_column(Column(flat, columns, 1, usual, 1, 1, repeat), work, target)
    most = min(wave, ceil_power(-(-columns // vector)))
    few = min(most, max(1, SEGMENT_BYTES // (vector * work.element)))
    lanes = [1 << bit for bit in reversed(range(most.bit_length()))]
    wanted = work.workgroups(target)
    wide = [count for count in lanes if count >= few and _column_groups(work, count * vector) >= wanted]
    least = 1 if work.levels > 1 or work.whole else few // 2  # half a segment is better than a second launch
    narrow = [
        count for count in lanes if least <= count < few and _column_groups(work, count * vector) >= wanted
    ]
    one = (wide or narrow or [few])[0]
    return _spread_column(_column(one, rows, vector, work, target), work, target)


def _column(lanes: int, rows: int, vector: int, work: Work, target: Target) -> Column:
    """Waves along the rows, those that they are enough for, and the others along the columns."""
    wave, usual = target.wave_size, GROUP_LANES // target.wave_size
    waves = min(usual, ceil_power(-(-rows * lanes // wave)))
    held = MOST_HELD // (vector * work.streams)
    if work.levels > 1 or work.whole:
        more = [1 << bit for bit in range((LARGEST_GROUP // wave).bit_length()) if 1 << bit >= waves]
        for count in more:
            repeat = -(-rows // (wave // lanes * count))
            if repeat <= max(1, held):
                return Column(1, 1, lanes, count, _teams(count, lanes * vector, work, target), vector, repeat)
    repeat = max(1, min(STREAMED, -(-rows // (wave // lanes * waves))))
    return Column(1, 1, lanes, waves, _teams(waves, lanes * vector, work, target), vector, repeat)


def _teams(waves: int, columns: int, work: Work, target: Target) -> int:
    """Waves along the columns, where that leaves enough workgroups."""
    teams = max(1, GROUP_LANES // target.wave_size // waves)
    while teams > 1 and _column_groups(work, columns * teams) < max(
        work.workgroups(target), 1 + (work.dims[-1] > columns)
    ):
        teams //= 2
    return teams if work.dims[-1] > columns else 1


def _column_groups(work: Work, columns: int) -> int:
    return -(-work.dims[-1] // columns) * work.other_rows


def _spread_column(choice: Column, work: Work, target: Target) -> Column:
    wanted = -(-work.workgroups(target) // column_groups(choice, work))
    if wanted == 1:
        return choice
    first, last = work.reduced[0], work.reduced[-1]
    if first != last:
        return replace(choice, split=_parts(work.dims[first], wanted, 1))
    chunk = choice.rows * (target.wave_size // choice.lanes) * choice.waves
    repeat = max(1, min(STREAMED, work.dims[last] // wanted // chunk))
    return replace(choice, repeat=repeat, split=_parts(work.dims[last], wanted, chunk * repeat))


def column_groups(choice: Column, work: Work) -> int:
    """Workgroups of a launch, of one of its parts."""
    return _column_groups(work, choice.vector * choice.columns * choice.lanes * choice.teams)


def _parts(size: int, wanted: int, step: int) -> int:
    """How many parts of whole steps there are, at least `wanted` where the size allows."""
    length = max(step, size // wanted // step * step)
    return -(-size // length)


def part_length(size: int, split: int, step: int) -> int:
    """How many of `size` a part has, whole steps."""
    return -(-size // (split * step)) * step


def _vector(work: Work) -> int:
    """Elements of an access: 16 bytes of the narrowest buffer that is read, if that is one access."""
    width = max(1, ACCESS_BYTES // work.element)
    while width > 1 and ((width > work.dims[-1] and not work.is_packed) or width > work.widest_access):
        width //= 2
    return width


def _is_narrow(columns: int, vector: int) -> bool:
    """Whether columns are so few that whole accesses need several rows."""
    return columns < vector or (columns < 2 * vector and columns % vector != 0)


def ceil_power(number: int) -> int:
    """The smallest power of two that is not below a positive number."""
    return 1 << max(0, number - 1).bit_length()
