"""`math`: functions that lanewise has, and functions built from a few ops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic.lanes import (
    Function,
    as_signed,
    as_unsigned,
    computed,
    extended,
    lanes_of,
    truncated,
    with_sign,
)
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation


def of_floats(function: Function) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of an op with operands and a result of the same float type."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        _ = lower.lane_type(operation.results[0].type, operation)
        given = [lower.lane(operand) for operand in operation.operands]
        return (computed(lower.builder, function, *given),)

    return rule


def of_op(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of an op that lanewise has for f32 and f64."""

    def function(builder: LaneBuilder, *operands: Value) -> Value:
        return builder.value(op, *operands)

    return of_floats(function)


def _operands(lower: Lowering, operation: Operation) -> list[Value]:
    _ = lower.lane_type(operation.result.type, operation)
    return [lower.lane(operand) for operand in operation.operands]


def _direct(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        return (lower.builder.value(op, *_operands(lower, operation)),)

    return rule


def _made(function: Function) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        (value,) = _operands(lower, operation)
        return (function(lower.builder, value),)

    return rule


def absolute(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`absi`."""
    (value,) = _operands(lower, operation)
    return (as_unsigned(lower.builder, lower.builder.abs(as_signed(lower.builder, value))),)


def _truncated(builder: LaneBuilder, value: Value) -> Value:
    return builder.where(
        builder.less(value, builder.like(0.0, value)), builder.ceil(value), builder.floor(value)
    )


def _away_from_zero(builder: LaneBuilder, value: Value) -> Value:
    """Round to the nearest integer, halves away from 0."""
    magnitude = builder.abs(value)
    whole = builder.floor(magnitude)
    fraction = builder.sub(magnitude, whole)
    is_half = builder.greater_equal(fraction, builder.like(0.5, value))
    rounded = builder.where(is_half, builder.add(whole, builder.like(1.0, value)), whole)
    return with_sign(builder, rounded, value)


def _power_of_two(builder: LaneBuilder, value: Value) -> Value:
    """`exp2`."""
    return builder.value(graph.POW, builder.like(2.0, value), value)


def _common_logarithm(builder: LaneBuilder, value: Value) -> Value:
    """`log10`."""
    return builder.mul(builder.value(graph.LOG2, value), builder.like(math.log10(2.0), value))


def _is_finite(builder: LaneBuilder, value: Value) -> Value:
    return builder.less(builder.abs(value), builder.like(float("inf"), value))


def _is_nan(builder: LaneBuilder, value: Value) -> Value:
    return builder.not_equal(value, value)


def _is_infinite(builder: LaneBuilder, value: Value) -> Value:
    return builder.equal(builder.abs(value), builder.like(float("inf"), value))


def _in_words(count: Callable[[LaneBuilder, Value, int], Value]) -> Function:
    """A count of bits. Integers of 8 and 16 bits are counted in 32 bits, `missing` of which they do not
    have."""

    def function(builder: LaneBuilder, value: Value) -> Value:
        element = lanes_of(value).element
        missing = max(U32.bits - element.bits, 0)
        wide = extended(builder, value, U32, signed=False) if missing else value
        made = count(builder, wide, missing)
        return truncated(builder, made, element) if missing else made

    return function


def _count_ones(builder: LaneBuilder, value: Value, _missing: int) -> Value:
    return builder.popcount(value)


def _count_trailing(builder: LaneBuilder, value: Value, missing: int) -> Value:
    """The set bits below the lowest set bit; all bits for 0."""
    if missing:
        value = builder.bitwise_or(value, builder.like(1 << U32.bits - missing, value))
    below = builder.bitwise_and(builder.bitwise_not(value), builder.sub(value, builder.like(1, value)))
    return builder.popcount(below)


def _count_leading(builder: LaneBuilder, value: Value, missing: int) -> Value:
    """The clear bits above the highest set bit."""
    zeros = builder.leading_zeros(value)
    return builder.sub(zeros, builder.like(missing, zeros)) if missing else zeros


def clamp(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, low, high = _operands(lower, operation)
    return (lower.builder.min(lower.builder.max(value, low), high),)


ROWS = rows(
    {
        "math.absf": _direct(graph.ABS),
        "math.absi": absolute,
        "math.acos": of_op(graph.ACOS),
        "math.acosh": of_op(graph.ACOSH),
        "math.asin": of_op(graph.ASIN),
        "math.asinh": of_op(graph.ASINH),
        "math.atan": of_op(graph.ATAN),
        "math.atan2": of_op(graph.ATAN2),
        "math.atanh": of_op(graph.ATANH),
        "math.cbrt": of_op(graph.CBRT),
        "math.ceil": _direct(graph.CEIL),
        "math.clampf": clamp,
        "math.copysign": of_floats(with_sign),
        "math.cos": of_op(graph.COS),
        "math.cosh": of_op(graph.COSH),
        "math.ctlz": _made(_in_words(_count_leading)),
        "math.ctpop": _made(_in_words(_count_ones)),
        "math.cttz": _made(_in_words(_count_trailing)),
        "math.erf": of_op(graph.ERF),
        "math.exp": of_op(graph.EXP),
        "math.exp2": of_floats(_power_of_two),
        "math.expm1": of_op(graph.EXPM1),
        "math.floor": _direct(graph.FLOOR),
        "math.fma": of_floats(LaneBuilder.fma),
        "math.isfinite": _made(_is_finite),
        "math.isinf": _made(_is_infinite),
        "math.isnan": _made(_is_nan),
        "math.log": of_op(graph.LOG),
        "math.log10": of_floats(_common_logarithm),
        "math.log1p": of_op(graph.LOG1P),
        "math.log2": of_op(graph.LOG2),
        "math.powf": of_op(graph.POW),
        "math.round": of_floats(_away_from_zero),
        "math.roundeven": _direct(graph.NEARBYINT),
        "math.rsqrt": of_op(graph.RSQRT),
        "math.sin": of_op(graph.SIN),
        "math.sinh": of_op(graph.SINH),
        "math.sqrt": of_op(graph.SQRT),
        "math.tan": of_op(graph.TAN),
        "math.tanh": of_op(graph.TANH),
        "math.trunc": of_floats(_truncated),
    }
)
