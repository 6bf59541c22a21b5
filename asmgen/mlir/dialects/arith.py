"""`arith`: constants, choices, and arithmetic of floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.dialects.float_rules import of_op
from asmgen.mlir.floats import nan_or
from asmgen.mlir.integers import (
    lanes_of,
)
from asmgen.mlir.lowered import Index, Lowered, Pointer, View
from asmgen.mlir.slots import check_same_memory, rebuilt, slots_of
from asmgen.mlir.source import Dense, Operation
from asmgen.mlir.types import IndexType
from asmgen.mlir.vectors import packed


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
    return (chosen(lower, operation, condition, *[lower.value(one) for one in operation.operands[1:]]),)


def chosen(lower: Lowering, operation: Operation, condition: Value, a: Lowered, b: Lowered) -> Lowered:
    """`a` where a condition holds, else `b`."""
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
    """An op of floats that lanewise has."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        _ = lower.lane_type(operation.result.type, operation)
        return (lower.builder.value(op, *[lower.lane(operand) for operand in operation.operands]),)

    return rule


def _extreme(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """`maximumf` and `minimumf`: a NaN wins."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = (lower.lane(operand) for operand in operation.operands)
        return (nan_or(lower.builder, op, a, b),)

    return rule


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
    }
)
