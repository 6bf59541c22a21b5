"""Writes of EXEC that the next write replaces before an instruction runs under them.

The block of the lanes that are off in a branch begins with such a write: if the values of both sides have the
same registers, nothing else is in the block, and the branch ends with the write of all lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from isa.instruction import Instr, Unit
from isa.lane_masks import reads_exec, writes_exec
from isa.program import Block
from isa.registers import EXEC, SCC
from regalloc.flags import reads_scc, scc_is_read_first

_EXEC_UNITS = frozenset(EXEC.units)


def without_dead_masks(blocks: Sequence[Block], awaited: Sequence[bool]) -> list[Block]:
    """Blocks without writes of EXEC under which nothing runs; `awaited` says for each whether SCC is read
    after it."""
    return [
        block.with_instructions(_without_dead(block.instructions, scc_is_awaited))
        for block, scc_is_awaited in zip(blocks, awaited, strict=True)
    ]


def _without_dead(code: Sequence[Instr], scc_is_awaited: bool) -> list[Instr]:
    return [
        instr
        for place, instr in enumerate(code)
        if not writes_exec(instr) or not _is_dead(instr, code[place + 1 :], scc_is_awaited)
    ]


def _is_dead(instr: Instr, following: Sequence[Instr], scc_is_awaited: bool) -> bool:
    written = {unit for register in instr.defined() if register != SCC for unit in register.units}
    if not written <= _EXEC_UNITS or not _is_overwritten(written, following):
        return False
    if not instr.units.writes_scc:
        return True
    is_read = scc_is_read_first(following)
    passes = not any(reads_scc(other) or other.units.writes_scc for other in following)
    return not is_read and not (passes and scc_is_awaited)


def _is_overwritten(written: set[int], following: Sequence[Instr]) -> bool:
    """Whether only scalar instructions come before EXEC is written again as a whole, and none reads it."""
    for instr in following:
        if instr.row.unit is not Unit.SALU or reads_exec(instr):
            return False
        if writes_exec(instr):
            return written <= set(instr.units.written)
    return False
