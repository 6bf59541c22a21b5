"""Scratch accesses and spill code by source line.

Spill code has no source line of its own. A reload belongs to the line of the next instruction that has a
line, a store to that of the last instruction before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.report.model import SpillLine
from isa.instruction import Instr, Trait, Unit
from isa.program import Kernel
from isa.registers import Register
from regalloc.allocation import RELOAD, SPILL
from regalloc.cfg import build_control_flow

_BUFFER_ROLE = "private_segment_buffer"  # the resource of scratch on targets without scratch instructions
_TRIPS = 10  # of a loop, for the cost


def spill_lines(kernel: Kernel) -> tuple[SpillLine, ...]:
    """The source lines of instructions that access scratch or are spill code, the most expensive first."""
    scratch = dict(kernel.abi.entry).get(_BUFFER_ROLE)
    depths = build_control_flow(kernel).linear.depths
    lines: dict[str, SpillLine] = {}
    for block, depth in zip(kernel.blocks, depths, strict=True):
        code = block.code
        for index, instr in enumerate(code):
            is_access = _accesses_scratch(instr, scratch)
            if not is_access and not _is_move(instr):
                continue
            place = _place(code, index)
            line = lines.get(place) or SpillLine(place, 0, 0, 0, 0, 0, 0)
            is_store = is_access and Trait.STORE in instr.row.traits
            lines[place] = SpillLine(
                place, line.stores + is_store, line.loads + (is_access and not is_store),
                line.moves + (not is_access), line.bytes + is_access * instr.row.memory_bytes,
                max(line.depth, depth), line.cost + _TRIPS**depth,
            )  # fmt: skip
    return tuple(sorted(lines.values(), key=lambda line: (-line.cost, line.place)))


def _accesses_scratch(instr: Instr, scratch: Register | None) -> bool:
    if instr.row.traits.isdisjoint((Trait.LOAD, Trait.STORE)):
        return False
    return instr.row.unit is Unit.SCRATCH or (scratch is not None and scratch in instr.operands)


def _is_move(instr: Instr) -> bool:
    """Whether an instruction is spill code without memory: a copy to a spare register or to a lane, or a
    value that is made again."""
    return instr.origin in (SPILL, RELOAD) and instr.row.unit in (Unit.VALU, Unit.SALU)


def _place(code: Sequence[Instr], index: int) -> str:
    """The source line of an instruction; of spill code, that of the code that it serves."""
    instr = code[index]
    if instr.origin not in (SPILL, RELOAD):
        return _line(instr)
    before, after = code[index::-1], code[index:]
    for near in (before, after) if instr.origin == SPILL else (after, before):
        found = next((line for other in near if (line := _line(other))), "")
        if found:
            return found
    return ""


def _line(instr: Instr) -> str:
    place = instr.origin.place if instr.origin is not None else None
    return f"{place.file}:{place.line}" if place is not None and place.line else ""
