"""Chooses the numbers of `Row`: whether a row belongs to a lane, to part of a wave, to a wave or to a
workgroup. Lanes lie along the reduced axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, prod

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    LARGEST_GROUP,
    MOST_HELD,
    STREAMED,
    UNROLLED,
    ceil_power,
    floor_power,
    holds,
    is_narrow,
    most_held,
    pieces_of_trip,
    row_groups,
    under_way,
    widest_access,
)
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Dim, Size, at_least, factor, most
from asmgen.ir.types import F32
from isa.target import Target

# Bytes of a row of f16 for each lane of a wave that adds it up alone, and rows of a unit. Of 108 sums on
# gfx90a, gfx942 and gfx950 most take 0.94 to 1.00 times the clocks of two waves, the others up to 1.03; of
# 8,192 rows and more some take 1.01
LONGEST_OF_LANE, MOST_OF_UNIT = 128, 24

# Clocks with half or double, relative to those with the constant: geometric means of the programs that
# change (`tools.judge_choices --neighbours`). MOST_OF_WAVE: half 1.03, double 1.00. LONGEST_OF_WAVE: half
# 0.98 to 1.00, with up to 1.9 times the cycles; double 1.00 to 1.02. MOST_OF_GROUP: half 1.00 to 1.01,
# double 1.01 to 1.06. FEW_OF_LANE: double 0.93 to 1.02 with about three times the instructions. PASSED_ON:
# half 0.99 to 1.04, for a single softmax.
MOST_OF_WAVE = 1024  # bytes of a row that a single wave takes,
LONGEST_OF_WAVE = 4096  # and if there are enough rows for every second SIMD
MOST_OF_GROUP = 32  # elements a lane has of a row that a workgroup of GROUP_LANES takes
# Accesses of a lane, with more of which twice the waves store a row of RDNA if no more lanes are idle, and
# the most rows of a unit. 37 layernorms, rmsnorms and softmax of 48 to 128 rows of 12,288 to 32,768 f32 on
# gfx1100 and gfx1201 take 0.95 of the clocks in the geometric mean, 0.74 at best, 1.11 at worst. With more
# rows or more idle lanes they take up to 1.22.
MOST_ACCESSES, FEW_OF_UNIT = 8, 3
MOST_OF_PAIR = 2048  # elements of two rows that a single wave takes
WORD = 4  # bytes: the widest elements that it looks among, and the alignment of accesses of several words
LEAST_OF_LANE = 4  # elements of a row that a wave has, before more waves share the row
LONG_ROW = 2 * GROUP_LANES  # accesses: the remainder after whole accesses costs little in a row of so many
FEW_OF_LANE = 8  # elements for each lane of the target: with fewer, the quickest number of waves is chosen

# Estimated instructions: to sum an element; to compute and store an element; to exchange results between
# waves, besides an instruction for each wave.
SUMMED, COMPUTED, PASSED_ON = 3, 12, 6
# Waves for each place of the target, from which on a lane takes two rows that have an access each: waves that
# start and end after so little wait for memory most of the time. 131,072 rows of 128 f16 by the clock model:
# 21 waves a place of gfx1100, 45 thousand clocks, 35 with two rows; 9 of gfx90a, 40.6 and 41.6; 3 of gfx942,
# 15.2 and 15.5.
TURNS = 16
MOST_TOGETHER = {False: 4, True: 2}  # rows that a lane takes at once, by whether the target has AGPRs
# The most bytes of a row that few lanes take, and that a wave takes, with several levels of reductions and
# with a single level, if only the launch knows the columns and there are so many rows for each unit. By
# clocks on gfx942, of softmax but for the last lines:
#
#     rows    n        few lanes  a wave   a workgroup
#     2,048   129         15,213  10,251        50,914
#     2,048   257         20,362  10,406        49,878
#     2,048   1,024       49,357  21,212        51,850
#     2,048   4,096      170,619  50,474        57,674
#     16,384  129         16,015  19,329       326,183
#     16,384  257         23,005  23,984       320,190
#     16,384  1,025       62,564  67,313       320,190
#     16,384  4,096      454,209 401,187       438,851
#     16,384  257 of rmsnorm      18,213        32,694
#     16,384  400 of row_sum      13,122        14,061
#     16,384  1,024 of row_sum    29,731        26,687
SHORT, MIDDLE, MIDDLE_OF_LEVEL, MANY_OF_UNIT = 512, 16384, 2048, 4
# Rows for each unit from which on few lanes take rows of more bytes: argmax {16384,1024} of f16 takes 28,841
# clocks so on gfx942, and 39,294 by waves.
SHORT_OF_MOST, MOST_OF_ROWS = 4096, 8 * MANY_OF_UNIT
# Waves of a SIMD that hide each other's waits in sums of rows. Of {16384,n}, 13 waves on gfx942, waves take
# 8,110 clocks for n = 16 and 32,720 for 1,024, workgroups 16,382 and 31,526; of {2048,n} waves take 22,301
# for 4,096, and workgroups 20,721.
FULL = 12
# Lanes of such a row if there are at least so many times as many rows, since rows may be short. Of
# {1000000,n} gfx942 takes 116,758 clocks for n = 3 by waves, 33,290 by 16 lanes and 19,691 by 8; for 64 it
# takes 126,337, 108,123 and 113,498. Of {16384,n} gfx1100 takes 9,925 for 3 by waves and 8,337 by 16 lanes,
# and 692,896 and 710,680 for 4,000. A maximum of {500000,70} f32 takes 1.16 times the clocks on gfx90a.
LANES_OF_TURNS = ((32, 8), (4, 16))
# Lanes of a workgroup if each wave sums rows of its own. With half of GROUP_LANES, a unit starts waves sooner
# after others end: of 96 sums of 8,192 to 262,144 rows on gfx942, gfx1100 and gfx1201, 62 take 0.92 to 0.99
# of the clocks, and the others as many. Fewer rows may leave some units a workgroup more than others, and
# whole workgroups may not: {1024,1024} of f32 takes 3,008 clocks on gfx942 by 256 whole workgroups, and 3,322
# by 512. Of 180 sums of 256 to 16,384 rows on all targets eleven have whole workgroups, and take 0.74 to 0.97
# of the clocks.
SUMMING_LANES = GROUP_LANES // 2
COMBINED = 16  # lanes that combine so that each has the result, without an exchange


def _sharing(work: Work, target: Target, vector: int) -> Row | None:
    from asmgen.blockwise.schedules.choosing.shared_row import rows_that_share

    return rows_that_share(work, target, vector)


def choose_row(work: Work, target: Target) -> Row:
    columns, widest = work.dims[-1], widest_access(work)
    if isinstance(columns, Size):
        return _of_launch(columns, widest, work, target)
    share = work.share(target)
    of_groups = _of_outer(columns, widest, work, target)
    if of_groups is not None:
        return spread(of_groups, work, target)
    is_of_bytes = work.element == 1 and work.streams == 1
    may_share = work.is_sum and (work.has_pairs or is_of_bytes)
    if may_share and (sharing := _sharing(work, target, widest)) is not None:
        return sharing
    rows = WORD // gcd(WORD, columns * work.element)
    if is_narrow(columns, widest) and work.is_packed and work.is_sum and _is_of_words(rows, columns, work):
        teams = ceil_power(-(-work.rows // (rows * target.wave_size)))
        few = Row(rows, 1, 1, min(GROUP_LANES // target.wave_size, teams), 1, columns)
        return spread(few, work, target)
    is_of_wave = columns * work.element <= MOST_OF_WAVE or _fills_waves(columns, work, target)
    is_of_wave = is_of_wave and holds(work, -(-columns // target.wave_size))
    has_whole_accesses = work.reduces_fast and widest <= columns and is_of_wave
    if 2 * share < widest and not has_whole_accesses:
        return choose_of_few(work, widest, target)
    if is_of_wave:
        whole = max(widest, columns - columns % widest)
        choice = _of_several_rows(_in_room(_part_of_wave(whole, widest, work, target), work), work, target)
        return spread(_of_pairs(choice) if _has_pairs(choice, work, target) else choice, work, target)
    choice = _of_single_wave(columns, widest, work, target) or _of_group(columns, widest, work, target)
    return spread(choice, work, target)


def _of_launch(columns: Size, widest: int, work: Work, target: Target) -> Row:
    """The choice for rows of a length that only the launch knows: a workgroup a row; if there are many rows,
    few lanes a row that is short, and a wave a row that is longer. Sums of so many rows that waves hide each
    other's waits have a wave a row, or fewer lanes."""
    rows = prod([work.dims[axis] for axis in work.kept])
    choice = spread(_of_group(columns, widest, work, target), work, target)
    if len(work.reduced) > 1:
        choice = replace(choice, joined=choice.vector * choice.lanes * choice.waves)
    if work.is_sum and isinstance(rows, int):
        turns = rows // (FULL * target.units * target.simds)
        if not turns:
            return choice
        lanes = next((lanes for least, lanes in LANES_OF_TURNS if turns >= least), target.wave_size)
        return replace(choice, lanes=lanes, waves=1, teams=choice.waves, repeat=1)
    many = MANY_OF_UNIT * target.units
    if not at_least(rows, many).is_possible:
        return choice
    has_most = isinstance(rows, int) and rows >= MOST_OF_ROWS * target.units
    short, middle = SHORT, MIDDLE_OF_LEVEL
    if work.levels > 1:
        short, middle = SHORT_OF_MOST if has_most else SHORT, MIDDLE
    return replace(choice, short=short // work.element, many=many, middle=middle // work.element)


def _of_single_wave(columns: int, vector: int, work: Work, target: Target) -> Row | None:
    """The choice of a wave for each of some longer rows of f16 that are added up: no wave waits for others at
    a barrier. {1,4096} by {1024,4096} turned takes 3,734 clocks on gfx942, 3,850 with two waves, and 2,952
    and 3,108 on gfx950. Other elements take more instructions, for which more waves are better. A workgroup
    has a single wave, so that units have about as many rows."""
    repeat, rest = divmod(columns, target.wave_size * vector)
    of_lane = repeat * vector
    fills = of_lane <= 2 * work.share(target) and holds(work, of_lane)
    is_short = not rest and of_lane * work.element <= LONGEST_OF_LANE
    is_sum = work.is_sum and work.has_pairs and work.reduces_fast and len(work.reduced) == 1
    has_few = work.rows * work.other_rows <= MOST_OF_UNIT * target.units
    if not (is_sum and is_short and fills and has_few):
        return None
    return _in_room(Row(1, target.wave_size, 1, 1, vector, repeat), work)


def _of_outer(columns: int, widest: int, work: Work, target: Target) -> Row | None:
    """The choice if several axes are reduced, and all elements of a row fit in registers of whole waves. A
    group norm is such a kernel: its weights have an element for each channel of a group.
    """
    outer = prod([work.dims[axis] for axis in work.reduced[:-1]])
    if work.is_sum or isinstance(outer, Size) or outer == 1 or columns < target.wave_size:
        return None
    vector = min(widest, ceil_power(-(-columns // target.wave_size)))
    held = _held(columns, outer, vector, work, target)
    return _of_waves(held, vector, work, target) if held else None


def _in_room(choice: Row, work: Work) -> Row:
    """The choice with as many accesses at a time as there is room for, if no element stays in registers. If
    they are added up without a loop, only half of them are in registers at once.
    """
    most = under_way(work, choice.vector, choice.repeat)
    if not work.is_sum or choice.repeat <= 2 * most:
        return choice
    repeat = next(count for count in range(most, 0, -1) if choice.repeat % count == 0)
    return replace(choice, repeat=repeat, pieces=pieces_of_trip(work, choice.vector, repeat, UNROLLED))


def _fills_waves(columns: int, work: Work, target: Target) -> bool:
    """Whether there are rows enough that a wave takes one alone, which needs no barrier: every second SIMD
    has a wave then, and a lane a few accesses.
    """
    of_lane = -(-columns // target.wave_size)
    most_elements = MOST_HELD // work.streams
    if not work.is_sum:
        read = MOST_OF_GROUP * F32.bytes // (work.streams * work.element)
        held = MOST_HELD * F32.bytes // (F32.bytes + work.element * max(0, work.along - 1))
        most_elements = min(MOST_OF_GROUP, read, held)
    return columns * work.element <= LONGEST_OF_WAVE and of_lane <= min(most_elements, 2 * work.share(target))


def _is_of_words(rows: int, columns: int, work: Work) -> bool:
    """Whether few rows are whole words, which a lane adds up sooner than several lanes read their elements
    and exchange them. Rows of a power of two columns are an access each."""
    is_access = columns in (1, 2, 4)
    return work.element < WORD and not is_access and rows * columns <= COMBINED and rows <= work.rows


def _has_pairs(choice: Row, work: Work, target: Target) -> bool:
    """Whether a wave takes two rows. argmax keeps most lanes idle while it searches the winning element, so a
    wave handles two rows and fills the wait states of one row with the steps of the other. Every SIMD still
    has a wave, and as many as its registers allow.
    """
    of_lane = choice.vector * choice.repeat
    is_alone = choice.rows == 1 and choice.lanes == target.wave_size and choice.teams > 1
    is_short = 2 * of_lane * target.wave_size <= MOST_OF_PAIR and work.element <= WORD
    is_short = is_short and holds(work, 2 * of_lane)
    return work.seeks and is_alone and is_short and not work.rows % 2 and of_lane <= work.share(target)


def _of_pairs(choice: Row) -> Row:
    return replace(choice, rows=2, teams=choice.teams // 2)


def _of_several_rows(choice: Row, work: Work, target: Target) -> Row:
    """The choice with two rows a lane, if waves with a single access are many, or four, if they still are."""
    waves = row_groups(choice, work, target) * choice.teams
    places = target.max_waves * target.simds * target.units
    is_short = work.is_sum and choice.rows * choice.repeat == 1 and choice.waves == 1
    if not is_short or work.room is not None:
        return choice
    turns = floor_power(max(1, 2 * waves // (TURNS * places)))
    rows = min(gcd(work.rows, MOST_TOGETHER[target.has_agprs]), turns)
    return replace(choice, rows=rows) if rows > 1 else choice


def choose_of_few(work: Work, widest: int, target: Target) -> Row:
    """Each lane has as few elements as the lanes of a row allow. Rows may lie across memory, with accesses of
    a single element.
    """
    columns, wave = work.dims[work.reduced[-1]], target.wave_size
    if isinstance(columns, Size):
        return _of_launch(columns, widest, work, target)
    if columns in (1, 2, 4) and columns <= (widest if work.is_sum else 2):
        return spread(_shared(columns, 1, columns, work, target), work, target)
    if columns <= COMBINED:
        return spread(_shared(columns, ceil_power(columns), 1, work, target), work, target)
    if columns <= wave * min(widest, LEAST_OF_LANE if work.levels == 1 else 2):
        vector = _dividing(columns, min(widest, ceil_power(-(-columns // wave))))
        return spread(Row(1, wave, 1, 1, vector, -(-columns // (wave * vector))), work, target)
    return spread(_of_group(columns, widest, work, target), work, target)


def _dividing(columns: Dim, vector: int) -> int:
    """The largest access, up to `vector` elements, that is shown to divide a row."""
    while factor(columns) % vector:
        vector //= 2
    return vector


def _part_of_wave(columns: int, vector: int, work: Work, target: Target) -> Row:
    lanes = min(target.wave_size, ceil_power(-(-columns // vector)))
    return _shared(columns, lanes, vector, work, target)


def _shared(columns: int, lanes: int, vector: int, work: Work, target: Target) -> Row:
    """Rows of some lanes, as many in a workgroup as there are lanes for."""
    wave = target.wave_size
    teams = ceil_power(-(-work.rows * lanes // wave))
    usual = Row(1, lanes, 1, min(GROUP_LANES // wave, teams), vector, -(-columns // (lanes * vector)))
    if not work.is_sum:
        return usual
    halves = replace(usual, teams=min(SUMMING_LANES // wave, teams))
    return usual if _is_evener(usual, halves, work, target) else halves


def _is_evener(choice: Row, other: Row, work: Work, target: Target) -> bool:
    """Whether the units that have workgroups have more even work by a choice than by another choice."""
    from asmgen.blockwise.schedules.choosing.column_units import EVEN, unevenness_of_turns

    groups = [row_groups(each, work, target) for each in (choice, other)]
    turns = [unevenness_of_turns(count, target) if count > target.units else 1.0 for count in groups]
    return turns[0] * EVEN < turns[1]


def _of_group(columns: Dim, widest: int, work: Work, target: Target) -> Row:
    """Whole waves, which keep the row in registers if they can.

    An access has no more elements than each of GROUP_LANES lanes has of a row, or each lane of a wave if
    there is enough to do that every SIMD has a wave. If the row is short, the
    access has at most LEAST_OF_LANE elements, or a number that divides the row. A row with a length that only
    the launch knows is read in loops.
    """
    lanes = target.wave_size if work.share(target) >= widest else GROUP_LANES
    vector = min(widest, ceil_power(-(-most(columns) // lanes)))
    if most(columns) < LONG_ROW * vector:
        vector = max(_dividing(columns, vector), min(vector, LEAST_OF_LANE))
    if isinstance(columns, Size):  # each element has conditions of its own after the results of parts
        return _in_loops(1 if work.conditions and not work.is_sum else vector, work, target)
    held = _held(columns - columns % vector, 1, vector, work, target)
    return _in_room(_of_waves(held, vector, work, target), work) if held else _in_loops(vector, work, target)


def _held(columns: int, outer: int, vector: int, work: Work, target: Target) -> dict[int, int]:
    """The elements of a lane for each number of waves that have a row in registers: `outer` times so many
    columns.
    """
    held: dict[int, int] = {}
    for bit in range((LARGEST_GROUP // target.wave_size).bit_length()):
        lanes = target.wave_size << bit
        count = -(-columns // (lanes * vector)) * vector * outer
        if count <= most_held(work, lanes):
            held[1 << bit] = count
    return held


def _of_waves(held: Mapping[int, int], vector: int, work: Work, target: Target) -> Row:
    share, wave = work.share(target), target.wave_size
    waves = _quickest(held, work) if share < FEW_OF_LANE else _filled(held, GROUP_LANES // wave, share)
    if held[waves] > MOST_ACCESSES * vector and _is_of_few(work, target):
        waves *= 2 if 2 * held.get(2 * waves, held[waves]) == held[waves] else 1
    return Row(1, wave, waves, 1, vector, held[waves] // vector)


def _is_of_few(work: Work, target: Target) -> bool:
    """Whether rows are stored, and a unit of RDNA has few of them, so that more waves have more loads under
    way."""
    is_stored = work.whole and not target.has_agprs
    return is_stored and work.rows * work.other_rows <= FEW_OF_UNIT * target.units


def _in_loops(vector: int, work: Work, target: Target) -> Row:
    """A workgroup a row, which loops read."""
    wave, repeat = target.wave_size, under_way(work, vector, STREAMED)
    waves = (LARGEST_GROUP if work.levels > 1 else GROUP_LANES) // wave
    return _in_room(Row(1, wave, waves, 1, vector, repeat), work)


def _filled(held: Mapping[int, int], usual: int, share: int) -> int:
    """The number of waves that leaves the fewest lanes without columns, or that keeps the row in registers.
    With fewer waves it takes less to combine their results, so at least every second SIMD has a wave: with 32
    elements for each lane, layernorm of {1024,4096} takes 5.9 instructions for an element on gfx942, and with
    16 it takes 7.9 (tools.bench_peers).
    """
    fits = [waves for waves in held if waves <= usual and held[waves] <= min(MOST_OF_GROUP, 2 * share)]
    if fits:
        return min(fits, key=lambda waves: (waves * held[waves], -held[waves]))
    return next((waves for waves in held if held[waves] <= share), max(held))


def _quickest(held: Mapping[int, int], work: Work) -> int:
    """The number of waves by which a row takes the least time, if every wave has a SIMD. `held` has the
    elements of a lane for each number of waves.
    """
    of_element = SUMMED if work.is_sum else COMPUTED

    def time(waves: int) -> int:
        return held[waves] * of_element + work.levels * (PASSED_ON + waves if waves > 1 else 0)

    return min(held, key=lambda waves: (time(waves), waves))


def spread(choice: Row, work: Work, target: Target) -> Row:
    """The choice with fewer rows in a workgroup, if that spreads the work."""
    wanted = work.workgroups(target)
    most_parts = (
        work.planned[work.reduced[0]] if len(work.reduced) > 1 else 1
    )  # parts that an outer axis can be
    while choice.teams > 1 and row_groups(choice, work, target) * most_parts < wanted:
        choice = replace(choice, teams=choice.teams // 2)
    return choice
