"""Pointwise ops as sequences of simpler ops. An op with numbers of its own, such as elu's alpha, is computed
in the wide type of small floats."""

from __future__ import annotations

import math

from asmgen.graph import ops
from asmgen.graph.compose.writer import Writer
from asmgen.ir.program import Value
from asmgen.ir.types import F32, computed


def sqdiff(write: Writer, a: Value, b: Value) -> Value:
    difference = write.apply(ops.SUB, a, b)
    return write.apply(ops.MUL, difference, difference)


def prelu(write: Writer, x: Value, slope: Value) -> Value:
    return write.apply(ops.WHERE, write.is_less(x, 0), write.apply(ops.MUL, x, slope), x)


def sign(write: Writer, x: Value) -> Value:
    """0 of both zeros, and NaN of NaN."""
    one, zero = write.number(1, x), write.number(0, x)
    above = write.apply(ops.WHERE, write.apply(ops.GREATER, x, zero), one, x)
    if x.type.element.is_float:
        above = write.apply(ops.WHERE, write.is_equal(x, 0), zero, above)
    least = write.apply(ops.NEG, one)
    return write.apply(ops.WHERE, write.is_less(x, 0), least, above)


def isnan(write: Writer, x: Value) -> Value:
    return write.apply(ops.NOT, write.apply(ops.EQUAL, x, x))


def isinf(write: Writer, x: Value) -> Value:
    return write.is_equal(write.apply(ops.ABS, write.wide(x)), math.inf)


def leaky_relu(write: Writer, x: Value) -> Value:
    wide = write.wide(x)
    slope = write.number(write.attribute("alpha"), wide)
    return write.apply(ops.WHERE, write.is_less(wide, 0), write.apply(ops.MUL, wide, slope), wide)


def elu(write: Writer, x: Value) -> Value:
    """alpha (exp(x) - 1) below 0."""
    wide = write.wide(x)
    less_one = write.apply(ops.EXPM1, wide)
    scaled = write.apply(ops.MUL, less_one, write.number(write.attribute("alpha"), wide))
    return write.apply(ops.WHERE, write.is_less(wide, 0), scaled, wide)


def quantize(write: Writer, x: Value, scale: Value, *zero_point: Value) -> Value:
    """x / scale, rounded to the nearest whole number for a type of those, and the zero point: saturated."""
    wide = computed(scale.type.element) if scale.type.element.is_float else F32
    quotient = write.apply(ops.DIV, write.wide(x, wide), write.wide(scale, wide))
    is_whole = not write.origin.result.type.element.is_float
    if is_whole:
        quotient = write.apply(ops.NEARBYINT, quotient)
    if not zero_point or (is_whole and write.is_zero(zero_point[0])):  # a sum with 0 has no sign
        return quotient
    return write.apply(ops.ADD, quotient, write.wide(zero_point[0], wide))


def dequantize(write: Writer, x: Value, scale: Value, *zero_point: Value) -> Value:
    """(x - zero point) scale."""
    wide = computed(scale.type.element)
    moved = write.wide(x, wide)
    if zero_point and not write.is_zero(zero_point[0]):
        moved = write.apply(ops.SUB, moved, write.wide(zero_point[0], wide))
    return write.apply(ops.MUL, moved, write.wide(scale, wide))
