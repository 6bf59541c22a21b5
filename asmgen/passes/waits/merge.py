"""Waits for loads shortly after each other, merged into a single wait.

    s_waitcnt vmcnt(1)              s_waitcnt vmcnt(0)
    v_mov_b32 v4, v0                v_mov_b32 v4, v0
    s_waitcnt vmcnt(0)       is     v_mov_b32 v5, v1
    v_mov_b32 v5, v1

Results of loads that were issued together arrive together. Starting a few instructions earlier gains less
than the issue of the second wait costs, and less than pairs gain, which never form across a wait. Without
pairs only a single instruction may stand between: more of them are worth a wait, as each takes four clocks.
Stores between the waits, for which nothing in the wave waits, count like instructions that start earlier.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from isa.instruction import Instr, Row, Trait, Unit
from isa.program import Block, Kernel
from isa.waits import waited, waits_for

MOST_BETWEEN = 4  # instructions between the waits that wait longer after merging
MOST_WITHOUT_PAIRS = 1  # the same on targets without dual instructions


def merge_waits(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer waits."""
    return kernel.with_blocks([_merged(block, kernel) for block in kernel.blocks])


def _merged(block: Block, kernel: Kernel) -> Block:
    code = list(block.instructions)
    position = 0
    while position < len(code):
        later = _mergeable(code, position, kernel)
        if later is None:
            position += 1
            continue
        first, second = code[position], code.pop(later)
        before, after = waited(first), waited(second)
        counts = {name: min(count, after.get(name, count)) for name, count in before.items()}
        (wait,) = waits_for(kernel.table, counts, first.origin)
        comment = "; ".join(filter(None, (first.comment, second.comment)))
        code[position] = replace(wait.instr, comment=comment)
    return block.with_instructions(code)


def _mergeable(code: list[Instr], position: int, kernel: Kernel) -> int | None:
    """The next wait for the same counters that few instructions separate from a wait."""
    counters = waited(code[position])
    if not counters:
        return None
    most = MOST_BETWEEN if kernel.table.duals else MOST_WITHOUT_PAIRS
    for later in range(position + 1, min(position + most + 2, len(code))):
        after = waited(code[later])
        if after:
            return later if after.keys() <= counters.keys() else None
        if not _may_wait(code[later].row, kernel, counters.keys()):
            return None
    return None


def _may_wait(row: Row, kernel: Kernel, counters: Collection[str]) -> bool:
    """Whether an instruction may wait for later loads: an arithmetic instruction, or a store that the waits
    do not count."""
    if row.unit is Unit.VALU:
        return not row.events
    counted = [counter for counter in kernel.target.target.counters if counter.name in counters]
    is_store = row.unit in (Unit.VMEM, Unit.FLAT) and Trait.STORE in row.traits
    return is_store and not any(counter.events & set(row.events) for counter in counted)
