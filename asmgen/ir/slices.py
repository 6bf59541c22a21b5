"""From which element a slice takes an axis, and up to which: numbers from the end where they are negative,
clamped to the axis, as numpy has them.

    {10} from 1 to -2    1 and 8
    {n} from 1 to -2     1 and n - 2: nothing is clamped, n is 3 at least (`asmgen.ir.named_dims`)
"""

from __future__ import annotations

from asmgen.index.size import Size

OPEN_END = (1 << 31) - 1  # from here on an end of a named dim is its end: what others write for an open one


def ends_of(size: int, start: int, end: int) -> tuple[int, int]:
    """The first element of a slice of an axis, and the one after its last, which is never before the first.
    Of an axis or ends that only the launch knows they are sizes that may be below 0.
    """
    if not any(isinstance(one, Size) for one in (size, start, end)):
        within = range(size)[start:end]
        return within.start, within.start + len(within)
    first = size + start if _is_from_end(start) else _within(start, size)
    last = size + end if _is_from_end(end) else _within(end, size)
    length = last - first
    return first, last if isinstance(length, Size) or length > 0 else first


def _is_from_end(end: int) -> bool:
    return not isinstance(end, Size) and end < 0


def _within(end: int, size: int) -> int:
    """An end that is clamped where it is known to be beyond the axis."""
    beyond = end - size
    if isinstance(beyond, Size):
        return size if not isinstance(end, Size) and end >= OPEN_END else end
    return size if beyond > 0 else end
