"""The lanes that are off, for the checker; computed independently of the allocator."""

from __future__ import annotations

from collections.abc import Sequence

from isa.instruction import ExecMode, Immediate, Trait
from isa.lane_masks import reads_exec, writes_exec
from isa.program import Block, Kernel
from isa.registers import EXEC, FIRST_VGPR, Register, RegisterClass
from regalloc.allocation import COPY_ORIGIN
from regalloc.cfg import ControlFlow
from regalloc.lanes import mixed_parameters
from regalloc.liveness import compute_liveness

BRANCHES = 2  # edges of a conditional branch: taken and not taken


def is_vector(kernel: Kernel, unit: int) -> bool:
    """Whether a unit of the original program belongs to lanes rather than to the wave."""
    return kernel.register_class(Register(unit)) in (RegisterClass.VGPR, RegisterClass.AGPR)


def parked_writes(kernel: Kernel, rewritten: Kernel, flow: ControlFlow) -> dict[tuple[int, int], set[int]]:
    """For each logical edge, the vector units that EXEC-ignoring writes destroy while a lane waits on it.

    A lane that goes from block a to block c waits while the wave runs the blocks between them: those that
    linear edges reach from the end of a without entering c, and from which they reach c. No lane waits if all
    lanes leave a block together. A branch on EXEC leaves no active lane waiting.
    """
    clobbers = [_ignoring_writes(block) for block in rewritten.blocks]
    if not any(clobbers):
        return {}
    parked: dict[tuple[int, int], set[int]] = {}
    for before, targets in enumerate(flow.logical.successors):
        block = kernel.blocks[before]
        if set(targets) == set(flow.linear.successors[before]) and not _parts_lanes(block):
            continue
        for target in set(targets) - _entered_at_once(block, flow):
            after = _reach(flow.linear.successors, flow.linear.successors[before], target)
            if not any(clobbers[block] for block in after):
                continue
            ahead = _reach(flow.linear.predecessors, flow.linear.predecessors[target], target)
            parked[before, target] = set[int]().union(*(clobbers[block] for block in sorted(after & ahead)))
    return parked


def _ignoring_writes(block: Block) -> set[int]:
    """The vector units that a rewritten block writes whatever EXEC was: by such instructions, or by copies
    under a widened EXEC."""
    units: set[int] = set()
    widened = False
    for instr in block.instructions:
        if instr.origin == COPY_ORIGIN and EXEC in instr.operands[:1]:
            widened = isinstance(instr.operands[1], Immediate)
        elif widened or instr.row.exec_mode is ExecMode.IGNORED:
            for index in instr.row.defines:
                register = instr.operands[index]
                if isinstance(register, Register):
                    units.update(unit for unit in register.units if unit >= FIRST_VGPR)
    return units


def changes_exec(kernel: Kernel) -> bool:
    """Whether some instruction writes EXEC."""
    return any(writes_exec(instr) for block in kernel.blocks for instr in block.instructions)


def _parts_lanes(block: Block) -> bool:
    """Whether lanes that were on at the start of a block are off at its end: it writes EXEC, other than by a
    move of an earlier mask at its head, which activates lanes from elsewhere. Scalar instructions may come
    before the move."""
    at_head, computed = True, set[int]()
    for instr in block.instructions:
        if writes_exec(instr):
            if reads_exec(instr) or not at_head or not computed.isdisjoint(instr.units.read):
                return True
        else:
            at_head = at_head and instr.row.exec_mode is ExecMode.SCALAR
            computed.update(instr.units.written)
    return False


def _entered_at_once(block: Block, flow: ControlFlow) -> set[int]:
    """The block to which a branch that EXEC decides takes the lanes that are on."""
    branch = block.terminator
    if branch is None or EXEC not in branch.row.reads or len(block.linear) != BRANCHES:
        return set()
    return {flow.index[block.linear[Trait.ZERO in branch.row.traits].target]}


def lane_values(kernel: Kernel, flow: ControlFlow) -> set[int]:
    """The vector values that are present in lanes that are off: results that ignore EXEC, and parameters that
    may be such values (`regalloc.lanes` names the exceptions). They matter only if some lanes may be off."""
    values = {
        unit
        for block in kernel.blocks
        for instr in block.instructions
        if instr.row.exec_mode is ExecMode.IGNORED
        for index in instr.row.defines
        if isinstance(register := instr.operands[index], Register)
        for unit in register.units
        if is_vector(kernel, unit)
    }
    if not values:
        return values
    apart = mixed_parameters(kernel, compute_liveness(kernel, flow))
    edges = [
        (kernel.blocks[flow.index[edge.target]], edge) for block in kernel.blocks for edge in block.logical
    ]
    size = -1
    while size != len(values):
        size = len(values)
        for target, edge in edges:
            for parameter, argument in zip(target.vector_parameters, edge.arguments, strict=True):
                if isinstance(argument, Register):
                    values.update(
                        unit
                        for unit, value in zip(parameter.units, argument.units, strict=True)
                        if value in values and unit not in apart
                    )
    return values


def _reach(edges: Sequence[Sequence[int]], starts: Sequence[int], barrier: int) -> set[int]:
    """The blocks that edges reach from `starts` without passing through `barrier`."""
    seen: set[int] = set()
    pending = [block for block in starts if block != barrier]
    while pending:
        block = pending.pop()
        if block not in seen:
            seen.add(block)
            pending += [target for target in edges[block] if target != barrier and target not in seen]
    return seen
