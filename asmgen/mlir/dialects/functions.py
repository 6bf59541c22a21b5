"""`math`: functions of floats built from several others, and powers of integers.

Floats of 8 and 16 bits are computed in f32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from asmgen.graph import ops as graph
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, F32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.dialects.math import of_floats, of_op
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, as_unsigned, lanes_of
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation


def _is_infinite(builder: LaneBuilder, x: Value) -> Value:
    return builder.equal(builder.abs(x), builder.like(math.inf, x))


def _exp_less_one(builder: LaneBuilder, x: Value) -> Value:
    """`expm1`: (u - 1) x / log u for u = exp x. The errors of u cancel (Kahan; Higham, Accuracy and Stability
    of Numerical Algorithms, 1.14.1)."""
    one, u = builder.like(1.0, x), builder.value(graph.EXP, x)
    less = builder.sub(u, one)
    result = builder.div(builder.mul(less, x), builder.value(graph.LOG, u))
    result = builder.where(builder.equal(u, one), x, result)
    is_end = builder.logical_or(_is_infinite(builder, u), builder.equal(less, builder.like(-1.0, x)))
    return builder.where(is_end, less, result)


def _log_of_one_more(builder: LaneBuilder, x: Value) -> Value:
    """`log1p`: x log u / (u - 1) for the rounded u = 1 + x, by the same source."""
    one = builder.like(1.0, x)
    u = builder.add(x, one)
    less, logarithm = builder.sub(u, one), builder.value(graph.LOG, u)
    result = builder.div(builder.mul(logarithm, x), less)
    result = builder.where(builder.equal(u, one), x, result)
    return builder.where(_is_infinite(builder, u), logarithm, result)


def _cube_root(builder: LaneBuilder, x: Value) -> Value:
    """`cbrt`: a power, and a step of Newton's method."""
    size = builder.abs(x)
    near = builder.value(graph.POW, size, builder.like(1 / 3, x))
    square = builder.mul(near, near)
    off = builder.sub(builder.mul(square, near), size)
    step = builder.div(off, builder.mul(builder.like(3.0, x), square))
    root = builder.sub(near, step)
    negative = builder.less(x, builder.like(0.0, x))
    result = builder.where(negative, builder.neg(root), root)
    is_end = builder.logical_or(_is_infinite(builder, x), builder.equal(x, builder.like(0.0, x)))
    return builder.where(is_end, x, result)


def _angle(builder: LaneBuilder, y: Value, x: Value) -> Value:
    """`atan2`: the arc tangent of the smaller over the larger coordinate, turned into the octant of (x,
    y)."""
    high, wide = builder.abs(y), builder.abs(x)
    zero, one = builder.like(0.0, x), builder.like(1.0, x)
    small, large = builder.min(high, wide), builder.max(high, wide)
    ratio = builder.div(small, large)
    ratio = builder.where(builder.equal(small, large), one, ratio)  # also for two infinities
    ratio = builder.where(builder.equal(large, zero), zero, ratio)
    angle = builder.value(graph.ATAN, ratio)
    is_steep = builder.greater(high, wide)
    angle = builder.where(is_steep, builder.sub(builder.like(math.pi / 2, x), angle), angle)
    angle = builder.where(_has_sign(builder, x), builder.sub(builder.like(math.pi, x), angle), angle)
    angle = builder.where(_has_sign(builder, y), builder.neg(angle), angle)
    is_nan = builder.logical_or(builder.not_equal(x, x), builder.not_equal(y, y))
    return builder.where(is_nan, builder.add(x, y), angle)


def _has_sign(builder: LaneBuilder, x: Value) -> Value:
    """Whether the sign bit is set; true for -0."""
    word = builder.bit_cast(x, ELEMENT_TYPES[f"i{lanes_of(x).element.bits}"])
    return builder.less(word, builder.like(0, word))


def is_normal(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Whether a number is neither zero, nor denormal, nor infinite, nor NaN."""
    builder, value = lower.builder, lower.lane(operation.operands[0])
    least = float(np.ldexp(1.0, _least_exponent(lanes_of(value).element.name)))
    size = builder.abs(value)
    is_large = builder.greater_equal(size, builder.like(least, value))
    return (builder.logical_and(is_large, builder.less(size, builder.like(math.inf, value))),)


def _least_exponent(name: str) -> int:
    import ml_dtypes

    limits = cast("Any", ml_dtypes.finfo(numpy_dtype(ELEMENT_TYPES[name])))
    return int(limits.minexp)


def sine_and_cosine(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`sincos`."""
    return (*of_op(graph.SIN)(lower, operation), *of_op(graph.COS)(lower, operation))


def whole_power(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`fpowi`: the power of the magnitude, with the sign of an odd power."""
    builder = lower.builder
    base, count = (lower.lane(operand) for operand in operation.operands)
    element = lanes_of(base).element
    inner = element if element.bits >= F32.bits else F32
    wide = builder.convert(base, inner) if inner is not element else base
    power = builder.value(
        graph.POW, builder.abs(wide), builder.convert(as_signed(lower.builder, count), inner)
    )
    one = builder.like(1, count)
    is_odd = builder.equal(builder.bitwise_and(count, one), one)
    is_turned = builder.logical_and(is_odd, _has_sign(builder, wide))
    result = builder.where(is_turned, builder.neg(power), power)
    return (builder.convert(result, element) if inner is not element else result,)


def integer_power(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`ipowi`: by repeated squaring. A negative power is the reciprocal, which is zero unless the base is 1
    or -1."""
    builder = lower.builder
    base, count = (lower.lane(operand) for operand in operation.operands)
    type_ = lanes_of(base)
    if type_.lanes > 1 or type_.element is BOOL or type_.element.bits < F32.bits:
        raise lower.refused(operation, "MLIR010", f"math.ipowi of {type_}", "i32 or i64")
    zero, one = builder.like(0, base), builder.like(1, base)
    is_negative = builder.less(as_signed(lower.builder, count), as_signed(lower.builder, zero))
    size = builder.where(is_negative, builder.sub(zero, count), count)

    def goes_on(values: tuple[Value, ...]) -> Value:
        return builder.not_equal(values[1], zero)

    def step(values: tuple[Value, ...]) -> Sequence[Value]:
        square, left, made = values
        is_odd = builder.equal(builder.bitwise_and(left, one), one)
        following = builder.where(is_odd, builder.mul(made, square), made)
        return builder.mul(square, square), builder.shift_right(left, one), following

    power = builder.while_([base, size, one], goes_on, step)[2]
    signed = as_signed(lower.builder, base)
    is_unit = builder.equal(builder.abs(signed), as_signed(lower.builder, one))
    of_negative = builder.where(is_unit, as_signed(lower.builder, power), as_signed(lower.builder, zero))
    return (builder.where(is_negative, as_unsigned(lower.builder, of_negative), power),)


ROWS = rows(
    {
        "math.atan2": of_floats(_angle),
        "math.cbrt": of_floats(_cube_root),
        "math.expm1": of_floats(_exp_less_one),
        "math.fpowi": whole_power,
        "math.ipowi": integer_power,
        "math.isnormal": is_normal,
        "math.log1p": of_floats(_log_of_one_more),
        "math.sincos": sine_and_cosine,
    }
)
