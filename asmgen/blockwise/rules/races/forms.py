"""The indices of an access in the form that tells most about them.

at={min(4*(c0 floordiv 4), 996)}, where={4*(c0 floordiv 4) < 1000}     4*(c0 floordiv 4): it is 996 at most
at={x floordiv 7, x mod 7} of a buffer {n,7}                           x, which no other element has
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from asmgen.blockwise.rules.access import is_data
from asmgen.blockwise.rules.races.path import Access, InBuffer
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import Minimum, Smaller, only
from asmgen.index.reach import reach
from asmgen.index.refute import tightened
from asmgen.index.size import Sizes
from asmgen.ir.types import TensorType
from isa.named_tuple import NamedTuple


class Form(NamedTuple):
    """`at` is the element of the buffer, and `limits` are not negative for elements that are accessed. The
    dims from each of `starts` to the next are best taken together."""

    at: tuple[Index, ...]
    limits: tuple[Index, ...]
    starts: frozenset[int]


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
    return Form(plain, limits, frozenset(starts))


@cache
def joined(at: tuple[Index, ...], dims: Sizes, starts: frozenset[int]) -> tuple[Index, ...]:
    """The indices with the dims from each start to the next taken together."""
    places: list[Index] = []
    for dim, (index, size) in enumerate(zip(at, dims, strict=True)):
        if dim in starts:
            places.append(index)
        else:
            places[-1] = places[-1].times(constant(size)) + index
    return tuple(places)


def _without_minimums(index: Index, limits: Sequence[Index]) -> Index:
    """The index without minimums that conditions decide."""
    for atom, number in index.terms:
        if isinstance(atom, Minimum | Smaller):
            most = constant(atom.by) if isinstance(atom, Minimum) else atom.limit
            if any(reach(tightened(most - atom.inner) - tightened(limit))[0] >= 0 for limit in limits):
                return _without_minimums(index + (atom.inner - only(atom)) * number, limits)
    return index


@cache
def _weight(index: Index) -> int:
    """How many quotients, remainders and minimums an index is written with."""
    weight = 0
    for atom, _ in index.terms:
        if not isinstance(atom, Symbol):
            weight += 1 + _weight(atom.inner)
    return weight
