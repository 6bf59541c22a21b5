"""Into how many parts a kernel's reductions are taken, so that they keep the target busy."""

from __future__ import annotations

from itertools import accumulate
from math import prod
from operator import mul

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Column, Pairs, Pointwise, Row
from asmgen.blockwise.schedules.choosing.alone import KEPT, SUM, alone_bytes
from asmgen.blockwise.schedules.choosing.room import (
    GROUP_LANES,
    LARGEST_GROUP,
    STREAMED,
    covers_outer_axes,
    most_held,
    row_groups,
)
from asmgen.blockwise.schedules.choosing.row import LONGEST_OF_WAVE
from asmgen.blockwise.schedules.elements.merged_dims import Dims
from asmgen.blockwise.schedules.work import BYTES_OF_GROUP, GROUPS_OF_UNIT, Work
from asmgen.index.size import Size
from isa.named_tuple import NamedTuple
from isa.target import Target

# No program of the scoreboard changes with half or double (`tools.judge_choices --neighbours`).
# A launch that takes 16 trips of a loop after each other takes 10 to 19 us on gfx942; two or three launches
# take 6 to 11 (sums of x[:, 1:] with and without an output of all elements).
MOST_TURNS = 16
OF_PART = 8  # trips of a part
MOST_OF_WAVES = 4096  # parts with a wave each: a single workgroup reads their results


class Share(NamedTuple):
    """Into how many parts the work of a workgroup goes, each for a workgroup; `why` is the reason if it does
    its work alone.

    `length` is the number of elements of a part, if that is fixed and not the number of parts: of a scan of
    which workgroups pass on what precedes their parts, of rows of a named dim that are read again, and of
    a named number of rows of columns, if another dim that is kept is named too.

    `axes` are the reduced axes that are divided, next to each other, if the choice names them.

    If only the launch knows how many elements a result has, one launch takes up to `whole` of them in less
    time than parts and the launches that combine them. If only the launch knows how many results there are,
    one launch takes more than `rows` of them in less time.
    """

    parts: int
    why: str = ""
    length: int = 0
    axes: Dims = ()
    whole: int = 0
    rows: int = 0


# Rows of a part of columns that are added up, if only the launch knows the rows and a dim that is kept.
# With 512 the sums of {32768,768} take 1.2 times the clocks on gfx942, and of {1000000,7} 0.8 times.
ROWS_OF_OPEN_PART = 256
# The same of a chain of reductions, of which lanes have the rows in registers. With 64 the softmax of
# {100000,16} over its rows takes 1.5 times the clocks on gfx942, and that of {64,1000} 0.85 times.
ROWS_OF_OPEN_CHAIN = 128
# The most elements of a row or a column of a named length that a single launch takes in fewer clocks than
# parts, on CDNA and on RDNA: as sums and as chains of reductions.
# - Of columns of a named number, rows: sums of {767,1000} take 19,437 clocks on gfx942, and 20,513 in parts;
#   softmax of {255,1000} 30,371, and 27,164. On gfx1100 twice as many rows take as long as parts.
# - Of columns of a known number, rows: sums of {2000,64} take 15,048 clocks on gfx942, and 16,095 in parts;
#   batch norm of {1000,64} 24,425, and 28,238. On gfx1100 {2000,64} takes 27,386, and 31,400.
# - Of a row, bytes: 32,000 elements of f32 are summed in 11,467 clocks on gfx942, and in 14,140 by parts;
#   64,000 elements in 10,948 on gfx1100, and in 14,683 by parts.
WHOLE_OF_NAMED_COLUMNS = ((767, 1535), (255, 511))
WHOLE_OF_KNOWN_COLUMNS = ((2047, 8191), (1279, 2559))
WHOLE_OF_ROW = (1 << 17, 1 << 18)
# The same of rows that are stored and of which a reduction needs the result of another, as how many times as
# many elements. Of {8,n} f32, with a launch each for the parts, their results and the stored rows:
#
#              n         gfx942: parts, a launch    gfx1100: parts, a launch
#     softmax  65,536           28,643    47,527
#              128,000          30,301    73,520            37,485    38,915
#     layernorm  65,536         27,449    24,854
#              128,000          29,220    37,573            36,240    19,481
#              1,000,003        65,279   240,107           122,906   135,675
TIMES_OF_STORED, TIMES_OF_MEANS = (1, 2), 2
# Compute units for each of such rows, at least: softmax of {100,128000} takes 73,259 clocks on gfx942, and
# 91,139 in parts.
UNITS_OF_STORED_ROW = 8
# The same of rows of a known length, by whether a chain begins with sums or means: these have a single level
# or take two levels in one pass (`pages.one_pass`), so that a workgroup alone reads rows sooner. Of m f32
# rows of 128,000 on gfx942, and of f16 rows of 200,000 on gfx1100:
#
#              m    gfx942: parts, a workgroup each    m    gfx1100
#     softmax  64            62,477     69,376          8    29,985    29,632
#              96            85,908     71,963         16    41,346    30,351
#              256          192,205    113,360         32    59,584    35,469
#     rmsnorm  32            37,771     38,536          8    28,850    20,118
#              128           96,591     64,441         32    59,340    33,752
UNITS_OF_KNOWN_ROW = (4, 8)
OF_LANES = Share(1, "no lanes of several workgroups share a row")


def share_of(work: Work, choice: Pointwise | Row | Column | Pairs, target: Target) -> Share:
    """The parts in which several workgroups should do the work of a workgroup of this choice."""
    match choice:
        case Row(lanes=1):
            return _of_lanes(work, row_groups(choice, work, target), target)
        case Row():
            return _of_rows(work, choice, target)
        case Column():
            return _of_columns(work, choice, target)
        case Pairs() | Pointwise():
            return OF_LANES


def _of_rows(work: Work, choice: Row, target: Target) -> Share:
    groups = row_groups(choice, work, target)
    if choice.teams > 1 and work.has_pairs and _has_unit_each(choice, work, target):
        return Share(1, f"{groups} units read as fast as all of them")
    is_open = _is_open(work)
    is_across = not is_open and not work.reduces_fast
    readers = Readers(
        groups,
        chunk=choice.vector * choice.lanes * choice.waves,
        held=LARGEST_GROUP * most_held(work, LARGEST_GROUP) if work.levels > 1 else 0,
        turns=1 if is_open or covers_outer_axes(work, choice) else _turns(work),
        lines=_bytes_of_line(work) // work.element if is_across else 1,
    )
    share = share_of_groups(work, _kind(work), readers, target)
    return share if is_open else _of_waves(work, choice, share, target)


def _of_columns(work: Work, choice: Column, target: Target) -> Share:
    from asmgen.blockwise.schedules.choosing.column import (
        column_groups,
        columns_of_group,
        rows_at_a_time,
        rows_held,
        rows_of_part,
    )
    from asmgen.blockwise.schedules.choosing.column_units import reads_alone

    is_open = _is_open(work)
    is_named = any(isinstance(work.dims[axis], Size) for axis in work.kept)
    if is_open and (is_named or work.levels > 1):
        length = ROWS_OF_OPEN_PART if work.levels == 1 else ROWS_OF_OPEN_CHAIN
        return Share(2, length=length, whole=_whole_rows(work, target))
    usual = replace(choice, waves=min(choice.waves, GROUP_LANES // target.wave_size))
    # the rows of a part, which has fewer waves than a workgroup alone
    readers = Readers(column_groups(choice, work), rows_at_a_time(usual, target))
    if is_open:
        share = share_of_groups(work, _kind(work), readers, target)
        return share if share.parts == 1 else share._replace(whole=_whole_rows(work, target))
    if work.is_sum and choice.columns == 1 and len(work.reduced) == 1:
        if reads_alone(columns_of_group(choice), work, target):
            return Share(1, f"{readers.groups} units read as fast as parts and a second launch")
        most = -(-work.waves_of_columns(target) // 2)  # half of them are enough for one launch
        share = share_of_groups(work, _kind(work), readers._replace(most=most), target)
        rows = work.planned[work.reduced[-1]]
        return share if share.parts == 1 else Share(-(-rows // rows_of_part(work, target)))
    held = rows_held(work, target) if work.levels > 1 and choice.columns == 1 else 0
    return share_of_groups(work, _kind(work), readers._replace(held=held), target)


def _is_open(work: Work) -> bool:
    """Whether only the launch knows the length of a row."""
    return any(isinstance(work.dims[axis], Size) for axis in work.reduced)


def _kind(work: Work) -> str:
    return KEPT if work.whole else SUM


def _has_unit_each(choice: Row, work: Work, target: Target) -> bool:
    from asmgen.blockwise.schedules.choosing.shared_row import has_unit_each

    return has_unit_each(choice, work, target)


def _of_lanes(work: Work, groups: int, target: Target) -> Share:
    """The parts of rows that lanes have to themselves, if a lane loops over outer reduced axes and lanes
    would be idle: sums of {65537,2} times {2} are those of 8,193 lanes, and of {n,2} those of as many
    workgroups as the target should have."""
    turns = _turns(work)
    if _is_open(work):
        parts = -(-work.workgroups(target) // groups)
        return Share(parts) if len(work.reduced) > 1 and parts > 1 else OF_LANES
    lanes = target.units * target.simds * target.wave_size
    parts = min(turns // OF_PART, lanes // max(1, work.rows * work.other_rows))
    if turns < MOST_TURNS or parts <= 1:
        return OF_LANES
    return _of_axes(work, parts, groups, 1, work.reduced[:-1])


def _of_axes(work: Work, wanted: int, groups: int, chunk: int, reduced: Dims) -> Share:
    """About `wanted` parts of the rows, for each of the `groups` of a launch.

    The first of the reduced dims is divided if it has more than half as many elements as parts are wanted, or
    if each element of it stands for few bytes. Otherwise another dim, several dims together, or the last dim
    is divided, in which a part has at least `chunk` elements. If the first dim alone were divided, the minima
    of {5,1000003} and {1000003} of u8 would be the work of five workgroups, and take 405,000 clocks on gfx942
    in place of 24,000.
    """
    first = work.planned[reduced[0]]
    if 2 * first > wanted or work.bytes <= first * groups * BYTES_OF_GROUP:
        return Share(_whole_steps(first, wanted, 1))
    has_last = reduced[-1] == work.reduced[-1]
    outer, last = reduced[: len(reduced) - has_last], work.planned[reduced[-1]]
    sizes = accumulate([work.planned[axis] for axis in outer], mul)
    alone = [(work.planned[axis], _span(work, (axis,))) for axis in outer]
    together = [(size, _span(work, outer[:count])) for count, size in enumerate(sizes, 1)]
    spans = [(size, span) for size, span in (*alone, *together) if span]
    size, axes = next((each for each in spans if 2 * each[0] > wanted), max(spans))
    of_last = min(wanted, last // chunk) if has_last else 0
    if of_last > size or (of_last == wanted and _span(work, reduced[-1:])):
        return Share(_whole_steps(last, of_last, chunk), axes=_span(work, reduced[-1:]))
    return Share(_whole_steps(size, wanted, 1), axes=axes)


def _span(work: Work, chosen: Dims) -> Dims:
    """The axes of the graph from the first of some dims to the last; none if there are others between."""
    own = [axis for dim in chosen for axis in work.groups[dim]]
    first, last = min(own), max(own)
    between = [axis for group in work.groups for axis in group if first <= axis <= last]
    return tuple(range(first, last + 1)) if len(between) == len(own) else ()


def _bytes_of_line(work: Work) -> int:
    """The bytes that an access to an element of a row across memory reads: a line, or the part of it that
    comes before the next row."""
    from asmgen.blockwise.schedules.choosing.column import SEGMENT_BYTES

    return min(SEGMENT_BYTES, prod(work.planned[work.reduced[-1] + 1 :]) * work.element)


def _turns(work: Work) -> int:
    """The trips of a loop over the outer reduced axes."""
    return prod([work.planned[axis] for axis in work.reduced[:-1]])


def _of_waves(work: Work, choice: Row, share: Share, target: Target) -> Share:
    """The parts. If a single workgroup can read the results of all parts, a part is as small as a
    wave can take by itself, without a barrier.
    """
    columns = work.planned[work.reduced[-1]]
    waves = -(-columns * work.element // LONGEST_OF_WAVE)
    if share.parts == 1 or len(work.reduced) > 1 or not work.is_sum:
        return share
    if waves * work.rows * work.other_rows > MOST_OF_WAVES:
        return share
    return Share(_whole_steps(columns, waves, choice.vector * target.wave_size))


class Readers(NamedTuple):
    """The workgroups of a launch that read rows: `groups` of them, if the rows are not shared.

    * `chunk`: the elements of the last reduced axis that an access of all lanes takes
    * `held`: if it is not 0, reductions of a chain read elements again that are not in registers: a part has
      at most `held` elements, so that it is read once
    * `most`: the workgroups that the launch should have; 0 is the usual number
    * `turns`: how often a workgroup alone would wait for memory
    * `lines`: how many times as many bytes as the elements have the lines that are read
    """

    groups: int
    chunk: int
    held: int = 0
    most: int = 0
    turns: int = 1
    lines: int = 1


def share_of_groups(work: Work, kind: str, readers: Readers, target: Target) -> Share:
    """The parts for the work of the workgroups; `kind` is one of `alone.KINDS`."""
    groups, chunk, held, usual, turns, lines = readers
    most = min(GROUPS_OF_UNIT * target.compute_units, (usual or work.workgroups(target)) * lines)
    alone = alone_bytes(kind, work.element, groups, target)
    if lines > 1:
        from asmgen.blockwise.schedules.choosing.column_units import bytes_of_launches

        alone = min(alone, bytes_of_launches(1 + work.whole, target) // lines)
    wanted = -(-most // groups)
    own = -(-(work.worth if groups < target.units else work.bytes) // groups)  # parts fill idle units
    is_open = _is_open(work)
    elements = prod([work.planned[axis] for axis in work.reduced])
    is_read_again = not is_open and not work.whole and 0 < held < elements
    is_alone = (wanted == 1 and not is_read_again) or own <= alone
    if is_alone and turns >= MOST_TURNS and groups < target.units:
        parts = min(-(-turns // OF_PART), GROUPS_OF_UNIT * target.compute_units // groups)
        return _of_axes(work, parts, groups, chunk, work.reduced)
    if wanted == 1 and not is_read_again:
        return Share(1, f"{most} workgroups are enough for {work.worth} bytes, and one reads {own}")
    if own <= alone:
        return Share(1, f"a workgroup reads {own} bytes, and up to {alone} take no longer alone")
    if is_open:
        # the launch determines the trips of each part
        return Share(wanted, whole=_whole_of_row(work, target))
    if held:
        wanted = max(wanted, -(-elements // held))
    if len(work.reduced) > 1:
        return _of_axes(work, wanted, groups, chunk, work.reduced)
    return Share(_whole_steps(elements, wanted, chunk * max(1, min(STREAMED, elements // wanted // chunk))))


def _whole_rows(work: Work, target: Target) -> int:
    """The most rows of columns that a single launch takes."""
    is_named = any(isinstance(work.dims[axis], Size) for axis in work.kept)
    rows = (WHOLE_OF_NAMED_COLUMNS if is_named else WHOLE_OF_KNOWN_COLUMNS)[work.levels > 1]
    return rows[not target.has_agprs]


def _whole_of_row(work: Work, target: Target) -> int:
    """The most elements of a row that a single launch takes."""
    return WHOLE_OF_ROW[not target.has_agprs] // (work.element * work.streams)


def share_of_stored_rows(share: Share, work: Work, of_means: bool, target: Target) -> Share:
    """The share of rows that are stored after a chain of reductions, which begins with sums if `of_means`."""
    if UNITS_OF_STORED_ROW * work.rows * work.other_rows > target.compute_units:
        return Share(1, "many rows of a size that only the launch knows are read again")
    times = TIMES_OF_STORED[not target.has_agprs] * (TIMES_OF_MEANS if of_means else 1)
    return share._replace(whole=share.whole * times)


def share_of_known_rows(share: Share, work: Work, of_means: bool, target: Target) -> Share:
    """The share of rows of a known length: of many rows that are stored, a workgroup reads each alone. It is
    soon enough for memory, and reads the row a second time from a cache."""
    is_of_rows = work.whole and work.reduces_fast and len(work.reduced) == 1
    units = UNITS_OF_KNOWN_ROW[of_means] * work.rows * work.other_rows
    if share.parts == 1 or not is_of_rows or units <= target.units:
        return share
    return Share(1, f"{work.rows * work.other_rows} workgroups read as fast as memory")


def _whole_steps(size: int, wanted: int, step: int) -> int:
    """The number of parts that consist of whole steps, at least `wanted` if the size allows."""
    length = max(step, size // wanted // step * step)
    return -(-size // length)
