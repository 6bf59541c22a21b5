"""Comparisons of numbers, choices by them, and comparisons with `not`.

    e = equal(seven, zero);  y = where(e, a, b)      becomes y = identity(b), as of a remainder by 7
    e = equal(x, y);  n = not(e)                     becomes n = not_equal(x, y)
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions

COMPARED: dict[Op, Callable[[float, float], bool]] = {
    graph.EQUAL: operator.eq,
    graph.LESS: operator.lt,
    graph.GREATER: operator.gt,
}
_MOST = 1 << 53  # below, an f64 has every integer
# inverse comparisons; those of floats by order have no inverse, since all are false of a NaN
_INVERSE = {graph.EQUAL: ops.NOT_EQUAL, graph.LESS: ops.GREATER_EQUAL, graph.GREATER: ops.LESS_EQUAL}
# the bool that leaves the other operand as it is
_NEUTRAL = {graph.LOGICAL_AND: True, graph.LOGICAL_OR: False, graph.LOGICAL_XOR: False}
DECIDED = frozenset({graph.WHERE, *_NEUTRAL})


def compared(comparison: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The comparison of two numbers as a literal."""
    numbers = [definitions.literal(operand) for operand in comparison.operands]
    known = [number for number in numbers if number is not None and abs(number) < _MOST]
    type_ = comparison.result.type
    if len(known) != len(numbers) or not isinstance(type_, LaneType):
        return None
    values = (COMPARED[comparison.op](known[0], known[1]),) * type_.lanes
    return (Statement(graph.LITERAL, (), comparison.results, {"values": values}, (), comparison.place),)


def decided(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """A choice or a logical operation with a literal, as the operand that it gives."""
    first, *others = statement.operands
    known = definitions.literal(first)
    if statement.op is graph.WHERE:
        return None if known is None else _same(statement, others[0 if known else 1])
    for literal, other in ((first, others[0]), (others[0], first)):
        if definitions.literal(literal) == _NEUTRAL[statement.op]:
            return _same(statement, other)
    return None


def _same(statement: Statement, value: Value) -> tuple[Statement, ...]:
    return (Statement(graph.IDENTITY, (value,), statement.results, {}, (), statement.place),)


def inverted(negation: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The inverse of a comparison that nothing else reads."""
    (condition,) = negation.operands
    made = definitions.of.get(condition)
    if made is None or made.op not in _INVERSE or definitions.reads[condition] != 1:
        return None
    if made.op is not graph.EQUAL and made.operands[0].type.element.is_float:
        return None
    if made.operands[0].type.element is BOOL:
        return None
    return (Statement(_INVERSE[made.op], made.operands, negation.results, {}, (), negation.place),)
