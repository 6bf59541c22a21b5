"""sinh, cosh and their inverses of f64, as `growth` has them of f32: of h = exp(|x|)/2 and 1/(4h), and of
log(1+y) with a y without cancellation. Near 0 sinh is its Taylor series, whose rest is below 2**-58.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.wide.arithmetic import div_f64, reciprocal, sqrt_f64
from asmgen.lanewise.math.wide.functions import exp_less_one, log

_SINH = tuple([1 / math.factorial(2 * n + 1) for n in range(1, 10)])
_LARGEST = 800.0  # of whose exp the half is infinite
_HUGE = 2.0**28  # from here on x**2 + 1 and x**2 - 1 are x**2


def sinh(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    half, small = _halves(builder, size)
    square = builder.mul(size, size)
    near = builder.fma(builder.mul(size, square), horner(builder, square, _SINH), size)
    is_near = builder.less(size, builder.like(1.0, x))
    found = builder.copysign(builder.where(is_near, near, builder.sub(half, small)), x)
    return builder.where(builder.equal(x, x), found, x)


def cosh(builder: LaneBuilder, x: Value) -> Value:
    half, small = _halves(builder, builder.abs(x))
    return builder.where(builder.equal(x, x), builder.add(half, small), x)


def _halves(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    """exp(|x|)/2 and exp(-|x|)/2."""
    like = builder.like
    value, exponent = exp_less_one(builder, builder.min(size, like(_LARGEST, size)))
    less = builder.sub(exponent, like(1, exponent))
    half = builder.ldexp(builder.add(value, like(1.0, size)), less)
    return half, div_f64(builder, like(0.25, size), half)


def asinh(builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    square = builder.mul(size, size)
    root = sqrt_f64(builder, builder.add(square, like(1.0, x)))
    y = builder.add(size, div_f64(builder, square, builder.add(root, like(1.0, x))))
    return builder.copysign(_log_of_huge_or(builder, size, _log1p(builder, y)), x)


def acosh(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    beyond = builder.sub(x, like(1.0, x))
    root = sqrt_f64(builder, builder.mul(beyond, builder.add(x, like(1.0, x))))
    found = _log_of_huge_or(builder, x, _log1p(builder, builder.add(beyond, root)))
    return builder.where(builder.greater_equal(beyond, like(0.0, x)), found, like(math.nan, x))


def atanh(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    y = div_f64(builder, builder.add(size, size), builder.sub(builder.like(1.0, x), size))
    half = builder.mul(_log1p(builder, y), builder.like(0.5, x))
    return builder.copysign(half, x)


def _log_of_huge_or(builder: LaneBuilder, size: Value, otherwise: Value) -> Value:
    """log 2x where x is huge."""
    doubled = builder.add(log(builder, size), builder.like(math.log(2), size))
    return builder.where(builder.greater(size, builder.like(_HUGE, size)), doubled, otherwise)


def _log1p(builder: LaneBuilder, y: Value) -> Value:
    """log(1+y) of a y that is not negative; NaN of one that is."""
    like = builder.like
    one = like(1.0, y)
    whole = builder.add(y, one)
    is_less = builder.less(y, one)
    lost = builder.where(
        is_less, builder.sub(y, builder.sub(whole, one)), builder.sub(one, builder.sub(whole, y))
    )
    exact = builder.fma(lost, reciprocal(builder, whole), log(builder, whole))
    found = builder.where(builder.less(whole, like(math.inf, y)), exact, whole)
    return builder.where(builder.less(y, like(0.0, y)), like(math.nan, y), found)
