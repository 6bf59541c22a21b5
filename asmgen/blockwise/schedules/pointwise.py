"""Pointwise: the elements of the outputs in row-major order, dealt out to workgroups.

    z = add(x, broadcast(b)), x {1000,512} and b {512} of f32, on gfx942:    pointwise[vector=4, waves=4]
    tile {1024} @ reg(1 2) lane(4 ... 128) wave(256 512); x is read at 1024*block + c0, b at that mod 512

Outputs of other dims are tiles of their own, in the same workgroups.
"""

from __future__ import annotations

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.program import Value as Tile
from asmgen.blockwise.schedules.body import Body, Buffers
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.maps import tensor_of, unflattened
from asmgen.blockwise.schedules.outputs import output_buffers
from asmgen.blockwise.schedules.tiling import Deal, dealt, repeated
from asmgen.blockwise.schedules.work import Graph
from asmgen.blockwise.types import coordinates
from asmgen.index import constant
from asmgen.ir.program import Value
from isa.target import Target


def schedule(graph: Graph, choice: Pointwise, target: Target) -> Kernel:
    """The kernel of a graph without reductions."""
    wave = target.wave_size
    deals = (
        Deal(Part.REGISTERS, 0, choice.vector),
        Deal(Part.LANES, 0, wave),
        Deal(Part.WAVES, 0, choice.waves),
    )
    flat = dealt(1, deals, wave, choice.waves, repeated(1, 0, choice.repeat))
    (size,) = flat.shape
    most = max([tensor_of(value).elements for value in graph.returns], default=0)
    builder = TileBuilder(graph.module.name, {"block": max(1, -(-most // size))}, choice.waves, wave)
    _ = builder.layout("flat", flat)
    buffers = Buffers(builder, graph.defined)
    outputs = output_buffers(builder, graph)
    groups: dict[tuple[int, ...], list[tuple[Value, Tile]]] = {}
    for value, output in zip(graph.returns, outputs, strict=True):
        if not tensor_of(value).elements:
            continue
        groups.setdefault(tensor_of(value).dims, []).append((value, output))
    number = builder.ids[0] * size + coordinates(flat.shape)[0]
    for dims, group in groups.items():
        elements = tensor_of(group[0][0]).elements
        where = (Below(number, constant(elements)),) if number.high >= elements else ()
        body = Body(builder, buffers, flat, where)
        for value, output in group:
            body.store(value, unflattened(number, dims), output)
    return builder.kernel()
