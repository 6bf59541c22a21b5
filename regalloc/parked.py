"""Which values a write that ignores EXEC would destroy in lanes that are switched off.

A lane that is off keeps its registers until the wave comes round to it. A write under EXEC leaves them alone,
so logical liveness, which is what the running lanes see, is enough for it. A write that ignores EXEC
(`ExecMode.IGNORED`) is not stopped: it must stay off every vector unit that a waiting lane will read.

A lane waits while the wave is between the two ends of a logical edge, and what it will read is live where the
edge ends. None waits where all lanes leave a block together, as in a loop that they make alike, nor do those
that are on where EXEC decides a branch. In blocks that are between no such ends a write destroys nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from isa.exec_use import reads_exec, writes_exec
from isa.instruction import ExecMode, Instr, Trait
from isa.program import Block, Kernel
from isa.registers import EXEC
from regalloc.lane_values import changes_exec
from regalloc.liveness import Liveness
from regalloc.slots import is_vector_unit, register_units


def parked_values(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> dict[int, set[int]]:
    """For units written whatever EXEC says and units parked there: each other, both ways.

    Copies of `lanes`, the values of `regalloc.lane_values`, are such writes too. Empty where no such write
    exists, or where EXEC never changes: then no lane that holds a value is ever off.
    """
    if not changes_exec(kernel):
        return {}
    waiting = _waiting_values(kernel, liveness)
    parked: dict[int, set[int]] = {}
    for number, written in _ignoring_writes(kernel, liveness, lanes):
        for unit in sorted(written):
            for other in sorted(waiting.get(number, set()) - {unit}):
                parked.setdefault(unit, set()).add(other)
                parked.setdefault(other, set()).add(unit)
    return parked


def _waiting_values(kernel: Kernel, liveness: Liveness) -> dict[int, set[int]]:
    """For every block that the wave may run while a lane waits at another, what such lanes will read."""
    flow = liveness.flow
    found: dict[int, set[int]] = {}
    for number, block in enumerate(kernel.blocks):
        whole, own = flow.linear.successors[number], flow.logical.successors[number]
        if set(whole) == set(own) and not _narrows(block):
            continue
        for target in own:
            if kernel.blocks[target].label != _running(block):
                after = _reached(flow.linear.successors, number, target)
                values = _entering_lanes(kernel, liveness, target)
                for between in after & _reached(flow.linear.predecessors, target, target):
                    found.setdefault(between, set()).update(values)
    return found


def _entering_lanes(kernel: Kernel, liveness: Liveness, number: int) -> set[int]:
    """The vector units that hold something for a lane that is about to enter a block."""
    entering = set(liveness.entering(number)).union(liveness.slots[number].parameters)
    return {unit for unit in entering if is_vector_unit(kernel, unit)}


def _narrows(block: Block) -> bool:
    """Whether a block changes EXEC but for a restoring move at its head: it may leave lanes off."""
    head = list(takewhile(_restores, block.instructions))
    return any(writes_exec(instr) for instr in block.instructions[len(head) :])


def _restores(instr: Instr) -> bool:
    return writes_exec(instr) and not reads_exec(instr)


def _running(block: Block) -> str:
    """Where a branch by EXEC has the lanes that are on go: the wave goes there if there are any."""
    branch = block.terminator
    if branch is None or EXEC not in branch.row.reads or Trait.CONDITIONAL_BRANCH not in branch.row.traits:
        return ""
    taken, other = block.linear
    return (other if Trait.ZERO in branch.row.traits else taken).target


def _reached(edges: Sequence[Sequence[int]], start: int, end: int) -> set[int]:
    """The blocks that edges reach from `start`, which is one of them if they come back, without `end`."""
    seen: set[int] = set()
    pending = [block for block in edges[start] if block != end]
    while pending:
        block = pending.pop()
        if block not in seen:
            seen.add(block)
            pending += [following for following in edges[block] if following != end]
    return seen


def _ignoring_writes(kernel: Kernel, liveness: Liveness, lanes: set[int]) -> list[tuple[int, set[int]]]:
    """The block and the vector units of every write that ignores EXEC."""
    writes: list[tuple[int, set[int]]] = []
    for number, block in enumerate(kernel.blocks):
        for instr in block.instructions:
            if instr.row.exec_mode is ExecMode.IGNORED:
                written = _vectors(kernel, register_units(instr.operands[i] for i in instr.row.defines))
                if written:
                    writes.append((number, written))
        passed = lanes.intersection(_parameters(kernel, liveness, number))
        if passed:
            writes.append((number, passed))
    return writes


def _parameters(kernel: Kernel, liveness: Liveness, number: int) -> tuple[int, ...]:
    """The vector parameters that the copies at the end of a block write."""
    targets = (kernel.blocks[liveness.flow.index[edge.target]] for edge in kernel.blocks[number].logical)
    return register_units(register for target in targets for register in target.vector_parameters)


def _vectors(kernel: Kernel, units: tuple[int, ...]) -> set[int]:
    return {unit for unit in units if is_vector_unit(kernel, unit)}
