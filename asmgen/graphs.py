"""The graphs of a compiled program, as networkx has them; networkx is loaded when a graph is asked for.

    program.cfg()                      the flow graph of a kernel
    program.dependences("loop")        the instructions of a block, and what comes before what
    program.launch_graph()             the launches of a program, and the arrays that they pass on

Nodes have the attribute `text`, and `place` if the source has a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asmgen.artifact import ProgramLaunch
from asmgen.passes.dependence.graph import Dependences
from isa.diagnostics import InputError, nearest_names
from isa.instruction import Instr
from isa.names import RegisterNames
from isa.program import Block, Kernel
from isa.registers import RegisterClass
from isa.text.printing import format_instr
from regalloc.liveness import Pressure, compute_liveness

if TYPE_CHECKING:
    import networkx as nx

    Graph = nx.DiGraph[Any]


def flow_graph(kernel: Kernel) -> Graph:
    """The blocks of a kernel. A block has its `instructions` as text, and the registers that are live at
    most in it: `vgprs`, `sgprs`. An edge is `linear` (the wave takes it), `logical` (a lane takes it), or
    both."""
    graph, names = _empty(kernel.name), RegisterNames(kernel.owners)
    liveness = compute_liveness(kernel)
    for number, block in enumerate(kernel.blocks):
        most = liveness.block_pressure(number)
        graph.add_node(
            block.label, text=block.label, instructions=[format_instr(instr, names) for instr in block.code],
            place=_place(block.code[0]) if block.code else None,
            vgprs=_units(most, RegisterClass.VGPR), sgprs=_units(most, RegisterClass.SGPR),
        )  # fmt: skip
    for block in kernel.blocks:
        _add_edges(graph, block)
    return graph


def _add_edges(graph: Graph, block: Block) -> None:
    linear = {edge.target for edge in block.linear}
    logical = {edge.target for edge in block.logical}
    for target in sorted(linear | logical):
        graph.add_edge(block.label, target, linear=target in linear, logical=target in logical)


def dependence_graph(kernel: Kernel, label: str) -> Graph:
    """The instructions of a block by number, in program order. An edge goes to an instruction that comes
    later, and has the `reason`. `InputError` GRF001 if the kernel has no such block."""
    labels = [block.label for block in kernel.blocks]
    if label not in labels:
        message = f"{kernel.name} has no block {label!r}, wanted {nearest_names(label, labels)}"
        raise InputError("block", "GRF001", message)
    graph, names = _empty(f"{kernel.name}:{label}"), RegisterNames(kernel.owners)
    dependences = Dependences(kernel).of_block(labels.index(label))
    for number, instr in enumerate(dependences.instructions):
        graph.add_node(number, text=format_instr(instr, names), place=_place(instr))
    for later, before in enumerate(dependences.before):
        graph.add_edges_from((earlier, later, {"reason": reason.value}) for earlier, reason in before.items())
    return graph


def launch_graph(launches: Sequence[ProgramLaunch]) -> Graph:
    """The launches of a program and the arrays that they read and write, in two kinds of nodes: `kernel` and
    `buffer`. An edge goes from an array to a launch that reads it, and from a launch to an array that it
    writes."""
    graph = _empty("launches")
    for number, (kernel, buffers) in enumerate(launches):
        node = f"{number}: {kernel.name}"
        graph.add_node(node, kind="kernel", text=kernel.name, place=None)
        arguments = [argument for argument in kernel.arguments if not argument.is_hidden]
        for argument, name in zip(arguments, buffers, strict=True):
            if argument.is_buffer:
                graph.add_node(name, kind="buffer", text=f"{name} {argument.type}", place=None)
                if argument.access != "write_only":
                    graph.add_edge(name, node)
                if argument.access != "read_only":
                    graph.add_edge(node, name)
    return graph


def _empty(name: str) -> Graph:
    """A graph without nodes. `InputError` GRF002 without networkx."""
    try:
        import networkx as nx
    except ImportError:
        message = "the graphs of a program need networkx, which is not installed"
        raise InputError(
            "networkx", "GRF002", message, help="python -m pip install 'asmgen[graphs]'"
        ) from None
    return nx.DiGraph(name=name)


def _units(most: dict[RegisterClass, Pressure], file: RegisterClass) -> int:
    return most[file].units if file in most else 0


def _place(instr: Instr) -> str | None:
    place = instr.origin.place if instr.origin is not None else None
    return None if place is None else str(place)
