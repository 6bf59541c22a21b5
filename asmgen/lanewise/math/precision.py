"""Functions that f32 and f64 compute by the same algorithm, from the constants and basic functions of a
`Precision`.

With h = exp(|x|)/2, computed with half the power of two so that it does not overflow before the result does,
cosh x is h + 1/(4h), and sinh x from 1 on is h - 1/(4h); below, x + x**3 P(x**2). asinh, acosh and atanh are
log(1+y) of a y without cancellation: log u + (y - (u - 1))/u, with u = 1 + y rounded.

asin x is x + x**3 P(x**2) up to 1/2; above, asin x = pi/2 - 2 asin(sqrt((1 - x)/2)), and 1 - x is exact.
acos x is pi/2 - asin x, without the difference if x is near 1. pi/2 is taken in two parts.

atan2(y, x) is the arc tangent of the smaller over the larger magnitude, turned into the octant of (x, y). An
angle a becomes pi/2 - a if |y| is the larger, then pi - a if x has the sign bit; it has the sign of y.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner
from isa.named_tuple import NamedTuple

Unary = Callable[[LaneBuilder, Value], Value]
Pair = Callable[[LaneBuilder, Value], tuple[Value, Value]]
Binary = Callable[[LaneBuilder, Value, Value], Value]
_HUGE = 2.0**28  # from here on x**2 + 1 and x**2 - 1 are x**2


class Precision(NamedTuple):
    """The functions of a float type, the coefficients of sinh and asin from x**3 on, and pi/2 in two parts.

    `halves` gives exp(x)/2 and exp(-x)/2 of an x that is not negative. `log_1_plus` is log(1+y) of a y that
    is not negative, and NaN of a negative y. `root` is the square root, and NaN of a negative number.
    `or_nan` is its second argument, or the first if that is a NaN. `of_positive` is its second argument, or
    NaN if the first is negative. `ratio` is a quotient of at most 1 of two magnitudes, and NaN of two zeros
    or infinities. `arc` is the arc tangent of a number from 0 to 1. `has_sign` is whether the sign bit is
    set.
    """

    halves: Pair
    log: Unary
    log_1_plus: Unary
    divide: Binary
    sqrt: Unary
    root: Unary
    or_nan: Binary
    of_positive: Binary
    sinh: tuple[float, ...]
    asin: tuple[float, ...]
    right_angle: tuple[float, float]
    ratio: Binary
    arc: Unary
    has_sign: Unary


def sinh(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    half, small = precision.halves(builder, size)
    near = odd(builder, size, precision.sinh)
    is_near = builder.less(size, builder.like(1.0, x))
    result = builder.copysign(builder.where(is_near, near, builder.sub(half, small)), x)
    return precision.or_nan(builder, x, result)


def asinh(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    square = builder.mul(size, size)
    root = precision.sqrt(builder, builder.add(square, like(1.0, x)))
    y = builder.add(size, precision.divide(builder, square, builder.add(root, like(1.0, x))))
    logarithm = _log_of_huge_or(precision, builder, size, precision.log_1_plus(builder, y))
    return builder.copysign(logarithm, x)


def acosh(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    beyond = builder.sub(x, builder.like(1.0, x))
    root = precision.sqrt(builder, builder.mul(beyond, builder.add(x, builder.like(1.0, x))))
    y = builder.add(beyond, root)
    logarithm = _log_of_huge_or(precision, builder, x, precision.log_1_plus(builder, y))
    return precision.of_positive(builder, beyond, logarithm)


def atanh(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    y = precision.divide(builder, builder.add(size, size), builder.sub(builder.like(1.0, x), size))
    half = builder.mul(precision.log_1_plus(builder, y), builder.like(0.5, x))
    return builder.copysign(half, x)


def _log_of_huge_or(precision: Precision, builder: LaneBuilder, size: Value, otherwise: Value) -> Value:
    """log 2x of a huge x."""
    doubled = builder.add(precision.log(builder, size), builder.like(math.log(2), size))
    return builder.where(builder.greater(size, builder.like(_HUGE, size)), doubled, otherwise)


def log_1_plus(log_and_reciprocal: Pair, builder: LaneBuilder, y: Value) -> Value:
    """log(1+y) of a y that is not negative, by the logarithm and a near reciprocal; NaN of a negative y."""
    like = builder.like
    one = like(1.0, y)
    whole = builder.add(y, one)
    is_less = builder.less(y, one)
    lost = builder.where(
        is_less, builder.sub(y, builder.sub(whole, one)), builder.sub(one, builder.sub(whole, y))
    )
    logarithm, reciprocal = log_and_reciprocal(builder, whole)
    exact = builder.fma(lost, reciprocal, logarithm)
    return builder.where(builder.less(whole, like(math.inf, y)), exact, whole)


def asin(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    is_steep, part = _arc(precision, builder, x)
    steep = from_right_angle(precision.right_angle, builder, builder.add(part, part))
    return builder.copysign(builder.where(is_steep, steep, part), x)


def acos(precision: Precision, builder: LaneBuilder, x: Value) -> Value:
    high, low = precision.right_angle
    is_steep, part = _arc(precision, builder, x)
    flat = from_right_angle(precision.right_angle, builder, builder.copysign(part, x))
    twice = builder.add(part, part)
    beyond = builder.sub(builder.like(2 * high, x), builder.sub(twice, builder.like(2 * low, x)))
    steep = builder.where(builder.less(x, builder.like(0.0, x)), beyond, twice)
    return builder.where(is_steep, steep, flat)


def _arc(precision: Precision, builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """Whether |x| is above 1/2; asin |x| up to there, and asin(sqrt((1 - |x|)/2)) above; NaN beyond 1."""
    like, size = builder.like, builder.abs(x)
    is_steep = builder.greater(size, like(0.5, x))
    half = builder.mul(builder.sub(like(1.0, x), size), like(0.5, x))
    sine = builder.where(is_steep, precision.root(builder, half), size)
    square = builder.where(is_steep, half, builder.mul(size, size))
    return is_steep, builder.fma(builder.mul(sine, square), horner(builder, square, precision.asin), sine)


def atan2(precision: Precision, builder: LaneBuilder, y: Value, x: Value) -> Value:
    like, (quarter, quarter_low) = builder.like, precision.right_angle
    zero = like(0.0, x)
    high, wide = builder.abs(y), builder.abs(x)
    is_steep = builder.greater(high, wide)
    large, small = builder.where(is_steep, high, wide), builder.where(is_steep, wide, high)
    diagonal = builder.where(builder.equal(large, zero), zero, like(1.0, x))
    tangent = builder.where(builder.equal(high, wide), diagonal, precision.ratio(builder, small, large))
    part = precision.arc(builder, tangent)
    is_left = precision.has_sign(builder, x)
    part = builder.where(builder.logical_xor(is_steep, is_left), builder.neg(part), part)
    axis = builder.where(is_left, like(2 * quarter, x), zero)
    axis = builder.where(is_steep, like(quarter, x), axis)
    angle = builder.add(axis, builder.fma(axis, like(quarter_low / quarter, x), part))
    return builder.copysign(angle, y)


def odd(builder: LaneBuilder, x: Value, coefficients: tuple[float, ...]) -> Value:
    """x + x**3 P(x**2)"""
    square = builder.mul(x, x)
    return builder.fma(builder.mul(x, square), horner(builder, square, coefficients), x)


def from_right_angle(right_angle: tuple[float, float], builder: LaneBuilder, angle: Value) -> Value:
    """pi/2 less an angle."""
    high, low = right_angle
    return builder.sub(builder.like(high, angle), builder.sub(angle, builder.like(low, angle)))
