"""The canonical form of conditions on indices, and their value as bools of a lane.

Equal conditions have the same form, and two conditions that bound the same index are a range:

c + 3 < 1100, c a multiple of 4        c < 1100
-1 < c - 2 and c - 2 < 8               2 <= c < 10
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import gcd

from asmgen.blockwise.actions import ZERO, Below
from asmgen.blockwise.lowering.addresses.indices import HALF, WORD, IndexValues
from asmgen.index import Index, constant
from asmgen.index.expression import only
from asmgen.index.interning import remembered
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from isa.named_tuple import NamedTuple


class Range(NamedTuple):
    """An index that is at least `first`, and below `first + length`: `other` is one of the two conditions."""

    of: Index
    first: int
    length: int
    other: Below


def range_of(one: Below, other: Below | bool) -> Range | None:
    """The range that two canonical conditions give an index; None if they are not the two bounds of the same
    index.
    """
    if isinstance(other, bool):
        return None
    (low, above), (below, high) = (one, other) if one.left.is_constant else (other, one)
    first = 1 + low.constant - above.constant
    if not low.is_constant or not high.is_constant or above.terms != below.terms:
        return None
    index, last = below - below.constant, high.constant - below.constant
    is_small = max(-index.low, index.high, abs(first), abs(last)) < HALF
    return Range(index, first, last - first, other) if is_small and first < last else None


@remembered
def canonical(condition: Below) -> Below | bool:
    """The equivalent condition with its constant on the right, or its value if the bounds decide it.

    If the variable part is a multiple of m, the constant is rounded up to a multiple of m: if `c` is a
    multiple of 4, both `c < 1100` and `c + 3 < 1100` are `c < 1100`. Common factors are divided out.
    """
    left, right = condition
    room = right - left
    if room.low > 0 or room.high <= 0:
        return room.low > 0
    multiple = max(1, (room - room.constant).multiple)
    rounded = -(-room.constant // multiple) * multiple
    left, right = left - left.constant, right - left.constant + (rounded - room.constant)
    factor = gcd(*[number for _, number in left.terms])
    if right.is_constant and factor > 1:
        return Below(left // factor, constant(-(-right.constant // factor)))
    both = gcd(factor, right.constant, *[number for _, number in right.terms])
    return Below(left // both, right // both) if both > 1 else Below(left, right)


def all_below(indices: IndexValues, conditions: Sequence[Below | bool]) -> list[Value | bool]:
    """The value of each condition. Two conditions that bound an index on both sides take one comparison:
    after the lower bound is subtracted, an index below it is a large u32.
    """
    left = [one if isinstance(one, bool) else canonical(one) for one in conditions]
    left = [True if one in indices.assumed else one for one in left]
    found: list[Value | bool] = []
    while left:
        one = left.pop(0)
        pair = None if isinstance(one, bool) else next(filter(None, map(partial(range_of, one), left)), None)
        if isinstance(one, bool) or pair is None:
            found.append(one if isinstance(one, bool) else _below(indices, one))
            continue
        left.remove(pair.other)
        found.append(_within(indices, pair))
    return found


def _below(indices: IndexValues, condition: Below) -> Value | bool:
    """Whether a condition is true: a bool if its bounds decide it, else a value."""
    known = canonical(condition)
    if isinstance(known, bool):
        return known
    if known in indices.assumed:
        return True
    opposite = canonical(Below(known.right - 1, known.left))
    if isinstance(opposite, Below) and indices.is_known(opposite):
        return indices.once(known, lambda: indices.builder.logical_not(_less(indices, opposite)))
    return _less(indices, known)


def _less(indices: IndexValues, known: Below) -> Value:
    left, right = _of_words(known)
    return indices.once(known, lambda: indices.builder.less(indices.value(left), indices.value(right)))


def _of_words(condition: Below) -> Below:
    """The equivalent condition on numbers that are not negative. If they may be beyond 32 bits, as n - c of a
    dim n and an index c up to four billion, the subtracted index is added to the other side: c < n. Only the
    index of a lane without an element is beyond 32 bits then, and other conditions exclude that lane.
    """
    left, right = condition
    lift = max(0, -min(left.low, right.low))
    if max(left.high, right.high) + lift <= WORD:
        return Below(left + lift, right + lift)
    room = right - left
    added = sum([only(atom) * number for atom, number in room.terms if number > 0], ZERO)
    left, right = added + room.constant - room, added + room.constant
    lift = -min(left.low, right.low)
    return Below(left + lift, right + lift)


def _within(indices: IndexValues, pair: Range) -> Value:
    """Whether an index is at least `first`, and less than `first + length`."""
    builder, moved = indices.builder, pair.of - pair.first

    def less() -> Value:
        whole = indices.value(pair.of)
        start = indices.once(moved, lambda: builder.add(whole, builder.constant(-pair.first & WORD, U32)))
        return builder.less(start, builder.constant(pair.length, U32))

    return indices.once((moved, pair.length), less)
