"""Reductions that have nothing to do: over dims of size 1, and of nothing at all."""

from __future__ import annotations

from asmgen.graph.ops import IDENTITY, LITERAL, MULTIBROADCAST
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import tensor
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.reduction_ops import REDUCTIONS

_OF_NOTHING: dict[str, float] = {
    "sum": 0,
    "prod": 1,
    "mean": float("nan"),
}  # as numpy has it; max and min are refused


def without_trivial_reductions(module: Module) -> Module:
    """The module with such reductions replaced by their operand or their constant."""
    taken = {value.name for statement in module.statements for value in statement.results}
    statements: list[Statement] = []
    for statement in module.statements:
        statements += _simpler(statement, taken) if statement.op in REDUCTIONS else [statement]
    return Module(module.name, tuple(statements))


def _simpler(statement: Statement, taken: set[str]) -> list[Statement]:
    (operand,), result = statement.operands, statement.result
    dims, type_ = tensor_type(operand).dims, tensor_type(result)
    if dims == type_.dims:
        return [Statement(IDENTITY, (operand,), (result,), {}, (), statement.place)]
    if 0 not in dims or 0 in type_.dims:
        return [statement]
    number = _OF_NOTHING[REDUCTIONS[statement.op]]
    single = Value(fresh_name(f"{result.name}_of_nothing", taken), tensor(type_.element, (1,) * type_.rank))
    value = number if type_.element.is_float else 0 if number != number else int(number)
    return [
        Statement(LITERAL, (), (single,), {"values": (value,)}, (), statement.place),
        Statement(MULTIBROADCAST, (single,), (result,), {"out_lens": type_.dims}, (), statement.place),
    ]
