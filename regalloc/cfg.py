"""The control-flow graph of a machine program, once per kind of edge.

Blocks are integers, their positions in the kernel's layout; block 0 is the entry. Dominators and natural loops are
networkx's, loaded only where a graph branches and somebody asks: orders and reachability are computed here directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from isa.diagnostics import InternalError
from isa.program import Edge, Kernel

STAGE = "control-flow graph"


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop: its header, the blocks that jump back to it, and every block of it, ascending."""

    header: int
    latches: tuple[int, ...]
    blocks: tuple[int, ...]


class FlowGraph:
    """The blocks along one kind of edge."""

    def __init__(self, successors: list[tuple[int, ...]]) -> None:
        self.successors = successors
        predecessors: list[list[int]] = [[] for _ in successors]
        for block, targets in enumerate(successors):
            for target in targets:
                predecessors[target].append(block)
        self.predecessors = [tuple(blocks) for blocks in predecessors]

    @cached_property
    def order(self) -> list[int]:
        """The blocks that the entry reaches, in reverse postorder: a block stands after every block that dominates it."""
        seen = [False] * len(self.successors)
        postorder: list[int] = []
        stack = [(0, iter(self.successors[0]))]
        seen[0] = True
        while stack:
            block, targets = stack[-1]
            fresh = next((target for target in targets if not seen[target]), None)
            if fresh is None:
                postorder.append(block)
                stack.pop()
            else:
                seen[fresh] = True
                stack.append((fresh, iter(self.successors[fresh])))
        return postorder[::-1]

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The blocks that the entry reaches."""
        return frozenset(self.order)

    @cached_property
    def immediate_dominators(self) -> dict[int, int]:
        """The closest strict dominator of every reachable block but the entry."""
        if all(len(self.predecessors[block]) < 2 for block in self.order):
            return {block: self.predecessors[block][0] for block in self.order if block}
        closest: dict[int, int] = _networkx().immediate_dominators(self._networkx_graph(), 0)
        return {block: closest[block] for block in self.order if block}

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path from the entry to `below` passes through `above`; a block dominates itself."""
        closest = self.immediate_dominators
        block: int | None = below
        while block is not None and block != above:
            block = closest.get(block)
        return block == above

    @cached_property
    def back_edges(self) -> list[tuple[int, int]]:
        """Edges whose target dominates their source, as (source, target) in reverse postorder of the source."""
        rank = {block: i for i, block in enumerate(self.order)}
        retreating = [(block, target) for block in self.order for target in self.successors[block] if rank[target] <= rank[block]]
        return [(block, target) for block, target in retreating if self.dominates(target, block)]

    @cached_property
    def loops(self) -> list[Loop]:
        """The natural loops, one per header, outer before inner where they nest."""
        if not self.back_edges:
            return []
        latches: dict[int, list[int]] = {}
        for source, header in self.back_edges:
            latches.setdefault(header, []).append(source)
        found: list[Loop] = []
        for header, sources in latches.items():
            graph = self._networkx_graph()
            graph.remove_node(header)
            body: set[int] = {header}
            for source in sources:
                if source != header:
                    body |= {source} | _networkx().ancestors(graph, source)
            found.append(Loop(header, tuple(sorted(sources)), tuple(sorted(body & self.reachable))))
        return sorted(found, key=lambda loop: (-len(loop.blocks), loop.header))

    def _networkx_graph(self) -> Any:
        graph = _networkx().DiGraph()
        graph.add_nodes_from(range(len(self.successors)))
        graph.add_edges_from((block, target) for block, targets in enumerate(self.successors) for target in targets)
        return graph


def _networkx() -> Any:
    """networkx, loaded where it is first needed: it costs more than most compiles."""
    return import_module("networkx")


class ControlFlow:
    """Both graphs of a kernel, and its blocks by label."""

    def __init__(self, labels: Sequence[str], linear: FlowGraph, logical: FlowGraph) -> None:
        self.labels = labels
        self.index = {label: i for i, label in enumerate(labels)}
        self.linear = linear
        self.logical = logical


def build_control_flow(kernel: Kernel) -> ControlFlow:
    """The graphs of a kernel. InternalError where it has no block, a label stands twice or an edge leads nowhere."""
    labels = [block.label for block in kernel.blocks]
    if not labels:
        raise InternalError(STAGE, kernel.name, "the kernel has no block")
    index = {label: i for i, label in enumerate(labels)}
    if len(index) != len(labels):
        twice = next(label for i, label in enumerate(labels) if index[label] != i)
        raise InternalError(STAGE, f"{kernel.name}:{twice}", "two blocks have this label")

    def targets(label: str, edges: Iterable[Edge]) -> tuple[int, ...]:
        for edge in edges:
            if edge.target not in index:
                raise InternalError(STAGE, f"{kernel.name}:{label}", f"an edge leads to {edge.target}, which is no block")
        return tuple(index[edge.target] for edge in edges)

    return ControlFlow(
        labels,
        FlowGraph([targets(block.label, block.linear) for block in kernel.blocks]),
        FlowGraph([targets(block.label, block.logical) for block in kernel.blocks]),
    )
