"""From one kernel's graph, a choice and the target to the tile program, by the schedule that the choice
names.
"""

from __future__ import annotations

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules import column, contract, pointwise, row, scan, transpose
from asmgen.blockwise.schedules.choices import Choice, Column, Contract, Pointwise, Row, Scan, Transpose
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.work import Graph
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
    """The tile program of a kernel that is no part of several. `outputs` are the names of the buffers of what
    the module returns; without them they are `z_output`, `z_output_1`, ... `propagates_nan` is the rule of
    max and min. A choice that does not fit (`misfit`) is the caller's fault.
    """
    return schedule_of(Graph(module, outputs, propagates_nan), choice, target)


def schedule_of(graph: Graph, choice: Choice, target: Target) -> Kernel:
    """`schedule` of a graph that more is asked of."""
    broken = misfit(graph, choice, target)
    if broken:
        raise InternalError("schedules", graph.module.name, broken)
    match choice:
        case Pointwise():
            return pointwise.schedule(graph, choice, target)
        case Row():
            return row.schedule(graph, choice, target)
        case Column():
            return column.schedule(graph, choice, target)
        case Transpose():
            return transpose.schedule(graph, choice, target)
        case Contract():
            return contract.schedule(graph, choice, target)
        case Scan():
            return scan.schedule(graph, choice, target)
