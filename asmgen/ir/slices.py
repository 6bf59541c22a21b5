"""The first element of a slice and the element after its last: negative numbers count from the end, and
both are clamped to the axis, as in numpy.

    {10} from 1 to -2    1 and 8
    {n} from 1 to -2     1 and n - 2, if n is at least 3: nothing is clamped
    {n} from 0 to 8      0 and min(n, 8)
    {n} from -8 to 8     n - min(n, 8), and as many more as there are up to min(n, 8), or none
"""

from __future__ import annotations

from typing import TypeGuard

from asmgen.index.expression import constant
from asmgen.index.size import Dim, Size, at_least, size_of
from asmgen.ir.program import Statement, tensor_type

OPEN_END = (1 << 31) - 1  # an end of a named dim from here on is open: other tools write such numbers for it


def ends_of(size: Dim, start: Dim, end: Dim) -> tuple[Dim, Dim]:
    """The first element of a slice of an axis and the element after its last, which is never before the
    first. They are sizes if only the launch knows the axis or an end. The least value of a dim decides
    whether an end needs no clamp."""
    if isinstance(size, int) and isinstance(start, int) and isinstance(end, int):
        within = range(size)[start:end]
        return within.start, within.start + len(within)
    if _is_from_end(end) and _is_from_end(start):
        last = size - _smaller(-end, size)
        return last - _smaller(end - start, last) if start < end else last, last
    first = _within(start, size)
    if isinstance(start, Size) or isinstance(end, Size) or start < 0:
        return first, first + _at_least_zero(_within(end, size) - first)
    rest = size - first
    if end < 0:
        return first, size - _smaller(-end, rest)
    return first, size if end >= OPEN_END else first + _smaller(max(end - start, 0), rest)


def kept_by(part: Statement) -> tuple[tuple[Dim, Dim], ...]:
    """For each axis the first element of a slice and the element after its last."""
    dims = tensor_type(part.operands[0]).dims
    kept: list[tuple[Dim, Dim]] = [(0, dim) for dim in dims]
    for axis, start, end in zip(*[_listed(part, name) for name in ("axes", "starts", "ends")], strict=True):
        assert isinstance(axis, int), "the launch knows no axis"
        kept[axis] = ends_of(dims[axis], start, end)
    return tuple(kept)


def _listed(part: Statement, name: str) -> tuple[Dim, ...]:
    given = part.attributes[name]
    listed = given if isinstance(given, tuple) else (given,)
    return tuple([each for each in listed if isinstance(each, int | Size)])


def room_of(size: Dim, start: Dim, end: Dim) -> tuple[Dim, Dim, Dim]:
    """The numbers that are not negative if nothing is clamped: the elements before the first, from it to
    the last, and after the last."""
    first, last = _as_given(start, size), _as_given(end, size)
    return first, last - first, size - last


def _as_given(end: Dim, size: Dim) -> Dim:
    if _is_from_end(end):
        return size + end
    is_open = isinstance(size, Size) and isinstance(end, int) and end >= OPEN_END
    return size if is_open else end


def _within(end: Dim, size: Dim) -> Dim:
    given = _as_given(end, size)
    return size - _smaller(-end, size) if _is_from_end(end) else _smaller(given, size)


def _is_from_end(end: Dim) -> TypeGuard[int]:
    return isinstance(end, int) and end < 0


def _smaller(a: Dim, b: Dim) -> Dim:
    """The smaller of two sizes, for every value of the dims."""
    if at_least(b, a).is_shown:
        return a
    if at_least(a, b).is_shown:
        return b
    size, other = (b, a) if isinstance(b, Size) else (a, b)
    return size_of(constant(size).smaller(constant(other)))


def _at_least_zero(size: Dim) -> Dim:
    """A size, or 0 if it is negative."""
    return size if at_least(size, 0).is_shown else size - size_of(constant(size).at_most(0))
