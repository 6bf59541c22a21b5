"""Reductions and scans that have nothing to do: over dims of size 1, and of nothing at all."""

from __future__ import annotations

from math import nan

from asmgen.graph.ops import COMBINES, IDENTITY, LITERAL, MULTIBROADCAST, REDUCE_MEAN, REDUCTIONS, SCANS
from asmgen.ir.identities import identity
from asmgen.ir.names import fresh_name
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import tensor


def without_trivial_reductions(module: Module) -> Module:
    """The module with such reductions replaced by their operand or their constant."""
    taken = {value.name for statement in module.statements for value in statement.results}
    statements: list[Statement] = []
    for statement in module.statements:
        if statement.op in REDUCTIONS:
            statements += _simpler(statement, taken)
        elif statement.op in SCANS and _is_of_ones(statement):
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
    kind, is_mean = REDUCTIONS[statement.op], statement.op is REDUCE_MEAN
    single = Value(fresh_name(f"{result.name}_of_nothing", taken), tensor(type_.element, (1,) * type_.rank))
    value = nan if is_mean and type_.element.is_float else identity(kind, type_.element)  # as numpy has it
    return [
        Statement(LITERAL, (), (single,), {"values": (value,)}, (), statement.place),
        Statement(MULTIBROADCAST, (single,), (result,), {"out_lens": type_.dims}, (), statement.place),
    ]


def _is_of_ones(scan: Statement) -> bool:
    """Whether each part of a scan is a single element."""
    axis = scan.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return scan.attributes["part"] == 1 or tensor_type(scan.result).dims[axis] == 1


def _of_one(scan: Statement, taken: set[str]) -> list[Statement]:
    """A scan of a single element is that element after what precedes it; an exclusive scan is the identity
    element after that.
    """
    result, (x, *before) = scan.result, scan.operands
    if before and not scan.attributes["exclusive"]:
        return [Statement(COMBINES[SCANS[scan.op]], (*before, x), (result,), {}, (), scan.place)]
    if not scan.attributes["exclusive"]:
        return [Statement(IDENTITY, (x,), (result,), {}, (), scan.place)]
    type_ = tensor_type(result)
    number = Value(fresh_name(f"{result.name}_of_nothing", taken), tensor(type_.element, (1,) * type_.rank))
    nothing = Value(fresh_name(f"{result.name}_nothing", taken), type_) if before else result
    first = identity(SCANS[scan.op], type_.element)
    made = [
        Statement(LITERAL, (), (number,), {"values": (first,)}, (), scan.place),
        Statement(MULTIBROADCAST, (number,), (nothing,), {"out_lens": type_.dims}, (), scan.place),
    ]
    if before:
        made.append(Statement(COMBINES[SCANS[scan.op]], (*before, nothing), (result,), {}, (), scan.place))
    return made
