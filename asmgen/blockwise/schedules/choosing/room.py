"""Bounds of a choice: the elements of a lane, and the bytes of an access.

The bounds are tighter if a compile asks for fewer registers than the target has (`Work.room`). They are
estimates, since the allocator spills values that do not fit: too many elements cost memory, too few cost
lanes. With these numbers the programs of `tools.scoreboard` take the fewest cycles in 8 to 42 VGPRs on
gfx1100.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from asmgen.ir.types import F32
from isa.target import WIDEST_ACCESS, Target

# Registers besides the elements of a lane:
OF_ACCESS = 1  # for elements that are read and combined in turn: a place in memory;
OF_HELD = 8  # for elements that stay in registers: temporaries of an element, results of rows, places;
OF_OTHER = 4  # for each buffer that is read again for every row;
OF_WIDENED = 2  # for narrow elements that are widened before they are added.

LEAST_HELD = 8  # elements: fewer save nothing, since the exchange between waves takes registers as well


def held_room(work: Work, most: int) -> int:
    """How many of `most` elements of a buffer fit at once."""
    if work.room is None:
        return most
    others = OF_HELD + OF_OTHER * max(0, work.along - work.streams)
    return min(most, max(LEAST_HELD, work.room - others))


def holds(work: Work, elements: int) -> bool:
    """Whether so many elements of a row of each buffer fit in registers."""
    return work.is_sum or held_room(work, elements * work.streams) == elements * work.streams


def covers_outer_axes(work: Work, choice: Row) -> bool:
    """Whether a lane has its elements of all reduced axes at a time, so that no loop goes along them."""
    outer, columns = prod([work.dims[axis] for axis in work.reduced[:-1]]), work.dims[work.reduced[-1]]
    if isinstance(outer, Size) or isinstance(columns, Size):
        return False
    return outer * -(-columns // (choice.vector * choice.lanes * choice.waves)) <= choice.repeat


def row_groups(choice: Row, work: Work, target: Target) -> int:
    """The workgroups of a launch of rows."""
    of_group = choice.rows * (target.wave_size // choice.lanes) * choice.teams
    return -(-work.rows // of_group) * work.other_rows


def fitting(work: Work, vector: int) -> int:
    """The widest access of up to `vector` elements, such that an access of each buffer and the sums of
    columns fit in registers.
    """
    while vector > 1 and work.room is not None and not _fits(work, vector, work.room):
        vector //= 2
    return vector


def under_way(work: Work, vector: int, most: int) -> int:
    """How many accesses of `vector` elements, up to `most`, there is room for at once: all, or a power of
    two, which leaves fewer rows over.
    """
    if work.room is None:
        return most
    count = (work.room - OF_ACCESS - _added_up(work, vector)) // _read(work, vector)
    return most if count >= most else 1 << max(1, count).bit_length() - 1


def pieces_of_trip(work: Work, vector: int, repeat: int, most: int) -> int | None:
    """How many pieces of `repeat` accesses of `vector` elements fit in a trip of a loop; None if `most` bytes
    of them fit. Narrow accesses would be more than `MOST_LOADS`.
    """
    accesses = -(-most // (vector * work.element * work.streams))
    fit = min(under_way(work, vector, accesses), MOST_LOADS)
    return None if fit == accesses else max(1, fit // repeat)


def _fits(work: Work, vector: int, room: int) -> bool:
    """Whether accesses of `vector` elements fit in `room` registers. Columns are added up while the next
    columns are read; other rows stay in registers."""
    added_up = _added_up(work, vector)
    if work.reduced and not holds(work, vector):
        return False
    return OF_ACCESS + added_up + _read(work, vector) * (2 if added_up else 1) <= room


def _added_up(work: Work, vector: int) -> int:
    """Registers of the sums of columns, and of narrow elements that become f32 before they are added."""
    if work.reduces_fast or not work.is_sum:
        return 0
    return vector * max(1, work.element // F32.bytes) + (OF_WIDENED if work.element < F32.bytes else 0)


def _read(work: Work, vector: int) -> int:
    """Registers of an access of each buffer."""
    return -(-vector * work.element // F32.bytes) * work.streams


GROUP_LANES = 256  # of a workgroup, unless something asks for another number
LARGEST_GROUP = 1024
# Clocks with half or double, relative to those with the constant: geometric means of the programs that
# change (`tools.judge_choices --neighbours`). MOST_HELD: 0.98 to 1.00, but half takes twice the
# instructions (cosine_bf16 on gfx1100). STREAMED: half 0.97 to 0.98, with 1.6 times the instructions;
# double 1.03 to 1.12. UNROLLED: half 1.01 to 1.07; double 1.00.
MOST_HELD = 64  # elements of the reduced operand in a lane's registers
MOST_HELD_NARROW = 40  # the same for narrow elements in the largest workgroup: kept as read, and as f32
MOST_HELD_OF_COLUMNS = 32  # in the largest workgroup, if each element of a lane may be beyond the last row
MOST_MASKS = 32  # conditions on elements of a lane, each of which is a mask in two SGPRs
STREAMED = 4  # accesses under way in a loop that streams
MOST_LOADS = 64  # of a trip: the counter of loads ends at 63, and more loads are more code
UNROLLED = 512  # bytes that a lane reads in a trip, if an access is not needed again once it is combined


def most_held(work: Work, lanes: int) -> int:
    """The most elements of a row in a lane's registers, in a workgroup of `lanes`. The largest workgroup
    leaves a lane half or a quarter of the registers of smaller workgroups.
    """
    is_tight = lanes >= LARGEST_GROUP and work.element < F32.bytes
    held = held_room(work, MOST_HELD_NARROW if is_tight else MOST_HELD) // work.streams
    return min(held, max(1, MOST_MASKS // work.conditions)) if work.conditions else held


def widest_access(work: Work) -> int:
    """Elements of an access: 16 bytes of the narrowest buffer, if that is a single access."""
    width = max(1, WIDEST_ACCESS // work.element)
    while width > 1 and ((width > work.planned[-1] and not work.is_packed) or width > work.widest_access):
        width //= 2
    while width > 1 and width * work.conditions > MOST_MASKS:
        width //= 2
    return fitting(work, width)


def is_narrow(columns: int, vector: int) -> bool:
    """Whether columns are so few that whole accesses need several rows."""
    return columns < vector or (columns < 2 * vector and columns % vector != 0)


def ceil_power(number: int) -> int:
    """The smallest power of two that is not below a positive number."""
    return 1 << max(0, number - 1).bit_length()


def floor_power(number: int) -> int:
    """The largest power of two that is not above a positive number."""
    return 1 << number.bit_length() - 1
