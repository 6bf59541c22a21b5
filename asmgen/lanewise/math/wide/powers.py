"""log2 and pow of f64, by a logarithm in two parts.

x = m 2**k with m from the root of 1/2 to that of 2, t = (m - 1) / (m + 1), and log2 x = k + (2 log2 e) t
(1 + t**2/3 + t**4/5 + ...). t, t**2/3 and their products are sums of two f64, so that the logarithm is within
2**-63: b log2 a is below 1,100 where the result is finite, and is within 2**-52 then, of which the power has
0.7 times as much as its relative error.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from asmgen.ir.program import Value
from asmgen.ir.types import F64, I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.power import of_all
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.wide.arithmetic import reciprocal
from asmgen.lanewise.math.wide.functions import EXP

_ROOT_OF_HALF = 0.7071067811865476
_FACTOR = 2.8853900817779268, 4.0710547481862066e-17  # 2 log2 e
_LN2 = 0.6931471805599453, 2.3190468138462996e-17
_THIRD = 1 / 3, float(Fraction(1, 3) - Fraction(1 / 3))
_SERIES = tuple([1 / (2 * n + 1) for n in range(2, 15)])  # the rest is below 2**-75
_FARTHEST = 1200.0  # 2**z beyond it is 0 or infinite


class Pair(NamedTuple):
    """A number as the sum of two, the second of them below the last place of the first."""

    high: Value
    low: Value


def log2(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    found = _log2(builder, x)
    result = builder.add(found.high, found.low)
    result = builder.where(builder.equal(x, like(math.inf, x)), x, result)
    result = builder.where(builder.equal(x, like(0.0, x)), like(-math.inf, x), result)
    return builder.where(builder.greater_equal(x, like(0.0, x)), result, like(math.nan, x))


def power(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """2**z with z = b log2 |a|: of its whole part the exponent, of the rest exp."""
    like = builder.like
    logarithm = _log2(builder, builder.abs(a))
    high = builder.mul(b, logarithm.high)
    low = builder.fma(b, logarithm.low, builder.fma(b, logarithm.high, builder.neg(high)))
    is_near = builder.less(builder.abs(high), like(_FARTHEST, b))
    low = builder.where(is_near, low, like(0.0, b))
    high = builder.min(builder.max(high, like(-_FARTHEST, b)), like(_FARTHEST, b))
    whole = builder.nearbyint(high)
    part = builder.sub(high, whole)
    angle = builder.mul(part, like(_LN2[0], b))
    lost = builder.fma(part, like(_LN2[0], b), builder.neg(angle))
    lost = builder.fma(part, like(_LN2[1], b), builder.fma(low, like(_LN2[0], b), lost))
    angle, lost = _sum(builder, angle, lost)
    tail = builder.fma(builder.mul(angle, angle), horner(builder, angle, EXP), lost)
    found = builder.add(builder.add(angle, tail), like(1.0, b))
    found = builder.ldexp(found, builder.convert(whole, I32))
    return of_all(builder, a, b, found)


def _log2(builder: LaneBuilder, x: Value) -> Pair:
    """Of a number above 0 that is finite."""
    like = builder.like
    mantissa, exponent = builder.frexp_mantissa(x), builder.frexp_exponent(x)
    is_low = builder.less(mantissa, like(_ROOT_OF_HALF, x))
    mantissa = builder.where(is_low, builder.add(mantissa, mantissa), mantissa)
    one = builder.where(is_low, like(1, exponent), like(0, exponent))
    whole = builder.convert(builder.sub(exponent, one), F64)
    t = _quotient(builder, mantissa)
    square = _product(builder, t, t)
    third = _product(builder, square, Pair(like(_THIRD[0], x), like(_THIRD[1], x)))
    rest = builder.mul(builder.mul(square.high, square.high), horner(builder, square.high, _SERIES))
    first = _product(builder, t, Pair(like(_FACTOR[0], x), like(_FACTOR[1], x)))
    second = _product(builder, first, _sum(builder, third.high, builder.add(third.low, rest)))
    top = _sum(builder, whole, first.high)
    both = _sum(builder, top.high, second.high)
    low = builder.add(builder.add(top.low, both.low), builder.add(first.low, second.low))
    return _sum(builder, both.high, low)


def _quotient(builder: LaneBuilder, m: Value) -> Pair:
    """(m - 1) / (m + 1): both are exact in two parts, and so is what the quotient leaves."""
    like = builder.like
    above, below = builder.sub(m, like(1.0, m)), builder.add(m, like(1.0, m))
    lost = builder.sub(m, builder.sub(below, like(1.0, m)))
    inverse = reciprocal(builder, below)
    high = builder.mul(above, inverse)
    rest = builder.fma(builder.neg(high), below, above)
    rest = builder.fma(builder.neg(high), lost, rest)
    return Pair(high, builder.mul(rest, inverse))


def _product(builder: LaneBuilder, a: Pair, b: Pair) -> Pair:
    high = builder.mul(a.high, b.high)
    low = builder.fma(a.high, b.high, builder.neg(high))
    low = builder.fma(a.high, b.low, builder.fma(a.low, b.high, low))
    return Pair(high, low)


def _sum(builder: LaneBuilder, a: Value, b: Value) -> Pair:
    """The rounded sum, and what rounding has taken away (Knuth)."""
    high = builder.add(a, b)
    of_b = builder.sub(high, a)
    of_a = builder.sub(high, of_b)
    return Pair(high, builder.add(builder.sub(a, of_a), builder.sub(b, of_b)))
