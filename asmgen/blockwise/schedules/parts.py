"""Into how many parts a kernel's reductions are taken, so that they keep the target busy."""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choose_column import column_groups
from asmgen.blockwise.schedules.choose_row import row_groups
from asmgen.blockwise.schedules.sizes import LARGEST_GROUP, STREAMED, most_held
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from isa.target import Target

# A workgroup that reads more shares it with others, which takes a further launch for what each makes of its
# part. A launch costs some microseconds, in which one compute unit reads this much.
READ_ALONE = 256 * 1024


def parts_of(work: Work, choice: Pointwise | Row | Column, target: Target) -> int:
    """How many workgroups should share what one has of a reduction by this choice."""
    match choice:
        case Row(lanes=1):
            return 1  # rows of a few columns
        case Row():
            groups = row_groups(choice, work, target)
            chunk = choice.vector * choice.lanes * choice.waves
            held = LARGEST_GROUP * most_held(work, LARGEST_GROUP) if work.levels > 1 else 0
        case Column():
            held = 0
            groups = column_groups(choice, work)
            chunk = choice.rows * (target.wave_size // choice.lanes) * choice.waves
        case Pointwise():
            return 1
    return _parts(work, groups, chunk, held, target)


def _parts(work: Work, groups: int, chunk: int, held: int, target: Target) -> int:
    """Of what `groups` workgroups reduce. `chunk` is how many elements of the last reduced axis one access of
    all lanes takes. A part has at most `held` of them, if that is not 0, so that it is read once.
    """
    wanted = -(-work.workgroups(target) // groups)
    if wanted == 1 or work.bytes <= groups * READ_ALONE:
        return 1
    if any(isinstance(work.dims[axis], Size) for axis in work.reduced):
        return wanted  # each of them goes round as often as the launch says
    first, last = work.dims[work.reduced[0]], work.dims[work.reduced[-1]]
    if len(work.reduced) > 1:
        return _whole_steps(first, wanted, 1)
    if held:
        wanted = max(wanted, -(-last // held))
    return _whole_steps(last, wanted, chunk * max(1, min(STREAMED, last // wanted // chunk)))


def _whole_steps(size: int, wanted: int, step: int) -> int:
    """How many parts of whole steps there are, at least `wanted` where the size allows."""
    length = max(step, size // wanted // step * step)
    return -(-size // length)
