"""Ops that are a choice or two of others: relu, clip, conversions from and to bool, choice of bools, NaN
rules."""

from __future__ import annotations

from math import copysign, nan

from asmgen.ir.program import Value
from asmgen.ir.types import F16, F32, LaneType
from asmgen.lanewise.builder import LaneBuilder


def identity(_builder: LaneBuilder, x: Value) -> Value:
    return x


def relu(builder: LaneBuilder, x: Value) -> Value:
    return builder.max(x, builder.like(0, x))


def clip(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    return builder.min(builder.max(x, low), high)


def clip_f32(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    """The median of three if the bounds are known to be in order; for a NaN it is the smaller bound, as
    min(max()) gives."""
    lowest, highest = builder.literal_of(low), builder.literal_of(high)
    if lowest is not None and highest is not None and _is_in_order(lowest, highest):
        return builder.med3(x, low, high)
    return clip(builder, x, low, high)


def clip_words(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    """Of i32 and u32: the median for each element of a vector, with its bounds in registers once. A single
    element, which may be uniform, takes a maximum and a minimum, which read literals and are scalar too."""
    lowest, highest = builder.literal_of(low), builder.literal_of(high)
    is_vector = isinstance(x.type, LaneType) and x.type.lanes > 1
    if is_vector and lowest is not None and highest is not None and lowest <= highest:
        return builder.med3(x, low, high)
    return clip(builder, x, low, high)


def _is_in_order(low: float, high: float) -> bool:
    """Whether med3 clips to the bounds: of 3, +0 and -0 it takes +0, but min(max(3, +0), -0) is -0."""
    return low < high or (low == high and copysign(1, low) <= copysign(1, high))


def relu_nan(builder: LaneBuilder, x: Value) -> Value:
    return max_nan(builder, x, builder.like(0, x))


def max_nan(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """A NaN of either operand stays. If an operand is known to be a number, a comparison and a choice are
    enough: a comparison with NaN is false."""
    for number, other in ((a, b), (b, a)):
        if _is_number(builder, number):
            return builder.where(builder.less(other, number), number, other)
    return builder.where(builder.unordered(a, b), builder.like(nan, a), builder.max(a, b))


def min_nan(builder: LaneBuilder, a: Value, b: Value) -> Value:
    for number, other in ((a, b), (b, a)):
        if _is_number(builder, number):
            return builder.where(builder.greater(other, number), number, other)
    return builder.where(builder.unordered(a, b), builder.like(nan, a), builder.min(a, b))


def clip_nan(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    if _is_number(builder, low) and _is_number(builder, high):
        clipped = clip_f32 if x.type.element is F32 else clip
        return _unless_nan(builder, x, clipped(builder, x, low, high))
    return min_nan(builder, max_nan(builder, x, low), high)


def _is_number(builder: LaneBuilder, x: Value) -> bool:
    """Whether a value is a literal that is not NaN."""
    literal = builder.literal_of(x)
    return literal is not None and literal == literal


def _unless_nan(builder: LaneBuilder, x: Value, otherwise: Value) -> Value:
    return builder.where(builder.not_equal(x, x), x, otherwise)


# By instructions in which a NaN stays


def relu_maximum(builder: LaneBuilder, x: Value) -> Value:
    return builder.maximum(x, builder.like(0, x))


def clip_maximum(builder: LaneBuilder, x: Value, low: Value, high: Value) -> Value:
    return builder.minimum(builder.maximum(x, low), high)


def from_bool(builder: LaneBuilder, condition: Value, to: LaneType) -> Value:
    return builder.where(condition, builder.constant(1, to), builder.constant(0, to))


def to_bool(builder: LaneBuilder, x: Value) -> Value:
    return builder.not_equal(x, builder.like(0, x))


def integer_to_f16(builder: LaneBuilder, x: Value) -> Value:
    """Through f32: exact up to 2**24, and all beyond 65520 is infinite in f16."""
    return builder.convert(builder.convert(x, F32), F16)


def where_bool(builder: LaneBuilder, condition: Value, a: Value, b: Value) -> Value:
    return builder.logical_or(
        builder.logical_and(condition, a), builder.logical_and(builder.logical_not(condition), b)
    )
