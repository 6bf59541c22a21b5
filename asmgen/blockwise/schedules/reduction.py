"""What rows and columns share: the loops over what is reduced, what is carried, held and combined.

The elements of a row, that is of one result, come in *pieces*: a tile at a time. Where one piece, and what is
left over from whole accesses, are the row, it is held from one reduction to the next and to the outputs. Else
loops read it once for every level of reductions, and once more for the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import asmgen.graph.ops as graph_ops
from asmgen.blockwise.actions import Below, Combine, Number
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.program import Value as Tile
from asmgen.blockwise.schedules.body import Body, Buffers, computed, element_of
from asmgen.blockwise.schedules.choose import part_length
from asmgen.blockwise.schedules.maps import Conditions, Indices, tensor_of, unflattened
from asmgen.blockwise.schedules.outputs import output_buffers
from asmgen.blockwise.schedules.tiling import Deal, dealt, repeated, without
from asmgen.blockwise.schedules.work import Graph, Work
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Op, Scope, Statement, Value
from asmgen.ir.types import F32, ElementType, tensor
from asmgen.lanewise.reduction_ops import COMBINES, REDUCTIONS

Carried = Sequence[Tile]
_COMBINES = {kind: Combine("sum" if kind == "mean" else kind) for kind in COMBINES}


class Tiling(NamedTuple):
    """How pieces are dealt out. `deals` are of a piece that is not repeated, `rest` of what whole accesses of
    `vector` elements along `axis` leave over.
    """

    lanes: int
    waves: int
    axis: int  # of the work's dims: pieces go along it
    vector: int
    repeat: int
    deals: tuple[Deal, ...]
    rest: tuple[Deal, ...]
    kept_repeat: tuple[int, ...]  # for each dim, how often the piece is repeated along those that are kept
    split: int

    def piece(self, rank: int, repeat: int) -> Layout:
        times = repeated(rank, self.axis, repeat)
        return dealt(rank, self.deals, self.lanes, self.waves, tuple(map(max, times, self.kept_repeat)))

    def left_over(self, rank: int, count: int) -> Layout:
        """For `count` elements along the axis."""
        once = dealt(rank, self.rest, self.lanes, self.waves).shape[self.axis]
        times = repeated(rank, self.axis, -(-count // once))
        return dealt(rank, self.rest, self.lanes, self.waves, tuple(map(max, times, self.kept_repeat)))


class Piece(NamedTuple):
    """Elements from `first` on, as many as the layout has; from `limit` on there are none."""

    layout: Layout
    first: Index
    limit: int | None
    counters: frozenset[Symbol] = frozenset()


def number_of(kind: Combine, element: ElementType) -> Number:
    """What changes nothing: of max and min of floats a NaN, which loses against every number."""
    if kind is Combine.SUM:
        return 0
    if kind is Combine.PROD:
        return 1
    if element.is_float:
        return float("nan")
    least, most = integer_range(element)
    return least if kind is Combine.MAX else most


class Reduction:
    """Writes the kernel of a graph with reductions of one kind of dims over the same axes."""

    def __init__(self, graph: Graph, work: Work, tiling: Tiling) -> None:
        self._graph, self._work, self._tiling = graph, work, tiling
        self._rank, self._size = len(work.dims), work.dims[tiling.axis]
        self._main = tiling.piece(self._rank, tiling.repeat)
        self._chunk = tiling.piece(self._rank, 1).shape[tiling.axis]
        self._part_axis = work.reduced[0]
        self._builder = TileBuilder(graph.module.name, self._grid(), tiling.waves, tiling.lanes)
        self._buffers = Buffers(self._builder, graph.defined)
        _ = self._builder.layout("piece", self._main)
        _ = self._builder.layout("result", without(self._main, work.reduced))
        self._kept, self._kept_where = self._kept_coordinates()
        self._rows = Body(self._builder, self._buffers, without(self._main, work.reduced), self._kept_where)
        self._held: dict[Piece, Body] = {}

    def kernel(self) -> Kernel:
        """The results, and outputs made of them."""
        outputs = output_buffers(self._builder, self._graph)
        for level in self._graph.levels:
            for reduction, total in zip(level, self._totals(level), strict=True):
                self._rows.define(
                    reduction.result, self._at(self._row_coordinates()), self._scaled(reduction, total)
                )
        pairs = list(zip(self._graph.returns, outputs, strict=True))
        whole = [(value, output) for value, output in pairs if value in self._graph.whole]

        def store(body: Body, at: Indices, carried: Carried) -> Carried:
            for value, output in whole:
                body.store(value, at, output)
            return carried

        if whole:
            _ = self._walk([value for value, _ in whole], store, ())
        for value, output in pairs:
            if value not in self._graph.whole:
                self._rows.store(value, self._at(self._row_coordinates()), output)
        return self._builder.kernel()

    def partial_kernel(self, names: Sequence[str]) -> Kernel:
        """What each part makes of the reductions of the first level, into buffers of these names: the
        results' dims, with the part's number along the first reduced axis. A mean is a sum there.
        """
        first, row_dims = self._graph.axes[0], self._graph.row_dims
        dims = tuple([self.parts if axis == first else dim for axis, dim in enumerate(row_dims)])
        at = tuple(
            [
                self._part if axis == first else index
                for axis, index in enumerate(self._at(self._row_coordinates()))
            ]
        )
        for name, total in zip(names, self._totals(self._graph.levels[0]), strict=True):
            buffer = self._builder.parameter(name, tensor(element_of(total), dims))
            self._builder.store(total, buffer, at, self._rows.where)
        return self._builder.kernel()

    # Where elements are

    @property
    def parts(self) -> int:
        size = self._work.dims[self._part_axis]
        return -(-size // self._length)

    @property
    def _length(self) -> int:
        """How far a part goes along the first of the reduced axes."""
        size = self._work.dims[self._part_axis]
        if self._tiling.split == 1:
            return size
        step = self._main.shape[self._tiling.axis] if self._part_axis == self._tiling.axis else 1
        return part_length(size, self._tiling.split, step)

    def _grid(self) -> dict[str, int]:
        kept = self._work.kept
        counts = [-(-self._work.dims[axis] // self._main.shape[axis]) for axis in kept]
        grid = {"row": counts[-1] if counts else 1}
        if len(counts) > 1:
            grid["other"] = prod(counts[:-1])
        if self._tiling.split > 1:
            grid["part"] = self.parts
        return grid

    @property
    def _part(self) -> Index:
        return self._builder.ids[-1] if self._tiling.split > 1 else constant(0)

    def _kept_coordinates(self) -> tuple[dict[int, Index], Conditions]:
        """For each axis that is kept its coordinate, and the conditions of those that tiles go beyond."""
        kept, tile = self._work.kept, coordinates(self._main.shape)
        counts = tuple([-(-self._work.dims[axis] // self._main.shape[axis]) for axis in kept])
        numbers: Indices = ()
        if kept:
            others = unflattened(self._builder.ids[1], counts[:-1]) if len(kept) > 1 else ()
            numbers = (*others, self._builder.ids[0])
        found: dict[int, Index] = {}
        where: list[Below] = []
        for axis, number in zip(kept, numbers, strict=True):
            found[axis] = number * self._main.shape[axis] + tile[axis]
            if found[axis].high >= self._work.dims[axis]:
                where.append(Below(found[axis], constant(self._work.dims[axis])))
        return found, tuple(where)

    def _row_coordinates(self) -> dict[int, Index]:
        return self._kept | dict.fromkeys(self._work.reduced, constant(0))

    def _at(self, places: dict[int, Index]) -> Indices:
        """The element of the graph's dims at coordinates of the work's."""
        dims = self._graph.dims
        at = [constant(0)] * len(dims)
        for position, group in enumerate(self._work.groups):
            for axis, index in zip(
                group, unflattened(places[position], tuple([dims[axis] for axis in group])), strict=True
            ):
                at[axis] = index
        return tuple(at)

    # Pieces

    def _walk(
        self, roots: Sequence[Value], visit: Callable[[Body, Indices, Carried], Carried], carried: Carried
    ) -> Carried:
        """Visit all pieces of the rows, in loops where they are many."""
        if self._has_loops:
            self._prepare(roots)
        return self._over(
            [axis for axis in self._work.reduced if axis != self._tiling.axis],
            {},
            frozenset(),
            visit,
            carried,
        )

    def _over(
        self,
        axes: list[int],
        places: dict[int, Index],
        counters: frozenset[Symbol],
        visit: Callable[[Body, Indices, Carried], Carried],
        carried: Carried,
    ) -> Carried:
        if not axes:
            return self._pieces(places, counters, visit, carried)
        axis, *rest = axes
        count, first = self._span(axis)
        if count == 1:
            return self._over(rest, {**places, axis: first}, counters, visit, carried)

        def turn(counter: Index, values: Carried) -> Carried:
            return self._over(
                rest, {**places, axis: first + counter}, counters | {as_symbol(counter)}, visit, values
            )

        return self._builder.for_("j", 0, count, 1, carried, turn)

    def _span(self, axis: int) -> tuple[int, Index]:
        """How many elements of an axis a workgroup has, and the first of them."""
        if axis != self._part_axis or self._tiling.split == 1:
            return self._work.dims[axis], constant(0)
        return self._length, self._part * self._length

    def _pieces(
        self,
        places: dict[int, Index],
        counters: frozenset[Symbol],
        visit: Callable[[Body, Indices, Carried], Carried],
        carried: Carried,
    ) -> Carried:
        tiling, (count, first) = self._tiling, self._span(self._tiling.axis)
        size = self._main.shape[tiling.axis]
        is_part = tiling.split > 1 and tiling.axis == self._part_axis
        end = self._size if is_part and self._size % self._length else None  # the last part ends there
        whole = count if is_part else count - count % tiling.vector
        trips = whole // size
        done = 0
        if trips > 1:

            def turn(counter: Index, values: Carried) -> Carried:
                piece = Piece(self._main, first + counter, end, counters | {as_symbol(counter)})
                return visit(*self._body(piece, places), values)

            carried = self._builder.for_("k", 0, trips * size, size, carried, turn)
            done = trips * size
        while done < whole:
            repeat = min(tiling.repeat, -(-(whole - done) // self._chunk))
            layout = tiling.piece(self._rank, repeat)
            limit = whole if done + layout.shape[tiling.axis] > whole else end
            carried = visit(*self._body(Piece(layout, first + done, limit, counters), places), carried)
            done += layout.shape[tiling.axis]
        if whole < count:
            layout = tiling.left_over(self._rank, count - whole)
            limit = count if whole + layout.shape[tiling.axis] > count else None
            carried = visit(*self._body(Piece(layout, constant(whole), limit, counters), places), carried)
        return carried

    @property
    def _has_loops(self) -> bool:
        others = [
            axis for axis in self._work.reduced if axis != self._tiling.axis and self._span(axis)[0] > 1
        ]
        return bool(others) or self._span(self._tiling.axis)[0] // self._main.shape[self._tiling.axis] > 1

    def _body(self, piece: Piece, places: dict[int, Index]) -> tuple[Body, Indices]:
        place = piece.first + coordinates(piece.layout.shape)[self._tiling.axis]
        at = self._at({**self._kept, **places, self._tiling.axis: place})
        body = self._held.get(piece)
        if body is None:
            ends = [
                (place, piece.limit),
                *(
                    (index, self._work.dims[axis])
                    for axis, index in places.items()
                    if index.high >= self._work.dims[axis]
                ),
            ]
            own = tuple([Below(index, constant(limit)) for index, limit in ends if limit is not None])
            body = Body(
                self._builder,
                self._buffers,
                piece.layout,
                (*self._kept_where, *own),
                self._rows,
                piece.counters,
            )
            if not piece.counters:
                self._held[piece] = body
        return body, at

    def _prepare(self, roots: Sequence[Value]) -> None:
        """Make what the rows have one of before the loops."""
        counter = symbol("before_loops", 0, max(self._size - 1, 1))
        places = dict.fromkeys(self._work.reduced, counter)
        piece = Piece(self._main, counter, None, frozenset([as_symbol(counter)]))
        body, at = self._body(
            piece, {axis: index for axis, index in places.items() if axis != self._tiling.axis}
        )
        for root in roots:
            body.prepare(root, at)

    # Results

    def _totals(self, level: list[Statement]) -> list[Tile]:
        """The results, which every holder of the row has."""
        kinds = [_COMBINES[REDUCTIONS[reduction.op]] for reduction in level]
        one_piece = self._count_pieces() == 1 and not self._has_loops

        def visit(body: Body, at: Indices, carried: Carried) -> Carried:
            joined: list[Tile] = []
            for number, (kind, reduction) in enumerate(zip(kinds, level, strict=True)):
                tile = self._masked(body, reduction.operands[0], at, kind)
                scope = Scope.WORKGROUP if one_piece else Scope.LANE
                partial = self._builder.reduce(kind, self._work.reduced, tile, scope)
                joined.append(
                    self._builder.pointwise(OPS[kind], carried[number], partial) if carried else partial
                )
            return joined

        first = (
            [self._nothing(kind, reduction) for kind, reduction in zip(kinds, level, strict=True)]
            if self._has_loops
            else ()
        )
        found = self._walk([reduction.operands[0] for reduction in level], visit, first)
        return [
            tile if one_piece else self._builder.reduce(kind, self._work.reduced, tile)
            for kind, tile in zip(kinds, found, strict=True)
        ]

    def _count_pieces(self) -> int:
        count = self._span(self._tiling.axis)[0]
        whole = count - count % self._tiling.vector
        if self._tiling.split > 1 and self._part_axis == self._tiling.axis:
            return -(-count // self._main.shape[self._tiling.axis])
        return -(-whole // self._main.shape[self._tiling.axis]) + (whole < count)

    def _nothing(self, kind: Combine, reduction: Statement) -> Tile:
        """What a loop begins with."""
        element = _computed(reduction)
        probe = TileBuilder("probe", {"row": 1}, self._tiling.waves, self._tiling.lanes)
        partial = probe.reduce(
            kind, self._work.reduced, probe.fill(0, TileType(element, self._main)), Scope.LANE
        )
        assert isinstance(partial.type, TileType)
        return self._builder.fill(number_of(kind, element), partial.type)

    def _masked(self, body: Body, value: Value, at: Indices, kind: Combine) -> Tile:
        """The operand, with what changes nothing in place of elements that there are none of."""
        tile = body.value(value, at)
        own = tuple([condition for condition in body.where if condition not in self._kept_where])
        number = number_of(kind, element_of(tile))
        if not own or (number == 0 and body.is_buffer(value)):
            return tile
        return self._builder.mask(tile, own, number)

    def _scaled(self, reduction: Statement, total: Tile) -> Tile:
        if REDUCTIONS[reduction.op] != "mean":
            return total
        count = prod([self._work.dims[axis] for axis in self._work.reduced])
        return scaled(self._builder, total, count)


def scaled(builder: TileBuilder, total: Tile, count: int) -> Tile:
    """A sum as a mean of `count` numbers."""
    assert isinstance(total.type, TileType)
    if element_of(total) is F32:
        return builder.pointwise(graph_ops.MUL, total, builder.fill(1.0 / count, total.type))
    return builder.pointwise(graph_ops.DIV, total, builder.fill(count, total.type))


OPS: dict[Combine, Op] = {_COMBINES[kind]: op for kind, op in COMBINES.items()}


def _computed(reduction: Statement) -> ElementType:
    return computed(tensor_of(reduction.operands[0]).element)
