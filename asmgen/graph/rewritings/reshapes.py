"""Reshapes that undo each other are removed, and so are slices that leave nothing out: a value that is
squeezed and unsqueezed again is read directly.

    q = squeeze[axes={1}](s)      s has {6,1}
    u = unsqueeze[axes={1}](q)
    y = div(x, u)                 becomes  y = div(x, s), in the kernel that makes s
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asmgen.graph.ops import RETURN, SLICE
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.shapes import Dims


def without_undone_reshapes(module: Module) -> Module:
    """The module with operands replaced by earlier values that they reshape back to, or slice whole.
    Returned values keep their names; statements that become unused stay."""
    if not any(statement.op.keeps_order or statement.op is SLICE for statement in module.statements):
        return module
    defined = definitions(module)
    same: dict[Value, Value] = {}
    for statement in module.statements:
        if statement.op.keeps_order:
            before = _before(statement, defined)
            if before is not None:
                same[statement.result] = same.get(before, before)
        elif statement.op is SLICE and statement.operands[0].type == statement.result.type:
            same[statement.result] = same.get(statement.operands[0], statement.operands[0])
    if not same:
        return module
    return Module(module.name, tuple([_reading(statement, same) for statement in module.statements]))


def _before(statement: Statement, defined: dict[Value, Statement]) -> Value | None:
    """The value of the statement's type that it reshapes."""
    at = statement
    while at.op.keeps_order:
        (value,) = at.operands
        if value.type == statement.result.type:
            return value
        at = defined[value]
    return None


def _reading(statement: Statement, same: dict[Value, Value]) -> Statement:
    if statement.op is RETURN or same.keys().isdisjoint(statement.operands):
        return statement
    operands = tuple([same.get(value, value) for value in statement.operands])
    return Statement(
        statement.op, operands, statement.results, statement.attributes, statement.regions, statement.place
    )


def merges_or_splits_dims(statement: Statement) -> bool:
    """Whether a statement reshapes to other dims than those it is given, if dims of 1 do not count."""
    if not statement.op.keeps_order:
        return False
    before, after = [
        [dim for dim in tensor_type(value).dims if dim != 1]
        for value in (*statement.operands[:1], statement.result)
    ]
    return before != after


def in_dims(defined: Mapping[Value, Statement], value: Value, wanted: Iterable[Dims]) -> Value | None:
    """The earliest value with the same elements in the same order and with dims in `wanted`; None if there is
    none."""
    earliest, shapes = None, tuple(wanted)
    while True:
        if tensor_type(value).dims in shapes:
            earliest = value
        statement = defined[value]
        if not statement.op.keeps_order:
            return earliest
        (value,) = statement.operands
