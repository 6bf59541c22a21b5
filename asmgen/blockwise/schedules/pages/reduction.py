"""The parts that `row` and `column` share: loops over the reduced dims, carried and combined values.

The elements of a row come in pieces (`pieces`). If no loop is needed, the row stays in registers between
reductions and outputs. Otherwise loops read it once for every level of reductions, and once more for the
outputs. Two levels may share a loop (`one_pass`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import prod
from typing import TYPE_CHECKING

from asmgen.blockwise.actions import Below, Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.queries import within_axes
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.choosing.room import UNROLLED
from asmgen.blockwise.schedules.deals import without
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Places, Stretch, Tiling, before_loops, grid_of, stretches
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.tiles.forms import element_of
from asmgen.blockwise.schedules.tiles.means import combine_of, divided
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import TileType, coordinates
from asmgen.graph.ops import COMBINES, REDUCTIONS
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import as_symbol
from asmgen.index.size import Dim, Size
from asmgen.ir.identities import filling
from asmgen.ir.program import Op, Scope, Statement, Value, tensor_type
from asmgen.ir.types import F32, ElementType, computed
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.pages.one_pass import Along, Begun

Carried = Sequence[TileValue]
OPS: dict[Combine, Op] = {combine_of(kind): op for kind, op in COMBINES.items()}


class Piece(NamedTuple):
    """A piece of a stretch, its first element, and the loop counters that the first element depends on."""

    stretch: Stretch
    first: Index
    counters: frozenset[Symbol] = frozenset()


class Part(NamedTuple):
    """A piece for a visitor: its values, their elements in the graph's dims, and the conditions under which
    the elements exist.
    """

    piece: Piece
    body: Body
    at: Indices
    where: Conditions

    def value(self, value: Value) -> TileValue:
        """The elements of a value."""
        return self.body.value(value, self.at)


Visit = Callable[[Part, Carried], Carried]


class Page(NamedTuple):
    """A kernel that is written: its builder, its parameters, and its outputs."""

    builder: TileBuilder
    buffers: Buffers
    outputs: tuple[TileValue, ...]


def begun(graph: Graph, tiling: Tiling, grid: Mapping[str, Dim]) -> Page:
    """The kernel of a graph before its first version is written."""
    builder = TileBuilder(graph.module.name, grid, tiling.waves, tiling.lanes, graph.place)
    buffers = Buffers(builder, graph.defined)
    return Page(builder, buffers, output_buffers(builder, graph))


class Reduction:
    """Writes the kernel of a graph with reductions of the same dims over the same axes, or a version of it
    for rows of at most `longest` columns."""

    def __init__(
        self, graph: Graph, work: Work, tiling: Tiling, page: Page | None = None, longest: int | None = None
    ) -> None:
        self._graph, self._work, self._tiling, self._longest = graph, work, tiling, longest
        self._stretches = stretches(tiling, work.dims[tiling.axis], longest)
        main = self._stretches[0].layout
        self._page = page or begun(graph, tiling, grid_of(work, main))
        self._builder, self._buffers = self._page.builder, self._page.buffers
        self._shared = shared(self._of_lane(Combine.SUM, F32).layout, work.reduced) if work.is_sum else None
        result = without(main if self._shared is None else self._shared, work.reduced)
        _ = self._builder.layout("piece", main)
        _ = self._builder.layout("result", result)
        self._places = Places(graph.dims, work, main, self._builder.ids)
        self._rows = self._of_rows(without(main, work.reduced))
        self._results = self._rows if self._shared is None else self._of_rows(result)
        self._held: dict[Piece, Body] = {}
        self._end = self._end_of_part()

    def _end_of_part(self) -> Index | None:
        """The elements of a part of a workgroup, if only the launch knows how many parts there are."""
        axis, *others = self._work.groups[self._tiling.axis]
        if others or axis == 0 or not isinstance(self._graph.dims[axis - 1], Size):
            return None
        from asmgen.blockwise.schedules.pages.part_ends import end_of_part

        rows, ids = self._places.of_rows(), [number.symbols for number in self._builder.ids]
        return end_of_part(self._graph, axis, rows.__getitem__, self._graph.named.union(*ids))

    def kernel(self) -> Kernel:
        """The kernel of this version alone."""
        self.write()
        return self._builder.kernel()

    def write(self) -> None:
        """Write the results, and outputs made of them."""
        outputs = self._page.outputs
        rows = self._places.of_rows()
        levels = self._graph.levels
        begun: list[Begun] = []
        for level, later in zip(levels, [*levels[1:], []], strict=True):
            totals, begun = self._totals(level, begun, later)
            for reduction, total in zip(level, totals, strict=True):
                self._results.define(reduction.result, rows, self._scaled(reduction, total))
        pairs = list(zip(self._graph.made, outputs, strict=True))
        whole = [(value, output) for value, output in pairs if value in self._graph.whole]

        def store(part: Part, carried: Carried) -> Carried:
            for value, output in whole:
                part.body.store(value, part.at, output, part.where)
            return carried

        if whole:
            _ = self._walk([value for value, _ in whole], store, ())
        for returned, (value, output) in zip(self._graph.returns, pairs, strict=True):
            if returned in self._graph.moved_rows:
                self._store_moved(returned, rows, output)
            elif value not in self._graph.whole:
                self._results.store(value, rows, output, self._places.stored)

    def _store_moved(self, value: Value, rows: Indices, output: TileValue) -> None:
        """Store results at other places, those of a slice by the workgroups and lanes that have elements of
        it."""
        from asmgen.blockwise.schedules.elements.moved_places import moved_place

        moved = self._graph.moved_rows[value]
        place = moved_place(moved, rows)
        if place is not None:
            self._results.store(moved.rows, rows, output, (*self._places.stored, *place.where), place.to)

    def _of_rows(self, layout: Layout) -> Body:
        return Body(self._builder, self._buffers, layout, self._places.loaded)

    # Pieces

    @property
    def _outer_axes(self) -> list[int]:
        """The reduced axes along which loops go one element at a time: a piece has not all elements of these
        axes.
        """
        covered = (self._tiling.axis, *self._tiling.covered)
        return [axis for axis in self._work.reduced if axis not in covered]

    @property
    def _has_loops(self) -> bool:
        first = self._stretches[0]
        is_along = isinstance(first.trips, Size) or first.trips > self._at_once(first)
        return self._has_outer_loops or is_along

    @property
    def _has_outer_loops(self) -> bool:
        outer = [self._work.dims[axis] for axis in self._outer_axes]
        return any(isinstance(size, Size) or size > 1 for size in outer)

    def _walk(
        self,
        roots: Sequence[Value],
        visit: Visit,
        carried: Carried,
        stretches: Sequence[Stretch] | None = None,
    ) -> Carried:
        """Visit all pieces of the rows, or of some stretches of them, in loops if there are many pieces."""
        if self._has_loops:
            self._prepare(roots)
        if stretches is None:
            stretches = self._stretches
        return self._over(self._outer_axes, {}, frozenset(), visit, carried, stretches)

    def _over(
        self,
        axes: list[int],
        places: dict[int, Index],
        counters: frozenset[Symbol],
        visit: Visit,
        carried: Carried,
        stretches: Sequence[Stretch],
    ) -> Carried:
        if not axes:
            for stretch in stretches:
                carried = self._along(stretch, places, counters, visit, carried)
            return carried
        axis, *rest = axes
        if self._work.dims[axis] == 1:
            return self._over(rest, {**places, axis: constant(0)}, counters, visit, carried, stretches)

        def turn(counter: Index, values: Carried) -> Carried:
            own = counters | {as_symbol(counter)}
            return self._over(rest, {**places, axis: counter}, own, visit, values, stretches)

        return self._builder.for_("j", 0, self._work.dims[axis], 1, carried, turn)

    def _along(
        self,
        stretch: Stretch,
        places: dict[int, Index],
        counters: frozenset[Symbol],
        visit: Visit,
        carried: Carried,
    ) -> Carried:
        axis = self._tiling.axis
        size, count = stretch.layout.shape[axis], self._at_once(stretch)

        def pieces(first: Index, own: frozenset[Symbol], values: Carried) -> Carried:
            for each in self._firsts(stretch, first):
                values = visit(self._part(Piece(stretch, each, counters | own), places), values)
            return values

        if stretch.trips == count:
            return pieces(constant(stretch.first), frozenset(), carried)

        def turn(counter: Index, values: Carried) -> Carried:
            return pieces(counter + stretch.first, frozenset([as_symbol(counter)]), values)

        stop, step = constant(stretch.trips * size), count * size
        if self._end is not None and isinstance(stretch.trips, int):
            stop = stop.smaller(self._end - stretch.first)
        if self._longest is not None and self._longest >= step and _is_named(self._work.dims[axis]):
            stop = stop.at_most(self._longest // step * step)  # so that the trips are known to be few
        return self._builder.for_("k", 0, stop, step, carried, turn)

    def _firsts(self, stretch: Stretch, first: Index) -> list[Index]:
        """The first element of each piece of a trip, the first of all at `first`."""
        size = stretch.layout.shape[self._tiling.axis]
        return [first + number * size for number in range(self._at_once(stretch))]

    def _at_once(self, stretch: Stretch) -> int:
        """The number of pieces of a stretch in a trip of the loop. A sum does not need a piece again once it
        is added, so a trip takes several pieces, and many of their loads are under way.
        """
        if isinstance(stretch.trips, Size) or not self._work.is_sum:
            return 1
        size = stretch.layout.register_count * self._work.element * self._work.streams
        most = max(1, min(stretch.trips, self._tiling.pieces or UNROLLED // size))
        return next(count for count in range(most, 0, -1) if stretch.trips % count == 0)

    def _part(self, piece: Piece, places: dict[int, Index]) -> Part:
        """A piece of the rows at some places. If it extends past the row's end, lanes without elements have
        the row's last elements."""
        stretch, axis, kept = piece.stretch, self._tiling.axis, self._places
        place, condition = stretch.reached(axis, piece.first)
        body = self._held.get(piece)
        if body is None:
            is_clamped = stretch.is_whole(axis) and not stretch.may_be_empty
            where = kept.loaded if is_clamped else (*kept.loaded, *condition)
            body = Body(self._builder, self._buffers, stretch.layout, where, self._rows, piece.counters)
            if not piece.counters:
                self._held[piece] = body
        own = coordinates(stretch.layout.shape)
        covered = {outer: own[outer] for outer in self._tiling.covered}
        return Part(piece, body, kept.at({**places, **covered, axis: place}), (*kept.stored, *condition))

    def _prepare(self, roots: Sequence[Value]) -> None:
        """Make the values that are the same for all elements of a row, or in all trips of the loops along
        outer axes, before the loops."""
        counter = before_loops(self._work.dims[self._tiling.axis])
        own = frozenset([as_symbol(counter)])
        pieces = [Piece(self._stretches[0]._replace(limit=None), counter, own)]
        if self._has_outer_loops:
            pieces += [
                Piece(stretch, first, own)
                for stretch in self._stretches
                if stretch.trips == self._at_once(stretch)
                for first in self._firsts(stretch, constant(stretch.first))
            ]
        places = dict.fromkeys(self._outer_axes, counter)
        for piece in pieces:
            part = self._part(piece, places)
            for root in roots:
                part.body.prepare(root, part.at)

    # Results

    def _totals(
        self, level: list[Statement], begun: list[Begun], later: list[Statement]
    ) -> tuple[list[TileValue], list[Begun]]:
        """The results, which every holder of the row has. The loop of the level before has the whole pieces
        of the reductions that are `begun`. Those of `later` may begin in the loop of this level."""
        along = None if begun else self._along_with(level, later)
        after_loop: list[Carried] = []

        def visit(part: Part, carried: Carried) -> Carried:
            joined = self._joined(part, level, carried)
            if along is None:
                return joined
            if not part.piece.counters:
                after_loop.append(carried)
                return [*joined, *carried[len(level) :]]
            with self._of(later[0]):
                return [*joined, *along.turn(part.value, part.piece.first, carried, joined)]

        first = self._before(level, begun) if self._has_loops else []
        if along is not None:
            with self._of(later[0]):
                zero = self._builder.fill(0, self._of_lane(Combine.SUM, F32))
            first += [zero] * along.width
        roots = [reduction.operands[0] for reduction in level]
        partials = self._walk(roots, visit, first, self._stretches[1:] if begun else self._stretches)
        after_loop.append(partials)
        totals = [
            tile if self._is_one_piece else self._across(reduction, tile)
            for reduction, tile in zip(level, partials[: len(level)], strict=True)
        ]
        if along is None:
            return totals, []
        main = self._stretches[0]
        stop = main.trips * main.layout.shape[self._tiling.axis]
        return totals, along.begun(after_loop[0], constant(stop))

    @property
    def _is_one_piece(self) -> bool:
        """Whether the reduction of a piece is that of the row."""
        is_alone = self._shared is None and len(self._stretches) == 1 and self._stretches[0].trips == 1
        return is_alone and not self._has_loops

    def _joined(self, part: Part, level: list[Statement], carried: Carried) -> list[TileValue]:
        """The results so far, with those of a piece."""
        scope = Scope.WORKGROUP if self._is_one_piece else Scope.LANE
        joined: list[TileValue] = []
        for number, reduction in enumerate(level):
            tile, kind = part.value(reduction.operands[0]), combine_of(REDUCTIONS[reduction.op])
            with self._of(reduction):
                is_read = self._buffers.is_only_read(reduction.operands[0])
                partial = self._reduced(part.piece, tile, is_read, kind, scope)
                if carried:
                    partial = self._builder.pointwise(OPS[kind], carried[number], partial)
                joined.append(partial)
        return joined

    def _before(self, level: list[Statement], begun: list[Begun]) -> list[TileValue]:
        """The partial results before the first piece: of a loop that may have had no trips, by a loop that
        then has none. Rows of up to 16,384 f32, of lengths that the launch knows, take up to 1.13 of their
        clocks without the second loop.
        """
        nothing = [self._nothing(reduction) for reduction in level]
        if not begun:
            return nothing
        rows, trips = self._places.of_rows(), self._stretches[0].trips
        totals = [self._results.value(each.by, rows) for each in begun]

        def moved(_: Index, __: Carried) -> Carried:
            made: list[TileValue] = []
            for reduction, each, total in zip(level, begun, totals, strict=True):
                with self._of(reduction):
                    made.append(each.moved(total))
            return made

        if isinstance(trips, Size):
            return [*self._builder.for_("once", 0, trips.expression.at_most(1), 1, nothing, moved)]
        return [*moved(constant(0), ())]

    def _along_with(self, level: list[Statement], later: list[Statement]) -> Along | None:
        """The reductions of the next level that the loop of a level begins."""
        if not later or not self._has_loops or self._has_outer_loops or self._tiling.covered:
            return None
        from asmgen.blockwise.schedules.pages.one_pass import along

        piece, axis = self._stretches[0].layout, self._tiling.axis
        return along(level, later, self._graph.defined, self._builder, piece, self._work.reduced, axis)

    def _across(self, reduction: Statement, partial: TileValue) -> TileValue:
        """Combine the partial results of the lanes over the row."""
        kind = combine_of(REDUCTIONS[reduction.op])
        with self._of(reduction):
            if self._shared is not None:
                partial = self._builder.relayout(partial, self._shared)
            return self._builder.reduce(kind, self._work.reduced, partial)

    def _of(self, reduction: Statement) -> AbstractContextManager[None]:
        return self._builder.origin(reduction.place, reduction.result.name)

    def _reduced(
        self, piece: Piece, tile: TileValue, is_read: bool, kind: Combine, scope: Scope
    ) -> TileValue:
        """Combine the elements of a piece, with the identity element in place of elements past the row's end.

        If a lane has either all of its elements or none, its combined result is replaced once, instead of
        each element. Maxima and minima may count the row's last elements twice. `is_read` marks a tile that
        is only read: its elements past the end are zeros.
        """
        builder, axes, stretch = self._builder, self._work.reduced, piece.stretch
        if stretch.limit is None:
            return builder.reduce(kind, axes, tile, scope)
        axis, limit = self._tiling.axis, constant(stretch.limit)
        number = filling(kind.value, element_of(tile), self._graph.propagates_nan)
        if not stretch.is_whole(axis):
            if number == 0 and is_read:
                return builder.reduce(kind, axes, tile, scope)
            place = piece.first + coordinates(stretch.layout.shape)[axis]
            return builder.reduce(kind, axes, builder.mask(tile, (Below(place, limit),), number), scope)
        if kind in (Combine.MAX, Combine.MIN) and not stretch.may_be_empty:
            return builder.reduce(kind, axes, tile, scope)
        of_lane = builder.reduce(kind, axes, tile, Scope.LANE)
        assert isinstance(of_lane.type, TileType)
        place = piece.first + coordinates(of_lane.type.shape)[axis] * stretch.step
        masked = builder.mask(of_lane, (Below(place, limit),), number)
        return masked if scope is Scope.LANE else builder.reduce(kind, axes, masked, scope)

    def _nothing(self, reduction: Statement) -> TileValue:
        """The value before the first trip of a loop: the identity element."""
        kind = combine_of(REDUCTIONS[reduction.op])
        element = computed(tensor_type(reduction.operands[0]).element)
        number = filling(kind.value, element, self._graph.propagates_nan)
        with self._of(reduction):
            return self._builder.fill(number, self._of_lane(kind, element))

    def _of_lane(self, kind: Combine, element: ElementType) -> TileType:
        """The type of a lane's partial result."""
        probe = TileBuilder("probe", {"row": 1}, self._tiling.waves, self._tiling.lanes)
        tile = probe.fill(0, TileType(element, self._stretches[0].layout))
        partial = probe.reduce(kind, self._work.reduced, tile, Scope.LANE)
        assert isinstance(partial.type, TileType)
        return partial.type

    def _scaled(self, reduction: Statement, total: TileValue) -> TileValue:
        """A mean is a sum until every element is in it."""
        if REDUCTIONS[reduction.op] != "mean":
            return total
        with self._of(reduction):
            return divided(self._builder, total, prod([self._work.dims[axis] for axis in self._work.reduced]))


def shared(partial: Layout, axes: tuple[int, ...]) -> Layout | None:
    """The layout in which a reduction along `axes` continues from the layout `partial`, in which lanes have
    parts of several results: each lane gets all parts of fewer results. None if each lane has a single
    result, or all of its parts.

        64 lanes, four columns each of eight rows      reg(0:1 0:2) lane(0:4 0:8 0:16 1:0 2:0 4:0)
        four rows of a column, two lanes a column      reg(1:0 2:0) lane(4:0 0:1 0:2 0:4 0:8 0:16)

    This takes LDS once, three additions and a step of DPP; four numbers in each lane would take three
    exchanges with additions.
    """
    bits = within_axes(partial, axes)
    if partial.repeat or not partial.registers or bits.registers or 0 in partial.columns:
        return None
    rows = sorted([partial.lanes[bit] for bit in bits.lanes] + [partial.waves[bit] for bit in bits.waves])
    columns = sorted(set(partial.columns) - set(rows))
    held, lanes = len(partial.registers), len(partial.lanes)
    most = max(0, held - len(rows))
    registers = (*columns[:most], *rows[: held - most])
    others = (*rows[held - most :], *columns[most:])
    if not rows or len(rows) > held + lanes:
        return None
    return layout(partial.sizes, registers, others[:lanes], others[lanes:])


def _is_named(columns: Dim) -> bool:
    """Whether a length is that of a single named dim. The places of an element along several dims are not
    shown to be within these if a loop ends at a minimum."""
    length = constant(columns)
    return not length.constant and [(type(atom), number) for atom, number in length.terms] == [(Symbol, 1)]
