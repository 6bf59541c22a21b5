"""Scatter: adds the elements of updates to the elements of a buffer that indices choose.

    y {1000,64}, ids {300}, updates {300,64} f32:    scatter[vector=4, waves=4]
    tile {1024} of the updates; element c0 is in row (1024*block + c0) floordiv 64, of which v0 is the index
    tile_store[at={min(v0, 999), c0 mod 64}, where={v0 < 1000}, adds=true](updates, y, ids)

Few bins are first added up in LDS, so that a workgroup adds a number for each bin:

    y {256}, ids {1048576}, 1 each:    scatter[vector=4, waves=4, repeat=4, bins=256]

The buffer is the operand, which an earlier launch has written, and the result.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.actions import Below, BinSum
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.rules.access import data_symbols
from asmgen.blockwise.rules.infer import IN_BINS
from asmgen.blockwise.schedules.choices import Scatter
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, ceil_power
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size, most
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import U32
from isa.diagnostics import InternalError
from isa.target import WIDEST_ACCESS, Target

OF_LANE = 16  # elements of a lane, if the workgroup has bins: each of them is added to memory once
LEAST_OF_BIN = 4  # elements of a workgroup for each of its bins


def choose(scatter: Statement, target: Target) -> Scatter:
    """Whole accesses, if they divide the number of updates: no element is added twice."""
    start, _, updates = [tensor_type(operand) for operand in scatter.operands]
    elements = prod(updates.dims)
    widest = WIDEST_ACCESS // updates.element.bytes
    vector = 1 if isinstance(elements, Size) else min(widest, max(1, elements & -elements))
    waves = GROUP_LANES // target.wave_size
    bins = ceil_power(most(start.dims[0]))
    of_group = GROUP_LANES * OF_LANE
    has_bins = start.rank == 1 and updates.element in IN_BINS
    if has_bins and most(elements) >= of_group >= LEAST_OF_BIN * bins:
        return Scatter(vector, waves, OF_LANE // vector, bins)
    return Scatter(vector, waves)


def schedule(graph: Graph, choice: Scatter, target: Target) -> Kernel:
    """The kernel of a graph with a single addition to memory."""
    if graph.scatter is None:
        raise InternalError("schedules", graph.module.name, "it adds nothing")
    return _Scatter(graph, graph.scatter, choice, target).kernel()


class _Scatter:
    """Writes the kernel: the updates and the places of a workgroup, and their addition."""

    def __init__(self, graph: Graph, scatter: Statement, choice: Scatter, target: Target) -> None:
        self._graph, self._scatter, self._choice = graph, scatter, choice
        self._start, self._indices, self._updates = scatter.operands
        axis = scatter.attributes["axis"]
        assert isinstance(axis, int), "the parser reads an integer"
        size = tensor_type(self._start).dims[axis]
        assert isinstance(size, int), "its inference refuses other sizes"
        self._axis, self._size = axis, size
        self._lanes, waves = target.wave_size, choice.waves
        deals = (
            Deal(Part.REGISTERS, 0, choice.vector), Deal(Part.LANES, 0, self._lanes),
            Deal(Part.WAVES, 0, waves),
        )  # fmt: skip
        self._layout = dealt(1, deals, self._lanes, waves, (choice.repeat,))
        self._elements: Dim = prod(tensor_type(self._updates).dims)
        grid: dict[str, Dim] = {"block": -(-self._elements // self._layout.shape[0])}
        self._builder = TileBuilder(graph.module.name, grid, waves, self._lanes, graph.place)
        self._buffers = Buffers(self._builder, graph.defined)

    def kernel(self) -> Kernel:
        builder, layout = self._builder, self._builder.layout("flat", self._layout)
        number = builder.ids[0] * layout.shape[0] + coordinates(layout.shape)[0]
        where = () if is_within(number, self._elements) else (Below(number, constant(self._elements)),)
        at = unflattened(number, tensor_type(self._updates).dims)
        count = tensor_type(self._indices).rank
        body = Body(builder, self._buffers, layout, where)
        tile = body.value(self._updates, at)
        index = body.value(self._indices, at[self._axis : self._axis + count])
        with builder.origin(self._scatter.place, self._scatter.result.name):
            if self._choice.bins is not None:
                self._add_bins(tile, index, where, self._choice.bins)
            else:
                self._add_each(tile, index, where, at[: self._axis], at[self._axis + count :])
        return builder.kernel()

    def _add_each(
        self, tile: TileValue, index: TileValue, where: Conditions, before: Indices, after: Indices
    ) -> None:
        (chosen,) = data_symbols(1)
        to = (*before, chosen.at_most(self._size - 1), *after)
        conditions = (*where, Below(chosen, constant(self._size)))
        self._builder.store(tile, self._buffers[self._start], to, conditions, (index,), adds=True)

    def _add_bins(self, tile: TileValue, index: TileValue, where: Conditions, bins: int) -> None:
        """Elements that do not exist have no bin."""
        builder, choice = self._builder, self._choice
        of_lanes = min(bins, self._lanes)
        of_waves = min(bins // of_lanes, choice.waves)
        deals = (
            Deal(Part.LANES, 0, of_lanes), Deal(Part.WAVES, 0, of_waves),
            Deal(Part.REGISTERS, 0, bins // (of_lanes * of_waves)),
        )  # fmt: skip
        layout = builder.layout("bins", dealt(1, deals, self._lanes, choice.waves))
        places = builder.mask(index, where, integer_range(U32)[1]) if where else index
        sums = builder.value(BinSum(), tile, places, stated=TileType(tile.type.element, layout))
        (number,) = coordinates(layout.shape)
        exists = () if bins == self._size else (Below(number, constant(self._size)),)
        builder.store(sums, self._buffers[self._start], (number,), exists, adds=True)
