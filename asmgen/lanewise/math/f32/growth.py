"""sinh, cosh and their inverses.

With h = exp(|x|)/2, whose power of two is one less so that it does not overflow before the result does,
cosh x is h + 1/(4h), and sinh x from 1 on is h - 1/(4h); below, x + x**3 P(x**2). asinh, acosh and atanh are
log(1+y) of a y without cancellation: log u + (y - (u - 1))/u, with u = 1 + y rounded.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import div
from asmgen.lanewise.math.f32.exponential import half_exp
from asmgen.lanewise.math.f32.logarithm import log
from asmgen.lanewise.math.f32.roots import sqrt
from asmgen.lanewise.math.polynomial import horner

_SINH = (0.1666666716337204, 0.008333349600434303, 0.0001983615948120132, 2.8169513370812638e-06)
_HUGE = 2.0**28  # from here on x**2 + 1 and x**2 - 1 are x**2


def sinh(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    half, small = _halves(builder, size)
    square = builder.mul(size, size)
    near = builder.fma(builder.mul(size, square), horner(builder, square, _SINH), size)
    is_near = builder.less(size, builder.like(1.0, x))
    return builder.copysign(builder.where(is_near, near, builder.sub(half, small)), x)


def cosh(builder: LaneBuilder, x: Value) -> Value:
    half, small = _halves(builder, builder.abs(x))
    return builder.add(half, small)


def _halves(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    """exp(|x|)/2 and exp(-|x|)/2."""
    half = half_exp(builder, size)
    return half, builder.mul(builder.hw_rcp(half), builder.like(0.25, size))


def asinh(builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    square = builder.mul(size, size)
    root = sqrt(builder, builder.add(square, like(1.0, x)))
    y = builder.add(size, div(builder, square, builder.add(root, like(1.0, x))))
    return builder.copysign(_log_of_huge_or(builder, size, _log1p(builder, y)), x)


def acosh(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    beyond = builder.sub(x, like(1.0, x))
    root = sqrt(builder, builder.mul(beyond, builder.add(x, like(1.0, x))))
    found = _log_of_huge_or(builder, x, _log1p(builder, builder.add(beyond, root)))
    return builder.where(builder.less(beyond, like(0.0, x)), like(math.nan, x), found)


def atanh(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    y = div(builder, builder.add(size, size), builder.sub(builder.like(1.0, x), size))
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
    logarithm = log(builder, whole)
    exact = builder.fma(lost, builder.hw_rcp(whole), logarithm)
    return builder.where(builder.less(whole, like(math.inf, y)), exact, whole)
