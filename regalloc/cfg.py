"""The control-flow graph of a machine program, once per kind of edge.

Blocks are integers, their positions in the kernel's layout; block 0 is the entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce

from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple
from isa.program import Edge, Kernel

STAGE = "control-flow graph"


class Loop(NamedTuple):
    """A natural loop: its header, the blocks that jump back to it, and every block of it, ascending."""

    header: int
    latches: tuple[int, ...]
    blocks: tuple[int, ...]


class FlowGraph:
    """The control-flow graph along the edges of a kind."""

    def __init__(self, successors: list[tuple[int, ...]]) -> None:
        self.successors = successors
        predecessors: list[list[int]] = [[] for _ in successors]
        for block, targets in enumerate(successors):
            for target in targets:
                predecessors[target].append(block)
        self.predecessors = [tuple(blocks) for blocks in predecessors]

    @cached_property
    def order(self) -> list[int]:
        """The blocks that the entry reaches, in reverse postorder: a block is after every block that
        dominates it."""
        seen = [False] * len(self.successors)
        postorder: list[int] = []
        stack = [(0, iter(self.successors[0]))]
        seen[0] = True
        while stack:
            block, targets = stack[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    stack.append((target, iter(self.successors[target])))
                    break
            else:
                postorder.append(block)
                stack.pop()
        return postorder[::-1]

    @cached_property
    def depths(self) -> list[int]:
        """The number of loops around each block."""
        depths = [0] * len(self.successors)
        for loop in self.loops:
            for block in loop.blocks:
                depths[block] += 1
        return depths

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The blocks that the entry reaches."""
        return frozenset(self.order)

    @cached_property
    def immediate_dominators(self) -> dict[int, int]:
        """The closest strict dominator of every reachable block but the entry.

        K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001): intersect the
        dominators of the predecessors of each block, in reverse postorder, until nothing changes.
        """
        rank = {block: i for i, block in enumerate(self.order)}
        closest = {0: 0}
        changed = True
        while changed:
            changed = False
            for block in self.order[1:]:
                known = [source for source in self.predecessors[block] if source in closest]
                dominator = reduce(lambda first, second: _meeting(first, second, closest, rank), known)
                if closest.get(block) != dominator:
                    closest[block] = dominator
                    changed = True
        return {block: closest[block] for block in self.order[1:]}

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path from the entry to `below` passes through `above`; a block dominates itself."""
        closest = self.immediate_dominators
        block: int | None = below
        while block is not None and block != above:
            block = closest.get(block)
        return block == above

    @cached_property
    def back_edges(self) -> list[tuple[int, int]]:
        """Edges to a dominator of their source, as (source, target) in reverse postorder of the source."""
        rank = {block: i for i, block in enumerate(self.order)}
        retreating = [
            (block, target)
            for block in self.order
            for target in self.successors[block]
            if rank[target] <= rank[block]
        ]
        return [(block, target) for block, target in retreating if self.dominates(target, block)]

    @cached_property
    def loops(self) -> list[Loop]:
        """The natural loops, a loop for each header; an outer loop comes before its inner loops."""
        if not self.back_edges:
            return []
        latches: dict[int, list[int]] = {}
        for source, header in self.back_edges:
            latches.setdefault(header, []).append(source)
        loops: list[Loop] = []
        for header, sources in latches.items():
            blocks = self._reaching(sources, header)
            loops.append(Loop(header, tuple(sorted(sources)), tuple(sorted(blocks & self.reachable))))
        return sorted(loops, key=lambda loop: (-len(loop.blocks), loop.header))

    def _reaching(self, sources: Iterable[int], header: int) -> set[int]:
        """The header, and every block from which a path reaches one of the sources without passing through
        the header."""
        reaching = {header}
        waiting = list(sources)
        while waiting:
            block = waiting.pop()
            if block not in reaching:
                reaching.add(block)
                waiting += self.predecessors[block]
        return reaching


def _meeting(first: int, second: int, closest: Mapping[int, int], rank: Mapping[int, int]) -> int:
    """The closest block that dominates both, as far as is known; `rank` numbers the blocks in reverse
    postorder."""
    while first != second:
        if rank[first] > rank[second]:
            first = closest[first]
        else:
            second = closest[second]
    return first


class ControlFlow:
    """Both graphs of a kernel, and its blocks by label."""

    def __init__(self, labels: Sequence[str], linear: FlowGraph, logical: FlowGraph) -> None:
        self.labels = labels
        self.index = {label: i for i, label in enumerate(labels)}
        self.linear = linear
        self.logical = logical


def build_control_flow(kernel: Kernel) -> ControlFlow:
    """The graphs of a kernel. Raises InternalError if the kernel has no block, if a label occurs twice, or if
    the target of an edge is missing."""
    labels = [block.label for block in kernel.blocks]
    if not labels:
        raise InternalError(STAGE, kernel.name, "the kernel has no block")
    index = {label: i for i, label in enumerate(labels)}
    if len(index) != len(labels):
        twice = next(label for i, label in enumerate(labels) if index[label] != i)
        raise InternalError(STAGE, f"{kernel.name}:{twice}", "two blocks have this label")

    def targets(label: str, edges: Iterable[Edge]) -> tuple[int, ...]:
        try:
            return tuple([index[edge.target] for edge in edges])
        except KeyError as missing:
            message = f"an edge leads to {missing.args[0]}, which is not a block"
            raise InternalError(STAGE, f"{kernel.name}:{label}", message) from missing

    return ControlFlow(
        labels,
        FlowGraph([targets(block.label, block.linear) for block in kernel.blocks]),
        FlowGraph([targets(block.label, block.logical) for block in kernel.blocks]),
    )
