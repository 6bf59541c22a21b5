"""Live registers at every point: virtual ones as the allocator sees them, physical ones as the wave holds them.

On virtual registers a lane value lives along logical edges. On physical ones those edges are not known; there a vector
register is live where some lane, on or off, has been written and will be read: a write under EXEC ends the life of what
the other lanes hold no sooner than they are read, so a value of the `then` side is live across the `else` that skips it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from asmgen.report.masks import ALL_LANES, LaneSets
from isa.instruction import ExecMode, Instr
from isa.program import Kernel
from isa.registers import EXEC, FIRST_VGPR
from isa.semantics import resolve
from isa.semantics.control import Branch
from regalloc.lane_values import changes_exec
from regalloc.liveness import Liveness, compute_liveness
from regalloc.slots import BlockSlots

Lanes = dict[int, int]
"""The lanes of each vector unit, as sets of `asmgen.report.masks`."""


class LiveSets(Protocol):
    """The units live before each slot of a block; one set more, for where the block ends."""

    @property
    def liveness(self) -> Liveness: ...

    def before(self, block: int) -> list[set[int]]: ...


@dataclass(frozen=True, slots=True)
class AlongEdges:
    """Liveness along logical and linear edges, as it is."""

    liveness: Liveness

    def before(self, block: int) -> list[set[int]]:
        return backward(self.liveness.slots[block], set(self.liveness.leaving(block)))


def backward(slots: BlockSlots, leaving: set[int]) -> list[set[int]]:
    """The sets before each slot, from what is live at the end."""
    found = [leaving]
    for index in range(len(slots.uses) - 1, -1, -1):
        found.append((found[-1] - set(slots.defines[index])) | set(slots.uses[index]))
    return found[::-1]


def live_sets(kernel: Kernel) -> LiveSets:
    """Liveness of a kernel; by lanes where it is on physical registers and changes EXEC."""
    liveness = compute_liveness(kernel)
    if kernel.owners or not changes_exec(kernel):
        return AlongEdges(liveness)
    return HeldByLanes(liveness)


class HeldByLanes:
    """Vector units live as long as a lane that was written will be read; scalar units along linear edges."""

    def __init__(self, liveness: Liveness) -> None:
        self.liveness = liveness
        kernel, graph = liveness.kernel, liveness.flow.linear
        self._kernel = kernel
        self._graph = graph
        self._execs = LaneSets(kernel, graph).before
        self._rank = {block: i for i, block in enumerate(graph.order)}
        self._entering: list[Lanes] = [{} for _ in kernel.blocks]
        self._written: list[Lanes] = [{} for _ in kernel.blocks]
        self._solve_written()
        self._solve_read()

    def before(self, block: int) -> list[set[int]]:
        if block not in self._rank:
            return [set[int]() for _ in range(len(self.liveness.slots[block].uses) + 1)]
        slots = self.liveness.slots[block]
        scalars = {unit for unit in self.liveness.leaving(block) if unit < FIRST_VGPR}
        found = backward(slots, scalars)
        needs = [self._leaving(block)]
        for index in range(len(slots.uses) - 1, -1, -1):
            needs.append(self._needed(block, index, dict(needs[-1])))
        written = self._met_written(block)
        for index, need in enumerate(needs[::-1]):
            found[index] = {unit for unit in found[index] if unit < FIRST_VGPR}
            found[index].update(unit for unit, lanes in need.items() if lanes & written.get(unit, 0))
            if index < len(slots.uses):
                self._write(block, index, written)
        return found

    def _instruction(self, block: int, index: int) -> Instr | None:
        instructions = self._kernel.blocks[block].instructions
        if index < len(instructions):
            return instructions[index]
        return self._kernel.blocks[block].terminator if index > len(instructions) else None

    def _lanes(self, block: int, index: int) -> int:
        """The lanes that an instruction reads and writes."""
        instr = self._instruction(block, index)
        if instr is None or instr.row.exec_mode is not ExecMode.MASKED:
            return ALL_LANES
        return self._execs[block][index]

    def _needed(self, block: int, index: int, need: Lanes) -> Lanes:
        """What is needed before an instruction, given what is needed behind it."""
        slots, lanes = self.liveness.slots[block], self._lanes(block, index)
        for unit in slots.defines[index]:
            if unit in need:
                need[unit] &= ~lanes
        for unit in slots.uses[index]:
            if unit >= FIRST_VGPR:
                need[unit] = need.get(unit, 0) | lanes
        return need

    def _leaving(self, block: int) -> Lanes:
        """What is needed where a block ends."""
        found: Lanes = {}
        off = self._execs[block][-1] if _leaves_without_lanes(self._kernel, block) is not None else 0
        skipped = _leaves_without_lanes(self._kernel, block)
        for number, target in enumerate(self._graph.successors[block]):
            nobody = off if number == skipped else 0
            again = self._execs[block][-1] if self._rank[target] <= self._rank[block] else 0
            for unit, lanes in self._entering[target].items():
                # the next round of a loop has other masks of the same names
                lanes = (lanes | again if lanes else 0) & ~nobody
                if lanes:
                    found[unit] = found.get(unit, 0) | lanes
        return found

    def _solve_read(self) -> None:
        pending = self._graph.order[::-1]
        while pending:
            block = pending.pop(0)
            need = self._leaving(block)
            for index in range(len(self.liveness.slots[block].uses) - 1, -1, -1):
                need = self._needed(block, index, need)
            need = {unit: lanes for unit, lanes in need.items() if lanes}
            if need != self._entering[block]:
                self._entering[block] = need
                pending += [source for source in self._graph.predecessors[block] if source in self._rank and source not in pending]

    def _write(self, block: int, index: int, written: Lanes) -> None:
        lanes = self._lanes(block, index)
        for unit in self.liveness.slots[block].defines[index]:
            if unit >= FIRST_VGPR:
                written[unit] = written.get(unit, 0) | lanes

    def _met_written(self, block: int) -> Lanes:
        """The lanes that may have been written before a block."""
        found: Lanes = {}
        if block == 0:
            entry = (unit for _, register in self._kernel.abi.entry for unit in register.units if unit >= FIRST_VGPR)
            found.update(dict.fromkeys(entry, ALL_LANES))
        for source in self._graph.predecessors[block]:
            again = self._rank.get(source, -1) >= self._rank[block]
            for unit, lanes in self._written[source].items():
                found[unit] = found.get(unit, 0) | (ALL_LANES if again else lanes)
        return found

    def _solve_written(self) -> None:
        pending = list(self._graph.order)
        while pending:
            block = pending.pop(0)
            written = self._met_written(block)
            for index in range(len(self.liveness.slots[block].uses)):
                self._write(block, index, written)
            if written != self._written[block]:
                self._written[block] = written
                pending += [target for target in self._graph.successors[block] if target not in pending]


def _leaves_without_lanes(kernel: Kernel, block: int) -> int | None:
    """The successor, by its number, that a block goes to with EXEC empty."""
    terminator = kernel.blocks[block].terminator
    if terminator is None or len(kernel.blocks[block].linear) < 2:
        return None
    meaning = resolve(terminator.row.semantics)
    if not isinstance(meaning, Branch) or meaning.register != EXEC:
        return None
    return 1 if meaning.nonzero else 0
