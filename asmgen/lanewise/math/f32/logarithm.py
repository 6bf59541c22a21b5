"""log, log2 and pow.

The hardware's log2 has 1 ULP besides its rounding. Times ln 2 that can be more than 2 ULP just above a power
of two, so log2 gives only the exponent k and the special cases. log x = k ln 2 + f + f**2 Q(f) with x = 2**k
(1+f), f from -0.29 to 0.42. A denormal x is scaled by 2**32 first. An infinite k (x = 0 or infinity) and a
NaN come through unchanged.

log2 x = k + f log2 e + f**2 Q(f) with the same k and f, and log2 e in two parts. docs/numerics.md derives the
bound.

a**b = 2**(b log2 |a|) has f64 in its middle: |a| = m 2**k, and log2 m = t P(t**2) with t = (m-1)/(m+1),
within 2**-43. Then b log2 |a| is within 2**-36, its whole part is the result's exponent, and the hardware's
exp2 is taken of its fraction. A negative a has a result if b is whole, negative if b is odd.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64, I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner, nearest, split_toward_zero

LN_2 = math.log(2)
_LN_2_HIGH = 0.693145751953125  # 16 bits of ln 2: k * _LN_2_HIGH is exact
_LN_2_LOW = nearest(LN_2 - _LN_2_HIGH)
_SMALLEST_NORMAL = 2.0**-126
_SCALE = 2.0**32
_LOG_QUADRATIC = (
    -0.49999991606694316, 0.33333950241347476, -0.25001755214567806, 0.1996207126537611,
    -0.16570508640689469, 0.14917983805483861, -0.14307523241447814, 0.08734815722843733,
)  # fmt: skip


def fraction_of(builder: LaneBuilder, x: Value) -> tuple[Value, Value, Value]:
    """-k and f of x, or of x 2**32 if x is denormal, and how many powers of two that is."""
    like = builder.like
    is_small = builder.less(x, like(_SMALLEST_NORMAL, x))
    scaled = builder.mul(x, builder.where(is_small, like(_SCALE, x), like(1.0, x)))
    minus_k = builder.nearbyint(builder.neg(builder.hw_log2(scaled)))
    f = builder.sub(builder.ldexp(scaled, builder.convert(minus_k, I32)), like(1.0, x))
    return minus_k, f, builder.where(is_small, like(32.0, x), like(0.0, x))


def log(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    one = like(1.0, x)
    scale = builder.where(builder.less(x, like(_SMALLEST_NORMAL, x)), like(_SCALE, x), one)
    scaled = builder.mul(x, scale)
    minus_k = builder.nearbyint(builder.neg(builder.hw_log2(scaled)))
    f = builder.sub(builder.ldexp(scaled, builder.convert(minus_k, I32)), one)
    step = nearest(-32 * LN_2 / (_SCALE - 1))
    offset = builder.fma(scale, like(step, x), like(-step, x))
    tail = builder.fma(
        builder.mul(f, f),
        horner(builder, f, _LOG_QUADRATIC),
        builder.fma(minus_k, like(-_LN_2_LOW, x), offset),
    )
    return builder.fma(minus_k, like(-_LN_2_HIGH, x), builder.add(f, tail))


def log_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.mul(builder.hw_log2(x), builder.like(LN_2, x))


_LOG2_E_HIGH, _LOG2_E_LOW = split_toward_zero(math.log2(math.e))
_LOG2_QUADRATIC = (
    -0.7213475108146667, 0.48089808225631714, -0.36067429184913635, 0.28856804966926575, -0.24046596884727478,
    0.20517121255397797, -0.17892499268054962, 0.17124181985855103, -0.1689119189977646, 0.09865599125623703,
)  # fmt: skip
_LOG2 = (
    2.8853900817778464, 0.961796694119871, 0.5770779404051278, 0.4122094587799006, 0.3198968806074231,
    0.2830309973520763,
)  # fmt: skip
_FARTHEST = 400.0  # 2**z beyond it is 0 or infinite
_NEAR_ONE = 2.0**-13  # up to here 1 + f ln 2 is right to 2**-28


def log2(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    minus_k, f, scaled_by = fraction_of(builder, x)
    k = builder.sub(builder.neg(minus_k), scaled_by)
    return builder.fma(
        f, horner(builder, f, (_LOG2_E_LOW, *_LOG2_QUADRATIC)), builder.fma(f, like(_LOG2_E_HIGH, x), k)
    )


def power(builder: LaneBuilder, a: Value, b: Value) -> Value:
    like = builder.like
    one, size = like(1.0, a), builder.abs(a)
    z = _product_with_log2(builder, size, b)
    whole = builder.nearbyint(z)
    part = builder.convert(builder.sub(z, whole), F32)
    line = builder.fma(part, like(math.log(2), a), one)
    is_near = builder.less(builder.abs(part), like(_NEAR_ONE, a))
    result = builder.where(is_near, line, builder.hw_exp2(part))
    result = builder.ldexp(result, builder.convert(builder.convert(whole, F32), I32))
    return of_all(builder, a, b, result)


def of_all(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from that of an |a| that is above 0 and finite."""
    result = _of_ends(builder, builder.abs(a), b, result)
    is_nan = builder.logical_or(builder.not_equal(a, a), builder.not_equal(b, b))
    return with_sign(builder, a, b, builder.where(is_nan, builder.add(a, b), result))


def with_sign(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from that of |a| and b."""
    like = builder.like
    one, zero = like(1.0, a), like(0.0, a)
    is_whole = builder.equal(builder.trunc(b), b)
    half = builder.mul(b, like(0.5, a))
    is_odd = builder.logical_and(is_whole, builder.not_equal(builder.trunc(half), half))
    odd = builder.where(is_odd, a, one)  # of an odd b the sign is that of a, -0 included
    signed = builder.copysign(result, odd)
    is_negative = builder.logical_and(builder.less(a, zero), builder.greater(a, like(-math.inf, a)))
    has_none = builder.logical_and(is_negative, builder.logical_not(is_whole))
    signed = builder.where(has_none, like(math.nan, a), signed)
    is_one = builder.logical_or(builder.equal(a, one), builder.equal(b, zero))
    return builder.where(is_one, one, signed)


def _product_with_log2(builder: LaneBuilder, size: Value, b: Value) -> Value:
    """b log2 |a| as f64, of a finite |a| above 0, clamped to the range of an exponent."""
    mantissa, exponent = builder.frexp_mantissa(size), builder.frexp_exponent(size)
    low = builder.less(mantissa, builder.like(math.sqrt(0.5), size))
    mantissa = builder.where(low, builder.add(mantissa, mantissa), mantissa)
    exponent = builder.sub(exponent, builder.where(low, builder.like(1, exponent), builder.like(0, exponent)))
    m = builder.convert(mantissa, F64)
    like = builder.like
    below = builder.add(m, like(1.0, m))
    guess = builder.hw_rcp(below)
    for _ in range(2):
        guess = builder.fma(builder.fma(builder.neg(below), guess, like(1.0, m)), guess, guess)
    t = builder.mul(builder.sub(m, like(1.0, m)), guess)
    logarithm = builder.fma(
        t, horner(builder, builder.mul(t, t), _LOG2), builder.convert(builder.convert(exponent, F32), F64)
    )
    z = builder.mul(builder.convert(b, F64), logarithm)
    return builder.min(builder.max(z, like(-_FARTHEST, z)), like(_FARTHEST, z))


def _of_ends(builder: LaneBuilder, size: Value, b: Value, result: Value) -> Value:
    """The power of 0 and of infinity, and 1 to an infinite power."""
    like = builder.like
    zero, one, infinity = like(0.0, b), like(1.0, b), like(math.inf, b)
    rises = builder.greater(b, zero)
    of_zero = builder.where(rises, zero, infinity)
    of_infinity = builder.where(rises, infinity, zero)
    result = builder.where(builder.equal(size, zero), of_zero, result)
    result = builder.where(builder.equal(size, infinity), of_infinity, result)
    is_endless = builder.equal(builder.abs(b), infinity)
    grows = builder.where(builder.greater(size, one), of_infinity, of_zero)
    endless = builder.where(builder.equal(size, one), one, grows)
    return builder.where(is_endless, endless, result)
