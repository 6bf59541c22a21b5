"""The indices of an element of a tensor, its row-major number, and indices that are data.

The element {i, j} of a tensor with dims {4,6} has the number 6*i + j. The element with the number n is
{n floordiv 6, n mod 6}.

The element {i, j} of `gather[axis=0](x, n)` is {d, j} of x, and d is the element {i} of n. Only the data of
the kernel give d. In an index expression d is therefore a symbol, and `Data` maps the symbol to the element.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, Size, Sizes
from asmgen.ir.program import Value
from asmgen.ir.shapes import shared_parts
from asmgen.ir.types import row_major
from isa.named_tuple import NamedTuple

Indices = tuple[Index, ...]
Conditions = tuple[Below, ...]  # an element exists, or is needed, if all of them are true
ZERO = constant(0)


def flattened(at: Iterable[Index], dims: Sizes) -> Index:
    """The row-major number of an element."""
    return total(at, row_major(dims))


def total(at: Iterable[Index], strides: Sizes) -> Index:
    """The sum of the indices, each times its stride."""
    number = ZERO
    for index, stride in zip(at, strides, strict=True):
        number = number + index * stride
    return number


def unflattened(number: Index, dims: Sizes) -> Indices:
    """The element that has a row-major number. It is the inverse of `flattened`."""
    indices: list[Index] = []
    for axis in reversed(range(len(dims))):
        dim, is_first = dims[axis], all(size == 1 for size in dims[:axis])
        indices.append(ZERO if dim == 1 else number if is_first else number % dim)
        number = ZERO if is_first else number // dim
    return tuple(reversed(indices))


def reshaped(at: Indices, dims: Sizes, to: Sizes) -> Indices:
    """The element of dims `to` that has the number of the element `at` of `dims`. If the launch knows a dim,
    groups of dims are reshaped apart, so that no number is divided by it.
    """
    if any(isinstance(dim, Size) for dim in (*dims, *to)):
        return reshaped_apart(at, dims, to)
    return unflattened(flattened(at, dims), to)


def reshaped_apart(at: Indices, dims: Sizes, to: Sizes) -> Indices:
    """The same, with no sum of indices divided if dims have parts in common: 300, 11 and 7 for {3300,7} and
    {300,77}. Otherwise groups of dims that have the same elements are reshaped apart: for {5,4*n} and {5,n,4}
    these are 5 and 5, then 4*n and n, 4. An index beyond its dim changes no index of another group.
    """
    shared = shared_parts(dims, to)
    if shared is None:
        return _in_groups(at, dims, to)
    pairs = zip(at, shared.own, strict=True)
    parts = [part for index, own in pairs for part in unflattened(index, own)]
    indices: list[Index] = []
    for made in shared.made:
        indices.append(flattened(parts[: len(made)], made))
        parts = parts[len(made) :]
    return tuple(indices)


def _in_groups(at: Indices, dims: Sizes, to: Sizes) -> Indices:
    indices: list[Index] = []
    first = own = 0
    for last in range(1, len(dims) + 1):
        ends = [end for end in range(own, len(to) + 1) if prod(to[own:end]) == prod(dims[first:last])]
        if not ends or (last == len(dims) and len(to) not in ends):
            continue
        end = len(to) if last == len(dims) else ends[0]
        indices += unflattened(flattened(at[first:last], dims[first:last]), to[own:end])
        first, own = last, end
    indices += unflattened(flattened(at[first:], dims[first:]), to[own:])
    return tuple(indices)


class Datum(NamedTuple):
    """An index that is an element of a tensor of integers. Negative indices count from the end, and indices
    outside of `size` elements are clamped. It is needed only if the conditions are true.
    """

    value: Value
    at: Indices
    where: Conditions
    size: Dim


class Data:
    """The indices that are data, each with a symbol of its own."""

    def __init__(self) -> None:
        self._symbols: dict[Datum, Index] = {}
        self._data: dict[Symbol, Datum] = {}

    def index(self, datum: Datum) -> Index:
        """The symbol of a datum; equal data share a symbol."""
        if datum not in self._symbols:
            last = datum.size - 1 if isinstance(datum.size, Size) else max(datum.size - 1, 0)
            made = symbol(f"datum{len(self._symbols)}", 0, last)
            self._symbols[datum] = made
            if made.terms:
                self._data[as_symbol(made)] = datum
        return self._symbols[datum]

    @property
    def places(self) -> list[Index]:
        """The indices at which the data are read, and those of their conditions."""
        read = [index for datum in self._data.values() for index in datum.at]
        return [*read, *[side for datum in self._data.values() for pair in datum.where for side in pair]]

    def reached(self, symbols: Iterable[Symbol]) -> frozenset[Symbol]:
        """The symbols, and those on which the data among them depend."""
        reached, pending = set[Symbol](), list(symbols)
        while pending:
            symbol = pending.pop()
            if symbol in reached:
                continue
            reached.add(symbol)
            if symbol in self._data:
                pending += [used for index in self._data[symbol].at for used in index.symbols]
        return frozenset(reached)

    def used(self, symbols: Iterable[Symbol]) -> dict[Symbol, Datum]:
        """The data among symbols, in the order in which they were named."""
        wanted = frozenset(symbols) & self._data.keys()
        return {symbol: datum for symbol, datum in self._data.items() if symbol in wanted}
