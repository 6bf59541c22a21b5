"""The first or the last index of the extreme of a row.

    m = reduce[op=max](x)                      the extremes of chunks, of pairs of chunks, ..., of the wave
    f = equal(x, m)
    w = where(f, positions, none)              dead
    i = reduce[op=min](w)                      from the first half down to a chunk, a lane of it, an element

A row lies in chunks, one after the other: the lanes of the wave have some elements of a chunk each, which
are next to each other. So the first chunk in which a lane has the extreme has the first index, and in it the
first such lane. What a chunk's lanes have at most was computed for the extreme of the row already; one
comparison says for half of the chunks whether the extreme is among them, and the wave goes on with that half
or with the other. A comparison of every element is made in the chunk that is left. Of several waves each
looks among its own chunks, and the least index that one has found is the row's. A wave may have several rows,
one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout, split
from asmgen.blockwise.layout.queries import kept_registers, register_offsets, within_axes
from asmgen.blockwise.lowering.context import COMBINES, Context
from asmgen.blockwise.lowering.reduction import Partial
from asmgen.blockwise.lowering.tile import Element, Tile, groups, lane_type, scalar, vectors
from asmgen.blockwise.program import Kernel, Statement, walk
from asmgen.blockwise.program import Value as TileValue
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import EQUAL, WHERE
from asmgen.ir.program import Scope, Value
from asmgen.ir.types import F32, I32
from asmgen.lanewise.ops import ADD_CARRY, ANY_LANE, FIND_LANE, NOT_EQUAL

_MISSED = -1  # the index of what a wave does not have
_EXTREMES = (ops.Combine.MAX, ops.Combine.MIN)


class Search(NamedTuple):
    """`last` is the reduction to the index of what `extreme` is the reduction to, the greatest or the
    smallest element of a row; where no element is the extreme, the index is `none`.

    Several waves may have a row: `waves` says how far along it each bit of a wave's number leads.

    Where all that asks for the index takes another number for `none`, as argmax does, `settled` is the
    statement which chooses that, and `none` that number.
    """

    extreme: Statement
    last: Statement
    none: int
    waves: tuple[int, ...] = ()
    settled: Statement | None = None


class _Part(NamedTuple):
    """Some of the chunks of a row, a chunk, or some of the elements that a lane has of one: what each lane
    has of them at most, and both halves; of a chunk also the index of its first element."""

    extreme: Value
    halves: tuple[_Part, ...] = ()
    first: int | None = None


def searches(kernel: Kernel) -> list[Search]:
    """Those among the statements of a kernel, outside of loops, whose rows lie in chunks."""
    defined = {result: one for one in kernel.statements for result in one.results}

    def origin(value: TileValue) -> Statement | None:
        """What made a value, or what it repeats."""
        found = defined.get(value)
        while found is not None and isinstance(found.action, ops.Broadcast):
            found = defined.get(found.operands[0])
        return found

    found = [_search(one, origin) for one in kernel.statements]
    readers: dict[TileValue, list[Statement]] = {}
    for statement in walk(kernel.statements):
        for operand in statement.operands:
            readers.setdefault(operand, []).append(statement)
    return [one if one.waves else _settled(one, readers, origin) for one in found if one is not None]


def _settled(
    search: Search,
    readers: dict[TileValue, list[Statement]],
    origin: Callable[[TileValue], Statement | None],
) -> Search:
    """The search with what is wanted in the place of no index, where `where(equal(i, none), number, i)` is
    all that reads one."""
    index = search.last.result
    found = readers.get(index, [])
    compared = next((one for one in found if _pointwise(one, EQUAL)), None)
    chosen = next((one for one in found if _pointwise(one, WHERE)), None)
    if compared is None or chosen is None or len(found) != 2 or chosen.operands[2] is not index:
        return search
    none, number = _filled(origin(compared.operands[1])), _filled(origin(chosen.operands[1]))
    is_read_there = origin(chosen.operands[0]) is compared and readers[compared.result] == [chosen]
    if not is_read_there or compared.operands[0] is not index or none != search.none or number is None:
        return search
    return search._replace(none=number, settled=chosen)


def _filled(statement: Statement | None) -> int | None:
    """The integer that a tile has everywhere."""
    if statement is None or not isinstance(statement.action, ops.Fill):
        return None
    return int(statement.action.value)


def _search(statement: Statement, origin: Callable[[TileValue], Statement | None]) -> Search | None:
    """The search that ends in a statement; None where it is none, or one that goes element by element."""
    action = statement.action
    if not _reduces(action, ops.Combine.MIN, ops.Combine.MAX):
        return None
    chosen = _pointwise(origin(statement.operands[0]), WHERE)
    if chosen is None:
        return None
    compared, positions, none = [origin(operand) for operand in chosen.operands]
    compared = _pointwise(compared, EQUAL)
    if compared is None or positions is None or none is None or not isinstance(none.action, ops.Fill):
        return None
    row, extreme = compared.operands[0], origin(compared.operands[1])
    if extreme is None or not _reduces(extreme.action, *_EXTREMES) or extreme.operands[0] is not row:
        return None
    assert isinstance(action, ops.Reduce) and isinstance(extreme.action, ops.Reduce)
    if extreme.action.axes != action.axes or not isinstance(row.type, TileType):
        return None
    (axis,) = action.axes if len(action.axes) == 1 else (-1,)
    is_place = isinstance(positions.action, ops.Positions) and positions.action.at == (
        row.type.coordinates[axis],
    )
    is_word = row.type.element in (F32, I32)
    if axis < 0 or not is_place or not is_word or not _vector_of(row.type.layout, axis):
        return None
    columns = _of_waves(row.type.layout, axis)
    return Search(extreme, statement, int(none.action.value), columns if any(columns) else ())


def _reduces(action: ops.Action, *combines: ops.Combine) -> bool:
    return isinstance(action, ops.Reduce) and action.op in combines and action.within is Scope.WORKGROUP


def _pointwise(statement: Statement | None, op: object) -> Statement | None:
    """The statement, where it applies `op` element by element."""
    if statement is None or not isinstance(statement.action, ops.Pointwise):
        return None
    return statement if statement.action.op is op else None


def _vector_of(layout: Layout, axis: int) -> int:
    """How many elements next to each other a lane has of a chunk, of a row of which waves have whole chunks;
    0 of a layout whose rows do not lie in chunks."""
    bits = within_axes(layout, (axis,))
    steps = [split(basis, layout.sizes)[axis] for basis in layout.lanes]
    vector = steps[0] if steps else 0
    if not vector or bits.lanes != tuple(range(len(layout.lanes))):
        return 0
    chunk = vector << len(steps)
    is_in_chunks = all(_lies_in_chunks(row, vector, chunk) for row in _rows(layout, axis))
    is_in_waves = all(not column % chunk for column in _of_waves(layout, axis))
    is_in_order = steps == [vector << bit for bit in range(len(steps))]
    return vector if is_in_order and is_in_chunks and is_in_waves else 0


def _rows(layout: Layout, axis: int) -> list[dict[int, int]]:
    """For each row of a lane how far along it each of its registers is, by the register, in the order of the
    rows."""
    found: dict[int, dict[int, int]] = {}
    kept = kept_registers(layout, (axis,))
    for register, (row, offset) in enumerate(zip(kept, register_offsets(layout), strict=True)):
        found.setdefault(row, {})[register] = offset[axis]
    return [found[row] for row in sorted(found)]


def _lies_in_chunks(row: dict[int, int], vector: int, chunk: int) -> bool:
    """Whether a lane has `vector` elements of each of some chunks of a row, and no others."""
    own = set(row.values())
    return own == {at + more for at in own if not at % chunk for more in range(vector)}


def _of_waves(layout: Layout, axis: int) -> tuple[int, ...]:
    """How far along a row each bit of a wave's number leads."""
    return tuple([split(basis, layout.sizes)[axis] for basis in layout.waves])


class Found:
    """The searches of a kernel while it is lowered."""

    def __init__(self, context: Context, kernel: Kernel) -> None:
        self._context = context
        self._searches = searches(kernel)
        self._rows: dict[Statement, list[_Part]] = {}

    def own(self, statement: Statement, tile: Tile) -> tuple[Element, ...] | None:
        """What each lane has of an extreme that is looked for later; None of another reduction."""
        if all(one.extreme is not statement for one in self._searches):
            return None
        assert isinstance(statement.action, ops.Reduce)
        rows = self._rows[statement] = self._chunks(statement.action, tile)
        return tuple([Element(row.extreme) for row in rows])

    def _chunks(self, action: ops.Reduce, tile: Tile) -> list[_Part]:
        """The chunks of each row of a lane and their extremes, pair by pair."""
        builder, (axis,) = self._context.builder, action.axes
        offsets = [offset[axis] for offset in register_offsets(tile.layout)]
        vector = _vector_of(tile.layout, axis)
        bits = tuple([offsets.index(1 << bit) for bit in range(vector.bit_length() - 1)])
        numbers = tuple([one.bit_length() - 1 for one in bits])
        order = groups(tile.layout, numbers)
        values = {
            group[0]: value for group, value in zip(order, vectors(builder, tile, numbers), strict=True)
        }
        found: list[_Part] = []
        for row in _rows(tile.layout, axis):
            firsts = sorted([register for register in row if register in values], key=row.__getitem__)
            chunks = [
                self._joined(action.op, self._elements(values[first]))._replace(first=row[first])
                for first in firsts
            ]
            found.append(self._joined(action.op, chunks))
        return found

    def _elements(self, vector: Value) -> list[_Part]:
        lanes = range(lane_type(vector).lanes)
        return [_Part(scalar(self._context.builder, Element(vector, at))) for at in lanes]

    def _joined(self, op: ops.Combine, parts: list[_Part]) -> _Part:
        """Parts that follow each other as one, pair by pair; one that is left over waits for the next
        turn."""
        while len(parts) > 1:
            pairs = list(zip(parts[::2], parts[1::2], strict=False))
            left = parts[2 * len(pairs) :]
            combined = [
                self._context.builder.value(COMBINES[op], one.extreme, other.extreme) for one, other in pairs
            ]
            parts = [_Part(extreme, pair) for extreme, pair in zip(combined, pairs, strict=True)] + left
        return parts[0]

    def settled(self, statement: Statement) -> TileValue | None:
        """The index that a statement repeats; None of another statement."""
        return next((one.last.result for one in self._searches if one.settled is statement), None)

    def index(self, statement: Statement, extreme_of: Callable[[TileValue], Tile]) -> Partial | None:
        """The index that a reduction gives; None of another reduction."""
        search = next((one for one in self._searches if one.last is statement), None)
        if search is None or search.extreme not in self._rows:
            return None
        action = statement.action
        assert isinstance(action, ops.Reduce)
        extremes = extreme_of(search.extreme.result).elements
        rows = zip(self._rows[search.extreme], extremes, strict=True)
        elements = tuple([Element(self._of_row(row, extreme, search)) for row, extreme in rows])
        operand = statement.operands[0]
        assert isinstance(operand.type, TileType)
        bits = within_axes(operand.type.layout, action.axes)
        return Partial(action, operand.type, bits, elements, in_last=bool(search.waves))

    def _of_row(self, row: _Part, extreme: Element, search: Search) -> Value:
        """The index of a row's extreme, among a wave's own part of the row where several waves have it."""
        assert isinstance(search.last.action, ops.Reduce)
        wanted = scalar(self._context.builder, extreme)
        is_last = search.last.action.op is ops.Combine.MAX
        found = _Walk(self._context, wanted, is_last, _MISSED if search.waves else search.none)
        index = found.index(row, None, True)
        if search.waves:
            return self._in_row(index, search)
        self._context.not_negative.add(index)
        return index

    def _in_row(self, found: Value, search: Search) -> Value:
        """The index in a row of what a wave has found among its own chunks; `none` where it has not."""
        builder, indices = self._context.builder, self._context.indices
        lanes = self._context.kernel.lanes.bit_length() - 1
        before = indices.value(self._context.places.image((0,) * lanes + search.waves))
        is_there = builder.less_equal(builder.constant(0, I32), found)
        index = builder.add(found, builder.bit_cast(before, I32))
        return builder.where(is_there, index, builder.constant(search.none, I32))


class _Walk:
    """From all chunks to an element that is `wanted`."""

    def __init__(self, context: Context, wanted: Value, is_last: bool, none: int) -> None:
        self._builder = context.builder
        self._wanted = wanted
        self._is_last = is_last
        self._none = none

    def index(self, chunks: _Part, lane: Value | None, may_miss: bool) -> Value:
        """The index among chunks. `lane` is the first lane that has it, where that is known; where none has,
        as in a row of NaN, they are those that are looked at at last, and `may_miss`."""
        if chunks.first is not None:
            return self._in_chunk(chunks, lane, may_miss)
        builder = self._builder
        first, second = self._in_order(chunks)
        condition = builder.equal(first.extreme, self._wanted)
        found = None if first.first is None else self._lane(condition)

        def in_first() -> tuple[Value, ...]:
            return (self.index(first, found, False),)

        def in_second() -> tuple[Value, ...]:
            return (self.index(second, None, may_miss),)

        (result,) = builder.if_(builder.value(ANY_LANE, condition), in_first, in_second)
        return result

    def _in_order(self, chunks: _Part) -> tuple[_Part, ...]:
        """Both halves, the one that is looked at first in front."""
        return chunks.halves[::-1] if self._is_last else chunks.halves

    def _lane(self, condition: Value) -> Value:
        return self._builder.value(FIND_LANE, condition, last=self._is_last)

    def _in_chunk(self, chunk: _Part, lane: Value | None, may_miss: bool) -> Value:
        builder = self._builder
        lane = self._lane(builder.equal(chunk.extreme, self._wanted)) if lane is None else lane
        index = self._element(chunk, lane)
        if chunk.first:
            index = builder.add(index, builder.constant(chunk.first, I32))
        if may_miss:
            is_there = builder.less_equal(builder.constant(0, I32), lane)
            index = builder.where(is_there, index, builder.constant(self._none, I32))
        return index

    def _element(self, chunk: _Part, lane: Value) -> Value:
        """The index in its chunk of the first element of a lane that is wanted, bit by bit from the highest:
        whether it is in the upper half of the lane's elements, of that half's, and so on. Every lane has the
        half that it goes on with; of `lane` the bits are read.
        """
        builder, index, left = self._builder, lane, chunk
        while left.halves:
            lower, upper = left.halves
            is_upper = (
                builder.equal(upper.extreme, self._wanted)
                if self._is_last
                else builder.value(NOT_EQUAL, lower.extreme, self._wanted)
            )
            index = builder.value(ADD_CARRY, index, index, builder.lane_shuffle(is_upper, lane))
            left = self._chosen(is_upper, upper, lower)
        return index

    def _chosen(self, is_first: Value, one: _Part, other: _Part) -> _Part:
        """The halves of one part where a condition holds, else those of the other."""
        halves = [
            self._chosen(is_first, a, b)._replace(extreme=self._builder.where(is_first, a.extreme, b.extreme))
            for a, b in zip(one.halves, other.halves, strict=True)
        ]
        return one._replace(halves=tuple(halves))
