"""`matrix`: one matrix instruction, whose operands are tuples of VGPRs.

An addend that is one number everywhere, as the zero with which a sum begins, is a constant of the instruction
where that takes it. AGPRs are not asked for: where a target has them they are in one file with the VGPRs,
from which a sum need not be copied to be read.
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.lanewise.records import instruction_of
from asmgen.select.operands import fits
from asmgen.select.selection import Selection, unsupported
from isa.instruction import Immediate, Operand


def select_matrix(s: Selection, statement: Statement) -> None:
    from asmgen.lanewise.matrices import matrix_row, misfit

    table = s.emitter.table
    row, fault = matrix_row(table, instruction_of(statement)), misfit(statement, table)
    if row is None or fault is not None:
        raise unsupported(statement, f": {fault.rule}" if fault else "")
    a, b, c = statement.operands
    factors = [s.as_tuple(s.parts(value), value.name) for value in (a, b)]
    parts = s.parts(c)
    constant = parts[0] if all(part == parts[0] for part in parts) else None
    result = s.destination(statement.result)
    if isinstance(constant, Immediate):
        whole: tuple[Operand, ...] = (result, *factors, constant)
        if fits(s.emitter, row, whole):
            s.emitter.put(row, *whole)
            return
    s.emitter.put(row, result, *factors, s.as_tuple(parts, c.name))
