"""Index expressions if other expressions, the limits, are not negative.

c1 + 64*column                       at most 99, if 99 - c1 - 64*column is not negative
(c1 + 64*column) floordiv 25         at most 3 then
column mod 8                         column - 8, if column floordiv 8 is 1
min(c0, 96)                          c0, if 96 - c0 is not negative
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.index import Index, constant
from asmgen.index.expression import only
from asmgen.index.interning import remembered
from asmgen.index.interval import Interval
from asmgen.index.nodes import Atom, Minimum, Quotient, Remainder, Smaller
from asmgen.index.reach import reach
from asmgen.index.refute import tightened
from isa.named_tuple import NamedTuple

_DEEPEST = 2  # limits that bound an index together, such as those of a row and of a column
Limits = tuple[Index, ...]


def is_at_most(index: Index, most: Index, limits: Sequence[Index]) -> bool:
    """Whether one of the limits shows that an index is at most another."""
    return any(reach(tightened(most - index) - tightened(limit))[0] >= 0 for limit in limits)


def with_undivided(limits: Limits) -> Limits:
    """The limits, and those that follow for the dividends of quotients."""
    return (*limits, *[more for limit in limits for more in _undivided(limit)])


def _undivided(limit: Index) -> Iterator[Index]:
    """3 - x floordiv 25 is not negative only if 99 - x is not; x floordiv 25 - 3 only if x - 75 is not."""
    for atom, factor in limit.terms:
        if isinstance(atom, Quotient):
            rest = (limit - only(atom) * factor) * atom.by
            yield rest + atom.inner * factor + (max(-factor, 0) * (atom.by - 1))


@remembered
def bounds(of: Index, limits: Limits, deepest: int = _DEEPEST) -> Interval:
    """The numbers from the smallest to the largest that an index may be, or more; `deepest` limits are used
    together."""
    low, high = _bounds_by_terms(of, limits, deepest)
    for limit in limits if deepest else ():
        for factor in _common_factors(of, limit):
            rest = _bounds_by_terms(of - limit * factor, limits, deepest - 1)
            low, high = (max(low, rest.low), high) if factor > 0 else (low, min(high, rest.high))
    for atom, factor in of.terms:
        if isinstance(atom, Quotient) and factor == 1:
            inner = bounds((of - only(atom)) * atom.by + atom.inner, limits, deepest)
            low, high = max(low, inner.low // atom.by), min(high, inner.high // atom.by)
    return Interval(low, high)


def _common_factors(of: Index, limit: Index) -> Iterator[int]:
    """The factors of a limit for which a term of it is a term of the index."""
    own = dict(of.terms)
    for atom, number in limit.terms:
        if atom in own and own[atom] % number == 0:
            yield own[atom] // number


def _bounds_by_terms(of: Index, limits: Limits, deepest: int) -> Interval:
    low = high = of.constant
    for atom, factor in of.terms:
        own = Interval(atom.low, atom.high) if only(atom) is of else bounds(only(atom), limits, deepest)
        low += factor * (own.low if factor > 0 else own.high)
        high += factor * (own.high if factor > 0 else own.low)
    return Interval(max(low, of.low), min(high, of.high))


class Split(NamedTuple):
    """A number times `multiple`, and a rest from 0 to the number, without it."""

    multiple: Index
    rest: Index


def split(of: Index, by: int, limits: Limits) -> Split | None:
    """An index as a multiple of a number and a rest; None if its terms are not."""
    whole = sum([only(atom) * factor for atom, factor in of.terms if factor % by == 0], constant(0))
    low, high = [end // by for end in bounds(of - whole, limits)]
    return Split(whole // by + low, of - whole - low * by) if low == high else None


@remembered
def simplified(of: Index, limits: Limits) -> Index:
    """The index without minimums, quotients and remainders that limits decide."""
    return sum([_simplified(atom, limits) * factor for atom, factor in of.terms], constant(of.constant))


def _simplified(atom: Atom, limits: Limits) -> Index:
    if isinstance(atom, Minimum | Smaller) and is_at_most(*atom.sides, limits):
        return simplified(atom.inner, limits)
    if not isinstance(atom, Quotient | Remainder):
        return only(atom)
    inner = simplified(atom.inner, limits)
    known = split(inner, atom.by, limits)
    if known is None:
        return atom.index(inner)
    return known.multiple if isinstance(atom, Quotient) else known.rest
