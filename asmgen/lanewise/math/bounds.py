"""What a float is at least, as far as the statements that compute it say.

    square = mul(x, x);  sum = reduce_waves(...);  y = add(sum, 1e-05)      y is at least 1e-05, or a NaN

A NaN is below nothing, so that each bound means "not less than". Rounding keeps the order of numbers: the
rounded sum of numbers that are not negative is not below either of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from asmgen.graph import ops as graph
from asmgen.graph.ops import COMBINES
from asmgen.ir.program import Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.records import splat_literal
from asmgen.lanewise.reduction_ops import DPP_REDUCE, LANE_REDUCE, REDUCE_WAVES

Least = Callable[[Value], float]
_DEEPEST = 24  # statements that are followed from a value

_POSITIVE = frozenset({graph.ABS, graph.EXP, graph.SIGMOID, graph.RELU})
_SAME = frozenset({ops.EXTRACT, ops.SPLAT, ops.READ_FIRST_LANE, graph.IDENTITY})
_REDUCES = frozenset({LANE_REDUCE, DPP_REDUCE, REDUCE_WAVES})


def least(value: Value, defined: Callable[[Value], Statement | None], deepest: int = _DEEPEST) -> float:
    """A number that no element of a float is less than; -infinity where nothing is known."""
    statement = defined(value)
    if statement is None or deepest == 0 or not value.type.element.is_float:
        return -inf
    number = splat_literal(statement)
    if number is not None:
        return float(number)

    def of(operand: Value) -> float:
        return least(operand, defined, deepest - 1)

    if statement.op in _POSITIVE or (statement.op is graph.MUL and len(set(statement.operands)) == 1):
        return 0.0
    if statement.op in _SAME:
        return of(statement.operands[0])
    if statement.op in _REDUCES:
        return _reduced(statement, of)
    rule = _OF_OP.get(statement.op)
    return -inf if rule is None else rule(statement, of)


def _reduced(statement: Statement, of: Least) -> float:
    """Of a sum or a product only whether it is negative; of a maximum or a minimum what an element is."""
    element = of(statement.operands[0])
    kind = COMBINES[str(statement.attributes["op"])]
    if kind in (graph.MAX, graph.MIN):
        return element
    return 0.0 if element >= 0 else -inf


def _sum(statement: Statement, of: Least) -> float:
    bounds = [of(operand) for operand in statement.operands]
    return max(bounds) if min(bounds) >= 0 else -inf


def _product(statement: Statement, of: Least) -> float:
    return 0.0 if all(of(operand) >= 0 for operand in statement.operands) else -inf


def _greater(statement: Statement, of: Least) -> float:
    """A NaN loses, so that the other operand's bound is not known to hold unless both have it."""
    return min(of(operand) for operand in statement.operands)


_OF_OP: dict[object, Callable[[Statement, Least], float]] = {
    graph.ADD: _sum,
    graph.MUL: _product,
    graph.DIV: _product,
    graph.MAX: _greater,
    graph.MIN: _greater,
}
