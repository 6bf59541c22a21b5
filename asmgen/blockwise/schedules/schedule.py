"""Writes the tile program of a kernel's graph by the schedule that the choice names."""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.actions import indices_of
from asmgen.blockwise.pipelining import pipelined_kernel
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import (
    Choice,
    Column,
    Contract,
    Pairs,
    Pointwise,
    Row,
    Scan,
    Scatter,
    Sort,
    Transpose,
)
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.registered import page_of
from asmgen.index import Symbol
from asmgen.ir.program import Module
from isa.diagnostics import InternalError
from isa.target import Target


def schedule(
    module: Module,
    choice: Choice,
    target: Target,
    outputs: tuple[str, ...] = (),
    propagates_nan: bool = False,
) -> Kernel:
    """The tile program of a single kernel. `outputs` names the buffers of the module's results, by default
    `z_output`, `z_output_1`, ... `propagates_nan` is the rule of max and min. The caller must pass a choice
    that fits (`misfit`).
    """
    return schedule_of(Graph(module, outputs, propagates_nan), choice, target)


def schedule_of(graph: Graph, choice: Choice, target: Target) -> Kernel:
    """`schedule` of a graph that more is asked of."""
    broken = misfit(graph, choice, target)
    if broken:
        raise InternalError("schedules", graph.module.name, broken)
    named = graph.named
    made = _made(graph, choice, target)
    pipelined = pipelined_kernel(_with_dims(made, named) if named else made, target)
    if not isinstance(choice, Contract):
        return pipelined
    from asmgen.blockwise.schedules.last_barrier import without_last_barriers  # of products alone

    return without_last_barriers(pipelined)


def _with_dims(kernel: Kernel, named: frozenset[Symbol]) -> Kernel:
    """The kernel with the named dims that no buffer of it has, but indices: `n - 1` as a number."""
    own = dict.fromkeys(kernel.dims)
    for statement in kernel.walk():
        for index in indices_of(statement.op):
            own |= dict.fromkeys(sorted(index.symbols & named, key=lambda symbol: symbol.name))
    return replace(kernel, dims=tuple(own))


def _made(graph: Graph, choice: Choice, target: Target) -> Kernel:
    """The tile program of a choice. A process loads the page of its schedule alone."""
    registered = page_of(type(choice))
    if registered is not None:
        return registered(graph, choice, target)
    match choice:
        case Pointwise():
            from asmgen.blockwise.schedules.pages import pointwise

            return pointwise.schedule(graph, choice, target)
        case Row():
            from asmgen.blockwise.schedules.pages import row

            return row.schedule(graph, choice, target)
        case Column():
            from asmgen.blockwise.schedules.pages import column

            return column.schedule(graph, choice, target)
        case Pairs():
            from asmgen.blockwise.schedules.pages import pairs

            return pairs.schedule(graph, choice, target)
        case Transpose():
            from asmgen.blockwise.schedules.pages import transpose

            return transpose.schedule(graph, choice, target)
        case Contract():
            from asmgen.blockwise.schedules.pages import product

            return product.schedule(graph, choice, target)
        case Sort():
            from asmgen.blockwise.schedules.pages import sort

            return sort.schedule(graph, choice, target)
        case Scatter():
            from asmgen.blockwise.schedules.pages import scatter

            return scatter.schedule(graph, choice, target)
        case Scan():
            from asmgen.blockwise.schedules.pages import scan

            return scan.schedule(graph, choice, target)
