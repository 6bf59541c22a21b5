"""Hoisting into blocks that wait: cheap instructions of later blocks move into a block with DPP steps that
have to wait.

A DPP step reads the result of the previous instruction, and wait states or the latency of the vector ALU must
pass in between. Instructions that do not depend on the steps can fill that time: the scheduler puts them into
the gaps, and `fill` uses the rest. A hoisted instruction comes from a block that the steps' block dominates,
on both kinds of edges, and has no effect besides its value. Hoisting never needs more VGPR granules than the
largest pressure already does. A block that loads much before its steps has VGPRs to spare after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from asmgen.passes.dead import is_removable
from asmgen.passes.dependence import Dependences
from isa.hazards import PairStates, pair_states
from isa.instruction import Encoding, ExecMode, Instr, Row
from isa.lane_masks import writes_exec
from isa.program import Block, Kernel
from isa.registers import EXEC, FIRST_VIRTUAL, SCC, Register, RegisterClass, units_of
from isa.target import round_up
from isa.timing.machine import MACHINES
from isa.timing.row_clocks import row_clocks
from regalloc.cfg import ControlFlow, build_control_flow
from regalloc.flags import scc_is_read_first, scc_live_out
from regalloc.liveness import Liveness, LivenessOf, compute_liveness


def hoist(kernel: Kernel, liveness_of: LivenessOf = compute_liveness) -> Kernel:
    """An equivalent kernel in SSA with instructions hoisted into waiting blocks; the kernel itself if no DPP
    step waits."""
    if len(kernel.blocks) == 1:
        return kernel
    states = pair_states(kernel.target, kernel.instructions())
    wanted = [_gaps(kernel, block, states) for block in kernel.blocks]
    if all(
        gaps <= _independent(block.instructions) for gaps, block in zip(wanted, kernel.blocks, strict=True)
    ):
        return kernel
    return _Hoist(kernel, wanted, liveness_of(kernel)).run()


def _gaps(kernel: Kernel, block: Block, states: PairStates) -> int:
    """The number of instructions that could issue while the DPP steps of a block wait for their operands."""
    if not any(instr.row.encoding is Encoding.DPP for instr in block.instructions):
        return 0
    machine = MACHINES[kernel.target.target.name]
    writers: dict[int, Instr] = {}
    gaps = 0
    for instr in block.instructions:
        if instr.row.encoding is Encoding.DPP:
            sources = [o for i in instr.row.uses if isinstance(o := instr.operands[i], Register)]
            made_by = {id(w): w for o in sources for unit in o.units if (w := writers.get(unit)) is not None}
            gaps += max(
                (
                    max(
                        states.between(writer, instr, kernel.register_class),
                        row_clocks(writer.row, machine).latency // machine.issue.clocks - 1,
                    )
                    for writer in made_by.values()
                    if not writer.row.events
                ),
                default=0,
            )
        for register in instr.defined():
            writers.update((unit, instr) for unit in register.units)
    return gaps


def _granules(kernel: Kernel, vgprs: int) -> int:
    return round_up(max(vgprs, 1), kernel.target.target.vgpr_granule)


class _Hoist:
    def __init__(self, kernel: Kernel, wanted: list[int], liveness: Liveness) -> None:
        self._kernel = kernel
        self._wanted = wanted
        self._liveness = liveness
        pressure = liveness.pressure.get(RegisterClass.VGPR)
        self._most = _granules(kernel, 0 if pressure is None else pressure.units)
        self._flow: ControlFlow = build_control_flow(kernel)
        self._scc_leaves = scc_live_out(kernel)
        self._dependences = Dependences(kernel)
        self._code = [list(block.instructions) for block in kernel.blocks]
        self._home: dict[
            int, int
        ] = {}  # a virtual unit -> the block that defines it, in which it may be read from the end on
        self._loaded: set[int] = set()
        self._taken = 0  # VGPRs of hoisted instructions
        self._vgprs_left = 0  # for more of them
        self._entry = {unit for _, register in kernel.abi.entry for unit in register.units}
        for number, block in enumerate(kernel.blocks):
            for parameter in (*block.scalar_parameters, *block.vector_parameters):
                self._home.update((unit, number) for unit in parameter.units)
            for instr in block.instructions:
                for register in instr.defined():
                    units = register.units
                    if register.first >= FIRST_VIRTUAL:
                        self._home.update(dict.fromkeys(units, number))
                    else:
                        self._entry.difference_update(units)
                    if instr.row.events:
                        self._loaded.update(units)

    @cached_property
    def _only_with_exec(self) -> frozenset[Register]:
        return _read_only_with_exec(self._kernel)

    def run(self) -> Kernel:
        moved = False
        for target, states in enumerate(self._wanted):
            if states and not self._scc_leaves[target]:
                moved |= self._fill_block(target, states)
        if not moved:
            return self._kernel
        return self._kernel.with_blocks(
            [
                block.with_instructions(code)
                for block, code in zip(self._kernel.blocks, self._code, strict=True)
            ]
        )

    def _fill_block(self, target: int, states: int) -> bool:
        position = self._end_of_lanes(target)
        if position is None:
            return False
        states -= _independent(self._code[target])
        self._vgprs_left = self._most - self._taken - self._live_from(target, position)
        chosen: list[Instr] = []
        for number in self._flow.linear.order:
            if len(chosen) < states and self._is_dominated(target, number):
                chosen += self._take(number, target, states - len(chosen))
        self._code[target][position:position] = chosen
        return bool(chosen)

    def _end_of_lanes(self, target: int) -> int | None:
        """The last position of a block with the EXEC of its steps and without a later reader of SCC; None if
        there is none.

        There is none either if EXEC changes before the steps: lanes that are off there may be on in the later
        blocks.
        """
        code = self._code[target]
        last = max(i for i, instr in enumerate(code) if instr.row.encoding is Encoding.DPP)
        if any(map(writes_exec, code[:last])):
            return None
        position = last + 1
        while position < len(code) and not writes_exec(code[position]):
            if SCC in code[position].used():
                return None
            position += 1
        terminator = self._kernel.blocks[target].terminator
        rest = [*code[position:], *([] if terminator is None else [terminator])]
        return None if scc_is_read_first(rest) else position

    def _live_from(self, target: int, position: int) -> int:
        """At most so many VGPRs are live from a position of a block on, or in any other block."""
        later = set(self._liveness.leaving(target))
        for instr in self._code[target][position:]:
            later |= units_of((*instr.used(), *instr.defined()))
        owners = [self._kernel.owners[unit - FIRST_VIRTUAL] for unit in later if unit >= FIRST_VIRTUAL]
        found = [sum(owner.register_class is RegisterClass.VGPR for owner in owners)]
        for number in range(len(self._code)):
            pressure = self._liveness.block_pressure(number).get(RegisterClass.VGPR)
            if number != target and pressure is not None:
                found.append(pressure.units)
        return max(found)

    def _is_dominated(self, target: int, number: int) -> bool:
        flow = self._flow
        if number == target or number not in flow.logical.reachable:
            return False
        return flow.linear.dominates(target, number) and flow.logical.dominates(target, number)

    def _take(self, number: int, target: int, most: int) -> list[Instr]:
        """Take up to `most` instructions out of block `number` that may be at the end of block
        `target`."""
        taken: list[Instr] = []
        kept: list[Instr] = []
        awaited = self._dependences.flags_awaited(number, self._code[number])
        for position, instr in enumerate(self._code[number]):
            if len(taken) < most and position not in awaited and self._may_move(instr, target):
                taken.append(instr)
                self._taken += self._vgprs_of(instr)
                self._vgprs_left -= self._vgprs_of(instr)
                for register in instr.defined():
                    self._home.update((unit, target) for unit in register.units if register.is_virtual)
            else:
                kept.append(instr)
        self._code[number] = kept
        return taken

    def _may_move(self, instr: Instr, target: int) -> bool:
        row = instr.row
        if not _moves(row):
            return False
        results = [o for i in row.defines if isinstance(o := instr.operands[i], Register)]
        if (
            any(not result.is_virtual or result.count > 2 for result in results)
            or self._vgprs_of(instr) > self._vgprs_left
        ):
            return False
        if row.exec_mode is ExecMode.MASKED and any(self._is_mask(result) for result in results):
            return False
        sources = [o for i in row.uses if isinstance(o := instr.operands[i], Register)]
        return all(self._is_there(source, target) for source in sources)

    def _vgprs_of(self, instr: Instr) -> int:
        registers = [register for register in instr.defined() if register.is_virtual]
        return sum(
            register.count
            for register in registers
            if self._kernel.register_class(register) is RegisterClass.VGPR
        )

    def _is_mask(self, result: Register) -> bool:
        """Whether a register is a lane mask, and its bits outside of EXEC are read."""
        return (
            self._kernel.register_class(result) is RegisterClass.SGPR and result not in self._only_with_exec
        )

    def _is_there(self, source: Register, target: int) -> bool:
        """Whether a register is known at the end of a block, without waiting for memory."""
        if not source.is_virtual:
            return self._entry.issuperset(source.units)
        if not self._loaded.isdisjoint(source.units):
            return False
        homes = {self._home[unit] for unit in source.units}
        return all(home == target or self._is_dominated(home, target) for home in homes)


@cache
def _moves(row: Row) -> bool:
    """Whether instructions of a row may leave their block, as far as the row tells."""
    if row.events or row.ties or not is_removable(row) or row.encoding is Encoding.DPP:
        return False
    if any(register not in (EXEC, SCC) for register in (*row.reads, *row.writes)) or SCC in row.reads:
        return False
    is_masked = row.exec_mode is ExecMode.MASKED
    return is_masked or (row.exec_mode is ExecMode.SCALAR and EXEC not in row.reads)


def _read_only_with_exec(kernel: Kernel) -> frozenset[Register]:
    """The registers that only instructions read which combine them with EXEC."""
    alone: set[Register] = set()
    together: set[Register] = set()
    for block in kernel.blocks:
        for instr in block.code:
            used = instr.used()
            (together if EXEC in used and instr.row.exec_mode is ExecMode.SCALAR else alone).update(used)
        for edge in (*block.linear, *block.logical):
            alone.update(argument for argument in edge.arguments if isinstance(argument, Register))
    units = {unit for register in alone for unit in register.units}
    return frozenset(register for register in together if units.isdisjoint(register.units))


def _independent(code: Sequence[Instr]) -> int:
    """How many instructions after the first DPP step are in a block already that do not need it."""
    first = next((i for i, instr in enumerate(code) if instr.row.encoding is Encoding.DPP), None)
    if first is None:
        return 0
    tainted = {unit for register in code[first].defined() for unit in register.units}
    count = 0
    for instr in code[first + 1 :]:
        row = instr.row
        if row.events or not is_removable(row) or writes_exec(instr):
            continue
        if tainted.isdisjoint(units_of(instr.used())):
            count += 1
        else:
            tainted.update(units_of(instr.defined()))
    return count
