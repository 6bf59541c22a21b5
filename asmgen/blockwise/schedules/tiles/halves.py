"""The values of f16 that are computed in f16, two in a register.

    y = add(mul(x, s), b)     all of f16: a packed fma, or a packed multiply and add with `--no-contract`
    y = mul(x, sigmoid(x))    f32: a function is computed in f32, and so are the values computed from it

An op of `COMPUTED` rounds to f16 if it computes elements that are f16 already, and if its result is only
stored, converted, moved, chosen, compared, a factor of a product, or an operand of such an op. All other ops
compute in f32, so that no value is rounded between a function and the ops around it (docs/numerics.md). A
reduction reads the rounded elements of such a result, which are widened.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.elements.maps import is_chosen, moves
from asmgen.graph import ops
from asmgen.graph.rounded import WIDEN
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import F16

COMPARED = frozenset({ops.EQUAL, ops.LESS, ops.GREATER})  # of f16 as they are
COMPUTED = frozenset({ops.ADD, ops.SUB, ops.MUL, ops.MAX, ops.MIN, ops.RELU, ops.NEG, ops.ABS})
_TAKES = COMPARED | {ops.CONVERT, ops.BIT_CAST, WIDEN, ops.DOT}
_GIVEN = frozenset({ops.PARAM, ops.LITERAL, ops.CONVERT, ops.BIT_CAST})  # elements as they are, or rounded


def halves(defined: Mapping[Value, Statement]) -> frozenset[Value]:
    """The results of `COMPUTED` that are computed in f16."""
    readers: dict[Value, list[Statement]] = {}
    for statement in defined.values():
        for operand in statement.operands:
            readers.setdefault(operand, []).append(statement)
    kept = {value for value in defined if tensor_type(value).element is F16}

    def is_given(value: Value) -> bool:
        """Whether the elements of a value are f16 before they are read."""
        statement = defined[value]
        if statement.op in _GIVEN:
            return True
        return _passes(statement) and all(
            operand in kept for operand in statement.operands if tensor_type(operand).element is F16
        )

    def is_taken(value: Value) -> bool:
        """Whether the readers of a value take f16. Elements that are f16 already may be widened as well."""
        return defined[value].op in _GIVEN or all(
            reader.op in _TAKES or (_passes(reader) and reader.result in kept)
            for reader in readers.get(value, ())
        )

    while wrong := [value for value in kept if not (is_given(value) and is_taken(value))]:
        kept.difference_update(wrong)
    return frozenset([value for value in kept if defined[value].op in COMPUTED])


def _passes(statement: Statement) -> bool:
    is_moved = moves(statement) or is_chosen(statement)
    return statement.op in COMPUTED or is_moved or statement.op in (ops.WHERE, ops.CONCAT, ops.IDENTITY)
