"""Which instructions write EXEC, the mask of the lanes that are on.

Many passes ask it of each instruction. Most rows have no result that may be EXEC, which is looked up once for
each row.
"""

from __future__ import annotations

from functools import cache

from isa.instruction import Instr, Kind, Row
from isa.registers import EXEC

_UNITS = frozenset(EXEC.units)
_MAY_BE_EXEC = Kind.EXEC | Kind.SGPR  # an SGPR pair of assembly may include EXEC


@cache
def _may_write_exec(row: Row) -> bool:
    return any(register.overlaps(EXEC) for register in row.writes) or any(
        row.operands[i].kinds & _MAY_BE_EXEC for i in row.defines
    )


def writes_exec(instr: Instr) -> bool:
    """Whether an instruction writes EXEC or a half of it, by an operand or implicitly."""
    return _may_write_exec(instr.row) and not _UNITS.isdisjoint(instr.units.written)


def reads_exec(instr: Instr) -> bool:
    """Whether an instruction reads EXEC as data, by an operand or implicitly; the mask that decides which
    lanes a vector instruction works on is not an operand."""
    return not _UNITS.isdisjoint(instr.units.read)
