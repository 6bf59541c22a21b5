"""Pairs: each result is a reduction over a row of one buffer and a row of another.

    d = reduce_sum[axes={2}](mul(e, e))      e = x {4096,1,64} - y {1,4096,64} of f32, gfx942
    pairs[rows=4, columns=8, lanes=4, across=4, vector=4, repeat=1]

A wave has a tile of results: 16 rows of x by 32 rows of y. A lane reads 4 rows of x and 8 of y for its 32
results; with `row` it reads a row of x for two results. Lanes next to each other lie along the reduced axis,
so that they read a line together. In the end they combine their results.

A trip takes each row of x in turn: the values of a row are combined before those of the next row
are computed, so that few of them are in registers at once.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.schedules.choices import Pairs
from asmgen.blockwise.schedules.deals import Deal, dealt, without
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.elements.merged_dims import apart
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Reached, Stretch, Tiling, before_loops, stretches, within
from asmgen.blockwise.schedules.pages.reduction import OPS, Carried
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.schedules.tiles.means import combine_of, divided
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import TileType, coordinates
from asmgen.graph.ops import REDUCTIONS
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import as_symbol
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, at_least
from asmgen.ir.identities import filling
from asmgen.ir.program import Scope, Statement, tensor_type
from asmgen.ir.types import computed
from isa.named_tuple import NamedTuple
from isa.target import Target


def schedule(graph: Graph, choice: Pairs, target: Target) -> Kernel:
    """The kernel of a graph with reductions of pairs of rows (`Work.of_pairs`)."""
    return _Writer(graph, choice, _tiling(graph.work, choice, target)).kernel()


def _tiling(work: Work, choice: Pairs, target: Target) -> Tiling:
    """How a row of the first buffer and the rows of the second are dealt out to registers and lanes."""
    *_, row, column = work.kept
    axis, wave = work.reduced[-1], target.wave_size
    lanes = (
        Deal(Part.LANES, axis, choice.lanes),
        Deal(Part.REGISTERS, column, choice.columns),
        Deal(Part.LANES, column, choice.across),
        Deal(Part.LANES, row, wave // (choice.lanes * choice.across)),
    )
    deals = (Deal(Part.REGISTERS, axis, choice.vector), *lanes)
    return Tiling(wave, 1, axis, choice.vector, choice.repeat, deals, lanes, (1,) * len(work.dims))


class _Row(NamedTuple):
    """The results of a lane for a row of the first buffer: the place of each along the kept axes, and the
    conditions under which it exists. Beyond the last row they are those of the last row."""

    kept: dict[int, Index]
    where: Conditions


class _Grid:
    """The tiles of all workgroups. `sizes` are the workgroups along each axis of the grid."""

    def __init__(self, work: Work, layout: Layout, choice: Pairs) -> None:
        self._work, self._tile, self._choice = work, layout.shape, choice
        *others, row, column = work.kept
        self._rows = self._tile[row] * choice.rows
        down, along = -(-work.dims[row] // self._rows), -(-work.dims[column] // self._tile[column])
        self._counts = (*[work.dims[axis] for axis in others], down)
        self.sizes: dict[str, Dim] = {"row": along, "other": prod(self._counts)}

    def rows(self, ids: tuple[Index, ...]) -> list[_Row]:
        """The rows of a lane in the workgroup with some ids."""
        *others, row, column = self._work.kept
        *places, number = unflattened(ids[1], self._counts)
        own = coordinates(self._tile)
        along = _clamped(
            ids[0] * self._tile[column], own[column], self._choice.columns, self._work.dims[column]
        )
        kept = {**dict(zip(others, places, strict=True)), column: along.place}
        top, height = number * self._rows + own[row] * self._choice.rows, self._work.dims[row]
        down = [_clamped(top, constant(step), 1, height) for step in range(self._choice.rows)]
        return [_Row({**kept, row: each.place}, (*along.condition, *each.condition)) for each in down]


def _clamped(first: Index, own: Index, step: int, size: Dim) -> Reached:
    """The place of an element after `first`, and the condition under which it exists. Places beyond the end
    are those of the last `step` elements, or of the last element if there may be fewer."""
    if is_within(first + own, size):
        return Reached(first + own, ())
    if at_least(size, step).is_shown:
        place, condition = within(first, own, step, size)
        return Reached(place, (condition,))
    return Reached((first + own).at_most(size - 1), (Below(first + own, constant(size)),))


class _Writer:
    """Writes the kernel. A lane carries a partial result for each reduction, row and column."""

    def __init__(self, graph: Graph, choice: Pairs, tiling: Tiling) -> None:
        self._graph, self._work, self._tiling = graph, graph.work, tiling
        self._partial = dealt(tiling.rank, tiling.rest, tiling.lanes, tiling.waves)
        result = without(self._partial, self._work.reduced)
        grid = _Grid(self._work, self._partial, choice)
        builder = TileBuilder(graph.module.name, grid.sizes, tiling.waves, tiling.lanes, graph.place)
        self._builder, self._buffers = builder, Buffers(builder, graph.defined)
        self._outputs = output_buffers(builder, graph)
        _ = builder.layout("piece", tiling.piece(tiling.repeat))
        _ = builder.layout("result", result)
        self._rows = grid.rows(builder.ids)
        self._results = Body(builder, self._buffers, result)
        (level,) = graph.levels
        self._made = [(reduction, row) for reduction in level for row in self._rows]

    def kernel(self) -> Kernel:
        """The kernel."""
        main, *others = stretches(self._tiling, self._work.dims[self._tiling.axis])
        self._prepare(main)
        carried: Carried = [self._nothing(reduction) for reduction, _ in self._made]
        for stretch in (main, *others):
            carried = self._along(stretch, carried)
        for (reduction, row), partial in zip(self._made, carried, strict=True):
            self._results.define(reduction.result, self._at(row), self._total(reduction, partial))
        for value, output in zip(self._graph.made, self._outputs, strict=True):
            for row in self._rows:
                self._results.store(value, self._at(row), output, row.where)
        return self._builder.kernel()

    def _at(self, row: _Row, place: Index | None = None) -> Indices:
        """The element of a row at a place along the reduced axis, by default that of the result."""
        places = {**row.kept, self._tiling.axis: constant(0) if place is None else place}
        return apart(self._graph.dims, self._work.groups, [places[axis] for axis in range(self._tiling.rank)])

    def _prepare(self, stretch: Stretch) -> None:
        """Make the values that are the same for all elements of a row before the loop."""
        counter = before_loops(self._work.dims[self._tiling.axis])
        body, place = self._body(stretch, counter, frozenset([as_symbol(counter)]))
        for reduction, row in self._made:
            body.prepare(reduction.operands[0], self._at(row, place))

    def _body(self, stretch: Stretch, first: Index, counters: frozenset[Symbol]) -> tuple[Body, Index]:
        """A piece of all rows that begins at `first`, and the places of its elements. If it goes on after the
        row's end, lanes without elements have any numbers."""
        place = stretch.reached(self._tiling.axis, first).place
        return Body(self._builder, self._buffers, stretch.layout, (), self._results, counters), place

    def _along(self, stretch: Stretch, carried: Carried) -> Carried:
        """The partial results after a stretch of the rows. Only the first stretch, from 0 on, has several
        trips."""
        if stretch.trips == 1:
            return self._joined(stretch, constant(stretch.first), frozenset(), carried)

        def turn(counter: Index, values: Carried) -> Carried:
            return self._joined(stretch, counter, frozenset([as_symbol(counter)]), values)

        size = stretch.layout.shape[self._tiling.axis]
        return self._builder.for_("k", 0, constant(stretch.trips * size), size, carried, turn)

    def _joined(
        self, stretch: Stretch, first: Index, counters: frozenset[Symbol], carried: Carried
    ) -> list[TileValue]:
        """The partial results with those of a piece."""
        body, place = self._body(stretch, first, counters)
        joined: list[TileValue] = []
        for (reduction, row), before in zip(self._made, carried, strict=True):
            tile = body.value(reduction.operands[0], self._at(row, place))
            with self._builder.origin(reduction.place, reduction.result.name):
                partial = self._of_lane(stretch, first, tile, reduction)
                kind = combine_of(REDUCTIONS[reduction.op])
                joined.append(self._builder.pointwise(OPS[kind], before, partial))
        return joined

    def _of_lane(self, stretch: Stretch, first: Index, tile: TileValue, reduction: Statement) -> TileValue:
        """A lane's part of a piece. If the piece goes on after the row's end, elements beyond it do not
        count; if a lane has all of its elements or none, its part is replaced once."""
        axis, kind, number = self._tiling.axis, combine_of(REDUCTIONS[reduction.op]), self._filling(reduction)
        if stretch.limit is None:
            return self._builder.reduce(kind, self._work.reduced, tile, Scope.LANE)
        limit, is_whole = constant(stretch.limit), stretch.is_whole(axis)
        if not is_whole:
            place = first + coordinates(stretch.layout.shape)[axis]
            tile = self._builder.mask(tile, (Below(place, limit),), number)
        partial = self._builder.reduce(kind, self._work.reduced, tile, Scope.LANE)
        place = first + coordinates(self._partial.shape)[axis] * stretch.step
        return self._builder.mask(partial, (Below(place, limit),), number) if is_whole else partial

    def _filling(self, reduction: Statement) -> float:
        """The number that changes no result."""
        element = computed(tensor_type(reduction.operands[0]).element)
        return filling(combine_of(REDUCTIONS[reduction.op]).value, element, self._graph.propagates_nan)

    def _nothing(self, reduction: Statement) -> TileValue:
        """The partial result before the first piece."""
        element = computed(tensor_type(reduction.operands[0]).element)
        with self._builder.origin(reduction.place, reduction.result.name):
            return self._builder.fill(self._filling(reduction), TileType(element, self._partial))

    def _total(self, reduction: Statement, partial: TileValue) -> TileValue:
        """The result, from the partial results of all lanes of a row."""
        kind = REDUCTIONS[reduction.op]
        with self._builder.origin(reduction.place, reduction.result.name):
            total = self._builder.reduce(combine_of(kind), self._work.reduced, partial)
            if kind != "mean":
                return total
            return divided(self._builder, total, prod([self._work.dims[axis] for axis in self._work.reduced]))
