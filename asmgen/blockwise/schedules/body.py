"""Statements of a graph as statements on tiles: a value on demand, once for each way in which it is walked.

A value of the graph is asked for at indices: which of its elements the tile's element c0, c1, ... is. From
there the ops that move elements only change indices (`maps`), down to the load of a buffer. A value that is
the same along some axes of the tile is made once for them, in the layout without these axes, and broadcast
where it meets others.

Floats of 16 bits and fewer are computed in f32: widened where they are read, rounded once where they are
written or converted. Integers of 8 and 16 bits are computed in 32, and cut to their own bits where they are
written and before an op that looks at more than these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import copysign
from typing import NamedTuple

from asmgen.blockwise import actions as acts
from asmgen.blockwise.access import data_symbols
from asmgen.blockwise.actions import Below, Number
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Value as Tile
from asmgen.blockwise.schedules.data import Data, Datum
from asmgen.blockwise.schedules.indices import Conditions, Indices, flattened, total, unflattened
from asmgen.blockwise.schedules.maps import has_border, is_walked, moves, operand_elements, tensor_of
from asmgen.blockwise.schedules.tiling import without
from asmgen.blockwise.types import TileType, coordinates
from asmgen.graph import ops
from asmgen.index import Index, Symbol
from asmgen.index.expression import as_symbol
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, I32, ElementType, TensorType
from asmgen.lanewise.records import numbers_of
from asmgen.lanewise.types import computed, is_cut
from isa.diagnostics import InternalError

_EXCHANGED = 16  # bits of the smallest elements that lanes exchange as they are


class Key(NamedTuple):
    """A value at indices. Where a condition of `where` fails, it is not needed."""

    value: Value
    at: Indices
    where: Conditions = ()


class Made(NamedTuple):
    """A tile that is made, and the axes along which it differs. `is_cut` says that its numbers are in the
    range of the value's type, and not only their lower bits right.
    """

    tile: Tile
    axes: tuple[int, ...]
    is_cut: bool = True


def _sides(where: Conditions) -> list[Index]:
    return [side for condition in where for side in condition]


def _replaced(where: Conditions, indices: Mapping[Symbol, Index]) -> Conditions:
    return tuple([Below(left.substitute(indices), right.substitute(indices)) for left, right in where])


def element_of(tile: Tile) -> ElementType:
    return tile.type.element


class Named(NamedTuple):
    """Data as an access has them: the name of each, `v0`, `v1`, ..., and its tile."""

    indices: Mapping[Symbol, Index]
    tiles: tuple[Tile, ...]


class Turned(NamedTuple):
    """Buffers that are contiguous along `along`, a coordinate of the tile, are read in `layout`."""

    layout: Layout
    along: Symbol


class Buffers:
    """The parameters of a kernel, each made once: those of the graph, and literals of several numbers. `data`
    are the indices of its elements that are data.
    """

    def __init__(self, builder: TileBuilder, defined: Mapping[Value, Statement]) -> None:
        self.defined = defined
        self.data = Data()
        self._buffers: dict[Value, Tile] = {}
        for statement in defined.values():
            if statement.op is ops.PARAM:
                name, type_ = str(statement.attributes["name"]), tensor_of(statement.result)
                self._buffers[statement.result] = builder.parameter(name, type_)
            elif statement.op is ops.LITERAL and splat_of(statement) is None:
                value = statement.result
                self._buffers[value] = builder.literal(value.name, numbers_of(statement), tensor_of(value))

    def __getitem__(self, value: Value) -> Tile:
        return self._buffers[value]


def splat_of(literal: Statement) -> Number | None:
    """The one number that every element of a literal is, if so."""
    values = numbers_of(literal)
    first = values[0] if values else 0
    if any(repr(value) != repr(first) for value in values):
        return None
    return int(first) if isinstance(first, bool) else first


class Body:
    """The values of one tile's elements. `where` says which elements there are.

    `outer`, if there is one, has the values that differ along none of the axes that it lacks, nor from trip
    to trip of the loops with the counters `counters`.
    """

    def __init__(
        self,
        builder: TileBuilder,
        buffers: Buffers,
        layout: Layout,
        where: Conditions = (),
        outer: Body | None = None,
        counters: frozenset[Symbol] = frozenset(),
        turned: Turned | None = None,
    ) -> None:
        self._builder = builder
        self._buffers = buffers
        self.layout = layout
        self.where = where
        self._outer = outer
        self._counters = counters
        self._turned = turned
        self._of_axis = {
            as_symbol(index): axis for axis, index in enumerate(coordinates(layout.shape)) if index.terms
        }
        self._made: dict[Key, Made] = {}
        self._needed: dict[Key, list[Key]] = {}
        self._symbols: dict[Key, frozenset[Symbol]] = {}
        self._narrow: dict[Tile, Tile] = {}  # a tile that was widened, to what it was widened from
        self._fills: dict[Tile, Number] = {}
        self._indices: dict[Datum, Made] = {}

    # What is asked for

    def value(self, value: Value, at: Indices) -> Tile:
        """The value in the layout of the whole tile."""
        made = self._value(Key(value, at))
        return self._spread(self._cut(made, tensor_of(value).element), tuple(range(self.layout.rank)))

    def store(self, value: Value, at: Indices, buffer: Tile, where: Conditions | None = None) -> None:
        """Store the elements of a value, rounded to the buffer's type and in its dims; `where` says which of
        them, where it is not as for all of the body.
        """
        whole = self._spread(self._value(Key(value, at)), tuple(range(self.layout.rank)))
        tile = self.narrowed(whole, buffer.type.element)
        dims, to = tensor_of(value).dims, at
        if isinstance(buffer.type, TensorType) and buffer.type.dims != dims:
            to = unflattened(flattened(at, dims), buffer.type.dims)
        self._builder.store(tile, buffer, to, self.where if where is None else where)

    def define(self, value: Value, at: Indices, tile: Tile) -> None:
        """Say what a value is that is computed elsewhere, in the layout of the whole tile."""
        axes = tuple(range(self.layout.rank))
        self._made[Key(value, at)] = Made(tile, axes)

    def prepare(self, value: Value, at: Indices) -> None:
        """Make what `outer` has of a value, before a loop whose body asks for it."""
        pending, seen = [Key(value, at)], set[Key]()
        while pending:
            key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            if self._is_outer(key):
                assert self._outer is not None
                _ = self._outer._value(key)
            else:
                pending += self._needs(key)

    def is_buffer(self, value: Value) -> bool:
        """Whether a value is only read, and at most widened."""
        statement = self._buffers.defined[value]
        while moves(statement) and not has_border(statement):
            statement = self._buffers.defined[statement.operands[0]]
        return statement.op is ops.PARAM

    def narrowed(self, tile: Tile, element: ElementType) -> Tile:
        """A tile as another type; one that was widened from it is taken as it was."""
        before = self._narrow.get(tile)
        if before is not None and element_of(before) is element:
            return before
        return tile if element_of(tile) is element else self._builder.convert(tile, element)

    # How it is made

    def _value(self, root: Key) -> Made:
        pending = [root]
        while pending:
            key = pending[-1]
            if key in self._made:
                _ = pending.pop()
                continue
            is_outer = self._is_outer(key)
            missing = [] if is_outer else [need for need in self._needs(key) if need not in self._made]
            if missing:
                pending.extend(reversed(missing))
                continue
            _ = pending.pop()
            self._made[key] = self._from_outer(key) if is_outer else self._make(key)
        return self._made[root]

    def _needs(self, key: Key) -> list[Key]:
        if key not in self._needed:
            self._needed[key] = self._operands(key)
        return self._needed[key]

    def _operands(self, key: Key) -> list[Key]:
        """What a value is made of: the elements of its operands, then the data that say which elements."""
        statement = self._buffers.defined[key.value]
        if not is_walked(statement):
            return [Key(*datum[:3]) for datum in self._data_of(*key.at, *_sides(key.where)).values()]
        found: list[Key] = []
        elements = operand_elements(statement, key.at, self._buffers.data, key.where)
        for operand, (at, where) in zip(statement.operands, elements, strict=True):
            found.append(Key(operand, at, (*key.where, *where)))
        borders = [side for element in elements for side in _sides(element.where)]
        return [*found, *[Key(*datum[:3]) for datum in self._data_of(*borders).values()]]

    def _data_of(self, *indices: Index) -> dict[Symbol, Datum]:
        return self._buffers.data.used([symbol for index in indices for symbol in index.symbols])

    def _is_outer(self, key: Key) -> bool:
        """Whether every holder along the axes that `outer` lacks has the same, in every trip."""
        if self._outer is None:
            return False
        own = {symbol for symbol, axis in self._of_axis.items() if self._outer.layout.shape[axis] == 1}
        return not (self._used(key) & (own | self._counters))

    def _used(self, root: Key) -> frozenset[Symbol]:
        """The symbols on which a value depends."""
        pending = [root]
        while pending:
            key = pending[-1]
            needs = self._needs(key)
            missing = [need for need in needs if need not in self._symbols]
            if missing:
                pending.extend(missing)
                continue
            _ = pending.pop()
            is_leaf = not is_walked(self._buffers.defined[key.value]) and not self._is_literal(key)
            own = key.at if is_leaf else ()
            used = {symbol for index in (*own, *_sides(key.where)) for symbol in index.symbols}
            used -= self._buffers.data.used(used).keys()
            self._symbols[key] = frozenset(used.union(*[self._symbols[need] for need in needs]))
        return self._symbols[root]

    def _is_literal(self, key: Key) -> bool:
        statement = self._buffers.defined[key.value]
        return statement.op is ops.LITERAL and splat_of(statement) is not None

    def _from_outer(self, key: Key) -> Made:
        assert self._outer is not None
        made = self._outer._value(key)
        if made.tile in self._outer._narrow:
            self._narrow[made.tile] = self._outer._narrow[made.tile]
        if made.tile in self._outer._fills:
            self._fills[made.tile] = self._outer._fills[made.tile]
        return made

    def _make(self, key: Key) -> Made:
        statement = self._buffers.defined[key.value]
        with self._builder.origin(statement.place, key.value.name):
            return self._made_of(key, statement)

    def _made_of(self, key: Key, statement: Statement) -> Made:
        if not is_walked(statement):
            if statement.op not in (ops.PARAM, ops.LITERAL, ops.IOTA):
                raise InternalError(
                    "schedules",
                    f"{statement.op.name} at {statement.place}",
                    "is not computed before it is asked for",
                )
            return self._leaf(key, statement)
        operands = [self._made[need] for need in self._needs(key)[: len(statement.operands)]]
        if statement.op is ops.CONCAT:
            return self._joined(key, operands)
        if has_border(statement):
            return self._padded(key, statement, operands[0])
        if moves(statement) or statement.op is ops.GATHER:
            return operands[0]
        axes = tuple(sorted({axis for operand in operands for axis in operand.axes}))
        if not statement.op.modular:
            operands = [
                self._cut(made, tensor_of(value).element)
                for made, value in zip(operands, statement.operands, strict=True)
            ]
        tile = self._pointwise(statement, [self._spread(operand, axes) for operand in operands])
        is_converted = statement.op in (ops.CONVERT, ops.BIT_CAST)
        return Made(tile, axes, is_converted or not is_cut(tensor_of(key.value).element))

    def _cut(self, made: Made, element: ElementType) -> Made:
        """A value of which all bits are right: cut to those of its type, and extended again."""
        if made.is_cut:
            return made
        return Made(self._widened(self._builder.convert(made.tile, element)), made.axes)

    def _leaf(self, key: Key, statement: Statement) -> Made:
        element = tensor_of(key.value).element
        if statement.op is ops.IOTA:
            return self._positions(key, statement)
        number = splat_of(statement) if statement.op is ops.LITERAL else None
        if any((right - left).high <= 0 for left, right in key.where):
            number = 0  # there is no such element
        if number is not None:
            tile = self._builder.fill(number, TileType(computed(element), self._without(())))
            self._fills[tile] = number
            return Made(tile, ())
        axes, named = self._named((*key.at, *_sides(key.where)))
        own, where = self._without(axes), (*self._where_of(axes), *_replaced(key.where, named.indices))
        at = tuple([index.substitute(named.indices) for index in key.at])
        layout = (
            self._turned.layout
            if self._turned is not None and not named.tiles and self._is_turned(key, axes, self._turned)
            else own
        )
        tile = self._builder.load(
            self._buffers[key.value], at, TileType(element, layout), where, data=named.tiles
        )
        if layout == own:
            return Made(self._widened(tile), axes)
        if element.bits < _EXCHANGED:
            return Made(self._builder.relayout(self._widened(tile), own), axes)
        return Made(self._widened(self._builder.relayout(tile, own)), axes)

    def _positions(self, key: Key, statement: Statement) -> Made:
        """The index along an axis, of each element."""
        axis = statement.attributes["axis"]
        assert isinstance(axis, int)
        index = key.at[axis % len(key.at)]
        datum = self._data_of(index)
        if datum:
            raise InternalError("schedules", str(statement.place), "an index of elements that data choose")
        axes, _ = self._named((index,))
        return Made(self._builder.positions(index, TileType(I32, self._without(axes))), axes)

    def _is_turned(self, key: Key, axes: tuple[int, ...], turned: Turned) -> bool:
        address = total(key.at, tensor_of(key.value).strides)
        whole = all(axis in axes for axis, size in enumerate(turned.layout.shape) if size > 1)
        return whole and address.coefficient(turned.along) == 1

    def _where_of(self, axes: tuple[int, ...]) -> Conditions:
        """Those conditions that are about the axes of a tile, or about none."""
        others = {symbol for symbol, axis in self._of_axis.items() if axis not in axes}
        return tuple([one for one in self.where if not (one.left.symbols | one.right.symbols) & others])

    def _named(self, indices: Sequence[Index], axes: Sequence[int] = ()) -> tuple[tuple[int, ...], Named]:
        """The axes along which indices differ, with `axes`, and the data in the indices in the layout of
        these.
        """
        data = self._data_of(*indices)
        used = {symbol for index in indices for symbol in index.symbols}
        made = [self._index_of(datum) for datum in data.values()]
        whole = {*axes, *(axis for symbol, axis in self._of_axis.items() if symbol in used)}
        whole.update(*[one.axes for one in made])
        found = tuple(sorted(whole))
        names = {
            one: named.at_most(datum.size - 1)
            for (one, datum), named in zip(data.items(), data_symbols(len(data)), strict=True)
        }
        return found, Named(names, tuple([self._spread(one, found) for one in made]))

    def _index_of(self, datum: Datum) -> Made:
        """A datum as i32, one that counts from the end from the start. What is above the last element is left
        to the index, whose bounds are those of the elements then.
        """
        if datum not in self._indices:
            made = self._made[Key(*datum[:3])]
            value, axes = made.tile, made.axes
            builder, layout = self._builder, self._without(axes)

            def number(of: int, element: ElementType) -> Tile:
                return builder.fill(of, TileType(element, layout))

            element = element_of(value)
            zero, size = number(0, element), number(datum.size, element)
            is_negative = builder.pointwise(ops.LESS, value, zero)
            whole = builder.pointwise(ops.WHERE, is_negative, builder.pointwise(ops.ADD, value, size), value)
            above = builder.pointwise(ops.MAX, whole, zero)
            if element is not I32:
                inside = builder.pointwise(ops.MIN, above, number(datum.size - 1, element))
                above = builder.convert(inside, I32)
            self._indices[datum] = Made(above, axes)
        return self._indices[datum]

    def _padded(self, key: Key, statement: Statement, operand: Made) -> Made:
        own = self._needs(key)[0].where[len(key.where) :]
        axes, named = self._named(_sides(own), operand.axes)
        number = statement.attributes["value"]
        assert isinstance(number, int | float)
        whole = number if element_of(operand.tile).is_float else int(number)
        is_zero = whole == 0 and copysign(1, whole) > 0  # as what is read where there is no element
        if not own or (is_zero and self.is_buffer(statement.operands[0])):
            return operand
        where = _replaced(own, named.indices)
        tile = self._builder.mask(self._spread(operand, axes), where, whole, named.tiles)
        return Made(tile, axes, operand.is_cut)

    def _joined(self, key: Key, operands: Sequence[Made]) -> Made:
        """Of each operand of a concat the elements that are its own, from the last on."""
        needs = self._needs(key)
        conditions = [need.where[len(key.where) :] for need in needs[: len(operands)]]
        sides = [side for one in conditions for side in _sides(one)]
        axes, named = self._named(sides, [axis for one in operands for axis in one.axes])
        builder, pairs = self._builder, list(zip(operands, conditions, strict=True))
        while len(pairs) > 1 and tensor_of(needs[len(pairs) - 1].value).elements == 0:
            _ = pairs.pop()
        joined = self._spread(pairs.pop()[0], axes)
        for operand, where in reversed(pairs):
            if not where:
                continue
            before = _replaced(where[-1:], named.indices)
            true = builder.fill(1, TileType(BOOL, self._without(axes)))
            is_before = builder.mask(true, before, 0, named.tiles)
            joined = builder.pointwise(ops.WHERE, is_before, self._spread(operand, axes), joined)
        return Made(joined, axes, all(operand.is_cut for operand in operands))

    def _pointwise(self, statement: Statement, operands: list[Tile]) -> Tile:
        if statement.op is ops.BIT_CAST:
            source = tensor_of(statement.operands[0]).element
            to = ELEMENT_TYPES[str(statement.attributes["target_type"])]
            return self._widened(self._builder.value(acts.BitCast(to), self.narrowed(operands[0], source)))
        if statement.op is not ops.CONVERT:
            return self._builder.pointwise(statement.op, *operands)
        source, target = (tensor_of(value).element for value in (statement.operands[0], statement.result))
        exact = operands[0] if source is target else self._widened(self.narrowed(operands[0], source))
        return self._widened(self.narrowed(exact, target))

    def _widened(self, tile: Tile) -> Tile:
        wide = computed(element_of(tile))
        if wide is element_of(tile):
            return tile
        result = self._builder.convert(tile, wide)
        self._narrow[result] = tile
        return result

    def _spread(self, made: Made, axes: tuple[int, ...]) -> Tile:
        """A tile in the layout of more axes."""
        layout = self._without(axes)
        if made.tile.type == TileType(element_of(made.tile), layout):
            return made.tile
        type_ = TileType(element_of(made.tile), layout)
        number = self._fills.get(made.tile)
        return (
            self._builder.broadcast(made.tile, type_) if number is None else self._builder.fill(number, type_)
        )

    def _without(self, axes: tuple[int, ...]) -> Layout:
        """The layout in which only `axes` differ."""
        return without(self.layout, tuple([axis for axis in range(self.layout.rank) if axis not in axes]))
