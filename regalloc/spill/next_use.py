"""The distance from a point to the next use of every value, in instructions.

Belady's rule for a cache is the rule for registers too: if room is needed, the value with the furthest next
use leaves. A use after a loop is further away than any use inside, so an edge that leaves loops adds
LOOP_EXIT for each of them (M. Braun, S. Hack, "Register Spilling and Live-Range Splitting for SSA-Form
Programs", 2009).

`regalloc.slots` defines the slots of a block; a distance is counted from a slot of a block.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from isa.program import Kernel
from regalloc.cfg import FlowGraph
from regalloc.liveness import Liveness

LOOP_EXIT = 100_000
NEVER = 1 << 60
"""The distance of a value that is not read any more."""

Distances = dict[int, int]


class NextUses:
    """Distances of the units for which `is_of_file` returns True, along the edges of `graph`."""

    def __init__(
        self, kernel: Kernel, liveness: Liveness, graph: FlowGraph, is_of_file: Callable[[int], bool]
    ) -> None:
        self._lengths = [len(slots.uses) for slots in liveness.slots]
        self._positions: list[dict[int, list[int]]] = []
        for slots in liveness.slots:
            positions: dict[int, list[int]] = {}
            for index, units in enumerate(slots.uses):
                for unit in units:
                    if is_of_file(unit):
                        positions.setdefault(unit, []).append(index)
            self._positions.append(positions)
        self._entering: list[Distances] = [{} for _ in kernel.blocks]
        self._leaving: list[Distances] = [{} for _ in kernel.blocks]
        wanted = [[u for u in liveness.entering(n) if is_of_file(u)] for n in range(len(kernel.blocks))]
        self._solve(graph, wanted)

    def _solve(self, graph: FlowGraph, wanted: list[list[int]]) -> None:
        """Distances at the ends of every block, until a walk over all blocks changes none."""
        penalties = _exit_penalties(graph)
        pending = set(graph.order)
        while pending:
            waiting, pending = pending, set[int]()
            for block in reversed(graph.order):
                if block not in waiting:
                    continue
                leaving: Distances = {}
                for target in graph.successors[block]:
                    penalty = penalties.get((block, target), 0)
                    for unit, distance in self._entering[target].items():
                        leaving[unit] = min(leaving.get(unit, NEVER), distance + penalty)
                self._leaving[block] = leaving
                entering = {unit: self.at(block, 0, unit) for unit in wanted[block]}
                if entering != self._entering[block]:
                    self._entering[block] = entering
                    pending.update(graph.predecessors[block])

    def at(self, block: int, index: int, unit: int) -> int:
        """Instructions from slot `index` of a block to the next use of a unit, which may be in that slot;
        NEVER if there is none."""
        positions = self._positions[block].get(unit)
        if positions is not None:
            place = bisect_left(positions, index)
            if place < len(positions):
                return positions[place] - index
        beyond = self._leaving[block].get(unit)
        return NEVER if beyond is None else self._lengths[block] - index + beyond


def _exit_penalties(graph: FlowGraph) -> dict[tuple[int, int], int]:
    """The additional distance of the edges that leave loops."""
    penalties: dict[tuple[int, int], int] = {}
    for loop in graph.loops:
        inside = set(loop.blocks)
        for block in loop.blocks:
            for target in graph.successors[block]:
                if target not in inside:
                    penalties[block, target] = penalties.get((block, target), 0) + LOOP_EXIT
    return penalties
