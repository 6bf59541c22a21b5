"""Into how many parts a kernel's reductions are taken, so that they keep the target busy."""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.column import column_groups, rows_of_part
from asmgen.blockwise.schedules.choosing.room import LARGEST_GROUP, STREAMED, most_held
from asmgen.blockwise.schedules.choosing.row import LONGEST_OF_WAVE, row_groups
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from isa.target import Target

# A workgroup that reads more shares it with others, which takes a further launch for what each makes of its
# part. A launch costs some microseconds, in which one compute unit reads this much.
READ_ALONE = 256 * 1024
MOST_OF_WAVES = 4096  # parts that a wave each takes: what they give is read by one workgroup


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
            parts = _parts(work, groups, chunk, held, work.workgroups(target))
            return parts if is_open else _of_waves(work, choice, parts, target)
        case Column():
            held = 0
            groups = column_groups(choice, work)
            chunk = choice.rows * (target.wave_size // choice.lanes) * choice.waves
            if work.is_sum and choice.columns == 1 and len(work.reduced) == 1 and not is_open:
                most = -(-work.waves_of_columns(target) // 2)  # half of them are enough for one launch
                parts = _parts(work, groups, chunk, held, most)
                return 1 if parts == 1 else -(-work.planned[work.reduced[-1]] // rows_of_part(work, target))
        case Pointwise():
            return 1
    return _parts(work, groups, chunk, held, work.workgroups(target))


def _of_waves(work: Work, choice: Row, parts: int, target: Target) -> int:
    """Where rows are taken in parts, and one workgroup can read what they give: parts of which a wave takes
    one alone, without a barrier.
    """
    columns = work.planned[work.reduced[-1]]
    waves = -(-columns * work.element // LONGEST_OF_WAVE)
    if parts == 1 or len(work.reduced) > 1 or not work.is_sum:
        return parts
    if waves * work.rows * work.other_rows > MOST_OF_WAVES:
        return parts
    return _whole_steps(columns, waves, choice.vector * target.wave_size)


def _parts(work: Work, groups: int, chunk: int, held: int, most: int) -> int:
    """Of what `groups` workgroups reduce, where a launch should have `most`. `chunk` is how many elements of
    the last reduced axis one access of all lanes takes. A part has at most `held` of them, if that is not 0,
    so that it is read once.
    """
    wanted = -(-most // groups)
    if wanted == 1 or work.bytes <= groups * READ_ALONE:
        return 1
    if any(isinstance(work.dims[axis], Size) for axis in work.reduced):
        return wanted  # each of them goes round as often as the launch says
    first, last = work.planned[work.reduced[0]], work.planned[work.reduced[-1]]
    if len(work.reduced) > 1:
        return _whole_steps(first, wanted, 1)
    if held:
        wanted = max(wanted, -(-last // held))
    return _whole_steps(last, wanted, chunk * max(1, min(STREAMED, last // wanted // chunk)))


def _whole_steps(size: int, wanted: int, step: int) -> int:
    """How many parts of whole steps there are, at least `wanted` where the size allows."""
    length = max(step, size // wanted // step * step)
    return -(-size // length)
