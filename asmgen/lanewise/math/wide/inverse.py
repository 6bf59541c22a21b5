"""asin, acos and atan of f64.

atan |x| is that of a break point c plus that of (|x| - c) / (1 + c |x|), which is at most 7/16 (fdlibm,
s_atan.c), and there x + x**3 P(x**2). asin x is x + x**3 P(x**2) up to 1/2; above, asin x = pi/2 - 2 asin(
sqrt((1 - x)/2)), where 1 - x is exact. acos x is pi/2 - asin x, without the difference where x is near 1. The
polynomials are Chebyshev's interpolations, within 2**-57 and 2**-59; angles of break points are in two parts.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.wide.arithmetic import div_f64, sqrt_f64

_ATAN = (
    -0.3333333333333333, 0.1999999999999941, -0.14285714285566806, 0.11111111096645038,
    -0.09090908355602592, 0.07692285554889286, -0.06666241923359964, 0.05876946456755061,
    -0.05216679739313656, 0.04492259293193656, -0.033128134256069586, 0.014773184616983806,
)  # fmt: skip
_ASIN = (
    0.16666666666666666, 0.07500000000000118, 0.044642857142551895, 0.03038194447553234, 0.02237215744350722,
    0.017352816540325496, 0.01396378001220357, 0.011566459612121669, 0.009621842970100282,
    0.009319560794767446, 0.0030448799094556773, 0.019554513336123378, -0.01924167174674304,
    0.02961201126495512,
)  # fmt: skip
# from which |x| on, the break point, and its angle
_BREAKS = (
    (0.4375, 0.5, 0.4636476090008061, 2.2698777452961687e-17),
    (0.6875, 1.0, 0.7853981633974483, 3.061616997868383e-17),
    (1.1875, 1.5, 0.982793723247329, 1.3903311031230998e-17),
)
_STEEP = 2.4375  # from here on it is pi/2 less the angle of 1/x
_HIGH, _LOW = 1.5707963267948966, 6.123233995736766e-17


def atan(builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    above, below = size, like(1.0, x)
    high = low = like(0.0, x)
    for first, point, angle, rest in _BREAKS:
        is_there = builder.greater_equal(size, like(first, x))
        above = builder.where(is_there, builder.sub(size, like(point, x)), above)
        below = builder.where(is_there, builder.fma(size, like(point, x), like(1.0, x)), below)
        high = builder.where(is_there, like(angle, x), high)
        low = builder.where(is_there, like(rest, x), low)
    is_steep = builder.greater_equal(size, like(_STEEP, x))
    above = builder.where(is_steep, like(-1.0, x), above)
    below = builder.where(is_steep, size, below)
    high = builder.where(is_steep, like(_HIGH, x), high)
    low = builder.where(is_steep, like(_LOW, x), low)
    part = div_f64(builder, above, below)
    square = builder.mul(part, part)
    bent = builder.fma(builder.mul(part, square), horner(builder, square, _ATAN), low)
    return builder.copysign(builder.add(high, builder.add(part, bent)), x)


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
    """Whether |x| is above 1/2; asin |x| up to there, and asin(sqrt((1 - |x|)/2)) above; NaN beyond 1."""
    like, size = builder.like, builder.abs(x)
    is_steep = builder.greater(size, like(0.5, x))
    half = builder.mul(builder.sub(like(1.0, x), size), like(0.5, x))
    root = builder.where(builder.less(half, like(0.0, x)), like(math.nan, x), sqrt_f64(builder, half))
    sine = builder.where(is_steep, root, size)
    square = builder.where(is_steep, half, builder.mul(size, size))
    return is_steep, builder.fma(builder.mul(sine, square), horner(builder, square, _ASIN), sine)


def _from_right_angle(builder: LaneBuilder, angle: Value) -> Value:
    """pi/2 less an angle."""
    return builder.sub(builder.like(_HIGH, angle), builder.sub(angle, builder.like(_LOW, angle)))
