"""The precision of f64, and atan.

atan |x| is that of a break point c plus that of (|x| - c) / (1 + c |x|), which is at most 7/16 (fdlibm,
s_atan.c), and there x + x**3 P(x**2). The polynomials of atan and asin are Chebyshev's interpolations, within
2**-57 and 2**-59; angles of break points are in two parts. sinh near 0 is its Taylor series, with a remainder
below 2**-58.
"""

from __future__ import annotations

import math
from functools import partial

from asmgen.ir.program import Value
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.precision import Precision, log_1_plus
from asmgen.lanewise.math.wide.arithmetic import div_f64, high, reciprocal, sqrt_f64
from asmgen.lanewise.math.wide.functions import exp_less_one, log

_LARGEST = 800.0  # the half of its exp is infinite
_ATAN = (
    -0.3333333333333333, 0.1999999999999941, -0.14285714285566806, 0.11111111096645038,
    -0.09090908355602592, 0.07692285554889286, -0.06666241923359964, 0.05876946456755061,
    -0.05216679739313656, 0.04492259293193656, -0.033128134256069586, 0.014773184616983806,
)  # fmt: skip
# from which |x| on, the break point, and its angle
_BREAKS = (
    (0.4375, 0.5, 0.4636476090008061, 2.2698777452961687e-17),
    (0.6875, 1.0, 0.7853981633974483, 3.061616997868383e-17),
    (1.1875, 1.5, 0.982793723247329, 1.3903311031230998e-17),
)
_STEEP = 2.4375  # from here on it is pi/2 less the angle of 1/x
_RIGHT_ANGLE = 1.5707963267948966, 6.123233995736766e-17


def atan(builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    above, below = size, like(1.0, x)
    upper = low = like(0.0, x)
    for first, point, angle, rest in _BREAKS:
        is_there = builder.greater_equal(size, like(first, x))
        above = builder.where(is_there, builder.sub(size, like(point, x)), above)
        below = builder.where(is_there, builder.fma(size, like(point, x), like(1.0, x)), below)
        upper = builder.where(is_there, like(angle, x), upper)
        low = builder.where(is_there, like(rest, x), low)
    is_steep = builder.greater_equal(size, like(_STEEP, x))
    above = builder.where(is_steep, like(-1.0, x), above)
    below = builder.where(is_steep, size, below)
    upper = builder.where(is_steep, like(_RIGHT_ANGLE[0], x), upper)
    low = builder.where(is_steep, like(_RIGHT_ANGLE[1], x), low)
    part = div_f64(builder, above, below)
    square = builder.mul(part, part)
    bent = builder.fma(builder.mul(part, square), horner(builder, square, _ATAN), low)
    return builder.copysign(builder.add(upper, builder.add(part, bent)), x)


def log_of_one_more(builder: LaneBuilder, x: Value) -> Value:
    """log1p"""
    like = builder.like
    result = builder.where(builder.equal(x, like(-1.0, x)), like(-math.inf, x), _log_1_plus_any(builder, x))
    return builder.copysign(result, x)


def _has_sign(builder: LaneBuilder, x: Value) -> Value:
    word = builder.bit_cast(high(builder, x), I32)
    return builder.less(word, builder.like(0, word))


def _halves(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    like = builder.like
    value, exponent = exp_less_one(builder, builder.min(size, like(_LARGEST, size)))
    less = builder.sub(exponent, like(1, exponent))
    half = builder.ldexp(builder.add(value, like(1.0, size)), less)
    return half, div_f64(builder, like(0.25, size), half)


def cosh(builder: LaneBuilder, x: Value) -> Value:
    half, small = _halves(builder, builder.abs(x))
    return builder.where(builder.equal(x, x), builder.add(half, small), x)


def _log_and_reciprocal(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    inverse = reciprocal(builder, x)
    return log(builder, x), inverse


_log_1_plus_any = partial(log_1_plus, _log_and_reciprocal)  # NaN of a number below -1, and of -1


def _log_1_plus(builder: LaneBuilder, y: Value) -> Value:
    logarithm = _log_1_plus_any(builder, y)
    return builder.where(builder.less(y, builder.like(0.0, y)), builder.like(math.nan, y), logarithm)


def _root(builder: LaneBuilder, x: Value) -> Value:
    is_negative = builder.less(x, builder.like(0.0, x))
    return builder.where(is_negative, builder.like(math.nan, x), sqrt_f64(builder, x))


def _or_nan(builder: LaneBuilder, x: Value, value: Value) -> Value:
    return builder.where(builder.equal(x, x), value, x)


def _of_positive(builder: LaneBuilder, x: Value, value: Value) -> Value:
    return builder.where(builder.greater_equal(x, builder.like(0.0, x)), value, builder.like(math.nan, x))


DOUBLE = Precision(
    halves=_halves,
    log=log,
    log_1_plus=_log_1_plus,
    divide=div_f64,
    sqrt=sqrt_f64,
    root=_root,
    or_nan=_or_nan,
    of_positive=_of_positive,
    sinh=tuple([1 / math.factorial(2 * n + 1) for n in range(1, 10)]),
    asin=(
        0.16666666666666666, 0.07500000000000118, 0.044642857142551895, 0.03038194447553234,
        0.02237215744350722, 0.017352816540325496, 0.01396378001220357, 0.011566459612121669,
        0.009621842970100282, 0.009319560794767446, 0.0030448799094556773, 0.019554513336123378,
        -0.01924167174674304, 0.02961201126495512,
    ),
    right_angle=_RIGHT_ANGLE,
    ratio=div_f64,
    arc=atan,
    has_sign=_has_sign,
)  # fmt: skip
