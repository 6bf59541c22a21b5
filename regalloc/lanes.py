"""Values in lanes that EXEC switches off, and the writes that would destroy them.

A lane waits while the wave is between the two ends of a logical edge. It will read the values that are live
at the target of the edge. No lane waits if all lanes leave a block together, as in a loop with the same trip
count for all lanes. A branch on EXEC leaves no active lane waiting.

A lane that is off keeps its registers. A write under EXEC leaves them alone, so logical liveness suffices for
it. A write that ignores EXEC (`ExecMode.IGNORED`) writes every lane, so its register must not be the register
of any vector unit that a waiting lane will read. A copy of such a result must be made under a full EXEC: the
result is a *lane value*. A parameter is a lane value if any of its arguments is a lane value, unless lanes
with different arguments arrive at different times: a copy in every lane would destroy the arguments of the
lanes that arrived first.
"""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from itertools import takewhile

from isa.instruction import ExecMode, Instr, Trait
from isa.lane_masks import reads_exec, writes_exec
from isa.program import Block, Kernel
from isa.registers import EXEC, Register, tracked_units
from regalloc.cfg import ControlFlow, FlowGraph
from regalloc.liveness import Liveness
from regalloc.slots import VECTOR_CLASSES, is_vector_unit


def waiting_values(kernel: Kernel, liveness: Liveness, asked: Set[int]) -> dict[int, set[int]]:
    """For each of the `asked` blocks that the wave may run while a lane waits elsewhere, the values that such
    lanes will read."""
    flow = liveness.flow
    waiting: dict[int, set[int]] = {}
    for number, block in enumerate(kernel.blocks):
        whole, own = flow.linear.successors[number], flow.logical.successors[number]
        if set(whole) == set(own) and not _narrows(block):
            continue
        for target in own:
            if kernel.blocks[target].label != _running(block):
                run = asked & between(flow.linear, number, target)
                values = _entering_lanes(kernel, liveness, target) if run else set[int]()
                for passed in run:
                    waiting.setdefault(passed, set()).update(values)
    return waiting


def _entering_lanes(kernel: Kernel, liveness: Liveness, number: int) -> set[int]:
    """The vector units with a value for a lane that is about to enter a block."""
    return {*liveness.lanes_entering(number), *_vectors(kernel, liveness.slots[number].parameters)}


def _narrows(block: Block) -> bool:
    """Whether a block changes EXEC but for a restoring move at its head: it may leave lanes off."""
    head = list(takewhile(_restores, block.instructions))
    return any(writes_exec(instr) for instr in block.instructions[len(head) :])


def _restores(instr: Instr) -> bool:
    return writes_exec(instr) and not reads_exec(instr)


def _running(block: Block) -> str:
    """The target to which a branch on EXEC sends the wave if any lane is on."""
    branch = block.terminator
    if branch is None or EXEC not in branch.row.reads or Trait.CONDITIONAL_BRANCH not in branch.row.traits:
        return ""
    taken, other = block.linear
    return (other if Trait.ZERO in branch.row.traits else taken).target


def between(graph: FlowGraph, start: int, end: int) -> set[int]:
    """The blocks of paths from `start` to `end`, without both; `start` itself only if a path returns to it.

    The blocks that reach `end` are looked for among those after `start`: these are few if the wave runs `end`
    next in any case."""
    after = _reached(graph.successors, start, end, range(len(graph.successors)))
    return _reached(graph.predecessors, end, end, after) if after else after


def _reached(edges: Sequence[Sequence[int]], start: int, end: int, within: Container[int]) -> set[int]:
    """Those of the blocks `within` that paths of them reach from `start` without passing `end`."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        for block in edges[pending.pop()]:
            if block != end and block not in seen and block in within:
                seen.add(block)
                pending.append(block)
    return seen


def changes_exec(kernel: Kernel) -> bool:
    """Whether any instruction writes EXEC. If not, no lane with a value is ever off."""
    return any(writes_exec(instr) for block in kernel.blocks for instr in block.instructions)


def lane_values(kernel: Kernel, liveness: Liveness) -> set[int]:
    """The vector units with separate values in lanes that are off; empty if EXEC is full throughout."""
    if not changes_exec(kernel) and kernel.fills_waves:
        return set()
    values: set[int] = set()
    for block in kernel.blocks:
        for instr in block.instructions:
            if instr.row.exec_mode is ExecMode.IGNORED:
                for index in instr.row.defines:
                    result = instr.operands[index]
                    if isinstance(result, Register) and kernel.register_class(result) in VECTOR_CLASSES:
                        values.update(result.units)
    apart = mixed_parameters(kernel, liveness) if values else set[int]()
    while values:
        added = _passed_on(kernel, liveness.flow, values) - values - apart
        if not added:
            break
        values |= added
    return values


def mixed_parameters(kernel: Kernel, liveness: Liveness) -> set[int]:
    """The parameter units that a block passes on while waiting lanes already have their value from another
    block."""
    passing = {
        number for number, block in enumerate(kernel.blocks) if any(edge.arguments for edge in block.logical)
    }
    waiting = waiting_values(kernel, liveness, passing)
    return {
        unit
        for number, values in waiting.items()
        for target in liveness.flow.logical.successors[number]
        for unit in liveness.slots[target].parameters
        if unit in values
    }


def _passed_on(kernel: Kernel, flow: ControlFlow, values: set[int]) -> set[int]:
    """The parameter units that receive any of the values."""
    return {
        unit
        for block in kernel.blocks
        for edge in block.logical
        for parameter, argument in zip(
            kernel.blocks[flow.index[edge.target]].vector_parameters, edge.arguments, strict=True
        )
        if isinstance(argument, Register)
        for unit, value in zip(parameter.units, argument.units, strict=True)
        if value in values
    }


def parked_values(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> dict[int, set[int]]:
    """Each unit that is written regardless of EXEC, with the units parked in waiting lanes there, both ways.

    Copies of `lanes`, the result of `lane_values`, are such writes too. The result is empty if there is no
    such write, or if EXEC never changes: then no lane with a value is ever off.
    """
    writes = _ignoring_writes(kernel, liveness, lanes) if changes_exec(kernel) else []
    if not writes:
        return {}
    waiting = waiting_values(kernel, liveness, {number for number, _ in writes})
    parked: dict[int, set[int]] = {}
    for number, written in writes:
        for unit in sorted(written):
            for other in sorted(waiting.get(number, set()) - {unit}):
                parked.setdefault(unit, set()).add(other)
                parked.setdefault(other, set()).add(unit)
    return parked


def _ignoring_writes(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> list[tuple[int, set[int]]]:
    """The block and the vector units of every write that ignores EXEC."""
    writes: list[tuple[int, set[int]]] = []
    for number, block in enumerate(kernel.blocks):
        for instr in block.instructions:
            if instr.row.exec_mode is ExecMode.IGNORED:
                written = _vectors(kernel, tracked_units(instr.operands[i] for i in instr.row.defines))
                if written:
                    writes.append((number, written))
        passed = lanes.intersection(_parameters(kernel, liveness, number))
        if passed:
            writes.append((number, passed))
    return writes


def _parameters(kernel: Kernel, liveness: Liveness, number: int) -> tuple[int, ...]:
    """The vector parameters that the copies at the end of a block write."""
    targets = (kernel.blocks[liveness.flow.index[edge.target]] for edge in kernel.blocks[number].logical)
    return tracked_units(register for target in targets for register in target.vector_parameters)


def _vectors(kernel: Kernel, units: tuple[int, ...]) -> set[int]:
    return {unit for unit in units if is_vector_unit(kernel, unit)}
