"""The results of a matrix product: pointwise ops on the tile of sums, reductions of its rows or columns, and
the stores.

    y = dot(a, b)                        {m,n}
    parts = reshape(mul(y, y))           {m,n/128,128}
    s = reduce_sum[axes={2}](parts)      {m,n/128,1}: of each row of a tile with 128 columns a sum

The graph has the rows or columns of a tile as a dim of their own (`asmgen.graph.fusion.epilogues`); a
reduction of the dims of the product has its whole row in a tile. Elements beyond the matrix count as the
identity element. A reduction combines the registers of a lane, then the lanes that share a row, and the
waves unless each has parts of its own. It reads a value that is stored too as it is stored, rounded:
another launch may read both, as the last of a softmax reads the products and the maximum of each row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.reduction import partial
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.schedules.tiles.forms import element_of
from asmgen.blockwise.schedules.tiles.means import combine_of, divided
from asmgen.blockwise.types import coordinates
from asmgen.graph.fusion.epilogues import View, before_parts, view_of
from asmgen.graph.ops import REDUCTIONS
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Sizes, most
from asmgen.ir.identities import filling
from asmgen.ir.program import Scope, Statement, Value, tensor_type
from asmgen.ir.types import is_cut
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.graph.fusion.moved_results import MovedResult


class Place(NamedTuple):
    """The place of a tile: the dims of the product, the element of each of the tile's, the numbers of the
    tile's rows and columns among those of the matrix, and further conditions under which it stores an
    element."""

    dims: Sizes
    at: Indices
    numbers: Indices
    where: Conditions = ()


def store_results(
    builder: TileBuilder,
    buffers: Buffers,
    graph: Graph,
    layout: Layout,
    place: Place,
    sums: Mapping[Value, TileValue],
    outputs: Sequence[TileValue],
    stored: Layout | None = None,
) -> None:
    """Store the outputs with the dims of `place`, made of the sums of products in `layout`. Lanes store them
    in the layout `stored`, if it is given."""
    if not graph.reductions:
        where = (*conditions(place.at, place.dims), *place.where)
        body = Body(builder, buffers, layout, where, stored=stored)
        _define_products(body, place, sums)
        for value, output in zip(graph.returns, outputs, strict=True):
            if value in graph.moved_products:
                _store_moved(body, graph.moved_products[value], place.at, output)
                continue
            made = in_dims(graph.defined, value, (place.dims,))  # before a reshape of the result
            if made is not None or graph.has_even_products:
                body.store(value if made is None else made, place.at, output)
        return
    _Reduced(builder, buffers, graph, layout, place).store(sums, outputs)


def _store_moved(body: Body, moved: MovedResult, at: Indices, output: TileValue) -> None:
    """Store the results at other places, those of a slice by the lanes that have elements of it."""
    from asmgen.blockwise.schedules.elements.moved_places import moved_place

    place = moved_place(moved, at)
    if place is not None:
        body.store(moved.rows, at, output, (*body.where, *place.where), place.to)


def conditions(at: Indices, dims: Sizes) -> Conditions:
    """The conditions under which an element of a tile exists."""
    pairs = zip(at, dims, strict=True)
    return tuple([Below(index, constant(dim)) for index, dim in pairs if not is_within(index, dim)])


def _define_products(body: Body, place: Place, sums: Mapping[Value, TileValue]) -> None:
    for product, total in sums.items():
        _define(body, product, place.at, total, not is_cut(tensor_type(product).element))


def _define(body: Body, value: Value, at: Indices, tile: TileValue, is_in_range: bool = True) -> None:
    """Define a value, also at index 0 along a dim of 1, for which ops after it ask."""
    dims = tensor_type(value).dims
    zero_of_one = [constant(0) if dim == 1 else index for index, dim in zip(at, dims, strict=True)]
    for asked in (at, tuple(zero_of_one)):
        body.define(value, asked, tile, is_cut=is_in_range)


class _Reduced:
    """Results with reductions of rows or columns of the tile. `_of_tile` has the values of the tile's
    elements, `_of_rows` those of its rows, or columns."""

    def __init__(
        self, builder: TileBuilder, buffers: Buffers, graph: Graph, layout: Layout, place: Place
    ) -> None:
        view = view_of(graph.defined, graph.reductions[0])
        assert view is not None, "the schedule contract takes no other reduction"
        self._builder, self._graph, self._place, self._view = builder, graph, place, view
        self._axis = axis = layout.rank - len(place.dims) + view.axis  # of the tile
        parts = layout.sizes[axis] // most(view.length) if view.in_parts else 1
        self._scope = Scope.WAVE if parts > 1 else Scope.WORKGROUP
        rows = builder.layout("rows", partial(layout, (axis,), self._scope))
        self._at = _seen(place, view, coordinates(layout.shape)[axis], parts)
        self._at_rows = _of_row(place, view, coordinates(rows.shape)[axis], parts)
        self._of_rows = Body(builder, buffers, rows, conditions(self._at_rows, graph.row_dims))
        where, outer = conditions(place.at, place.dims), self._of_rows if parts == 1 else None
        self._of_tile = Body(builder, buffers, layout, where, outer)

    def store(self, sums: Mapping[Value, TileValue], outputs: Sequence[TileValue]) -> None:
        graph, place = self._graph, self._place
        _define_products(self._of_tile, place, sums)
        self._round_stored()
        for value, source in _parts(graph.defined, self._view, place.dims).items():
            _define(self._of_tile, value, self._at, self._of_tile.value(source, place.at))
        for level in graph.levels:
            for reduction in level:
                self._reduce(reduction)
        for value, output in zip(graph.returns, outputs, strict=True):
            made = in_dims(graph.defined, value, (place.dims, graph.row_dims)) or value
            if tensor_type(made).dims == graph.row_dims:
                self._of_rows.store(made, self._at_rows, output)
            else:
                self._of_tile.store(made, place.at, output)

    def _round_stored(self) -> None:
        """Round the elements of the tile that are stored and do not need the reductions."""
        graph, place, body = self._graph, self._place, self._of_tile
        stored = {in_dims(graph.defined, value, (place.dims,)) for value in graph.returns}
        reduced = {each.result for each in graph.reductions}
        for value, statement in graph.defined.items():
            if not reduced.isdisjoint(statement.operands):
                reduced.add(value)
            elif value in stored and value not in reduced:
                element = tensor_type(value).element
                rounded = body.narrowed(body.value(value, place.at), element)
                _define(body, value, place.at, rounded)

    def _reduce(self, reduction: Statement) -> None:
        builder, place, axis = self._builder, self._place, self._view.axis
        kind = combine_of(REDUCTIONS[reduction.op])
        tile = self._of_tile.value(reduction.operands[0], self._at)
        index, dim = place.at[axis], place.dims[axis]
        with builder.origin(reduction.place, reduction.result.name):
            if not is_within(index, dim):
                number = filling(kind.value, element_of(tile), self._graph.propagates_nan)
                tile = builder.mask(tile, (Below(index, constant(dim)),), number)
            total = builder.reduce(kind, (self._axis,), tile, self._scope)
            if REDUCTIONS[reduction.op] == "mean":
                total = divided(builder, total, prod([self._graph.dims[each] for each in self._graph.axes]))
        _define(self._of_rows, reduction.result, self._at_rows, total)


def _seen(place: Place, view: View, own: Index, parts: int) -> Indices:
    """The element of the reductions' operands that each element of a tile is, if `own` is its place along the
    axis in the tile."""
    if not view.in_parts:
        return place.at
    number = place.numbers[view.axis - (len(place.dims) - 2)]
    inner = own // view.length, own % view.length
    return (*place.at[: view.axis], number * parts + inner[0], inner[1], *place.at[view.axis + 1 :])


def _of_row(place: Place, view: View, own: Index, parts: int) -> Indices:
    """The element of the reductions' results that each result of a tile is."""
    zero, before, after = constant(0), place.at[: view.axis], place.at[view.axis + 1 :]
    if not view.in_parts:
        return (*before, zero, *after)
    number = place.numbers[view.axis - (len(place.dims) - 2)]
    return (*before, number * parts + own, zero, *after)


def _parts(defined: Mapping[Value, Statement], view: View, dims: Sizes) -> dict[Value, Value]:
    """The values that have rows or columns of tiles as a dim of their own, and the same with the dims of the
    product."""
    if not view.in_parts:
        return {}
    found: dict[Value, Value] = {}
    for value, statement in defined.items():
        if statement.op.keeps_order and tensor_type(value).dims == view.dims:
            before = before_parts(defined, value, dims)
            if before is not None:
                found[value] = before
    return found
