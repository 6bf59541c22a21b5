"""`arith`: constants, selections, comparisons, and arithmetic of floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise import ops
from asmgen.mlir.dialects.arith_integers import both
from asmgen.mlir.dialects.math import of_op
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.lanes import (
    as_signed,
    lanes_of,
    nan_or,
    packed,
)
from asmgen.mlir.lowering.arithmetic.relations import RELATIONS
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.slots import check_same_memory, rebuilt, slots_of
from asmgen.mlir.lowering.values import Index, Lowered, Pointer, View
from asmgen.mlir.source import Dense, Operation
from asmgen.mlir.types import IndexType


def constant(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A number, or a vector of numbers."""
    value = operation.attributes["value"]
    type_ = operation.result.type
    if isinstance(type_, IndexType):
        assert isinstance(value, int)
        return (lower.indices.constant(value),)
    wanted = lower.lane_type(type_, operation)
    if isinstance(value, Dense):
        numbers = value.values
        if len(numbers) == 1:
            return (lower.builder.constant(numbers[0], wanted),)
        parts = [lower.builder.constant(number, wanted.element) for number in numbers]
        return (packed(lower.builder, parts),)
    if not isinstance(value, int | float):
        raise lower.refused(
            operation, "MLIR013", f"the constant is {value}", "a number or dense<...> of numbers"
        )
    return (lower.builder.constant(value, wanted),)


def select(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    condition = lower.lane(operation.operands[0])
    return (
        chosen(lower, operation, condition, *[lower.value(operand) for operand in operation.operands[1:]]),
    )


def chosen(lower: Lowering, operation: Operation, condition: Value, a: Lowered, b: Lowered) -> Lowered:
    """`a` if the condition is true, else `b`."""
    if isinstance(a, Index) and isinstance(b, Index):
        return lower.indices.select(condition, a, b)
    if isinstance(a, View | Pointer):
        check_same_memory((a,), (b,), operation)
        pairs = zip(slots_of(a), slots_of(b), strict=True)
        made = [
            lower.indices.select(condition, x, y)
            for x, y in pairs
            if isinstance(x, Index) and isinstance(y, Index)
        ]
        return rebuilt(a, made)
    assert isinstance(a, Value) and isinstance(b, Value)
    lanes = lanes_of(a).lanes
    if lanes > 1 and lanes_of(condition).lanes == 1:
        condition = lower.builder.splat(condition, lanes)
    return lower.builder.where(condition, a, b)


def _floats(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of a float op that lanewise has."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        _ = lower.lane_type(operation.result.type, operation)
        return (lower.builder.value(op, *[lower.lane(operand) for operand in operation.operands]),)

    return rule


def _extreme(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """`maximumf` and `minimumf`: the result is NaN if an operand is NaN."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = (lower.lane(operand) for operand in operation.operands)
        return (nan_or(lower.builder, op, a, b),)

    return rule


_ORDERED = {
    "oeq": graph.EQUAL,
    "ogt": graph.GREATER,
    "oge": ops.GREATER_EQUAL,
    "olt": graph.LESS,
    "ole": ops.LESS_EQUAL,
}

# The ordered relation that is false if and only if the unordered relation is true.
_NEGATED = {"ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}


def compare_integers(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    relation = operation.text("predicate")
    a, b = both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        return (relations.compare(lower.indices, relation, a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    return (related(lower, relation, a, b),)


def related(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """A comparison of two lane integers, as a bool."""
    if lanes_of(a).element is BOOL:
        return _related_bools(lower, relation, a, b)
    row = RELATIONS[relation]
    if row.is_signed:
        a, b = as_signed(lower.builder, a), as_signed(lower.builder, b)
    return lower.builder.value(row.op, a, b)


def _related_bools(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """An i1 is 0 or 1 if unsigned, and 0 or -1 if signed."""
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
        "arith.constant": constant,
        "arith.select": select,
        "arith.addf": _floats(graph.ADD),
        "arith.subf": _floats(graph.SUB),
        "arith.mulf": _floats(graph.MUL),
        "arith.divf": of_op(graph.DIV),
        "arith.remf": of_op(graph.FMOD),
        "arith.negf": _floats(graph.NEG),
        "arith.maximumf": _extreme(graph.MAX),
        "arith.minimumf": _extreme(graph.MIN),
        "arith.maxnumf": _floats(graph.MAX),
        "arith.minnumf": _floats(graph.MIN),
        "arith.maximumnumf": _floats(graph.MAX),
        "arith.minimumnumf": _floats(graph.MIN),
        "arith.cmpi": compare_integers,
        "arith.cmpf": compare_floats,
    },
)
