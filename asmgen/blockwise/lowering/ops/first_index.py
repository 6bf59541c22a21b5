"""The first or the last index of the extreme of a row.

    m = reduce[op=max](x)                      the extremes of chunks, of pairs of chunks, ..., of the wave
    f = equal(x, m)
    w = where(f, positions, none)              dead
    i = reduce[op=min](w)                      from the first half down to a chunk, a lane of it, an element

A row consists of consecutive chunks, and each lane of the wave has some adjacent elements of each chunk. So
the first index is in the first chunk in which a lane has the extreme, and there in the first such lane. The
extremes of chunks are known from the reduction. A comparison decides which half of the chunks has the
extreme, and the wave continues with that half; only the last chunk is compared element by element. If several
waves share a row, each wave searches its own chunks, and the least index is the result. A wave may have
several rows in turn.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.queries import register_offsets, within_axes
from asmgen.blockwise.lowering.context import COMBINES, Context
from asmgen.blockwise.lowering.ops.reduction import Partial
from asmgen.blockwise.lowering.ops.searches import Piece, Search, rows_of, searches
from asmgen.blockwise.lowering.tile import Element, Tile, groups, scalar, vectors
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import ADD_CARRY, ANY_LANE, FIND_LANE
from isa.named_tuple import NamedTuple

TileOf = Callable[[TileValue], Tile]


class _Chunk(NamedTuple):
    """A chunk of a piece. `register` is the register of the lane's first element in the chunk. `first` is the
    index of the chunk's first element, if the indices of the piece are its coordinates."""

    piece: Piece
    register: int
    first: int


class _Part(NamedTuple):
    """Several chunks of a row, a chunk, or several of the elements that a lane has of a chunk: the extreme of
    each lane's elements in the part, and both halves."""

    extreme: Value
    halves: tuple[_Part, ...] = ()
    chunk: _Chunk | None = None


class Found:
    """The searches of a kernel while it is lowered."""

    def __init__(self, context: Context, kernel: Kernel) -> None:
        self._context = context
        self._searches = searches(kernel)
        self._rows: dict[TileStatement, list[_Part]] = {}

    def own(self, statement: TileStatement, tile_of: TileOf) -> tuple[Element, ...] | None:
        """The extreme of each lane, if its place is searched later; None for any other reduction."""
        search = next((one for one in self._searches if one.extreme is statement), None)
        if search is None:
            return None
        assert isinstance(statement.op, ops.Reduce)
        (axis,), op = statement.op.axes, statement.op.op
        of_pieces = [self._chunks(piece, op, axis, tile_of(piece.row)) for piece in search.pieces]
        whole = [[chunk for part in row for chunk in part] for row in zip(*of_pieces, strict=True)]
        rows = self._rows[statement] = [self._joined(op, row) for row in whole]
        return tuple([Element(row.extreme) for row in rows])

    def _chunks(self, piece: Piece, op: ops.Combine, axis: int, tile: Tile) -> list[list[_Part]]:
        """The chunks of a piece of each row of a lane, and their extremes."""
        offsets = [offset[axis] for offset in register_offsets(tile.layout)]
        bits = tuple([offsets.index(1 << bit) for bit in range(piece.vector.bit_length() - 1)])
        numbers = tuple([one.bit_length() - 1 for one in bits])
        made = vectors(self._context.builder, tile, numbers)
        values = {group[0]: one for group, one in zip(groups(tile.layout, numbers), made, strict=True)}
        found: list[list[_Part]] = []
        for row in rows_of(tile.layout, axis):
            firsts = sorted([register for register in row if register in values], key=row.__getitem__)
            found.append(
                [
                    self._joined(op, self._elements(values[register]))._replace(
                        chunk=_Chunk(piece, register, row[register])
                    )
                    for register in firsts
                ]
            )
        return found

    def _elements(self, vector: Value) -> list[_Part]:
        lanes = range(lane_type(vector).lanes)
        return [_Part(scalar(self._context.builder, Element(vector, at))) for at in lanes]

    def _joined(self, op: ops.Combine, parts: list[_Part]) -> _Part:
        """Join consecutive parts into a single part, pair by pair. A part without a partner waits for the
        next round."""
        while len(parts) > 1:
            pairs = list(zip(parts[::2], parts[1::2], strict=False))
            left = parts[2 * len(pairs) :]
            combined = [
                self._context.builder.value(COMBINES[op], one.extreme, other.extreme) for one, other in pairs
            ]
            parts = [_Part(extreme, pair) for extreme, pair in zip(combined, pairs, strict=True)] + left
        return parts[0]

    def settled(self, statement: TileStatement) -> TileValue | None:
        """The index that a statement repeats; None of another statement."""
        return next((one.last.result for one in self._searches if one.settled is statement), None)

    def index(self, statement: TileStatement, tile_of: TileOf) -> Partial | None:
        """The index that a reduction gives; None of another reduction."""
        search = next((one for one in self._searches if one.last is statement), None)
        if search is None or search.extreme not in self._rows:
            return None
        assert isinstance(statement.op, ops.Reduce)
        builder = self._context.builder
        before = {piece: self._before(piece.waves) for piece in search.pieces if piece.waves is not None}
        places = {
            piece: [scalar(builder, one) for one in tile_of(piece.places).elements]
            for piece in search.pieces
            if piece.waves is None
        }
        extremes = [scalar(builder, one) for one in tile_of(search.extreme.result).elements]
        found = [
            _Walk(builder, wanted, search, before, places).index(row, None, True)
            for row, wanted in zip(self._rows[search.extreme], extremes, strict=True)
        ]
        if not search.is_shared:
            self._context.not_negative.update(found)
        operand = statement.operands[0]
        assert isinstance(operand.type, TileType)
        bits = within_axes(operand.type.layout, statement.op.axes)
        elements = tuple([Element(value) for value in found])
        return Partial(statement.op, operand.type, bits, elements, in_last=search.is_shared)

    def _before(self, waves: tuple[int, ...]) -> Value:
        """How far along its row a wave's chunks begin."""
        lanes = self._context.kernel.lanes.bit_length() - 1
        index = self._context.places.image((0,) * lanes + waves)
        return self._context.builder.bit_cast(self._context.indices.value(index), I32)


class _Walk:
    """From all chunks of a row that a wave has to an element that is `wanted`.

    `before` is how far along the row a wave's chunks begin, by their piece, and `places` the indices of a
    lane's elements, by the register. They are made before any branch.
    """

    def __init__(
        self,
        builder: LaneBuilder,
        wanted: Value,
        search: Search,
        before: dict[Piece, Value],
        places: dict[Piece, list[Value]],
    ) -> None:
        self._builder = builder
        self._wanted = wanted
        self._is_last = search.is_last
        self._none = search.none
        self._before = before
        self._places = places

    def index(self, chunks: _Part, lane: Value | None, may_miss: bool) -> Value:
        """The index among chunks. `lane` is the first lane with the extreme, if it is known. `may_miss` marks
        the chunks that are searched last: in a row of NaN no lane has the extreme, and the search ends
        there."""
        if chunks.chunk is not None:
            return self._in_chunk(chunks, chunks.chunk, lane, may_miss)
        builder = self._builder
        first, second = self._in_order(chunks)
        condition = builder.equal(first.extreme, self._wanted)
        found = None if first.chunk is None else self._lane(condition)

        def in_first() -> tuple[Value, ...]:
            return (self.index(first, found, False),)

        def in_second() -> tuple[Value, ...]:
            return (self.index(second, None, may_miss),)

        (result,) = builder.if_(builder.value(ANY_LANE, condition), in_first, in_second)
        return result

    def _in_order(self, chunks: _Part) -> tuple[_Part, ...]:
        """Both halves in the order of the search."""
        return chunks.halves[::-1] if self._is_last else chunks.halves

    def _lane(self, condition: Value) -> Value:
        return self._builder.value(FIND_LANE, condition, last=self._is_last)

    def _in_chunk(self, part: _Part, chunk: _Chunk, lane: Value | None, may_miss: bool) -> Value:
        builder = self._builder
        lane = self._lane(builder.equal(part.extreme, self._wanted)) if lane is None else lane
        index = self._in_row(part, chunk, lane)
        if may_miss:
            is_there = builder.less_equal(builder.constant(0, I32), lane)
            index = builder.where(is_there, index, builder.constant(self._none, I32))
        return index

    def _in_row(self, part: _Part, chunk: _Chunk, lane: Value) -> Value:
        """The index of the wanted element of a lane in a chunk: the index of the lane's first element plus
        the position behind it, or the index of the chunk's first element plus the position in the chunk."""
        builder, piece = self._builder, chunk.piece
        if piece.waves is None:
            base = builder.lane_shuffle(self._places[piece][chunk.register], lane)
            more = self._element(part, builder.constant(0, I32), lane)
            return builder.add(base, more) if part.halves else base
        index = self._element(part, lane, lane)
        if chunk.first:
            index = builder.add(index, builder.constant(chunk.first, I32))
        return builder.add(index, self._before[piece]) if any(piece.waves) else index

    def _element(self, chunk: _Part, index: Value, lane: Value) -> Value:
        """A number followed by the bits of the place in the chunk of the first element of a lane that is
        wanted, from the highest: whether it is in the upper half of the lane's elements, of that half's, and
        so on. Every lane has the half that it goes on with; of `lane` the bits are read.
        """
        builder, left = self._builder, chunk
        while left.halves:
            lower, upper = left.halves
            is_upper = (
                builder.equal(upper.extreme, self._wanted)
                if self._is_last
                else builder.not_equal(lower.extreme, self._wanted)
            )
            index = builder.value(ADD_CARRY, index, index, builder.lane_shuffle(is_upper, lane))
            left = self._chosen(is_upper, upper, lower)
        return index

    def _chosen(self, is_first: Value, one: _Part, other: _Part) -> _Part:
        """The halves of the first part if a condition is true, else the halves of the other."""
        halves = [
            self._chosen(is_first, a, b)._replace(extreme=self._builder.where(is_first, a.extreme, b.extreme))
            for a, b in zip(one.halves, other.halves, strict=True)
        ]
        return one._replace(halves=tuple(halves))
