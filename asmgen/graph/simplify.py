"""Reductions and scans that have nothing to do: over dims of size 1, and of nothing at all."""

from __future__ import annotations

from math import inf, nan

from asmgen.graph.ops import IDENTITY, LITERAL, MULTIBROADCAST
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import ElementType, tensor
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.reduction_ops import REDUCTIONS, SCANS

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
        if statement.op in REDUCTIONS:
            statements += _simpler(statement, taken)
        elif statement.op in SCANS and tensor_type(statement.result).dims[_axis(statement)] == 1:
            statements += _of_one(statement, taken)
        else:
            statements.append(statement)
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


def _axis(scan: Statement) -> int:
    axis = scan.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return axis


def _of_one(scan: Statement, taken: set[str]) -> list[Statement]:
    """A scan of one element is that element; an exclusive one is what changes nothing."""
    result = scan.result
    if not scan.attributes["exclusive"]:
        return [Statement(IDENTITY, scan.operands, (result,), {}, (), scan.place)]
    type_ = tensor_type(result)
    single = Value(fresh_name(f"{result.name}_of_nothing", taken), tensor(type_.element, (1,) * type_.rank))
    number = _before_all(SCANS[scan.op], type_.element)
    return [
        Statement(LITERAL, (), (single,), {"values": (number,)}, (), scan.place),
        Statement(MULTIBROADCAST, (single,), (result,), {"out_lens": type_.dims}, (), scan.place),
    ]


def _before_all(kind: str, element: ElementType) -> float:
    """What an exclusive scan begins with, in a type that may have no infinities."""
    if kind in _OF_NOTHING:
        return _OF_NOTHING[kind] if element.is_float else int(_OF_NOTHING[kind])
    if not element.is_float:
        least, most = integer_range(element)
        return least if kind == "max" else most
    if not FLOAT_FORMATS[element.name].infinities:
        return nan
    return -inf if kind == "max" else inf
