"""Sums that are shifted by another reduction of the same row, in the loop of that reduction.

    m = reduce_max(x)             for x (m_0, s_0):
    s = reduce_sum(exp(x - m))      m_1 = max(m_0, max(x))
                                    s_1 = s_0 * exp(m_0 - m_1) + sum(exp(x - m_1))
                                  m = reduce_max(m_1)        s = reduce_sum(s_1 * exp(m_1 - m))

    u = reduce_mean(x)            for x (t_0, u_0, q_0, r_0):
    v = reduce_mean((x - u)^2)      t_1 = t_0 + sum(x)       u_1 = t_1 / n_1       d = u_0 - u_1
                                    q_1 = q_0 + d (n_0 d + 2 r_0) + sum((x - u_1)^2)
                                    r_1 = r_0 + n_0 d + sum(x - u_1)

The loop would read the row twice. Each lane shifts its n elements so far by its own result so far, and its
sum is moved to the result of the row after the loop. Without rounding r would be 0; `asmgen.gridwise.shifted`
has the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Protocol

from asmgen.blockwise.actions import Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.layout.queries import within_axes
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import ADD, GREATER, MAX, MUL, RECIP, REDUCE_MAX, SUB, WHERE
from asmgen.graph.shifts import Shift, shift_of
from asmgen.index import Index
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.program import Op, Scope, Statement, Value
from asmgen.ir.types import F32, U32
from isa.named_tuple import NamedTuple

Carried = Sequence[TileValue]
_LARGEST = FLOAT_FORMATS[F32.name].largest


class Turn(NamedTuple):
    """A trip: its elements, the results of a lane before and after them, and the elements of a lane before
    and after them."""

    x: TileValue
    before: TileValue
    after: TileValue
    count_before: Index
    count_after: Index


class Running(Protocol):
    """A sum that runs along with the reduction by which it is shifted. A lane carries `width` numbers for it,
    which begin with 0."""

    width: int

    def turn(self, turn: Turn, carried: Carried) -> Carried:
        """The numbers of a lane after a trip."""
        ...

    def moved(self, carried: Carried, by: TileValue, count: Index, total: TileValue) -> TileValue:
        """The sum of a lane with the result of the row, `total`, as its shift. `by` is the result of a lane
        after the loop, of `count` elements."""
        ...


class Ahead(NamedTuple):
    """A reduction that runs along with a reduction of the level before, by its number."""

    shift: Shift
    number: int
    running: Running


class Begun(NamedTuple):
    """A sum after the loop. `moved` makes a lane's part of the sum from the result by which it is shifted."""

    by: Value
    moved: Callable[[TileValue], TileValue]


class Along(NamedTuple):
    """Reductions that run along with the `level` reductions before them. The loop carries the results of the
    level, then the numbers of the others. A piece has `size` elements of a row, and a lane `of_lane`."""

    made: Sequence[Ahead]
    level: int
    size: int
    of_lane: int

    @property
    def width(self) -> int:
        """The numbers that a lane carries besides the results."""
        return sum(each.running.width for each in self.made)

    def turn(
        self, element: Callable[[Value], TileValue], first: Index, before: Carried, after: Carried
    ) -> list[TileValue]:
        """The numbers after a trip, which has the elements from `first` on. The loop carries `before`, and
        its own reductions pass `after` on."""
        passed_on: list[TileValue] = []
        for each, own in self._each(before):
            turn = Turn(
                element(each.shift.x), before[each.number], after[each.number],
                self._count(first), self._count(first + self.size),
            )  # fmt: skip
            passed_on += each.running.turn(turn, own)
        return passed_on

    def begun(self, carried: Carried, stop: Index) -> list[Begun]:
        """The sums that the loop up to the element `stop` leaves."""
        return [
            Begun(each.shift.by, partial(each.running.moved, own, carried[each.number], self._count(stop)))
            for each, own in self._each(carried)
        ]

    def _count(self, elements: Index) -> Index:
        """The elements of a lane."""
        return elements // self.size * self.of_lane

    def _each(self, carried: Carried) -> Iterator[tuple[Ahead, Carried]]:
        at = self.level
        for each in self.made:
            yield each, carried[at : at + each.running.width]
            at += each.running.width


def along(
    level: Sequence[Statement],
    later: Sequence[Statement],
    defined: Mapping[Value, Statement],
    builder: TileBuilder,
    piece: Layout,
    axes: tuple[int, ...],
    axis: int,
) -> Along | None:
    """The reductions of the level `later`, if all of them may run along with those of `level`, in a loop over
    pieces along an axis that are reduced along `axes`."""
    if piece.repeat or any(basis & basis - 1 for basis in piece.registers):
        return None
    numbers = {(one.op, one.result, one.operands[0]): number for number, one in enumerate(level)}
    lanes = _Lanes(builder, piece, axes)
    made: list[Ahead] = []
    for reduction in later:
        shift = shift_of(reduction, defined)
        number = None if shift is None else numbers.get((shift.op, shift.by, shift.x))
        if shift is None or number is None:
            return None
        running = _Powers(lanes, shift.function) if shift.op is REDUCE_MAX else _Squares(lanes)
        made.append(Ahead(shift, number, running))
    of_lane = 1 << len(within_axes(piece, axes).registers)
    return Along(made, len(level), piece.shape[axis], of_lane)


class _Lanes:
    """Tiles with one element of each lane along the reduced axes, and tiles of pieces."""

    def __init__(self, builder: TileBuilder, piece: Layout, axes: tuple[int, ...]) -> None:
        self.builder, self._piece, self._axes = builder, piece, axes
        self._lane_sizes, self._piece_sizes = _views(piece, axes)

    def apply(self, op: Op, *tiles: TileValue) -> TileValue:
        return self.builder.pointwise(op, *tiles)

    def number(self, number: float, like: TileValue) -> TileValue:
        assert isinstance(like.type, TileType)
        return self.builder.fill(number, like.type)

    def count(self, count: Index, like: TileValue) -> TileValue:
        """A number of elements as f32."""
        assert isinstance(like.type, TileType)
        number = self.builder.positions(count, TileType(U32, like.type.layout))
        return self.builder.convert(number, F32)

    def summed(self, tile: TileValue) -> TileValue:
        """The sum of the elements that each lane has."""
        return self.builder.reduce(Combine.SUM, self._axes, tile, Scope.LANE)

    def repeated(self, tile: TileValue) -> TileValue:
        """The element of each lane for all elements of the piece that it has."""
        one = self.builder.reshape(tile, self._lane_sizes)
        whole = TileType(tile.type.element, self._piece._replace(sizes=self._piece_sizes))
        return self.builder.reshape(self.builder.broadcast(one, whole), self._piece.sizes)

    def spread(self, total: TileValue, like: TileValue) -> TileValue:
        """The result of a row for each lane."""
        assert isinstance(like.type, TileType)
        return self.builder.broadcast(total, TileType(total.type.element, like.type.layout))


class _Powers:
    """sum(exp(x - max(x))). A lane without elements above -infinity shifts by the least number, which gives
    zeros."""

    width = 1

    def __init__(self, lanes: _Lanes, exp: Op) -> None:
        self._lanes, self._exp = lanes, partial(lanes.apply, exp)

    def turn(self, turn: Turn, carried: Carried) -> Carried:
        apply, (total,) = self._lanes.apply, carried
        before, after = self._shift(turn.before), self._shift(turn.after)
        powers = self._exp(apply(SUB, turn.x, self._lanes.repeated(after)))
        factor = self._exp(apply(SUB, before, after))
        return (apply(ADD, apply(MUL, total, factor), self._lanes.summed(powers)),)

    def moved(self, carried: Carried, by: TileValue, count: Index, total: TileValue) -> TileValue:
        apply, (sum_,) = self._lanes.apply, carried
        return apply(MUL, sum_, self._exp(apply(SUB, self._shift(by), self._lanes.spread(total, by))))

    def _shift(self, most: TileValue) -> TileValue:
        return self._lanes.apply(MAX, most, self._lanes.number(-_LARGEST, most))


class _Squares:
    """sum((x - mean(x))^2). A lane with overflowing squares is infinite, whatever the mean. The maximum with
    -infinity keeps the mean, a product, from being fused with the subtraction of the elements alone."""

    width = 3

    def __init__(self, lanes: _Lanes) -> None:
        self._lanes = lanes

    def turn(self, turn: Turn, carried: Carried) -> Carried:
        lanes, apply, (mean, squares, rest) = self._lanes, self._lanes.apply, carried
        product = apply(MUL, turn.after, apply(RECIP, lanes.count(turn.count_after, turn.after)))
        own = apply(MAX, product, lanes.number(-inf, product))
        off = apply(SUB, mean, own)
        counted = apply(MUL, lanes.count(turn.count_before, off), off)
        centred = apply(SUB, turn.x, lanes.repeated(own))
        return (
            own,
            apply(ADD, self._about(squares, off, counted, rest), lanes.summed(apply(MUL, centred, centred))),
            apply(ADD, apply(ADD, rest, counted), lanes.summed(centred)),
        )

    def moved(self, carried: Carried, by: TileValue, count: Index, total: TileValue) -> TileValue:
        lanes, apply, (mean, squares, rest) = self._lanes, self._lanes.apply, carried
        off = apply(SUB, mean, lanes.spread(total, mean))
        about = self._about(squares, off, apply(MUL, lanes.count(count, off), off), rest)
        overflows = apply(GREATER, squares, lanes.number(_LARGEST, squares))
        return apply(WHERE, overflows, squares, about)

    def _about(self, squares: TileValue, off: TileValue, counted: TileValue, rest: TileValue) -> TileValue:
        """The squares about another mean. `off` is the present mean minus the other."""
        apply = self._lanes.apply
        twice = apply(ADD, rest, rest)
        return apply(ADD, squares, apply(MUL, off, apply(ADD, counted, twice)))


def _views(piece: Layout, axes: tuple[int, ...]) -> tuple[Sizes, Sizes]:
    """The sizes in which a piece is a broadcast of a tile with one element of each lane along the axes:
    those of that tile, and of the piece. The tile has the elements in the piece's order.

        {1,16384} @ reg(0:1 0:2 0:4096 0:8192) lane(0:4 ...)    {1,1024,1} and {4,1024,4}
    """
    held = {piece.registers[bit] for bit in within_axes(piece, axes).registers}
    of_lane: list[int] = []
    of_piece: list[int] = []
    was_held: bool | None = None
    for bit in reversed(range(piece.bits)):
        is_held = 1 << bit in held
        if is_held is not was_held:
            of_lane.append(1)
            of_piece.append(1)
        of_lane[-1] *= 1 if is_held else 2
        of_piece[-1] *= 2
        was_held = is_held
    return tuple(of_lane), tuple(of_piece)
