"""Sums of values that are shifted by the result of another reduction of the same elements.

    m = reduce_max(x)         s = reduce_sum(exp(x - m))             softmax
    u = reduce_mean(x)        v = reduce_mean((x - u) * (x - u))     layernorm

Such a sum may take another shift, and be moved to m or u when that is known.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import EXP, MUL, MULTIBROADCAST, REDUCE_MAX, REDUCE_MEAN, REDUCE_SUM, SUB
from asmgen.graph.rounded import function_of
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import F32
from isa.named_tuple import NamedTuple


class Shift(NamedTuple):
    """A sum over `function` of x - `by`; `by` is the result of a reduction `op` of x. `function` is a row of
    exp, or `mul` for squares.
    """

    op: Op
    by: Value
    x: Value
    function: Op


def shift_of(statement: Statement, defined: Mapping[Value, Statement]) -> Shift | None:
    """The shift of an f32 reduction of one of the two forms."""
    if statement.op not in (REDUCE_SUM, REDUCE_MEAN) or statement.result.type.element is not F32:
        return None
    element = defined[statement.operands[0]]
    if function_of(element.op) is EXP:
        op = REDUCE_MAX
    elif element.op is MUL and element.operands[0] == element.operands[1]:
        op = REDUCE_MEAN
    else:
        return None
    difference = defined[element.operands[0]]
    if difference.op is not SUB:
        return None
    x, by = difference.operands
    return Shift(op, unspread(by, defined), x, element.op)


def unspread(value: Value, defined: Mapping[Value, Statement]) -> Value:
    """The value that broadcasts repeat, or the value itself."""
    while defined[value].op is MULTIBROADCAST:
        (value,) = defined[value].operands
    return value
