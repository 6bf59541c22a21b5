"""asin, acos and atan.

atan x is x + x**3 P(x**2) up to 1, and pi/2 less that of 1/x above. asin x is x + x**3 P(x**2) up to 1/2;
above, asin x = pi/2 - 2 asin(sqrt((1 - x)/2)), where 1 - x is exact. acos x is pi/2 - asin x, without the
difference where x is near 1. pi/2 is taken in two parts.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import recip
from asmgen.lanewise.math.f32.roots import sqrt
from asmgen.lanewise.math.polynomial import horner, nearest

_HIGH = nearest(math.pi / 2)
_LOW = nearest(math.pi / 2 - _HIGH)
_ATAN = (
    -0.33333298563957214, 0.19998548924922943, -0.14264240860939026, 0.10952181369066238,
    -0.08403436839580536, 0.05795735865831375, -0.031177613884210587,
    0.010914481244981289, -0.001793593866750598,
)  # fmt: skip
_ASIN = (
    0.16666659712791443, 0.07500503957271576, 0.04451695457100868, 0.03180771693587303, 0.01443860400468111,
    0.03751645237207413,
)  # fmt: skip


def atan(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    is_steep = builder.greater(size, builder.like(1.0, x))
    part = _odd(builder, builder.where(is_steep, recip(builder, size), size), _ATAN)
    return builder.copysign(builder.where(is_steep, _from_right_angle(builder, part), part), x)


def asin(builder: LaneBuilder, x: Value) -> Value:
    is_steep, part = _arc(builder, x)
    steep = _from_right_angle(builder, builder.add(part, part))
    return builder.copysign(builder.where(is_steep, steep, part), x)


def acos(builder: LaneBuilder, x: Value) -> Value:
    is_steep, part = _arc(builder, x)
    flat = _from_right_angle(builder, builder.copysign(part, x))
    twice = builder.add(part, part)
    beyond = builder.sub(builder.like(2 * _HIGH, x), builder.sub(twice, builder.like(2 * _LOW, x)))
    steep = builder.where(builder.less(x, builder.like(0.0, x)), beyond, twice)
    return builder.where(is_steep, steep, flat)


def _arc(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """Whether |x| is above 1/2; asin |x| up to there, and asin(sqrt((1 - |x|)/2)) above."""
    like, size = builder.like, builder.abs(x)
    is_steep = builder.greater(size, like(0.5, x))
    half = builder.mul(builder.sub(like(1.0, x), size), like(0.5, x))
    sine = builder.where(is_steep, sqrt(builder, half), size)
    square = builder.where(is_steep, half, builder.mul(size, size))
    return is_steep, builder.fma(builder.mul(sine, square), horner(builder, square, _ASIN), sine)


def _odd(builder: LaneBuilder, x: Value, cubic: tuple[float, ...]) -> Value:
    square = builder.mul(x, x)
    return builder.fma(builder.mul(x, square), horner(builder, square, cubic), x)


def _from_right_angle(builder: LaneBuilder, angle: Value) -> Value:
    """pi/2 less an angle."""
    return builder.sub(builder.like(_HIGH, angle), builder.sub(angle, builder.like(_LOW, angle)))
