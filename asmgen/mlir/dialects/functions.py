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
from asmgen.mlir.dialects.math import of_op
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, as_unsigned, lanes_of
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation


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
        "math.fpowi": whole_power,
        "math.ipowi": integer_power,
        "math.isnormal": is_normal,
        "math.sincos": sine_and_cosine,
    }
)
