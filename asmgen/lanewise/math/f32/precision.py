"""The precision of f32, and atan: x + x**3 P(x**2) up to 1, and pi/2 less that of 1/x above."""

from __future__ import annotations

import math
from functools import partial

from asmgen.ir.program import Value
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import div, recip, sqrt
from asmgen.lanewise.math.f32.exponential import half_exp
from asmgen.lanewise.math.f32.logarithm import log
from asmgen.lanewise.math.polynomial import nearest
from asmgen.lanewise.math.precision import Precision, from_right_angle, log_1_plus, odd

_HIGH = nearest(math.pi / 2)
_RIGHT_ANGLE = _HIGH, nearest(math.pi / 2 - _HIGH)
_ATAN = (
    -0.33333298563957214, 0.19998548924922943, -0.14264240860939026, 0.10952181369066238,
    -0.08403436839580536, 0.05795735865831375, -0.031177613884210587,
    0.010914481244981289, -0.001793593866750598,
)  # fmt: skip


def atan(builder: LaneBuilder, x: Value) -> Value:
    size = builder.abs(x)
    is_steep = builder.greater(size, builder.like(1.0, x))
    part = _arc(builder, builder.where(is_steep, recip(builder, size), size))
    steep = from_right_angle(_RIGHT_ANGLE, builder, part)
    return builder.copysign(builder.where(is_steep, steep, part), x)


def _ratio(builder: LaneBuilder, small: Value, large: Value) -> Value:
    """A quotient of at most 1, within 1 ULP, or 2 if it is denormal."""
    exponent = builder.frexp_exponent(large)
    by = builder.frexp_mantissa(large)
    scaled = builder.ldexp(small, builder.sub(builder.like(0, exponent), exponent))
    inverse = builder.hw_rcp(by)
    quotient = builder.mul(scaled, inverse)
    quotient = builder.fma(builder.fma(builder.neg(by), quotient, scaled), inverse, quotient)
    return builder.div_fixup(quotient, large, small)


def _arc(builder: LaneBuilder, tangent: Value) -> Value:
    return odd(builder, tangent, _ATAN)


def _has_sign(builder: LaneBuilder, x: Value) -> Value:
    word = builder.bit_cast(x, I32)
    return builder.less(word, builder.like(0, word))


def _halves(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    half = half_exp(builder, size)
    return half, builder.mul(builder.hw_rcp(half), builder.like(0.25, size))


def cosh(builder: LaneBuilder, x: Value) -> Value:
    half, small = _halves(builder, builder.abs(x))
    return builder.add(half, small)


def _log_and_reciprocal(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    return log(builder, x), builder.hw_rcp(x)


def _or_nan(_builder: LaneBuilder, _x: Value, value: Value) -> Value:
    """A NaN goes through every step of f32's functions."""
    return value


def _of_positive(builder: LaneBuilder, x: Value, value: Value) -> Value:
    return builder.where(builder.less(x, builder.like(0.0, x)), builder.like(math.nan, x), value)


SINGLE = Precision(
    halves=_halves,
    log=log,
    log_1_plus=partial(log_1_plus, _log_and_reciprocal),
    divide=div,
    sqrt=sqrt,
    root=sqrt,
    or_nan=_or_nan,
    of_positive=_of_positive,
    sinh=(0.1666666716337204, 0.008333349600434303, 0.0001983615948120132, 2.8169513370812638e-06),
    asin=(
        0.16666659712791443, 0.07500503957271576, 0.04451695457100868, 0.03180771693587303,
        0.01443860400468111, 0.03751645237207413,
    ),
    right_angle=_RIGHT_ANGLE,
    ratio=_ratio,
    arc=_arc,
    has_sign=_has_sign,
)  # fmt: skip
