"""Into how many parts a kernel's reductions are taken, so that they keep the target busy."""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.column import column_groups, rows_of_part
from asmgen.blockwise.schedules.choosing.room import LARGEST_GROUP, STREAMED, most_held
from asmgen.blockwise.schedules.choosing.row import LONGEST_OF_WAVE, row_groups
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from isa.target import Target

# Bytes. A workgroup with more to read shares the work with others, and a further launch combines their
# results. A launch costs some microseconds; a compute unit reads this much in that time.
READ_ALONE = 256 * 1024
MOST_OF_WAVES = 4096  # parts with a wave each: a single workgroup reads their results


def parts_of(work: Work, choice: Pointwise | Row | Column, target: Target) -> int:
    """The number of workgroups that should share the part of a workgroup of this choice."""
    is_open = any(isinstance(work.dims[axis], Size) for axis in work.reduced)  # for the launch to say
    match choice:
        case Row(lanes=1):
            return 1  # rows of a few columns
        case Row():
            groups = row_groups(choice, work, target)
            chunk = choice.vector * choice.lanes * choice.waves
            held = LARGEST_GROUP * most_held(work, LARGEST_GROUP) if work.levels > 1 else 0
            parts = parts_of_groups(work, groups, chunk, held, work.workgroups(target))
            return parts if is_open else _of_waves(work, choice, parts, target)
        case Column():
            held = 0
            groups = column_groups(choice, work)
            chunk = choice.rows * (target.wave_size // choice.lanes) * choice.waves
            if work.is_sum and choice.columns == 1 and len(work.reduced) == 1 and not is_open:
                most = -(-work.waves_of_columns(target) // 2)  # half of them are enough for one launch
                parts = parts_of_groups(work, groups, chunk, held, most)
                return 1 if parts == 1 else -(-work.planned[work.reduced[-1]] // rows_of_part(work, target))
        case Pointwise():
            return 1
    return parts_of_groups(work, groups, chunk, held, work.workgroups(target))


def _of_waves(work: Work, choice: Row, parts: int, target: Target) -> int:
    """The number of parts. If a single workgroup can read the results of all parts, a part is as small as a
    wave can take by itself, without a barrier.
    """
    columns = work.planned[work.reduced[-1]]
    waves = -(-columns * work.element // LONGEST_OF_WAVE)
    if parts == 1 or len(work.reduced) > 1 or not work.is_sum:
        return parts
    if waves * work.rows * work.other_rows > MOST_OF_WAVES:
        return parts
    return _whole_steps(columns, waves, choice.vector * target.wave_size)


def parts_of_groups(work: Work, groups: int, chunk: int, held: int, most: int) -> int:
    """The number of parts for the work of `groups` workgroups, if a launch should have `most`. An access of
    all lanes takes `chunk` elements of the last reduced axis. If `held` is not 0, a part has at most `held`
    elements, so that it is read once.
    """
    wanted = -(-most // groups)
    if wanted == 1 or work.bytes <= groups * READ_ALONE:
        return 1
    if any(isinstance(work.dims[axis], Size) for axis in work.reduced):
        return wanted  # the launch determines the trips of each part
    first, last = work.planned[work.reduced[0]], work.planned[work.reduced[-1]]
    if len(work.reduced) > 1:
        return _whole_steps(first, wanted, 1)
    if held:
        wanted = max(wanted, -(-last // held))
    return _whole_steps(last, wanted, chunk * max(1, min(STREAMED, last // wanted // chunk)))


def _whole_steps(size: int, wanted: int, step: int) -> int:
    """The number of parts that consist of whole steps, at least `wanted` if the size allows."""
    length = max(step, size // wanted // step * step)
    return -(-size // length)
