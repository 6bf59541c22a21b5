"""What lanes that wait at a block's logical edge will read, and which blocks the wave runs meanwhile.

A lane waits while the wave is between the two ends of a logical edge, and what it will read is live where the
edge ends. None waits where all lanes leave a block together, as in a loop that they make alike, nor do those
that are on where EXEC decides a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from isa.exec_use import reads_exec, writes_exec
from isa.instruction import Instr, Trait
from isa.program import Block, Kernel
from isa.registers import EXEC
from regalloc.liveness import Liveness
from regalloc.slots import is_vector_unit


def waiting_values(kernel: Kernel, liveness: Liveness) -> dict[int, set[int]]:
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
