"""`arith`: relations of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.mlir import relations
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.dialects.arith_integers import both
from asmgen.mlir.integers import (
    as_signed,
    lanes_of,
)
from asmgen.mlir.lowered import Index, Lowered
from asmgen.mlir.relations import RELATIONS
from asmgen.mlir.source import Operation

_ORDERED = {
    "oeq": graph.EQUAL,
    "ogt": graph.GREATER,
    "oge": ops.GREATER_EQUAL,
    "olt": graph.LESS,
    "ole": ops.LESS_EQUAL,
}

# The ordered relation that fails where the unordered one holds.
_NEGATED = {"ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}


def compare_integers(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    relation = operation.text("predicate")
    a, b = both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        return (relations.compare(lower.indices, relation, a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    return (related(lower, relation, a, b),)


def related(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """A bool: a relation of two integers of lanes."""
    if lanes_of(a).element is BOOL:
        return _related_bools(lower, relation, a, b)
    row = RELATIONS[relation]
    if row.is_signed:
        a, b = as_signed(lower.builder, a), as_signed(lower.builder, b)
    return lower.builder.value(row.op, a, b)


def _related_bools(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """An i1 is 0 or 1 without a sign, and 0 or -1 with one."""
    builder = lower.builder
    if relation == "ne":
        return builder.logical_xor(a, b)
    if relation == "eq":
        return builder.logical_not(builder.logical_xor(a, b))
    row = RELATIONS[relation]
    greater, smaller = (b, a) if row.is_less != row.is_signed else (a, b)
    if row.is_strict:
        return builder.logical_and(greater, builder.logical_not(smaller))
    return builder.logical_or(greater, builder.logical_not(smaller))


def compare_floats(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    relation = operation.text("predicate")
    a, b = lower.lane(operation.operands[0]), lower.lane(operation.operands[1])
    builder = lower.builder
    if relation in _ORDERED:
        return (builder.value(_ORDERED[relation], a, b),)
    if relation in _NEGATED:
        return (builder.logical_not(builder.value(_ORDERED[_NEGATED[relation]], a, b)),)
    match relation:
        case "une":
            return (builder.not_equal(a, b),)
        case "one":
            return (builder.logical_or(builder.less(a, b), builder.greater(a, b)),)
        case "ueq":
            return (builder.logical_not(builder.logical_or(builder.less(a, b), builder.greater(a, b))),)
        case "ord":
            return (builder.logical_and(builder.equal(a, a), builder.equal(b, b)),)
        case "uno":
            return (builder.logical_or(builder.not_equal(a, a), builder.not_equal(b, b)),)
        case _:
            return (builder.constant(relation in ("alwaystrue", "true"), LaneType(BOOL, lanes_of(a).lanes)),)


ROWS = rows(
    {
        "arith.cmpi": compare_integers,
        "arith.cmpf": compare_floats,
    }
)
