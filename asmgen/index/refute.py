"""Shows that conditions on index expressions have no solution, from their form alone.

64*d + c = 0, c from -63 to 63, d at least 1        by bounds
4*a + 2*b + 1 = 0                                   every value is odd
stop - k - 64 >= 0, k + c - stop = 0, c below 64    the sum of both has no `k`, and is at most -1
a - b - 1 >= 0, a - e = 0, b - e + c >= 0, c < 1    the sum of all three is at most -1

If the form shows nothing, `asmgen.index.search` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.index.apart import differ
from asmgen.index.expression import constant
from asmgen.index.nodes import Index
from asmgen.index.reach import reach

_MOST_SUMS = 64
_ZERO = constant(0)


def is_refuted(zeros: Sequence[Index], least: Sequence[Index]) -> bool:
    """Whether it is shown that not all of `zeros` are 0 with none of `least` negative."""
    if any(_is_not_zero(index) for index in zeros):
        return True
    limits = [tightened(index) for index in least]
    if any(_is_negative(index) for index in limits):
        return True
    pairs = [(one, other) for number, one in enumerate(limits) for other in limits[:number]]
    if any(_is_negative(both) for one, other in pairs[:_MOST_SUMS] for both in _added(one, other)):
        return True
    sums = [both for index in limits for zero in zeros for both in _without_an_atom(index, zero)][:_MOST_SUMS]
    if any(_is_negative(index) for index in sums):
        return True
    rest = [
        both for number, zero in enumerate(zeros) for other in zeros[:number] for both in _joined(zero, other)
    ]
    if any(_is_not_zero(index) for index in rest[:_MOST_SUMS]):
        return True
    if any(_is_negative(both) for index in sums for zero in zeros for both in _without_an_atom(index, zero)):
        return True
    of_three = [both for index in sums for limit in limits for both in _added(index, limit)]
    return any(_is_negative(index) for index in of_three[:_MOST_SUMS])


def _is_not_zero(of: Index) -> bool:
    if differ(of, _ZERO):
        return True
    low, high = reach(of)
    return low > 0 or high < 0


def _is_negative(of: Index) -> bool:
    return of.high < 0 or reach(of)[1] < 0


def tightened(of: Index) -> Index:
    """An expression with smaller numbers that is not negative for the same values: 64*x - 1 is at least 0
    only if x - 1 is."""
    varying = of - of.constant
    if varying.multiple < 2:
        return of
    return varying // varying.multiple + of.constant // varying.multiple


def _without_an_atom(index: Index, zero: Index) -> Iterator[Index]:
    """A multiple of an expression plus a multiple of an expression that is 0, without an atom that both
    have."""
    for atom, number in index.terms:
        for other, times in zero.terms:
            if other is atom:
                yield index * abs(times) - zero * (number if times > 0 else -number)


def _added(index: Index, other: Index) -> Iterator[Index]:
    """Sums of multiples of two expressions, without an atom that both have with opposite signs."""
    for atom, number in index.terms:
        for same, times in other.terms:
            if same is atom and (number < 0) != (times < 0):
                yield index * abs(times) + other * abs(number)


def _joined(zero: Index, other: Index) -> Iterator[Index]:
    for atom, number in zero.terms:
        for same, times in other.terms:
            if same is atom:
                yield zero * times - other * number
