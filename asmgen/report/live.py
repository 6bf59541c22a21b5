"""Live registers at every point: virtual registers as the allocator sees them, physical registers as the wave
does.

On virtual registers a lane value lives along logical edges. On physical registers those edges are unknown. A
vector register is live there if some lane, active or not, has been written and will be read. A write under
EXEC does not end the live ranges of the other lanes, so a value of the `then` side is live across the `else`
that skips it. The halves of a register have live ranges of their own, since a write of one half keeps the
other.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol

from msgspec import Struct

from asmgen.report.masks import ALL_LANES, LaneSets
from isa.emulator.operands.modifiers import half_of
from isa.instruction import ExecMode, Instr, Row
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import EXEC, FIRST_VGPR, Register
from isa.semantics import resolve
from isa.semantics.control import Branch
from regalloc.lanes import changes_exec
from regalloc.liveness import Liveness, compute_liveness
from regalloc.slots import BlockSlots, slot_instruction

Lanes = dict[int, int]
"""The lanes of each half of a vector unit (`asmgen.report.live`), as sets of `asmgen.report.masks`."""


class Changes(NamedTuple):
    """The units live before the first slot of a block, and for each slot the units that are live on only one
    of its sides. A block of thousands of slots has few changes, and sets of many units."""

    first: set[int]
    at: list[tuple[int, ...]]


class LiveSets(Protocol):
    """The units live before and after each slot of a block."""

    @property
    def liveness(self) -> Liveness: ...

    def changes(self, block: int) -> Changes: ...


class AlongEdges(Struct, frozen=True):
    """Liveness along logical and linear edges, as it is."""

    liveness: Liveness

    def changes(self, block: int) -> Changes:
        return backward(self.liveness.slots[block], set(self.liveness.leaving(block)))


def backward(slots: BlockSlots, live: set[int]) -> Changes:
    """The changes of a block, from the live set at its end, which becomes the set before it."""
    at: list[tuple[int, ...]] = []
    for uses, defines in zip(reversed(slots.uses), reversed(slots.defines), strict=True):
        changed: list[int] = []
        for unit in defines:
            if unit in live and unit not in uses:
                live.remove(unit)
                changed.append(unit)
        for unit in uses:
            if unit not in live:
                live.add(unit)
                changed.append(unit)
        at.append(tuple(changed))
    return Changes(live, at[::-1])


def live_sets(kernel: Kernel) -> LiveSets:
    """Liveness of a kernel; by lanes and halves on physical registers, if it writes some of them alone."""
    liveness = compute_liveness(kernel)
    if kernel.owners or not (changes_exec(kernel) or writes_halves(kernel)):
        return AlongEdges(liveness)
    return HeldByLanes(liveness)


class _Access(Struct, frozen=True):
    """The vector registers that a slot reads and writes, and the lanes."""

    lanes: int
    reads: Parts = ()
    writes: Parts = ()


class HeldByLanes:
    """Vector units live as long as a lane that was written will be read; scalar units along linear edges."""

    def __init__(self, liveness: Liveness) -> None:
        self.liveness = liveness
        kernel, graph = liveness.kernel, liveness.flow.linear
        self._kernel = kernel
        self._graph = graph
        self._execs = LaneSets(kernel, graph).before
        self._accesses = [
            [self._access(block, index) for index in range(len(slots.uses))]
            for block, slots in enumerate(liveness.slots)
        ]
        self._rank = {block: i for i, block in enumerate(graph.order)}
        self._entering: list[Lanes] = [{} for _ in kernel.blocks]
        self._written: list[Lanes] = [{} for _ in kernel.blocks]
        self._solve_written()
        self._solve_read()

    def changes(self, block: int) -> Changes:
        if block not in self._rank:
            return Changes(set(), [()] * len(self.liveness.slots[block].uses))
        scalars = {unit for unit in self.liveness.leaving(block) if unit < FIRST_VGPR}
        live, at = backward(self.liveness.slots[block], scalars)
        accesses, need, written = self._accesses[block], self._leaving(block), self._met_written(block)
        after: list[Lanes] = []  # the needs after each access, of the parts that it touches
        for access in reversed(accesses):
            after.append({part: need.get(part, 0) for part in (*access.reads, *access.writes)})
            need = _needed(access, need)
        first = {unit for unit in live if unit < FIRST_VGPR}
        first.update(part // 2 for part, lanes in need.items() if lanes & written.get(part, 0))
        for index, (access, needs) in enumerate(zip(accesses, reversed(after), strict=True)):
            touched = sorted({part // 2 for part in needs})
            before = [_is_live(unit, need, written) for unit in touched]
            need.update(needs)
            _write(access, written)
            at[index] = (
                *(unit for unit in at[index] if unit < FIRST_VGPR),
                *(
                    unit
                    for unit, was in zip(touched, before, strict=True)
                    if was != _is_live(unit, need, written)
                ),
            )
        return Changes(first, at)

    def _access(self, block: int, index: int) -> _Access:
        instr = slot_instruction(self._kernel.blocks[block], index)
        if instr is None:
            return _Access(0)
        is_masked = instr.row.exec_mode is ExecMode.MASKED and self._execs[block]
        return _Access(
            self._execs[block][index] if is_masked else ALL_LANES, parts_read(instr), parts_written(instr)
        )

    def _leaving(self, block: int) -> Lanes:
        """The parts that are needed at the end of a block."""
        needed: Lanes = {}
        off = self._execs[block][-1] if _leaves_without_lanes(self._kernel, block) is not None else 0
        skipped = _leaves_without_lanes(self._kernel, block)
        for number, target in enumerate(self._graph.successors[block]):
            nobody = off if number == skipped else 0
            again = self._execs[block][-1] if self._rank[target] <= self._rank[block] else 0
            for part, lanes in self._entering[target].items():
                # the next round of a loop has other masks of the same names
                lanes = (lanes | again if lanes else 0) & ~nobody
                if lanes:
                    needed[part] = needed.get(part, 0) | lanes
        return needed

    def _solve_read(self) -> None:
        pending = self._graph.order[::-1]
        while pending:
            block = pending.pop(0)
            need = self._leaving(block)
            for access in reversed(self._accesses[block]):
                need = _needed(access, need)
            need = {part: lanes for part, lanes in need.items() if lanes}
            if need != self._entering[block]:
                self._entering[block] = need
                pending += [
                    source
                    for source in self._graph.predecessors[block]
                    if source in self._rank and source not in pending
                ]

    def _met_written(self, block: int) -> Lanes:
        """The lanes that may have been written before a block."""
        written: Lanes = {}
        if block == 0:
            entry = (
                unit
                for _, register in self._kernel.abi.entry
                for unit in register.units
                if unit >= FIRST_VGPR
            )
            written.update(
                dict.fromkeys((part for unit in entry for part in (2 * unit, 2 * unit + 1)), ALL_LANES)
            )
        for source in self._graph.predecessors[block]:
            again = self._rank.get(source, -1) >= self._rank[block]
            for part, lanes in self._written[source].items():
                written[part] = written.get(part, 0) | (ALL_LANES if again else lanes)
        return written

    def _solve_written(self) -> None:
        pending = list(self._graph.order)
        while pending:
            block = pending.pop(0)
            written = self._met_written(block)
            for access in self._accesses[block]:
                _write(access, written)
            if written != self._written[block]:
                self._written[block] = written
                pending += [target for target in self._graph.successors[block] if target not in pending]


def _needed(access: _Access, need: Lanes) -> Lanes:
    """The parts needed before an access, given the parts needed after it."""
    for part in access.writes:
        if part in need:
            need[part] &= ~access.lanes
    for part in access.reads:
        need[part] = need.get(part, 0) | access.lanes
    return need


def _is_live(unit: int, need: Lanes, written: Lanes) -> bool:
    """Whether a lane of a unit was written and is needed."""
    return any(need.get(part, 0) & written.get(part, 0) for part in (2 * unit, 2 * unit + 1))


def _write(access: _Access, written: Lanes) -> None:
    for part in access.writes:
        written[part] = written.get(part, 0) | access.lanes


def _leaves_without_lanes(kernel: Kernel, block: int) -> int | None:
    """The successor, by its number, that a block goes to with EXEC empty."""
    terminator = kernel.blocks[block].terminator
    if terminator is None or len(kernel.blocks[block].linear) < 2:
        return None
    meaning = resolve(terminator.row.semantics)
    if not isinstance(meaning, Branch) or meaning.register != EXEC:
        return None
    return 1 if meaning.nonzero else 0


Parts = tuple[int, ...]


def parts_read(instr: Instr) -> Parts:
    """The parts of vector registers that an instruction reads, tied operands included."""
    return tuple(part for i in instr.row.uses for part in _parts(instr, i))


def parts_written(instr: Instr) -> Parts:
    """The parts of vector registers that an instruction writes, in some lanes at least."""
    return tuple(part for i in instr.row.defines for part in _parts(instr, i))


def _parts(instr: Instr, index: int) -> Iterable[int]:
    register = instr.operands[index]
    if not isinstance(register, Register) or register.first < FIRST_VGPR:
        return ()
    if instr.row.operands[index].half:
        return (2 * register.first + half_of(instr, index).value,)
    return range(2 * register.first, 2 * (register.first + register.count))


def writes_halves(kernel: Kernel) -> bool:
    """Whether some instruction writes half of a register and leaves the other half."""
    return any(writes_half(instr.row) for block in kernel.blocks for instr in block.instructions)


@cache
def writes_half(row: Row) -> bool:
    """Whether an instruction of a row writes half of a register and leaves the other half."""
    return any(row.operands[i].half for i in row.defines)
