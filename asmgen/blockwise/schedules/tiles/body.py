"""Turns statements of a graph into statements on tiles: each value on demand, once for each set of indices.

A value is made at indices, which map the tile's element c0, c1, ... to an element of the value. Ops that move
elements only change the indices (`maps`), down to the load of a buffer (`reads`). `needs` has the operands of
a value. A value that is uniform along some axes of the tile is made once in the layout without these axes,
and broadcast for ops with other operands (`forms`).

Floats of 16 bits and fewer are computed in f32: widened by the first op that computes, and rounded once by
stores and conversions. Ops that only choose or move elements take them as they are.
Integers of 8 and 16 bits are computed in 32 bits. They are cut to their own bits by stores, and before ops
that read the upper bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign

from asmgen.blockwise import actions as acts
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, reshaped_apart
from asmgen.blockwise.schedules.elements.maps import has_border, is_chosen, is_walked, moves
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.schedules.tiles.data_tiles import DataTiles
from asmgen.blockwise.schedules.tiles.forms import Forms, Made, element_of
from asmgen.blockwise.schedules.tiles.halves import COMPARED
from asmgen.blockwise.schedules.tiles.needs import THIS_BODY, Key, Needs, sides_of
from asmgen.blockwise.schedules.tiles.reads import Reads, Turned
from asmgen.blockwise.types import TileType
from asmgen.graph import ops
from asmgen.graph.rounded import WIDEN, rounded_to
from asmgen.index import Symbol
from asmgen.ir.program import Op, Statement, Value, tensor_type
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F16, ElementType, TensorType, is_cut


class Body:
    """The values of a tile's elements. `where` are the conditions under which elements exist.

    If they are `loose`, other elements may have any value, because no reader uses them.

    `outer` has the values that are uniform along the axes that it lacks and do not depend on `counters`, the
    counters of loops. Tiles are stored in the layout `stored`, by default that of the body.
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
        is_loose: bool = False,
        stored: Layout | None = None,
    ) -> None:
        self._builder = builder
        self._stored = stored
        self._buffers = buffers
        self.layout = layout
        self.where = where
        self._outer = outer
        self._counters = counters
        self._made: dict[Key, Made] = {}
        self._iterations: dict[tuple[object, ...], tuple[TileValue, ...]] = {}
        self._needs = Needs(buffers)
        self._forms = Forms(builder, layout)
        self._data = DataTiles(builder, self._needs, self._forms, self._made)
        self._reads = Reads(builder, buffers, self._needs, self._forms, self._data, where, turned, is_loose)

    # Requests

    def value(self, value: Value, at: Indices) -> TileValue:
        """The value in the layout of the whole tile."""
        made = self._value(Key(value, at))
        whole = self._forms.cut(made, tensor_type(value).element)
        spread = self._forms.spread(whole, tuple(range(self.layout.rank)))
        return self._forms.widened(spread)

    def store(
        self,
        value: Value,
        at: Indices,
        buffer: TileValue,
        where: Conditions | None = None,
        to: Indices | None = None,
    ) -> None:
        """Store the elements of a value, rounded to the buffer's type, to the elements `to` of the buffer, by
        default the same elements in the buffer's dims; `where` are the conditions, by default those of the
        body.
        """
        whole = self._forms.spread(self._value(Key(value, at)), tuple(range(self.layout.rank)))
        tile = self._forms.narrowed(whole, buffer.type.element)
        if self._stored is not None:
            tile = self._builder.relayout(tile, self._stored)
        dims = tensor_type(value).dims
        if to is None and isinstance(buffer.type, TensorType) and buffer.type.dims != dims:
            to = reshaped_apart(at, dims, buffer.type.dims)
        self._builder.store(tile, buffer, at if to is None else to, self.where if where is None else where)

    def define(self, value: Value, at: Indices, tile: TileValue, is_cut: bool = True) -> None:
        """Define a value that is computed elsewhere, in the layout of the whole tile. Tiles computed from it
        belong to this body, even if the indices `at` are constants: `outer` does not know the value.
        `is_cut` says that its numbers are in the range of its type.
        """
        axes = tuple(range(self.layout.rank))
        key = Key(value, at)
        self._made[key] = Made(tile, axes, is_cut)
        self._needs.depend_on_body(key)

    def prepare(self, value: Value, at: Indices) -> None:
        """Make the part of a value that belongs to `outer`, before a loop that needs it."""
        pending, seen = [Key(value, at)], set[Key]()
        while pending:
            key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            if self._is_outer(key):
                assert self._outer is not None
                made = self._outer._value(key)
                _ = self._outer._forms.widened(made.tile)
            else:
                pending += self._needs.of(key)

    def narrowed(self, tile: TileValue, element: ElementType) -> TileValue:
        """A tile of this body as another type; a widened tile gives the original tile."""
        return self._forms.narrowed(tile, element)

    # How it is made

    def _value(self, root: Key) -> Made:
        pending = [root]
        while pending:
            key = pending[-1]
            if key in self._made:
                _ = pending.pop()
                continue
            is_outer = self._is_outer(key)
            missing = [] if is_outer else [need for need in self._needs.of(key) if need not in self._made]
            if missing:
                pending.extend(reversed(missing))
                continue
            _ = pending.pop()
            self._made[key] = self._from_outer(key) if is_outer else self._make(key)
        return self._made[root]

    def _is_outer(self, key: Key) -> bool:
        """Whether every holder along the axes that `outer` lacks has the same, in every trip."""
        if self._outer is None:
            return False
        sizes = self._outer.layout.shape
        own = {symbol for symbol, axis in self._forms.axis_of.items() if sizes[axis] == 1}
        return not (self._needs.symbols_of(key) & (own | self._counters | {THIS_BODY}))

    def _from_outer(self, key: Key) -> Made:
        assert self._outer is not None
        made = self._outer._value(key)
        self._forms.adopt(made.tile, self._outer._forms)
        return made

    def _make(self, key: Key) -> Made:
        statement = self._buffers.defined[key.value]
        with self._builder.origin(statement.place, key.value.name):
            return self._made_of(key, statement)

    def _made_of(self, key: Key, statement: Statement) -> Made:
        if not is_walked(statement):
            return self._reads.tile(key, statement)
        operands = [self._made[need] for need in self._needs.operands_of(key)]
        if statement.op is ops.CONCAT:
            return self._joined(key, operands)
        if has_border(statement):
            return self._padded(key, statement, operands[0])
        if statement.op is ops.UNPACK:
            return self._unpacked(key, statement, operands[0])
        if moves(statement) or is_chosen(statement):
            return operands[0]
        axes = tuple(sorted({axis for operand in operands for axis in operand.axes}))
        if statement.op.has_body:
            return self._iterated(key, statement, operands, axes)
        element = tensor_type(key.value).element
        tile = self._pointwise(statement, self._operands(statement, operands), axes)
        is_converted = statement.op in (ops.CONVERT, ops.BIT_CAST)
        is_own = element_of(tile) is element
        return Made(tile, axes, is_converted or is_own or not is_cut(element))

    def _operands(self, statement: Statement, operands: list[Made]) -> list[Made]:
        """The operands in the type in which the op takes them."""
        if statement.op in (ops.CONVERT, ops.BIT_CAST, WIDEN):
            return operands
        forms, element = self._forms, tensor_type(statement.result).element
        if statement.op.chooses:
            conditions = len(operands) - 2 if statement.op is ops.WHERE else 0
            return [*operands[:conditions], *forms.alike(operands[conditions:], element)]
        if statement.result in self._buffers.halves:
            return forms.alike(operands, element)
        if statement.op in COMPARED and tensor_type(statement.operands[0]).element is F16:
            return forms.alike(operands, F16)
        modular = statement.op.modular
        operands = [
            made if number < modular else forms.cut(made, tensor_type(value).element)
            for number, (made, value) in enumerate(zip(operands, statement.operands, strict=True))
        ]
        return [made._replace(tile=forms.widened(made.tile)) for made in operands]

    def _padded(self, key: Key, statement: Statement, operand: Made) -> Made:
        own = self._needs.operands_of(key)[0].where[len(key.where) :]
        named = self._data.named(sides_of(own), operand.axes)
        number = statement.attributes["value"]
        assert isinstance(number, int | float)
        whole = number if element_of(operand.tile).is_float else int(number)
        is_zero = whole == 0 and copysign(1, whole) > 0  # as loads give for elements that do not exist
        if not own or (is_zero and self._buffers.is_only_read(statement.operands[0])):
            return operand
        spread = self._forms.spread(operand, named.axes)
        tile = self._builder.mask(spread, named.conditions(own), whole, named.tiles)
        return Made(tile, named.axes, operand.is_cut)

    def _unpacked(self, key: Key, statement: Statement, operand: Made) -> Made:
        """Of each element the number at the place that the index says."""
        from asmgen.graph.infer.unpack import Packing

        axis, bits, count = Packing.of(statement)
        place = key.at[axis] % count
        named = self._data.named((place,), operand.axes)
        source, to = [tensor_type(value).element for value in (statement.operands[0], statement.result)]
        packed = self._forms.spread(
            operand._replace(tile=self._forms.narrowed(operand.tile, source)), named.axes
        )
        (at,) = named.indices((place,))
        return Made(self._builder.value(acts.Unpack((at,), to, bits), packed, *named.tiles), named.axes)

    def _joined(self, key: Key, operands: Sequence[Made]) -> Made:
        """Of each operand of a concat the elements that are its own, from the last on."""
        needs = self._needs.operands_of(key)
        conditions = [need.where[len(key.where) :] for need in needs]
        sides = [side for condition in conditions for side in sides_of(condition)]
        named = self._data.named(sides, [axis for operand in operands for axis in operand.axes])
        builder, forms, axes = self._builder, self._forms, named.axes
        pairs = list(zip(operands, conditions, strict=True))
        element = tensor_type(key.value).element
        alike = forms.alike([operand for operand, _ in pairs], element)
        pairs = [(operand, where) for operand, (_, where) in zip(alike, pairs, strict=True)]
        joined = forms.spread(pairs.pop()[0], axes)
        for operand, where in reversed(pairs):
            if not where:
                continue
            true = builder.fill(1, TileType(BOOL, forms.layout_of(axes)))
            is_before = builder.mask(true, named.conditions(where[-1:]), 0, named.tiles)
            joined = builder.pointwise(ops.WHERE, is_before, forms.spread(operand, axes), joined)
        return Made(joined, axes, all(operand.is_cut for operand in alike))

    def _iterated(
        self, key: Key, statement: Statement, operands: Sequence[Made], axes: tuple[int, ...]
    ) -> Made:
        """The result of a loop over a body. Elements that do not exist have no trips: with any values, their
        loop might not end."""
        from asmgen.graph.bodies import carried_number, of_attributes

        where = (*self.where, *key.where)
        named = self._data.named(sides_of(where), axes)
        builder, forms = self._builder, self._forms
        tiles = [forms.spread(operand, named.axes) for operand in operands]
        if where:
            true = builder.fill(1, TileType(BOOL, forms.layout_of(named.axes)))
            tiles.append(builder.mask(true, named.conditions(where), 0, named.tiles))
        action = acts.Iterate(of_attributes(statement), bool(where))
        if (action, *tiles) not in self._iterations:
            self._iterations[action, *tiles] = builder.apply(action, *tiles)
        return Made(self._iterations[action, *tiles][carried_number(statement)], named.axes)

    def _pointwise(self, statement: Statement, made: list[Made], axes: tuple[int, ...]) -> TileValue:
        forms = self._forms
        operands = [forms.spread(operand, axes) for operand in made]
        if statement.op is ops.BIT_CAST:
            source = tensor_type(statement.operands[0]).element
            to = ELEMENT_TYPES[str(statement.attributes["target_type"])]
            return self._builder.value(acts.BitCast(to), forms.narrowed(operands[0], source))
        if statement.op is WIDEN:
            return forms.widened(operands[0])
        if statement.op is not ops.CONVERT:
            return self._builder.pointwise(_rounded(statement), *operands)
        source, target = (tensor_type(value).element for value in (statement.operands[0], statement.result))
        return forms.converted(forms.narrowed(operands[0], source), target)


def _rounded(statement: Statement) -> Op:
    """The op of a statement for the type to which its result is rounded."""
    return rounded_to(statement.op, tensor_type(statement.result).element)
