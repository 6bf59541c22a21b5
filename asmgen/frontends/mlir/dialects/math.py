"""`math`: functions of floats and integers that lanewise has, and what is made of them in a few steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from asmgen.frontends.mlir.context import Lowering, rows
from asmgen.frontends.mlir.integers import as_signed, as_unsigned, extended, lanes_of, truncated
from asmgen.frontends.mlir.lowered import Lowered
from asmgen.frontends.mlir.source import Operation
from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import ELEMENT_TYPES, F32, U32, LaneType

Function = Callable[[Lowering, Value], Value]


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
        return (function(lower, value),)

    return rule


def absolute(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`absi`."""
    (value,) = _operands(lower, operation)
    return (as_unsigned(lower, lower.builder.abs(as_signed(lower, value))),)


def fma(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """One rounding: of small floats in f32, whose product is exact there."""
    a, b, c = _operands(lower, operation)
    element = lanes_of(a).element
    if element.bits >= F32.bits:
        return (lower.builder.fma(a, b, c),)
    wide = [lower.builder.convert(one, F32) for one in (a, b, c)]
    return (lower.builder.convert(lower.builder.fma(*wide), element),)


def _truncated(lower: Lowering, value: Value) -> Value:
    builder = lower.builder
    return builder.where(
        builder.less(value, builder.like(0.0, value)), builder.ceil(value), builder.floor(value)
    )


def _away_from_zero(lower: Lowering, value: Value) -> Value:
    """To the nearest integer, halves away from 0."""
    builder = lower.builder
    magnitude = builder.abs(value)
    whole = builder.floor(magnitude)
    fraction = builder.sub(magnitude, whole)
    is_half = builder.greater_equal(fraction, builder.like(0.5, value))
    rounded = builder.where(is_half, builder.add(whole, builder.like(1.0, value)), whole)
    return builder.where(builder.less(value, builder.like(0.0, value)), builder.neg(rounded), rounded)


def _power_of_two(lower: Lowering, value: Value) -> Value:
    """`exp2`."""
    return lower.builder.value(graph.POW, lower.builder.like(2.0, value), value)


def _common_logarithm(lower: Lowering, value: Value) -> Value:
    """`log10`."""
    builder = lower.builder
    return builder.mul(builder.value(graph.LOG2, value), builder.like(math.log10(2.0), value))


def _is_finite(lower: Lowering, value: Value) -> Value:
    builder = lower.builder
    return builder.less(builder.abs(value), builder.like(float("inf"), value))


def _is_nan(lower: Lowering, value: Value) -> Value:
    return lower.builder.not_equal(value, value)


def _is_infinite(lower: Lowering, value: Value) -> Value:
    return lower.builder.equal(lower.builder.abs(value), lower.builder.like(float("inf"), value))


def _in_words(count: Callable[[Lowering, Value, int], Value]) -> Function:
    """A count of bits; of integers of 8 and 16 bits in 32, `missing` of which they do not have."""

    def function(lower: Lowering, value: Value) -> Value:
        element = lanes_of(value).element
        missing = max(U32.bits - element.bits, 0)
        wide = extended(lower, value, U32, signed=False) if missing else value
        made = count(lower, wide, missing)
        return truncated(lower, made, element) if missing else made

    return function


def _ones(lower: Lowering, value: Value) -> Value:
    """Pairs of bits, fours and bytes are summed next to each other."""
    builder = lower.builder
    bits = lanes_of(value).element.bits

    def number(pattern: int) -> Value:
        return builder.like(int.from_bytes(bytes([pattern]) * (bits // 8), "little"), value)

    def moved(one: Value, by: int) -> Value:
        return builder.shift_right(one, builder.like(by, one))

    pairs = builder.sub(value, builder.bitwise_and(moved(value, 1), number(0x55)))
    fours = builder.add(
        builder.bitwise_and(pairs, number(0x33)), builder.bitwise_and(moved(pairs, 2), number(0x33))
    )
    counts = builder.bitwise_and(builder.add(fours, moved(fours, 4)), number(0x0F))
    return moved(builder.mul(counts, number(0x01)), bits - 8)


def _count_ones(lower: Lowering, value: Value, _missing: int) -> Value:
    return _ones(lower, value)


def _count_trailing(lower: Lowering, value: Value, missing: int) -> Value:
    """The ones below the lowest one: all bits where there is none."""
    builder = lower.builder
    if missing:
        value = builder.bitwise_or(value, builder.like(1 << U32.bits - missing, value))
    below = builder.bitwise_and(builder.bitwise_not(value), builder.sub(value, builder.like(1, value)))
    return _ones(lower, below)


def _count_leading(lower: Lowering, value: Value, missing: int) -> Value:
    """The ones of what is above the highest one."""
    builder = lower.builder
    spread, step = value, 1
    while step < lanes_of(value).element.bits:
        spread = builder.bitwise_or(spread, builder.shift_right(spread, builder.like(step, spread)))
        step *= 2
    return builder.sub(_ones(lower, builder.bitwise_not(spread)), builder.like(missing, spread))


def copysign(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The first operand's magnitude with the second one's sign."""
    magnitude, sign = _operands(lower, operation)
    builder, type_ = lower.builder, lanes_of(magnitude)
    bits = type_.element.bits
    word = ELEMENT_TYPES[f"u{bits}"]
    if bits < F32.bits:
        raise lower.refused(operation, "MLIR010", f"math.copysign of {type_}", "f32 or f64")
    top = builder.constant(1 << (bits - 1), LaneType(word, type_.lanes))
    low = builder.constant((1 << (bits - 1)) - 1, LaneType(word, type_.lanes))
    kept = builder.bitwise_and(builder.bit_cast(magnitude, word), low)
    signed = builder.bitwise_and(builder.bit_cast(sign, word), top)
    return (builder.bit_cast(builder.bitwise_or(kept, signed), type_.element),)


def clamp(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, low, high = _operands(lower, operation)
    return (lower.builder.min(lower.builder.max(value, low), high),)


ROWS = rows(
    {
        "math.absf": _direct(graph.ABS),
        "math.absi": absolute,
        "math.acos": _direct(graph.ACOS),
        "math.acosh": _direct(graph.ACOSH),
        "math.asin": _direct(graph.ASIN),
        "math.asinh": _direct(graph.ASINH),
        "math.atan": _direct(graph.ATAN),
        "math.atanh": _direct(graph.ATANH),
        "math.ceil": _direct(graph.CEIL),
        "math.clampf": clamp,
        "math.copysign": copysign,
        "math.cos": _direct(graph.COS),
        "math.cosh": _direct(graph.COSH),
        "math.ctlz": _made(_in_words(_count_leading)),
        "math.ctpop": _made(_in_words(_count_ones)),
        "math.cttz": _made(_in_words(_count_trailing)),
        "math.erf": _direct(graph.ERF),
        "math.exp": _direct(graph.EXP),
        "math.exp2": _made(_power_of_two),
        "math.floor": _direct(graph.FLOOR),
        "math.fma": fma,
        "math.isfinite": _made(_is_finite),
        "math.isinf": _made(_is_infinite),
        "math.isnan": _made(_is_nan),
        "math.log": _direct(graph.LOG),
        "math.log10": _made(_common_logarithm),
        "math.log2": _direct(graph.LOG2),
        "math.powf": _direct(graph.POW),
        "math.round": _made(_away_from_zero),
        "math.roundeven": _direct(graph.NEARBYINT),
        "math.rsqrt": _direct(graph.RSQRT),
        "math.sin": _direct(graph.SIN),
        "math.sinh": _direct(graph.SINH),
        "math.sqrt": _direct(graph.SQRT),
        "math.tan": _direct(graph.TAN),
        "math.tanh": _direct(graph.TANH),
        "math.trunc": _made(_truncated),
    }
)
