"""The indices of an access in the form that tells most about them.

at={min(4*(c0 floordiv 4), 996)}, where={4*(c0 floordiv 4) < 1000}     4*(c0 floordiv 4): it is 996 at most
at={x floordiv 7, x mod 7} of a buffer {n,7}                           x, which no other element has
at={x floordiv 7, c1, x mod 7}                                         x too, next to all three
at={x floordiv 7, c1, c0 + 4*(x mod 7)}                                c0 + 4*x, next to all three
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from asmgen.blockwise.rules.access import is_data
from asmgen.blockwise.rules.races.path import Access, InBuffer
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import Minimum, Remainder, Smaller, only
from asmgen.index.reach import reach
from asmgen.index.refute import tightened
from asmgen.index.size import Sizes
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple

Whole = tuple[tuple[int, int], ...]  # a sum of indices: their dims, each with its factor


class Form(NamedTuple):
    """`at` is the element of the buffer, and `limits` are not negative for elements that are accessed. The
    dims from each of `starts` to the next are best taken together. `wholes` are sums of the indices of other
    dims that say more than these."""

    at: tuple[Index, ...]
    limits: tuple[Index, ...]
    starts: frozenset[int]
    wholes: frozenset[Whole]


def form_of(access: Access) -> Form:
    """The form of an access; conditions on data are left out."""
    assert isinstance(access.place, InBuffer)
    conditions = tuple([below.right - below.left - 1 for below in access.place.where])
    return _form(access.place.at, conditions, dims_of(access))


def dims_of(access: Access) -> Sizes:
    assert isinstance(access.memory.type, TensorType)
    return access.memory.type.dims


@cache
def _form(at: tuple[Index, ...], conditions: tuple[Index, ...], dims: Sizes) -> Form:
    limits = tuple(
        [condition for condition in conditions if not any(is_data(used.name) for used in condition.symbols)]
    )
    plain = tuple([_without_minimums(index, limits) for index in at])
    starts: list[int] = []
    last = constant(0)
    for dim, (index, size) in enumerate(zip(plain, dims, strict=True)):
        whole = last.times(constant(size)) + index
        if _weight(last) and (_weight(whole) < _weight(last) + _weight(index) or index.is_constant):
            last = whole
        else:
            starts.append(dim)
            last = index
    return Form(plain, limits, frozenset(starts), frozenset(_wholes(plain)))


def _wholes(at: tuple[Index, ...]) -> Iterator[Whole]:
    """Sums of a quotient and of remainders that are not all in dims next to each other."""
    for first in range(len(at)):
        whole, factors = at[first], {first: 1}
        for dim, index in enumerate(at):
            for by in [atom.by * factor for atom, factor in index.terms if isinstance(atom, Remainder)]:
                longer = whole * by + index
                if _weight(whole) and _weight(longer) < _weight(whole) + _weight(index):
                    factors = {each: by * factor for each, factor in factors.items()} | {dim: 1}
                    whole = longer
        if list(factors) != list(range(first, first + len(factors))):
            yield tuple(factors.items())


@cache
def joined(
    at: tuple[Index, ...], dims: Sizes, starts: frozenset[int], wholes: frozenset[Whole]
) -> tuple[Index, ...]:
    """The indices with the dims from each start to the next taken together, and the sums of `wholes`."""
    places: list[Index] = []
    for dim, (index, size) in enumerate(zip(at, dims, strict=True)):
        if dim in starts:
            places.append(index)
        else:
            places[-1] = places[-1].times(constant(size)) + index
    for whole in sorted(wholes):
        places.append(sum([at[dim] * factor for dim, factor in whole], constant(0)))
    return tuple(places)


def _without_minimums(index: Index, limits: Sequence[Index]) -> Index:
    """The index without minimums that conditions decide."""
    for atom, number in index.terms:
        if isinstance(atom, Minimum | Smaller) and is_at_most(*atom.sides, limits):
            return _without_minimums(index + (atom.inner - only(atom)) * number, limits)
    return index


def is_at_most(index: Index, most: Index, limits: Sequence[Index]) -> bool:
    """Whether one of the limits, which are not negative, shows that an index is at most another."""
    return any(reach(tightened(most - index) - tightened(limit))[0] >= 0 for limit in limits)


@cache
def _weight(index: Index) -> int:
    """How many quotients, remainders and minimums an index is written with."""
    weight = 0
    for atom, _ in index.terms:
        if not isinstance(atom, Symbol):
            weight += 1 + _weight(atom.inner)
    return weight
