"""Conditions on indices in one form, so that equal ones are found again, and two that are one range.

c + 3 < 1100, c a multiple of 4        c < 1100
-1 < c - 2 and c - 2 < 8               c is from 2 on, and one of 8 numbers
"""

from __future__ import annotations

from functools import cache
from math import gcd
from typing import NamedTuple

from asmgen.blockwise.actions import Below
from asmgen.index import Index, constant

HALF = 1 << 30  # two numbers below it have a sum that is an i32


class Range(NamedTuple):
    """An index that is at least `first`, and below `first + length`: `other` is one of the two conditions."""

    of: Index
    first: int
    length: int
    other: Below


def range_of(one: Below, other: Below | bool) -> Range | None:
    """What two canonical conditions say of one index; None where they say anything else."""
    if isinstance(other, bool):
        return None
    (low, above), (below, high) = (one, other) if one.left.is_constant else (other, one)
    first = 1 + low.constant - above.constant
    if not low.is_constant or not high.is_constant or above.terms != below.terms:
        return None
    index, last = below - below.constant, high.constant - below.constant
    is_small = max(-index.low, index.high, abs(first), abs(last)) < HALF
    return Range(index, first, last - first, other) if is_small and first < last else None


@cache
def canonical(condition: Below) -> Below | bool:
    """The condition that says the same with its constant on the right, or what its bounds say.

    Where what varies is a multiple of m, the constant is rounded up to one: with `c` a multiple of 4, both
    `c < 1100` and `c + 3 < 1100` are `c < 1100`. A condition on a multiple of a number is on that number.
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
