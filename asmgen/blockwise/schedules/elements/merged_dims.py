"""Merges adjacent dims that every buffer steps through in the same way.

x {2,3,4,4} + b {4,4}      the dims are (0, 1) of 6 elements and (2, 3) of 16: b goes on from 2 to 3
x {2,3,4,4} * y {2,3,4,4}  a single dim of 96
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asmgen.blockwise.schedules.elements.indices import Indices, unflattened
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import Product, as_symbol
from asmgen.index.size import Dim, Size, Sizes, at_most, size_of

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
