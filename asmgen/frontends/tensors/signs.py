"""Values that are known to be 0.0 or more, or NaN, such as a sum of squares. None of them is -0.0."""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.graph import ops
from asmgen.ir.program import Statement, Value, literal_numbers
from asmgen.ir.types import BOOL, NumberKind

_MOST_VALUES = 64  # that the answer depends on
_ALWAYS = frozenset({ops.ABS, ops.EXP, ops.SIGMOID})
_IF_OPERANDS = frozenset(
    {
        ops.ADD, ops.MUL, ops.DIV, ops.SQRT, ops.CONVERT, ops.IDENTITY,
        ops.REDUCE_SUM, ops.REDUCE_MEAN, ops.REDUCE_MAX, ops.REDUCE_MIN, ops.REDUCE_PROD,
        ops.RESHAPE, ops.SQUEEZE, ops.UNSQUEEZE, ops.MULTIBROADCAST, ops.TRANSPOSE, ops.SLICE, ops.CONCAT,
    }
)  # fmt: skip


def is_positive(value: Value, definition: Callable[[Value], Statement | None]) -> bool:
    """Whether no element is negative or -0.0."""
    pending, seen = [value], {value}
    while pending:
        each = pending.pop()
        operands = _doubtful(each, definition(each))
        if operands is None or len(seen) > _MOST_VALUES:
            return False
        pending += [operand for operand in operands if operand not in seen]
        seen.update(operands)
    return True


def _doubtful(value: Value, statement: Statement | None) -> tuple[Value, ...] | None:
    """The values on which it depends whether an element is negative; None if an element may be negative."""
    element = value.type.element
    if element.kind is NumberKind.UNSIGNED or element is BOOL:
        return ()
    if statement is None or not element.is_float:
        return None
    if statement.op is ops.LITERAL:
        numbers = literal_numbers(statement)
        return () if all(number >= 0 and math.copysign(1, number) > 0 for number in numbers) else None
    is_square = statement.op is ops.MUL and len(set(statement.operands)) == 1
    if is_square or statement.op in _ALWAYS:
        return ()
    return statement.operands if statement.op in _IF_OPERANDS else None
