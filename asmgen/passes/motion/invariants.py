"""Loop-invariant code motion on SSA: a computation with the same result in every trip of a loop moves before
it.

    before:                                     before: v_lshlrev_b32 %row, 4, %lane
    loop:   v_lshlrev_b32 %row, 4, %lane   is   loop:   v_add_u32 %at, %row, %i
            v_add_u32 %at, %row, %i

An instruction moves to the end of the block that enters the loop if all of these are true:

- it has no effect but its results, and its SCC is not read;
- its operands are defined before the loop;
- it is not a constant: selection has put these before the loop as far as there is room;
- it is not a part of a tuple, which would have to be moved in the loop anyway;
- its result is not a lane mask, which has zeros outside of EXEC. The entering block has every lane of the
  loop in EXEC, so a VGPR is the same there.

A result computed before a loop occupies its register throughout the loop. No more VGPRs are taken than the
occupancy allows.
"""

from __future__ import annotations

from itertools import islice

from asmgen.passes.combine.common import is_pure, only_result, reads_values, scc_awaited
from asmgen.passes.ssa import Rewriter, Site, constant, is_copy
from isa.instruction import ExecMode, Instr
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass, tracked_units
from regalloc.cfg import ControlFlow, FlowGraph, Loop, build_control_flow
from regalloc.files.choose import carried_accumulators
from regalloc.flags import scc_live_out
from regalloc.liveness import Liveness, LivenessOf, Pressure, compute_liveness

SPARE_VGPRS = 16  # that allocation may lose to gaps between tuples
MOST_SGPRS = 64  # SGPRs that are live at once; beyond that nothing more is made before a loop


def move_invariants(
    kernel: Kernel, max_vgprs: int | None = None, liveness_of: LivenessOf = compute_liveness
) -> Kernel:
    """An equivalent kernel in SSA with less repeated work in loops.

    `max_vgprs` is the number of VGPRs that allocation may take, the target's maximum by default.
    """
    flow = _flow_with_loops(kernel)
    if flow is None or not any(_has_candidate(kernel, loop) for loop in flow.linear.loops):
        return kernel
    return _Motion(kernel, max_vgprs, liveness_of(kernel)).run()


def _flow_with_loops(kernel: Kernel) -> ControlFlow | None:
    number = {block.label: i for i, block in enumerate(kernel.blocks)}
    goes_back = any(
        number[edge.target] <= i for i, block in enumerate(kernel.blocks) for edge in block.linear
    )
    return build_control_flow(kernel) if goes_back else None


def _has_candidate(kernel: Kernel, loop: Loop) -> bool:
    """Whether an instruction of the loop reads nothing that is defined in it. Most kernels are done after
    this quick look.
    """
    blocks = [kernel.blocks[number] for number in loop.blocks]
    inside = set[int]()
    for block in blocks:
        inside.update(tracked_units((*block.scalar_parameters, *block.vector_parameters)))
        inside.update(*[instr.units.written for instr in block.instructions])
    return any(
        is_pure(instr) and _reads_nothing_of(inside, instr)
        for block in blocks
        for instr in block.instructions
    )


def _reads_nothing_of(units: set[int], instr: Instr) -> bool:
    operands = instr.operands
    return not any(
        isinstance(o := operands[i], Register) and not units.isdisjoint(o.units) for i in instr.row.uses
    )


class _Motion:
    def __init__(self, kernel: Kernel, max_vgprs: int | None, liveness: Liveness) -> None:
        self._kernel = kernel
        self._rewriter = Rewriter(kernel)
        self._scc_leaves = scc_live_out(kernel)
        self._scc_reads = scc_awaited(self._rewriter)
        sites = self._rewriter.sites()
        self._code = [list(islice(sites, len(block.instructions))) for block in kernel.blocks]
        self._home = {unit: site.block for unit, site in self._rewriter.definitions.items()}
        for number, block in enumerate(kernel.blocks):
            for parameter in (*block.scalar_parameters, *block.vector_parameters):
                self._home.update((unit, number) for unit in parameter.units)
        self._room = _room(kernel, max_vgprs, liveness)
        self._readers = _readers(kernel)

    def run(self) -> Kernel:
        """Inner loops come first, so that an instruction that leaves an inner loop may leave the outer loop
        next."""
        moved = False
        for loop in reversed(self._rewriter.flow.linear.loops):
            before = self._before(loop)
            if before is not None:
                moved |= self._empty(loop, before)
        if not moved:
            return self._kernel
        code = [[instr for _, instr in sites] for sites in self._code]
        return self._kernel.with_blocks(
            [block.with_instructions(new) for block, new in zip(self._kernel.blocks, code, strict=True)]
        )

    def _before(self, loop: Loop) -> int | None:
        """The block that alone enters the loop, along both kinds of edge, and leads nowhere else."""
        flow = self._rewriter.flow
        entering = [_only_entry(graph, loop) for graph in (flow.linear, flow.logical)]
        block = entering[0]
        if (
            block is None
            or entering[1] != block
            or self._kernel.blocks[block].terminator is not None
            or self._scc_leaves[block]
        ):
            return None
        return block

    def _empty(self, loop: Loop, before: int) -> bool:
        """Move the invariants out of a loop. Returns whether any moved."""
        inside = set(loop.blocks)
        count = len(self._code[before])
        for number in self._rewriter.flow.linear.order:
            if number not in inside:
                continue
            kept: list[tuple[Site, Instr]] = []
            for site, instr in self._code[number]:
                if self._may_leave(site, instr, inside) and self._has_room(instr, number, before):
                    self._move(instr, number, before)
                    self._code[before].append((site, instr))
                else:
                    kept.append((site, instr))
            self._code[number] = kept
        return len(self._code[before]) > count

    def _may_leave(self, site: Site, instr: Instr, inside: set[int]) -> bool:
        result = only_result(instr)
        if (
            result is None
            or site in self._scc_reads
            or instr.phase
            or not is_pure(instr)
            or not reads_values(instr, self._rewriter)
        ):
            return False
        if self._rewriter.is_part(result) or (is_copy(instr) and constant(instr.operands[1]) is not None):
            return False
        register_class = self._kernel.register_class(result)
        if instr.row.exec_mode is ExecMode.MASKED and register_class is not RegisterClass.VGPR:
            return False
        sources = [
            operand
            for i in instr.row.uses
            if isinstance(operand := instr.operands[i], Register) and operand.is_virtual
        ]
        return all(self._home[unit] not in inside for source in sources for unit in source.units)

    def _has_room(self, instr: Instr, block: int, before: int) -> bool:
        """Whether the result of an instruction of a block may be live in the loop."""
        result = only_result(instr)
        assert result is not None
        register_class = self._kernel.register_class(result)
        freed = [unit for unit in self._freed(instr, block, before) if self._class(unit) is register_class]
        return self._room.get(register_class, 0) + len(freed) >= result.count

    def _freed(self, instr: Instr, block: int, before: int) -> list[int]:
        """The units that are not live in the loop any more if an instruction of a block moves."""
        read = [unit for unit in set(instr.units.read) if unit >= FIRST_VIRTUAL]
        return [unit for unit in read if self._home[unit] == before and self._is_last(unit, block, before)]

    def _is_last(self, unit: int, block: int, before: int) -> bool:
        """Whether nothing outside of `before` reads a unit but an instruction of the block."""
        left = sum(count for number, count in self._readers[unit].items() if number != before)
        return left == 1 and self._readers[unit].get(block, 0) == 1

    def _class(self, unit: int) -> RegisterClass:
        return self._kernel.register_class(Register(unit))

    def _move(self, instr: Instr, block: int, before: int) -> None:
        """The result takes a register in the loop. A value that only moved instructions read is not live in
        the loop any more."""
        result = only_result(instr)
        assert result is not None
        self._room[self._kernel.register_class(result)] -= result.count
        for unit in self._freed(instr, block, before):
            self._room[self._class(unit)] += 1
        self._home.update((unit, before) for unit in result.units)
        for unit in set(instr.units.read):
            readers = self._readers[unit]
            readers[block] -= 1
            readers[before] = readers.get(before, 0) + 1


def _readers(kernel: Kernel) -> dict[int, dict[int, int]]:
    """By unit, how many instructions of each block read it; the edges of a block count as one."""
    found: dict[int, dict[int, int]] = {}
    for number, block in enumerate(kernel.blocks):
        edges = (*block.linear, *block.logical)
        passed = tracked_units([argument for edge in edges for argument in edge.arguments])
        for units in (*[instr.units.read for instr in block.code], passed):
            for unit in set(units):
                readers = found.setdefault(unit, {})
                readers[number] = readers.get(number, 0) + 1
    return found


def _only_entry(graph: FlowGraph, loop: Loop) -> int | None:
    entering = [block for block in graph.predecessors[loop.header] if block not in loop.blocks]
    return entering[0] if len(entering) == 1 and len(graph.successors[entering[0]]) == 1 else None


def _room(kernel: Kernel, max_vgprs: int | None, liveness: Liveness) -> dict[RegisterClass, int]:
    """How many more registers of a class may be live without taking a wave of the kernel's occupancy.

    If VGPRs are short, loops carry their accumulators in AGPRs."""
    pressure = liveness.pressure
    target = kernel.target.target
    x, y, z = kernel.workgroup
    vgprs, agprs, sgprs = (
        pressure.get(file, Pressure(0, "", 0)).units
        for file in (RegisterClass.VGPR, RegisterClass.AGPR, RegisterClass.SGPR)
    )

    def waves(count: int) -> int:
        return target.occupancy(count + agprs, sgprs, kernel.lds_bytes, x * y * z)

    budget = (target.arch_vgprs if max_vgprs is None else max_vgprs) - agprs
    if target.has_agprs and vgprs > budget - SPARE_VGPRS:
        budget += carried_accumulators(kernel, liveness)
    most = vgprs
    while most < budget - SPARE_VGPRS and waves(most + 1) == waves(max(vgprs, 1)):
        most += 1
    return {RegisterClass.VGPR: most - vgprs, RegisterClass.SGPR: MOST_SGPRS - sgprs}
