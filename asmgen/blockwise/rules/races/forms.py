"""The place of an element in a buffer, by simpler numbers: two elements have the same place if and only if
they have the same numbers.

    {min(4*(c0 floordiv 4), 996)}, 4*(c0 floordiv 4) below 1000      4*(c0 floordiv 4): it is 996 at most
    {7*c0 + c1}, c1 below 7                                          c0, c1
    {x floordiv 7, c1, x mod 7}                                      x, c1
    {4*(x floordiv 77) + c1 floordiv 16, x mod 77, c1 mod 16}        x, c1
    {(100*x + y) floordiv 128, (100*x + y) mod 128}                  x, y, if y is below 100

Reshapes, transposes and slices make such places of a row x and a column y. A *join* takes a quotient and its
remainder together, which undoes the split of a dim. A *split* takes a multiple of a number and a rest below
the number apart, which undoes a merge of dims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import gcd

from asmgen.blockwise.rules.access import is_data
from asmgen.blockwise.rules.races.limited import Limits, bounds, simplified, split, with_undivided
from asmgen.blockwise.rules.races.path import Access, InBuffer
from asmgen.index import Index, Symbol
from asmgen.index.expression import only
from asmgen.index.interning import remembered
from asmgen.index.nodes import Quotient, Remainder, SizedRemainder
from asmgen.index.reach import reach
from isa.named_tuple import NamedTuple

Indices = tuple[Index, ...]


class Form(NamedTuple):
    """`at` is the element of the buffer, and `limits` are not negative for elements that are accessed.
    `parts` are the numbers that the element is made of."""

    at: Indices
    limits: Limits
    parts: Indices


def form_of(access: Access) -> Form:
    """The form of an access; conditions on data are left out."""
    return forms_of(access, access)[0]


def forms_of(one: Access, other: Access) -> tuple[Form, Form]:
    """The forms of two accesses, with parts that can be compared."""
    first, last = [Place.of(access) for access in (one, other)]
    return forms_of_places(first, last)


class Place(NamedTuple):
    """`parts` are the numbers that an element of a buffer is made of, if `limits` are not negative."""

    parts: Indices
    limits: Limits

    @classmethod
    def of(cls, access: Access) -> Place:
        assert isinstance(access.place, InBuffer)
        limits = [below.right - below.left - 1 for below in access.place.where]
        return cls(access.place.at, tuple([limit for limit in limits if not _has_data(limit)]))

    def joined(self, first: int, last: int, by: Index, least: int) -> Place | None:
        """The place with a part times `by` plus another part instead of both. None if the other part may be
        below `least` or have a distance of `by` from it, or if the sum is not simpler."""
        one, rest = self.parts[first], self.parts[last] - least
        if not self._is_below(rest, by):
            return None
        weight = _weight(one) + _weight(rest)
        for whole in [simplified(each + least, self.limits) for each in _sums(one, by, rest)]:
            if _weight(whole) < weight:
                parts = [whole if part is one else part for part in self.parts]
                return self._replace(parts=(*parts[:last], *parts[last + 1 :]))
        return None

    def _is_below(self, rest: Index, by: Index) -> bool:
        if any(isinstance(atom, SizedRemainder) and atom.by is by for atom, _ in rest.terms[:1]):
            return only(rest.terms[0][0]) is rest
        low, high = bounds(rest, self.limits)
        return low >= 0 and (high < by.low or reach(by - rest)[0] > 0)

    def split(self, number: int, by: int) -> Place | None:
        """The place with a multiple of a number and a rest instead of a part; None if its terms are not."""
        parts = split(self.parts[number], by, self.limits)
        return parts and self._replace(parts=(*self.parts[:number], *parts, *self.parts[number + 1 :]))


def _has_data(limit: Index) -> bool:
    return any(is_data(symbol.name) for symbol in limit.symbols)


def _sums(one: Index, by: Index, rest: Index) -> Iterator[Index]:
    """Sums equal to an index times `by` and a rest below it.

    7*(x floordiv 7) + x mod 7                  x
    4*(x floordiv 28) + (x floordiv 7) mod 4    x floordiv 7
    4*(x mod 7) + c0                            (4*x + c0) mod 28
    """
    yield one.times(by) + rest
    if not by.is_constant:
        return
    number = by.constant
    remainders = [(each.by, factor) for each, factor in rest.terms if isinstance(each, Remainder)]
    for atom in [atom for atom, factor in one.terms if factor == 1]:
        others = (one - only(atom)) * number
        if isinstance(atom, Remainder):
            yield others + (atom.inner * number + rest) % (atom.by * number)
        for dividend, whole in _quotients(atom.inner, atom.by) if isinstance(atom, Quotient) else ():
            for divisor, factor in remainders:
                if divisor * factor == number and whole % divisor == 0:
                    part = dividend // (whole // divisor)
                    yield others + (rest - part % divisor * factor) + part * factor


def _quotients(dividend: Index, divisor: int) -> Iterator[tuple[Index, int]]:
    """A dividend with its divisor, also by the dividend of a quotient in it: (c1 + x floordiv 40) floordiv 2
    is (40*c1 + x) floordiv 80."""
    yield dividend, divisor
    for atom, factor in dividend.terms:
        if isinstance(atom, Quotient) and factor == 1:
            yield from _quotients((dividend - only(atom)) * atom.by + atom.inner, divisor * atom.by)


@cache
def forms_of_places(one: Place, other: Place) -> tuple[Form, Form]:
    """The forms of two places, by the same joins and splits."""
    places = [place._replace(limits=with_undivided(place.limits)) for place in (one, other)]
    at = [tuple([simplified(part, place.limits) for part in place.parts]) for place in places]
    known = _known(places)
    sides = [Place((*own, *known), place.limits) for own, place in zip(at, places, strict=True)]
    while (step := next(_steps(sides), None)) is not None:
        sides = step
    first, last = [
        Form(own, place.limits, tuple([part for part in side.parts if part not in known]))
        for own, place, side in zip(at, (one, other), sides, strict=True)
    ]
    return first, last


def _known(places: Sequence[Place]) -> Indices:
    """Quotients and remainders that are a single number by the limits, the same at both places."""
    known: list[Index] = []
    for limit in places[0].limits:
        for atom in [atom for atom, _ in limit.terms if isinstance(atom, Quotient | Remainder)]:
            (low, high), others = [bounds(only(atom), place.limits) for place in places]
            if low == high and (low, high) == others and only(atom) not in known:
                known.append(only(atom))
    return tuple(known)


def _steps(sides: Sequence[Place]) -> Iterator[list[Place]]:
    """The two places with parts joined, or with a part split."""
    parts = sides[0].parts
    for last, rest in enumerate(parts):
        choices = product(_divisors(rest), range(len(parts)), dict.fromkeys((rest.constant, 0)))
        for by, first, least in choices:
            if first != last:
                yield from _present([side.joined(first, last, by, least) for side in sides])
    for number, part in enumerate(parts):
        for by in _factors(part):
            yield from _present([side.split(number, by) for side in sides])


def _present(sides: Sequence[Place | None]) -> Iterator[list[Place]]:
    present = [side for side in sides if side is not None]
    if len(present) == len(sides):
        yield present


def _divisors(rest: Index) -> Iterator[Index]:
    """The numbers that remainders in a sum are below, times their factors."""
    for atom, factor in rest.terms:
        if isinstance(atom, Remainder | SizedRemainder):
            yield atom.sides[1] * factor


def _factors(part: Index) -> list[int]:
    """The numbers by which a sum may be split: factors that divide some of its terms, but not all."""
    factors = sorted({abs(factor) for _, factor in part.terms}, reverse=True)
    common = {gcd(*factors[: number + 1]) for number in range(len(factors))}
    return sorted({*factors, *common} - {gcd(*factors), 1})


@remembered
def _weight(index: Index) -> int:
    """How many quotients, remainders and minimums an index is written with."""
    weight = 0
    for atom, _ in index.terms:
        if not isinstance(atom, Symbol):
            weight += 1 + _weight(atom.inner)
    return weight
