"""The buffers that a kernel writes: one for each value that its graph returns, in their order."""

from __future__ import annotations

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.elements.maps import tensor_of
from asmgen.blockwise.schedules.work import Graph
from asmgen.graph.ops import PARAM
from asmgen.ir.names import fresh_name
from asmgen.ir.types import tensor

OUTPUT = "z_output"


def output_names(graph: Graph) -> tuple[str, ...]:
    """The names that are given, or else `z_output`, `z_output_1`, ..., with other numbers where a parameter
    has such a name.
    """
    if graph.outputs:
        return graph.outputs
    taken = {
        str(statement.attributes["name"]) for statement in graph.module.statements if statement.op is PARAM
    }
    taken |= {value.name for value in graph.defined}
    return tuple([fresh_name(OUTPUT, taken) for _ in graph.returns])


def output_buffers(builder: TileBuilder, graph: Graph) -> tuple[TileValue, ...]:
    types = [tensor_of(value) for value in graph.returns]
    names = output_names(graph)
    return tuple(
        [
            builder.parameter(name, tensor(type_.element, type_.dims))
            for name, type_ in zip(names, types, strict=True)
        ]
    )
