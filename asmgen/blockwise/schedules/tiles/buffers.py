"""The buffers of a kernel: the parameters of its graph, literals of several numbers, and outputs.

A literal that repeats a single number needs no buffer: the number is filled in.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.elements.indices import Data
from asmgen.blockwise.schedules.elements.maps import has_border, moves, splat_of
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.halves import halves
from asmgen.graph import ops
from asmgen.graph.ops import PARAM
from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import tensor
from asmgen.lanewise.records import numbers_of


class Buffers:
    """The parameters of a kernel, each made once: those of the graph, and literals of several numbers. `data`
    are the indices of its elements that are data, and `halves` the values that are computed in f16.
    """

    def __init__(self, builder: TileBuilder, defined: Mapping[Value, Statement]) -> None:
        self.defined = defined
        self.data = Data()
        self.halves = halves(defined)
        self._buffers: dict[Value, TileValue] = {}
        self._padded = {
            self._read(statement.operands[0]) for statement in defined.values() if has_border(statement)
        }
        for statement in defined.values():
            if statement.op is ops.PARAM:
                name, type_ = str(statement.attributes["name"]), tensor_type(statement.result)
                self._buffers[statement.result] = builder.parameter(name, type_)
            elif statement.op is ops.LITERAL and splat_of(statement) is None:
                value = statement.result
                self._buffers[value] = builder.literal(value.name, numbers_of(statement), tensor_type(value))

    def __getitem__(self, value: Value) -> TileValue:
        return self._buffers[value]

    def is_only_read(self, value: Value) -> bool:
        """Whether the elements of a value are those of a parameter, and nothing is computed from them."""
        return self.defined[self._read(value)].op is ops.PARAM

    def is_padded(self, value: Value) -> bool:
        """Whether elements of a parameter are read for a pad, which may read zeros outside of it."""
        return value in self._padded

    def _read(self, value: Value) -> Value:
        """The value from which ops that only move elements (reshape, transpose) take this value's
        elements."""
        while moves(statement := self.defined[value]) and not has_border(statement):
            value = statement.operands[0]
        return value


OUTPUT = "z_output"


def output_names(graph: Graph) -> tuple[str, ...]:
    """The given names, or else `z_output`, `z_output_1`, ..., with other numbers if a parameter has such a
    name.
    """
    if graph.outputs:
        return graph.outputs
    taken = {
        str(statement.attributes["name"]) for statement in graph.module.statements if statement.op is PARAM
    }
    taken |= {value.name for value in graph.defined}
    return tuple([fresh_name(OUTPUT, taken) for _ in graph.returns])


def output_buffers(builder: TileBuilder, graph: Graph) -> tuple[TileValue, ...]:
    types = [tensor_type(value) for value in graph.returns]
    names = output_names(graph)
    return tuple(
        [
            builder.parameter(name, tensor(type_.element, type_.dims))
            for name, type_ in zip(names, types, strict=True)
        ]
    )
