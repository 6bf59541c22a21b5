"""Makes the tiles without operands: elements of buffers, a number, or the positions of elements.

If data choose a position, as in `datum0 - 1` of an iota that a gather reads, the tiles of data are computed
with as the index says (`Positions`). A buffer that is contiguous along another axis than the tile is read in
a layout of its own (`Turned`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, total
from asmgen.blockwise.schedules.elements.maps import splat_of
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.schedules.tiles.data_tiles import DataTiles
from asmgen.blockwise.schedules.tiles.forms import Forms, Made
from asmgen.blockwise.schedules.tiles.needs import Key, Needs, sides_of
from asmgen.blockwise.types import TileType
from asmgen.graph import ops
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import only
from asmgen.index.nodes import (
    Atom,
    Compound,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
)
from asmgen.index.reach import is_within, reach
from asmgen.index.size import Dim, Size
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import I32
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple


class Turned(NamedTuple):
    """Buffers that are contiguous along `along`, a coordinate of the tile, are read in `layout`."""

    layout: Layout
    along: Symbol


class Reads:
    """Makes the values without operands. `where` are the conditions of elements of the tile."""

    def __init__(
        self,
        builder: TileBuilder,
        buffers: Buffers,
        needs: Needs,
        forms: Forms,
        data: DataTiles,
        where: Conditions,
        turned: Turned | None,
        is_loose: bool,
    ) -> None:
        self._builder = builder
        self._buffers = buffers
        self._needs = needs
        self._forms = forms
        self._data = data
        self._where = where
        self._turned = turned
        self._is_loose = is_loose

    def tile(self, key: Key, statement: Statement) -> Made:
        """The elements of a parameter, a literal or an iota. `InternalError` for every other op."""
        if statement.op not in (ops.PARAM, ops.LITERAL, ops.IOTA):
            raise InternalError(
                "schedules",
                f"{statement.op.name} at {statement.place}",
                "is not computed before it is asked for",
            )
        if statement.op is ops.IOTA:
            return self._positions(key, statement)
        number = splat_of(statement) if statement.op is ops.LITERAL else None
        if any((right - left).high <= 0 for left, right in key.where):
            number = 0  # there is no such element
        if number is not None:
            return self._forms.fill(number, tensor_type(key.value).element)
        return self._loaded(key)

    def _loaded(self, key: Key) -> Made:
        element = tensor_type(key.value).element
        named = self._data.named((*key.at, *sides_of(key.where)))
        axes, forms = named.axes, self._forms
        own, of_tile, needed = forms.layout_of(axes), self._where_of(axes), named.conditions(key.where)
        needed = (*needed, *self._unknown(key, named.indices(key.at), of_tile, needed))
        is_loose = self._is_loose if of_tile else bool(needed)
        is_loose = is_loose and not self._buffers.is_padded(key.value)
        layout = (
            self._turned.layout
            if self._turned is not None and not named.tiles and self._is_turned(key, axes, self._turned)
            else own
        )
        buffer, type_ = self._buffers[key.value], TileType(element, layout)
        tile = self._builder.load(
            buffer, named.indices(key.at), type_, (*of_tile, *needed), data=named.tiles, loose=is_loose
        )
        return Made(tile if layout == own else self._builder.relayout(tile, own), axes)

    def _unknown(self, key: Key, at: Indices, of_tile: Conditions, needed: Conditions) -> Iterator[Below]:
        """Conditions that indices are within their dims, for the indices without known bounds and conditions.
        The bounds of an index that is divided by a size of the launch are loose. A condition on an axis that
        the tile lacks, as `4*c0 + c1 < 8` of a page that each c0 has, does not reach the tile.
        """
        guarded, dims = _symbols(of_tile) | _symbols(needed), tensor_type(key.value).dims
        lost = _symbols(self._where) - guarded
        # workgroups beyond the elements of a section have no condition on an element that they share
        asks_all = not of_tile or any(isinstance(size, Size) for size in dims)
        for index, size in zip(at, dims, strict=True):
            is_asked = index.symbols & lost or (asks_all and not index.symbols & guarded)
            if not is_asked or is_within(index, size):
                continue
            if reach(index)[0] < 0:
                yield Below(constant(-1), index)
            yield Below(index, constant(size))

    def _positions(self, key: Key, statement: Statement) -> Made:
        """The index along an axis, of each element."""
        axis = statement.attributes["axis"]
        assert isinstance(axis, int)
        index = key.at[axis % len(key.at)]
        named = self._data.named((index,))
        layout = self._forms.layout_of(named.axes)
        data = {
            symbol: self._within(tile, datum.size, TileType(I32, layout))
            for (symbol, datum), tile in zip(self._needs.data_of(index).items(), named.tiles, strict=True)
        }
        return Made(Positions(self._builder, data, layout).of(index), named.axes)

    def _within(self, datum: TileValue, size: Dim, type_: TileType) -> TileValue:
        """A datum, or the last element if the datum is beyond it."""
        last = self._builder.positions(constant(size) - 1, type_)
        return self._builder.pointwise(ops.MIN, datum, last)

    def _is_turned(self, key: Key, axes: tuple[int, ...], turned: Turned) -> bool:
        address = total(key.at, tensor_type(key.value).strides)
        whole = all(axis in axes for axis, size in enumerate(turned.layout.shape) if size > 1)
        return whole and abs(address.coefficient(turned.along)) == 1

    def _where_of(self, axes: tuple[int, ...]) -> Conditions:
        """The conditions on the axes of a tile, and the conditions on no axis."""
        others = {symbol for symbol, axis in self._forms.axis_of.items() if axis not in axes}
        return tuple(
            [
                condition
                for condition in self._where
                if not (condition.left.symbols | condition.right.symbols) & others
            ]
        )


def _symbols(where: Conditions) -> frozenset[Symbol]:
    return frozenset([used for condition in where for side in condition for used in side.symbols])


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
        return reduce(lambda total, tile: self._builder.pointwise(ops.ADD, total, tile), tiles)

    def _times(self, tile: TileValue, number: int) -> TileValue:
        if number == 1:
            return tile
        return self._builder.pointwise(ops.MUL, tile, self._builder.fill(number, self._type))

    def _atom(self, atom: Atom) -> TileValue:
        apply = self._builder.pointwise
        match atom:
            case Symbol():
                return self._data[atom]
            case Minimum() | Smaller():
                return apply(ops.MIN, *self._sides(atom))
            case Quotient() | SizedQuotient():
                return apply(ops.DIV, *self._sides(atom))
            case Product():
                return apply(ops.MUL, *self._sides(atom))
            case Remainder() | SizedRemainder():
                whole, by = self._sides(atom)
                return apply(ops.SUB, whole, apply(ops.MUL, apply(ops.DIV, whole, by), by))
        raise InternalError("schedules", only(atom).text, "an index of elements that data choose")

    def _sides(self, atom: Compound) -> list[TileValue]:
        return [self.of(side) for side in atom.sides]
