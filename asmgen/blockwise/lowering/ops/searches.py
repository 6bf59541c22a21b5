"""Finds the searches for the index of an extreme among the statements of a kernel.

    m = reduce[op=max](x)
    i = reduce[op=min](where(equal(x, m), positions, none))

The row may be several tiles; lanes combine their own elements of these first: whole pieces, remaining
accesses, and remaining elements.

    m = reduce[op=max](max(reduce[op=max, within=lane](x), reduce[op=max, within=lane](y)))
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout, split
from asmgen.blockwise.layout.queries import kept_registers, register_offsets, within_axes
from asmgen.blockwise.lowering.context import COMBINES
from asmgen.blockwise.program import Kernel, TileStatement, TileValue, layout_of
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import EQUAL, WHERE
from asmgen.index import Index
from asmgen.ir.program import Scope, walk
from asmgen.ir.types import F32, I32
from isa.named_tuple import NamedTuple

_EXTREMES = (ops.Combine.MAX, ops.Combine.MIN)
Defined = dict[TileValue, TileStatement]


class Piece(NamedTuple):
    """A tile of a row that consists of chunks, and the tile of the indices of its elements. A lane has
    `vector` adjacent elements of each chunk; if a chunk is a single element, all lanes have it.

    If the indices are the coordinates, `waves` is the step along the row for each bit of a wave's number. It
    is None for other indices, as at the end of a row, if lanes may repeat the last elements.
    """

    row: TileValue
    places: TileValue
    vector: int
    waves: tuple[int, ...] | None


class Search(NamedTuple):
    """`extreme` is the reduction to the greatest or smallest element of a row, and `last` the reduction to
    its index. If no element equals the extreme, the index is `none`. `pieces` are the pieces of the row in
    order; several waves may share the row.

    If all readers of the index replace `none` by the same number, as argmax does, `settled` is the statement
    that replaces it, and `none` is that number.
    """

    extreme: TileStatement
    last: TileStatement
    none: int
    pieces: tuple[Piece, ...]
    is_shared: bool
    settled: TileStatement | None = None

    @property
    def is_last(self) -> bool:
        """Whether the last index is wanted."""
        return isinstance(self.last.op, ops.Reduce) and self.last.op.op is ops.Combine.MAX


def searches(kernel: Kernel) -> list[Search]:
    """The searches of a kernel, outside of loops, in rows that consist of chunks."""
    defined = {result: one for one in kernel.statements for result in one.results}
    found = [_search(one, defined) for one in kernel.statements]
    readers: dict[TileValue, list[TileStatement]] = {}
    for statement in walk(kernel.statements):
        for operand in statement.operands:
            readers.setdefault(operand, []).append(statement)

    def origin(value: TileValue) -> TileStatement | None:
        return _origin(value, defined)

    return [one if one.is_shared else _settled(one, readers, origin) for one in found if one is not None]


def _repeated(value: TileValue, defined: Defined) -> TileValue:
    """The value that a broadcast repeats, or the value itself."""
    while (found := defined.get(value)) is not None and isinstance(found.op, ops.Broadcast):
        value = found.operands[0]
    return value


def _origin(value: TileValue, defined: Defined) -> TileStatement | None:
    """The statement that made a value, looking through broadcasts."""
    return defined.get(_repeated(value, defined))


def _settled(
    search: Search,
    readers: dict[TileValue, list[TileStatement]],
    origin: Callable[[TileValue], TileStatement | None],
) -> Search:
    """The search with its default replaced: if the only reader of the index i is
    `where(equal(i, none), number, i)`, the search gives `number` in place of `none`."""
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


def _filled(statement: TileStatement | None) -> int | None:
    """The integer that a tile has everywhere; None of a tile of floats, which has no indices."""
    if statement is None or not isinstance(statement.op, ops.Fill):
        return None
    number = statement.op.value
    return None if isinstance(number, float) else int(number)


class _Place(NamedTuple):
    """An operand of the reduction to an index: the compared row, the extreme that it is compared with, the
    tile of indices, their expression, and the index for elements that are not equal."""

    row: TileValue
    extreme: TileStatement
    places: TileValue
    at: Index
    none: int


def _search(statement: TileStatement, defined: Defined) -> Search | None:
    """The search that ends in a statement; None if the statement ends no search, or a search that must go
    element by element."""
    action = statement.op
    if not _reduces(action) or not isinstance(action, ops.Reduce) or len(action.axes) != 1:
        return None
    places = [_place(value, defined) for value in _parts(statement, defined)]
    found = [one for one in places if one is not None]
    if not found or len(found) < len(places):
        return None
    extreme, none = found[0].extreme, found[0].none
    rows = _parts(extreme, defined) if _reduces(extreme.op) else []
    if rows != [one.row for one in found] or any(one.extreme is not extreme for one in found):
        return None
    assert isinstance(extreme.op, ops.Reduce)
    pieces = [_piece(one, action.axes[0]) for one in found]
    is_in_order = all(a.at.high < b.at.low for a, b in pairwise(found))
    if extreme.op.axes != action.axes or not is_in_order or any(one.none != none for one in found):
        return None
    whole = tuple([one for one in pieces if one is not None])
    is_shared = any(any(_of_waves(layout_of(one.row), action.axes[0])) for one in whole)
    return Search(extreme, statement, none, whole, is_shared) if len(whole) == len(found) else None


def _parts(statement: TileStatement, defined: Defined) -> list[TileValue]:
    """The tiles that a reduction combines: its operand, or the tiles that lanes combined element by element
    before."""
    assert isinstance(statement.op, ops.Reduce)
    (operand,) = statement.operands
    found: list[TileValue] = []
    left = [operand]
    while left:
        value = left.pop()
        made = defined.get(value)
        if _pointwise(made, COMBINES[statement.op.op]) is not None and made is not None:
            left += reversed(made.operands)
        elif made is not None and made.op == _within_lane(statement.op):
            found.append(_repeated(made.operands[0], defined))
        else:
            return [operand]
    return found


def _within_lane(action: ops.Reduce) -> ops.Reduce:
    return ops.Reduce(action.op, action.axes, Scope.LANE)


def _place(value: TileValue, defined: Defined) -> _Place | None:
    chosen = _pointwise(_origin(value, defined), WHERE)
    if chosen is None:
        return None
    compared, positions, none = [_origin(operand, defined) for operand in chosen.operands]
    compared, number = _pointwise(compared, EQUAL), _filled(none)
    if compared is None or positions is None or not isinstance(positions.op, ops.Positions):
        return None
    row, extreme = compared.operands[0], _origin(compared.operands[1], defined)
    if extreme is None or number is None or not isinstance(row.type, TileType):
        return None
    return _Place(row, extreme, chosen.operands[1], positions.op.at[0], number)


def _piece(place: _Place, axis: int) -> Piece | None:
    """The piece of a tile; None if the tile does not consist of chunks."""
    assert isinstance(place.row.type, TileType)
    layout, coordinate = place.row.type.layout, place.row.type.coordinates[axis]
    if place.row.type.element not in (F32, I32):
        return None
    if layout.shape[axis] == 1:
        return None if any(layout.lanes) else Piece(place.row, place.places, 1, None)
    vector = _vector_of(layout, axis)
    if place.at == coordinate and vector:
        return Piece(place.row, place.places, vector, _of_waves(layout, axis))
    is_last = bool(vector) and place.at == _at_the_end(coordinate, vector, place.at)
    return Piece(place.row, place.places, vector, None) if is_last else None


def _at_the_end(coordinate: Index, vector: int, at: Index) -> Index:
    """The indices of accesses within the bounds of `at`; the last access is repeated to the end."""
    most = at.high - at.low - (vector - 1)
    if vector == 1:
        return coordinate.at_most(most) + at.low
    return coordinate % vector + (coordinate // vector * vector).at_most(most) + at.low


def _reduces(action: ops.Action) -> bool:
    """Whether an action is the reduction of a row to its greatest or its smallest number."""
    return isinstance(action, ops.Reduce) and action.op in _EXTREMES and action.within is Scope.WORKGROUP


def _pointwise(statement: TileStatement | None, op: object) -> TileStatement | None:
    """The statement if it applies `op` element by element, else None."""
    if statement is None or not isinstance(statement.op, ops.Pointwise):
        return None
    return statement if statement.op.op is op else None


def _vector_of(layout: Layout, axis: int) -> int:
    """The number of adjacent elements that a lane has of a chunk; 0 if the rows of the layout do not consist
    of chunks, or if a chunk spans several waves."""
    bits = within_axes(layout, (axis,))
    steps = [split(basis, layout.sizes)[axis] for basis in layout.lanes]
    vector = steps[0] if steps else 0
    if not vector or bits.lanes != tuple(range(len(layout.lanes))):
        return 0
    chunk = vector << len(steps)
    is_in_chunks = all(_lies_in_chunks(row, vector, chunk) for row in rows_of(layout, axis))
    is_in_waves = all(not column % chunk for column in _of_waves(layout, axis))
    is_in_order = steps == [vector << bit for bit in range(len(steps))]
    return vector if is_in_order and is_in_chunks and is_in_waves else 0


def rows_of(layout: Layout, axis: int) -> list[dict[int, int]]:
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
