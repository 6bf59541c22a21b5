"""The sizes by which schedules are chosen: how many elements a lane may hold, and how many bytes an
access has.
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choosing.room import fitting, held_room
from asmgen.blockwise.schedules.work import Work
from asmgen.ir.types import F32

ACCESS_BYTES = 16  # of a lane's widest access of memory
GROUP_LANES = 256  # of a workgroup, where nothing asks for another number
LARGEST_GROUP = 1024
MOST_HELD = 64  # elements a lane holds of what is reduced
MOST_HELD_NARROW = 40  # of less than 32 bits in the largest workgroup: held as they are read and as f32
MOST_HELD_OF_COLUMNS = 32  # in the largest workgroup, where each element of a lane may be beyond the last row
MOST_MASKS = 32  # conditions on elements of a lane, each of which is a mask in two SGPRs
STREAMED = 4  # accesses under way in a loop that streams
UNROLLED = 512  # bytes that a lane reads in a trip, where each access is forgotten once it is combined


def most_held(work: Work, lanes: int) -> int:
    """Elements that a lane holds of a row in a workgroup of `lanes`. The largest workgroup leaves a lane a
    half or a quarter of the registers that others have.
    """
    is_tight = lanes >= LARGEST_GROUP and work.element < F32.bytes
    held = held_room(work, MOST_HELD_NARROW if is_tight else MOST_HELD) // work.streams
    return min(held, max(1, MOST_MASKS // work.conditions)) if work.conditions else held


def widest_access(work: Work) -> int:
    """Elements of an access: 16 bytes of the narrowest buffer that is read, if that is one access."""
    width = max(1, ACCESS_BYTES // work.element)
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
