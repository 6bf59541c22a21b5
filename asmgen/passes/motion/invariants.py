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
occupancy allows. All invariants move if their results have room; otherwise whole chains do, in order.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from asmgen.passes.combine.common import is_pure, only_result, reads_values, scc_awaited
from asmgen.passes.ssa import Rewriter, Site, constant, is_copy
from isa.instruction import ExecMode, Instr
from isa.named_tuple import NamedTuple
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
    return _Motion(kernel, max_vgprs, liveness_of).run()


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


_Room = dict[RegisterClass, int]
_NONE = Pressure(0, "", 0)


class _Invariant(NamedTuple):
    """An instruction that may leave a loop: its place in the kernel, and the block in which it is now."""

    block: int
    site: Site
    instr: Instr
    result: Register


class _Motion:
    def __init__(self, kernel: Kernel, max_vgprs: int | None, liveness_of: LivenessOf) -> None:
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
        self._liveness_of = liveness_of
        liveness = liveness_of(kernel)
        self._most = _most(kernel, max_vgprs, liveness)
        units = {file: liveness.pressure.get(file, _NONE).units for file in self._most}
        self._room: _Room = {file: most - units[file] for file, most in self._most.items()}
        self._readers = _readers(kernel)

    def run(self) -> Kernel:
        """Inner loops come first, so that an instruction that leaves an inner loop may leave the outer loop
        next."""
        moved = False
        for loop in reversed(self._rewriter.flow.linear.loops):
            before = self._before(loop)
            if before is not None:
                moved |= self._empty(loop, before)
        return self._with(self._code) if moved else self._kernel

    def _with(self, entries: Sequence[Sequence[tuple[Site, Instr]]]) -> Kernel:
        code = [[instr for _, instr in sites] for sites in entries]
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
        """Move the invariants out of a loop, as far as there is room. Returns whether any moved."""
        found = self._invariants(loop)
        left = self._left(found, before) or self._left_exactly(found, loop, before)
        if left is None:
            found, left = self._by_chains(found, before)
        self._room, self._code = left, self._moved(found, before)
        for invariant in found:
            self._note_moved(invariant, before)
        return bool(found)

    def _moved(self, invariants: Sequence[_Invariant], before: int) -> list[list[tuple[Site, Instr]]]:
        """The code with some invariants at the end of the block before a loop."""
        sites = {invariant.site for invariant in invariants}
        code = [[entry for entry in entries if entry[0] not in sites] for entries in self._code]
        code[before] += [(invariant.site, invariant.instr) for invariant in invariants]
        return code

    def _invariants(self, loop: Loop) -> list[_Invariant]:
        """The instructions that may leave a loop, each after those that it reads."""
        inside, made = set(loop.blocks), set[int]()
        found: list[_Invariant] = []
        for number in self._rewriter.flow.linear.order:
            for site, instr in self._code[number] if number in inside else ():
                result = self._result(site, instr)
                if result is not None and self._reads_outside(instr, inside, made):
                    found.append(_Invariant(number, site, instr, result))
                    made.update(result.units)
        return found

    def _by_chains(self, found: Sequence[_Invariant], before: int) -> tuple[list[_Invariant], _Room]:
        """Invariants, each with those that lead to it, as far as there is room; and the room that is left.
        First those that other instructions read: a part of such a chain takes as many registers as the
        whole."""
        made = {unit: invariant for invariant in found for unit in invariant.result.units}
        reads = _reads(found)
        sites, taken, room = set[Site](), list[_Invariant](), self._room
        for last in sorted(found, key=lambda each: not self._is_read_elsewhere(each.result, reads)):
            chain = sites | _chain(last, made)
            trial = [each for each in found if each.site in chain]
            left = self._left(trial, before) if len(chain) > len(sites) else None
            if left is not None:
                sites, taken, room = chain, trial, left
        return taken, room

    def _result(self, site: Site, instr: Instr) -> Register | None:
        """The result of an instruction that may leave a loop if its operands do; None if it may not."""
        result = only_result(instr)
        if (
            result is None
            or site in self._scc_reads
            or instr.phase
            or not is_pure(instr)
            or not reads_values(instr, self._rewriter)
        ):
            return None
        if self._rewriter.is_part(result) or (is_copy(instr) and constant(instr.operands[1]) is not None):
            return None
        register_class = self._kernel.register_class(result)
        is_mask = instr.row.exec_mode is ExecMode.MASKED and register_class is not RegisterClass.VGPR
        return None if is_mask else result

    def _reads_outside(self, instr: Instr, inside: set[int], made: set[int]) -> bool:
        """Whether the operands are defined outside of a loop, or by invariants."""
        sources = [
            operand
            for i in instr.row.uses
            if isinstance(operand := instr.operands[i], Register) and operand.is_virtual
        ]
        return all(unit in made or self._home[unit] not in inside for each in sources for unit in each.units)

    def _left(self, moved: Sequence[_Invariant], before: int) -> _Room | None:
        """The room if the results of some invariants are live in the loop; None if there is not enough."""
        left = dict(self._room)
        for file, count in self._more_live(moved, before).items():
            left[file] = left.get(file, 0) - count
            if count > 0 and left[file] < 0:
                return None
        return left

    def _left_exactly(self, moved: Sequence[_Invariant], loop: Loop, before: int) -> _Room | None:
        """As `_left`, by the liveness of the kernel with the invariants moved. `_more_live` also counts
        results that are read after the loop, which are live in the loop anyway."""
        around = {*loop.blocks, before}
        units = {unit for each in moved for unit in each.result.units}
        if not any(number not in around for unit in units for number in self._readers.get(unit, {})):
            return None
        pressure = self._liveness_of(self._with(self._moved(moved, before))).pressure
        left = {file: most - pressure.get(file, _NONE).units for file, most in self._most.items()}
        return left if all(count >= min(0, self._room[file]) for file, count in left.items()) else None

    def _more_live(self, moved: Sequence[_Invariant], before: int) -> _Room:
        """By class, how many more registers are live in the loop if some invariants move before it. A value
        of the block before that only they read is not live in the loop any more."""
        reads, more = _reads(moved), _Room()
        for invariant in moved:
            result = invariant.result
            if self._is_read_elsewhere(result, reads):
                file = self._kernel.register_class(result)
                more[file] = more.get(file, 0) + result.count
        for unit, count in reads.items():
            readers = self._readers[unit]
            if self._home.get(unit) == before and sum(readers.values()) - readers.get(before, 0) == count:
                file = self._kernel.register_class(Register(unit))
                more[file] = more.get(file, 0) - 1
        return more

    def _is_read_elsewhere(self, result: Register, reads: Mapping[int, int]) -> bool:
        """Whether an instruction reads a result beside the `reads` of it."""
        return any(sum(self._readers.get(unit, {}).values()) > reads.get(unit, 0) for unit in result.units)

    def _note_moved(self, invariant: _Invariant, before: int) -> None:
        self._home.update((unit, before) for unit in invariant.result.units)
        for unit in set(invariant.instr.units.read):
            readers = self._readers[unit]
            readers[invariant.block] -= 1
            readers[before] = readers.get(before, 0) + 1


def _reads(invariants: Sequence[_Invariant]) -> Counter[int]:
    """By virtual unit, how many invariants read it."""
    units = [unit for each in invariants for unit in set(each.instr.units.read)]
    return Counter([unit for unit in units if unit >= FIRST_VIRTUAL])


def _chain(last: _Invariant, made: Mapping[int, _Invariant]) -> set[Site]:
    """The sites of an invariant and of those that lead to it."""
    pending, chain = [last], set[Site]()
    while pending:
        invariant = pending.pop()
        if invariant.site not in chain:
            chain.add(invariant.site)
            pending += [made[unit] for unit in set(invariant.instr.units.read) if unit in made]
    return chain


def _readers(kernel: Kernel) -> dict[int, dict[int, int]]:
    """By unit, how many instructions of each block read it; the edges of a block count as a single
    instruction."""
    found: dict[int, dict[int, int]] = {}
    for number, block in enumerate(kernel.blocks):
        edges = (*block.linear, *block.logical)
        passed = tracked_units([argument for edge in edges for argument in edge.arguments])
        read = [set(units) for units in (*[instr.units.read for instr in block.code], passed)]
        for unit, count in Counter(unit for units in read for unit in units).items():
            found.setdefault(unit, {})[number] = count
    return found


def _only_entry(graph: FlowGraph, loop: Loop) -> int | None:
    entering = [block for block in graph.predecessors[loop.header] if block not in loop.blocks]
    return entering[0] if len(entering) == 1 and len(graph.successors[entering[0]]) == 1 else None


def _most(kernel: Kernel, max_vgprs: int | None, liveness: Liveness) -> _Room:
    """How many registers of a class may be live without taking a wave of the kernel's occupancy.

    If VGPRs are short, loops carry their accumulators in AGPRs."""
    pressure = liveness.pressure
    target = kernel.target.target
    x, y, z = kernel.workgroup
    vgprs, agprs, sgprs = (
        pressure.get(file, _NONE).units
        for file in (RegisterClass.VGPR, RegisterClass.AGPR, RegisterClass.SGPR)
    )

    def waves(count: int) -> int:
        return target.occupancy(count + agprs, sgprs, kernel.lds_bytes, x * y * z)

    budget = (target.arch_vgprs if max_vgprs is None else max_vgprs) - agprs
    if target.has_agprs and vgprs > budget - SPARE_VGPRS:
        budget += carried_accumulators(kernel, liveness)
    wanted, larger = waves(max(vgprs, 1)), range(vgprs + 1, budget - SPARE_VGPRS + 1)
    free = bisect(larger, False, key=lambda count: waves(count) < wanted)  # more registers, fewer waves
    return {RegisterClass.VGPR: vgprs + free, RegisterClass.SGPR: MOST_SGPRS}
