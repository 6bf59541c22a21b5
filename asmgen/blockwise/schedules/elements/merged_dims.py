"""The dims of a kernel, and how the buffers that it reads lie along them. Adjacent dims are merged if every
buffer steps through them in the same way.

x {2,3,4,4} + b {4,4}      the dims are (0, 1) of 6 elements and (2, 3) of 16: b goes on from 2 to 3
x {2,3,4,4} * y {2,3,4,4}  a single dim of 96
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.elements.indices import Indices, unflattened
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.nodes import Product
from asmgen.index.size import Dim, Size, Sizes, at_most, factor, size_of
from isa.target import WIDEST_ACCESS

Dims = tuple[int, ...]  # numbers of dims


def coordinate_symbols(dims: Sizes) -> Indices:
    """An index for each dim, for questions about addresses; 0 for a dim of size 1."""
    return tuple(
        [
            constant(0) if at_most(dim, 1).is_shown else symbol(f"d{axis}", 0, dim - 1)
            for axis, dim in enumerate(dims)
        ]
    )


def stride(address: Index, index: Index) -> Dim | None:
    """The stride of an address along an index; None if it is not constant."""
    if not index.terms:
        return 0
    of = as_symbol(index)
    size = size_of(_coefficient(address, of))
    return size if of not in (address - index * size).symbols else None


def _coefficient(address: Index, of: Symbol) -> Index:
    """The factor of a symbol, in which there may be named dims."""
    total = constant(address.coefficient(of))
    for atom, number in address.terms:
        if isinstance(atom, Product) and of in atom.symbols:
            without = [side for side in atom.sides if of not in side.symbols]
            total += without[0] * number if without else 0
    return total


def merged(dims: Sizes, axes: Dims, symbols: Indices, addresses: Sequence[Index]) -> tuple[Dims, ...]:
    """Adjacent dims, both among `axes` or both not, along which each address goes on as row-major numbers do;
    without those of size 1. `symbols` are the `coordinate_symbols` that the addresses are in.
    """
    groups: list[list[int]] = []
    for axis, dim in enumerate(dims):
        if dim == 1:
            continue
        before = groups[-1][-1] if groups else None
        if (
            before is not None
            and (before in axes) == (axis in axes)
            and all(_goes_on(address, symbols[before], symbols[axis], dim) for address in addresses)
        ):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return tuple([tuple(group) for group in groups])


def _goes_on(address: Index, outer: Index, inner: Index, size: Dim) -> bool:
    strides = stride(address, outer), stride(address, inner)
    return strides[0] is not None and strides[1] is not None and strides[0] == strides[1] * size


def apart_at_sizes(
    dims: Sizes, groups: Sequence[Dims], needed: Collection[int] | None = None
) -> tuple[Dims, ...]:
    """The groups, cut before dims that only the launch knows, so that no number is divided by such a dim. The
    last group stays whole if none of its dims is `needed` outside of addresses. Divisions cancel in these:
    {m,n} + {m,n} has a single group of m*n elements. `needed` are all dims by default.
    """
    found: list[Dims] = []
    for group in groups:
        is_cut = needed is None or group is not groups[-1] or any(axis in needed for axis in group)
        found.append(group[:1] if is_cut else group)
        for axis in group[1:] if is_cut else ():
            is_new = isinstance(dims[axis], Size)
            found = [*found, (axis,)] if is_new else [*found[:-1], (*found[-1], axis)]
    return tuple(found)


def apart(dims: Sizes, groups: Sequence[Dims], places: Sequence[Index]) -> Indices:
    """The element of `dims` at `places` of the merged dims."""
    at = [constant(0)] * len(dims)
    for group, place in zip(groups, places, strict=True):
        sizes = tuple([dims[axis] for axis in group])
        for axis, index in zip(group, unflattened(place, sizes), strict=True):
            at[axis] = index
    return tuple(at)


def is_along(used: frozenset[Symbol], symbols: Indices, axes: Dims) -> bool:
    """Whether a buffer has elements of its own along some dims."""
    return any(as_symbol(symbols[axis]) in used for axis in axes if symbols[axis].terms)


def is_streamed(used: frozenset[Symbol], symbols: Indices, axes: Dims) -> bool:
    """Whether a buffer has elements of its own along the last of the reduced dims and along kept dims. The
    weights of a group norm have none along the last: they belong to channels.
    """
    last = tuple([axis for axis in axes if symbols[axis].terms][-1:])
    reduced = is_along(used, symbols, last)
    kept = [index for axis, index in enumerate(symbols) if axis not in axes and index.terms]
    return reduced and (not kept or any(as_symbol(index) in used for index in kept))


def is_packed(address: Index, symbols: Indices, groups: Sequence[Dims], dims: Sizes) -> bool:
    """Whether the last two groups are a single piece of the memory of a buffer."""
    if len(groups) == 1:
        return stride(address, symbols[groups[-1][-1]]) == 1
    outer, inner = [stride(address, symbols[group[-1]]) for group in groups[-2:]]
    return inner == 1 and outer == dims[-1]


def even_divisor(dims: Sizes, groups: Sequence[Dims]) -> int:
    """The largest power of two that is shown to divide the last group."""
    divisor = factor(prod([dims[axis] for axis in groups[-1]]))
    return divisor & -divisor


def innermost(groups: Sequence[Dims], dims: Sizes, axes: Dims, is_kept: bool) -> Dim:
    """The elements of the last kept group, or of the last reduced group; 1 if there is none."""
    own = [group for group in groups if (group[0] not in axes) is is_kept]
    return prod([dims[axis] for axis in own[-1]]) if own else 1


def widest_of_shared(addresses: Iterable[tuple[int, Index]], symbols: Indices, axes: Dims) -> int:
    """The most elements of an access with which lanes next to each other read adjacent bytes of a row that
    all rows share: each workgroup reads it again. A row of 4,096 f16 by {4096,4096} of 4 bits on gfx942 takes
    5,676 clocks with accesses of 8 elements, 6,763 with 16, which are two accesses of the row."""
    along = [axis for axis in axes if symbols[axis].terms][-1:]
    elements = [
        element
        for element, address in addresses
        if [axis for axis, symbol in enumerate(symbols) if stride(address, symbol) != 0] == along
    ]
    return WIDEST_ACCESS // max(elements, default=1)


def conditions_of_elements(conditions: Set[Below], symbols: Indices, axes: Dims) -> int:
    """How many conditions differ between the elements of a lane. If rows lie along memory, the elements share
    conditions of the row. It counts for sums: an exponential of {60,5000} f16 in two buffers, less the maxima
    of its rows, would take 5,489 clocks on gfx1201, and takes 5,277."""
    if len(symbols) - 1 not in axes:
        return len(conditions)
    rows = [index.symbols for axis, index in enumerate(symbols) if axis not in axes]
    kept = frozenset[Symbol]().union(*rows)
    return sum([not (below.left.symbols | below.right.symbols) <= kept for below in conditions])
