"""Dot products of pairs: two f16 or bf16 of a register with two of another."""

from __future__ import annotations

from asmgen.ir.program import Statement, lane_type
from asmgen.lanewise.reduction_ops import dot_row
from asmgen.select.selection import Part, Selection
from isa.instruction import Immediate


def select_dot_pairs(s: Selection, statement: Statement) -> None:
    """An instruction for each pair. Factors are in VGPRs."""
    *factors, total = statement.operands
    row = s.emitter.table.row(dot_row(lane_type(factors[0]).element))
    a, b, sums = (s.parts(value) for value in (*factors, total))
    result = s.destination(statement.result)
    for pair in range(result.count):
        operands = [_in_vector(s, part[pair]) for part in (a, b)]
        s.emitter.put(row, result.part(pair), *operands, sums[pair])


def _in_vector(s: Selection, part: Part) -> Part:
    if isinstance(part, Immediate):
        return s.emitter.vector_constant(part.bits)
    return s.emitter.to_vgpr(part)
