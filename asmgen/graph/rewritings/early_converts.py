"""Conversions of transposed numbers that a reduction reads, before the transpose:

    t = transpose[permutation={1,0}](x)           w = convert[target_type=i32](x)
    w = convert[target_type=i32](t)               t = transpose[permutation={1,0}](w)
    s = reduce_sum[axes={0}](w)       becomes     s = reduce_sum[axes={0}](t)

The reduction can then do without the transpose. numpy converts integers before it adds them up.
"""

from __future__ import annotations

from asmgen.graph.ops import CONVERT, REDUCTIONS, TRANSPOSE
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.ir.program import Module, Statement, Value, definitions


def with_early_converts(module: Module) -> Module:
    """The module with such conversions and moves exchanged; statements that become unused stay."""
    defined = definitions(module)
    reduced = {operand for each in module.statements if each.op in REDUCTIONS for operand in each.operands}
    copy = RetypedCopy(module)
    for statement in module.statements:
        moves = _moves(statement, defined) if statement.op is CONVERT and statement.result in reduced else []
        if any(move.op is TRANSPOSE for move in moves):
            _exchange(copy, statement, moves)
        else:
            copy.keep(statement)
    return copy.module()


def _moves(convert: Statement, defined: dict[Value, Statement]) -> list[Statement]:
    """The transposes and the ops that keep the order before a conversion, the first of them first."""
    moves: list[Statement] = []
    made = defined[convert.operands[0]]
    while made.op is TRANSPOSE or made.op.keeps_order:
        moves.insert(0, made)
        made = defined[made.operands[0]]
    return moves


def _exchange(copy: RetypedCopy, convert: Statement, moves: list[Statement]) -> None:
    value = copy.apply(convert, CONVERT, moves[0].operands, convert.attributes)
    for move in moves[:-1]:
        value = copy.apply(convert, move.op, (value,), move.attributes)
    copy.write(convert, moves[-1].op, (value,), moves[-1].attributes)
