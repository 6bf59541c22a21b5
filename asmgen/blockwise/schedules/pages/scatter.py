"""Scatter: adds the elements of updates to the elements of a buffer that indices choose.

    y {1000,64}, ids {300}, updates {300,64} f32:    scatter[vector=4, waves=4]
    tile {1024} of the updates; element c0 is in row (1024*block + c0) floordiv 64, of which v0 is the index
    tile_store[at={min(v0, 999), c0 mod 64}, where={v0 < 1000}, adds=true](updates, y, ids)

The buffer is the operand, which an earlier launch has written, and the result.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.access import data_symbols
from asmgen.blockwise.schedules.choices import Scatter
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import unflattened
from asmgen.blockwise.schedules.elements.sections import ACCESS_BYTES
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.blockwise.schedules.work import Graph
from asmgen.blockwise.types import coordinates
from asmgen.index import constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size
from asmgen.ir.program import Statement, tensor_type
from isa.diagnostics import InternalError
from isa.target import Target


def choose(scatter: Statement, target: Target) -> Scatter:
    """Whole accesses, if they divide the number of updates: no element is added twice."""
    updates = tensor_type(scatter.operands[2])
    elements = prod(updates.dims)
    widest = ACCESS_BYTES // updates.element.bytes
    vector = 1 if isinstance(elements, Size) else min(widest, max(1, elements & -elements))
    return Scatter(vector, GROUP_LANES // target.wave_size)


def schedule(graph: Graph, choice: Scatter, target: Target) -> Kernel:
    """The kernel of a graph with a single addition to memory."""
    if graph.scatter is None:
        raise InternalError("schedules", graph.module.name, "it adds nothing")
    start, indices, updates = graph.scatter.operands
    axis, count = graph.scatter.attributes["axis"], tensor_type(indices).rank
    size = tensor_type(start).dims[axis] if isinstance(axis, int) else None
    assert isinstance(axis, int) and isinstance(size, int), "its inference refuses others"
    wave, waves = target.wave_size, choice.waves
    deals = (
        Deal(Part.REGISTERS, 0, choice.vector), Deal(Part.LANES, 0, wave), Deal(Part.WAVES, 0, waves),
    )  # fmt: skip
    layout = dealt(1, deals, wave, waves)
    dims = tensor_type(updates).dims
    elements: Dim = prod(dims)
    grid: dict[str, Dim] = {"block": -(-elements // layout.shape[0])}
    builder = TileBuilder(graph.module.name, grid, waves, wave, graph.place)
    buffers = Buffers(builder, graph.defined)
    _ = builder.layout("flat", layout)
    number = builder.ids[0] * layout.shape[0] + coordinates(layout.shape)[0]
    where = () if is_within(number, elements) else (Below(number, constant(elements)),)
    at = unflattened(number, dims)
    body = Body(builder, buffers, layout, where)
    tile, index = body.value(updates, at), body.value(indices, at[axis : axis + count])
    (chosen,) = data_symbols(1)
    to = (*at[:axis], chosen.at_most(size - 1), *at[axis + count :])
    with builder.origin(graph.scatter.place, graph.scatter.result.name):
        exists = Below(chosen, constant(size))
        builder.store(tile, buffers[start], to, (*where, exists), (index,), adds=True)
    return builder.kernel()
