"""The number that an index is, for each element of a tile, where data choose it: `datum0 - 1` of an iota that
a gather reads. The tiles of data are computed with as the index says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.types import TileType
from asmgen.graph import ops
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import (
    Atom,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    only,
)
from asmgen.ir.types import I32
from isa.diagnostics import InternalError


class Positions:
    """Makes tiles of i32 in a layout. `data` has the tile of each symbol that is a datum.

    An element that exists has no negative number in a quotient or remainder.
    """

    def __init__(self, builder: TileBuilder, data: Mapping[Symbol, TileValue], layout: Layout) -> None:
        self._builder = builder
        self._data = data
        self._type = TileType(I32, layout)

    def of(self, index: Index) -> TileValue:
        """The number that the index is."""
        chosen = index.part(self._data)
        others = index - chosen
        if not chosen.terms:
            return self._builder.positions(index, self._type)
        tiles = [self._times(self._atom(atom), number) for atom, number in chosen.terms]
        if others is not constant(0):
            tiles.append(self._builder.positions(others, self._type))
        return reduce(lambda one, other: self._builder.pointwise(ops.ADD, one, other), tiles)

    def _times(self, tile: TileValue, number: int) -> TileValue:
        if number == 1:
            return tile
        return self._builder.pointwise(ops.MUL, tile, self._builder.fill(number, self._type))

    def _atom(self, atom: Atom) -> TileValue:
        apply = self._builder.pointwise
        match atom:
            case Symbol():
                return self._data[atom]
            case Minimum():
                return apply(ops.MIN, self.of(atom.inner), self.of(constant(atom.by)))
            case Smaller():
                return apply(ops.MIN, self.of(atom.inner), self.of(atom.limit))
            case Quotient():
                return apply(ops.DIV, self.of(atom.inner), self.of(constant(atom.by)))
            case SizedQuotient():
                return apply(ops.DIV, self.of(atom.inner), self.of(atom.divisor))
            case Remainder():
                return self._rest(atom.inner, constant(atom.by))
            case SizedRemainder():
                return self._rest(atom.inner, atom.divisor)
            case Product():
                return apply(ops.MUL, self.of(atom.inner), self.of(atom.factor))
        raise InternalError("schedules", only(atom).text, "an index of elements that data choose")

    def _rest(self, inner: Index, divisor: Index) -> TileValue:
        apply, whole, by = self._builder.pointwise, self.of(inner), self.of(divisor)
        return apply(ops.SUB, whole, apply(ops.MUL, apply(ops.DIV, whole, by), by))
