"""Kernels' graphs for the tests of schedules."""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.contract import estimated_tile
from asmgen.blockwise.schedules.choosing.product_shapes import shape_of
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import Partition
from asmgen.gridwise.prepare import prepare
from asmgen.ir.shapes import format_list
from isa.target import Target


def graph_of(text: str, room: int | None = None) -> Graph:
    """The graph of a program that is one kernel, of which a lane may have `room` registers."""
    (module,) = parse(text, "graph.gen").modules
    (kernel,) = Partition(prepare(module), set()).kernels()
    return Graph(kernel.module, room=room)


def estimated(graph: Graph, target: Target) -> Contract:
    """The tile of a product by the estimate, also if the table of measured tiles has a tile for it."""
    return estimated_tile(shape_of(graph, target), target)


def product_text(element: str, m: int, n: int, k: int) -> str:
    """The product of {m,k} and the transpose of {n,k}: both factors have neighbours along k."""
    factors = f"a = @param:a -> {element}, {{{m},{k}}}\nb = @param:b -> {element}, {{{n},{k}}}\n"
    kind = "i32" if element == "i8" else "f32"
    return f"{factors}t = transpose[permutation={{1,0}}](b)\nz = dot[target_type={kind}](a, t)\n@return(z)\n"


DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8}


class ProductCase(NamedTuple):
    """A product of m, n and k by a choice on a target."""

    target: str
    element: str
    choice: Contract
    dims: tuple[int, int, int]

    @property
    def text(self) -> str:
        return product_text(self.element, *self.dims)


def reduced_text(dims: tuple[int, ...], axes: tuple[int, ...], op: str = "reduce_sum", element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {format_list(dims)}\ns = {op}[axes={format_list(axes)}](x)\n@return(s)\n"


def reduced(dims: tuple[int, ...], axes: tuple[int, ...], op: str = "reduce_sum", element: str = "f32") -> Graph:
    return graph_of(reduced_text(dims, axes, op, element))


def softmax_text(dims: tuple[int, ...], axis: int, element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {format_list(dims)}\ns = softmax[axis={axis}](x)\n@return(s)\n"


def softmax(dims: tuple[int, ...], axis: int, element: str = "f32") -> Graph:
    return graph_of(softmax_text(dims, axis, element))
