"""Indices that are not computed from the element's place but read from a tensor, as those of a gather are.

Of `gather[axis=0](x, n)` the element {i, j} is {d, j} of x, where d is the element {i} of n. What d is, only
the kernel's data say. In an index expression d is therefore a symbol of its own, and `Data` has the element
that each such symbol is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from asmgen.blockwise.schedules.elements.indices import Conditions, Indices
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, Size
from asmgen.ir.program import Value


class Datum(NamedTuple):
    """An index that is an element of a tensor of integers: what counts from the end is negative, and what is
    outside `size` elements is the nearest of them. It is needed where the conditions hold.
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
        """The symbol of a datum; equal data have one."""
        if datum not in self._symbols:
            last = datum.size - 1 if isinstance(datum.size, Size) else max(datum.size - 1, 0)
            made = symbol(f"datum{len(self._symbols)}", 0, last)
            self._symbols[datum] = made
            if made.terms:
                self._data[as_symbol(made)] = datum
        return self._symbols[datum]

    def used(self, symbols: Iterable[Symbol]) -> dict[Symbol, Datum]:
        """The data among symbols, in the order in which they were named."""
        wanted = frozenset(symbols) & self._data.keys()
        return {one: datum for one, datum in self._data.items() if one in wanted}
