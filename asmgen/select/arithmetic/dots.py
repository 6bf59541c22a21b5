"""Dot products of pairs: two f16 or bf16 of a register with two of another."""

from __future__ import annotations

from asmgen.ir.program import Statement, lane_type
from asmgen.lanewise.reduction_ops import dot_row
from asmgen.select.selection import Part, Selection
from isa.instruction import Immediate


def select_dot_pairs(s: Selection, statement: Statement) -> None:
    """An instruction for each pair, each of which adds to the last if there is a single sum. Factors are in
    VGPRs."""
    *factors, before = statement.operands
    row = s.emitter.table.row(dot_row(lane_type(factors[0]).element))
    a, b, sums = (s.parts(value) for value in (*factors, before))
    result = s.destination(statement.result)
    total = sums[0]
    for pair in range(len(a)):
        operands = [_in_vector(s, part[pair]) for part in (a, b)]
        if result.count == 1:
            last = result if pair == len(a) - 1 else s.emitter.vgpr()
            s.emitter.put(row, last, *operands, total)
            total = last
        else:
            s.emitter.put(row, result.part(pair), *operands, sums[pair])


def _in_vector(s: Selection, part: Part) -> Part:
    if isinstance(part, Immediate):
        return s.emitter.vector_constant(part.bits)
    return s.emitter.to_vgpr(part)
