"""log, log1p, log2 and pow.

The hardware's log2 has 1 ULP besides its rounding. Times ln 2 that can be more than 2 ULP just above a power
of two, so log2 gives only the exponent k and the special cases. log x = k ln 2 + f + f**2 Q(f) with x = 2**k
(1+f), f from -0.29 to 0.42. A denormal x is scaled by 2**32 first. An infinite k (x = 0 or infinity) and a
NaN come through unchanged.

log1p x is that of u = 1 + x, but f is x 2**-k + (2**-k - 1), which keeps the digits of x that u has not.
2**-k - 1 is exact up to k = 24.

log2 x = k + f log2 e + f**2 Q(f) with the same k and f, and log2 e in two parts. docs/numerics.md derives the
bound.

a**b = 2**(b log2 |a|): |a| = m 2**k, and log2 m = t P(t**2) with t = (m-1)/(m+1). In f64 P is within 2**-43,
and b log2 |a| within 2**-36. If f64 is slow, each of t, P and log2 |a| is the sum of two f32, and b log2 |a|
is within 2**-25. Its whole part is the result's exponent, and the hardware's exp2 is taken of its fraction.
A negative a has a result if b is whole, negative if b is odd. Of a literal b these are known.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64, I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner, nearest, split_toward_zero

LN_2 = math.log(2)
LN_2_HIGH = 0.693145751953125  # 16 bits of ln 2: k * LN_2_HIGH is exact
LN_2_LOW = nearest(LN_2 - LN_2_HIGH)
_SMALLEST_NORMAL = 2.0**-126
_SCALE = 2.0**32
_DIGITS = 24
_LEAST_POWER = -128  # 2**k scales the largest f32
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
        builder.fma(minus_k, like(-LN_2_LOW, x), offset),
    )
    return builder.fma(minus_k, like(-LN_2_HIGH, x), builder.add(f, tail))


def log_1_plus(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    one = like(1.0, x)
    minus_k = builder.nearbyint(builder.neg(builder.hw_log2(builder.add(x, one))))
    exponent = builder.convert(minus_k, I32)
    exponent = builder.med3(exponent, like(_LEAST_POWER, exponent), like(_DIGITS, exponent))
    power = builder.ldexp(one, exponent)
    f = builder.fma(x, power, builder.sub(power, one))
    tail = builder.fma(
        builder.mul(f, f), horner(builder, f, _LOG_QUADRATIC), builder.mul(minus_k, like(-LN_2_LOW, x))
    )
    result = builder.fma(minus_k, like(-LN_2_HIGH, x), builder.add(f, tail))
    return builder.copysign(result, x)  # the sum of -0 is +0


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
_LOG2_LINE = (2.885390043258667, 3.851926067000022e-08)  # 2 log2 e
_LOG2_CUBIC = (0.9617967009544373, -7.028461812552678e-09)  # 2/3 log2 e
# fitted: off by 2**-37 of the whole
_LOG2_REST = (0.5770801901817322, 0.4118479788303375, 0.3378608524799347)
_FARTHEST = 400.0  # 2**z beyond it is 0 or infinite
# of V_CMP_CLASS_F32: NaN, zeros and infinity; numbers below 0
_ENDS = 0x3 | 0x20 | 0x40 | 0x200
_FINITE_BELOW_ZERO = 0x8 | 0x10
_NEAR_ONE = 2.0**-13  # up to here 1 + f ln 2 is right to 2**-28


def log2(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    minus_k, f, scaled_by = fraction_of(builder, x)
    k = builder.sub(builder.neg(minus_k), scaled_by)
    return builder.fma(
        f, horner(builder, f, (_LOG2_E_LOW, *_LOG2_QUADRATIC)), builder.fma(f, like(_LOG2_E_HIGH, x), k)
    )


def power(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """By pairs of f32, for targets with slow f64."""
    high, low = _log2_in_two_parts(builder, builder.abs(a))
    product = builder.mul(b, high)
    rest = builder.fma(b, low, builder.fma(b, high, builder.neg(product)))
    is_near = builder.less(builder.abs(product), builder.like(_FARTHEST, a))
    rest = builder.where(is_near, rest, builder.like(0.0, a))
    whole = _whole_of(builder, product)
    result = _power_of_two(builder, whole, builder.add(builder.sub(product, whole), rest))
    return with_sign(builder, a, b, result)


def power_in_f64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    z = builder.mul(builder.convert(b, F64), _log2_in_f64(builder, builder.abs(a)))
    whole = _whole_of(builder, builder.convert(z, F32))
    part = builder.convert(builder.sub(z, builder.convert(whole, F64)), F32)
    return with_sign(builder, a, b, _power_of_two(builder, whole, part))


def _whole_of(builder: LaneBuilder, z: Value) -> Value:
    """A whole number near z, in the range of an exponent: z less it is far from 0 or NaN if z is."""
    farthest = builder.like(_FARTHEST, z)
    return builder.med3(builder.nearbyint(z), builder.neg(farthest), farthest)


def _power_of_two(builder: LaneBuilder, whole: Value, part: Value) -> Value:
    """2 to the power `whole` + `part`."""
    like = builder.like
    line = builder.fma(part, like(math.log(2), part), like(1.0, part))
    is_near = builder.less(builder.abs(part), like(_NEAR_ONE, part))
    result = builder.where(is_near, line, builder.hw_exp2(part))
    return builder.ldexp(result, builder.convert(whole, I32))


def with_sign(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from 2**(b log2 |a|), which is NaN if a or b is. Of an |a| of 1 it may be
    anything."""
    exponent = constant_exponent(builder, b)
    if exponent is not None:
        return signed_by_constant(builder, a, exponent, result)
    like = builder.like
    one, zero = like(1.0, a), like(0.0, a)
    result = builder.where(builder.equal(builder.abs(a), one), one, result)
    # half of an odd number has the fraction 1/2
    is_odd = builder.equal(builder.fract(builder.mul(b, like(0.5, b))), like(0.5, b))
    odd = builder.where(is_odd, a, one)  # of an odd b the sign is that of a, -0 included
    signed = builder.copysign(result, odd)
    is_part = builder.not_equal(builder.trunc(b), b)
    has_none = builder.logical_and(_is_finite_below_zero(builder, a), is_part)
    signed = builder.where(has_none, like(math.nan, a), signed)
    return builder.where(builder.equal(b, zero), one, signed)


def _is_finite_below_zero(builder: LaneBuilder, a: Value) -> Value:
    if a.type.element is F32:
        return builder.is_class(a, _FINITE_BELOW_ZERO)
    is_finite = builder.greater(a, builder.like(-math.inf, a))
    return builder.logical_and(builder.less(a, builder.like(0.0, a)), is_finite)


def constant_exponent(builder: LaneBuilder, b: Value) -> float | None:
    """An exponent that is a literal, neither 0 nor infinite nor NaN; None of others. 1 to its power is 1."""
    literal = builder.literal_of(b)
    if literal is None or not math.isfinite(literal):
        return None
    exponent = nearest(float(literal)) if b.type.element is F32 else float(literal)
    return exponent if exponent and math.isfinite(exponent) else None


def signed_by_constant(builder: LaneBuilder, a: Value, exponent: float, result: Value) -> Value:
    """The power of every a from that of |a|."""
    like = builder.like
    if exponent.is_integer():
        return builder.copysign(result, a) if exponent % 2 else result
    is_least = builder.equal(a, like(-math.inf, a))
    has_power = builder.logical_or(builder.greater_equal(a, like(0.0, a)), is_least)
    return builder.where(has_power, result, like(math.nan, a))


def _mantissa(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    """m from the root of 1/2 to that of 2, and k as f32, of m 2**k. Of 0, infinity and NaN k is the
    logarithm, and m a number up to 2."""
    mantissa, exponent = builder.frexp_mantissa(size), builder.frexp_exponent(size)
    low = builder.less(mantissa, builder.like(math.sqrt(0.5), size))
    step = builder.where(low, builder.like(1, exponent), builder.like(0, exponent))
    mantissa = builder.min(builder.ldexp(mantissa, step), builder.like(2.0, size))
    k = builder.convert(builder.sub(exponent, step), F32)
    return mantissa, builder.where(builder.is_class(size, _ENDS), builder.hw_log2(size), k)


def _log2_in_f64(builder: LaneBuilder, size: Value) -> Value:
    """log2 of a number that is not negative, as f64."""
    mantissa, exponent = _mantissa(builder, size)
    m = builder.convert(mantissa, F64)
    like = builder.like
    below = builder.add(m, like(1.0, m))
    guess = builder.hw_rcp(below)
    for _ in range(2):
        guess = builder.fma(builder.fma(builder.neg(below), guess, like(1.0, m)), guess, guess)
    t = builder.mul(builder.sub(m, like(1.0, m)), guess)
    return builder.fma(t, horner(builder, builder.mul(t, t), _LOG2), builder.convert(exponent, F64))


def _log2_in_two_parts(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    """log2 of a number that is not negative, as the sum of two f32 within 2**-33 of it. Of an infinite
    logarithm the second is NaN."""
    m, exponent = _mantissa(builder, size)
    like = builder.like
    f = builder.sub(m, like(1.0, m))
    below = _sum(builder, like(2.0, m), f)
    inverse = builder.hw_rcp(below[0])
    t = builder.mul(f, inverse)
    minus_t = builder.neg(t)
    rest = builder.fma(minus_t, below[1], builder.fma(minus_t, below[0], f))
    t_parts = t, builder.mul(rest, inverse)
    square = _product(builder, t_parts, t_parts)
    (first, first_low), (cubic, cubic_low) = _LOG2_LINE, _LOG2_CUBIC
    series = horner(builder, square[0], (cubic_low, *_LOG2_REST))
    bend = _product(builder, square, _sum(builder, like(cubic, m), series))
    slope = _sum(builder, like(first, m), bend[0], builder.add(bend[1], like(first_low, m)))
    logarithm = _product(builder, t_parts, slope)
    return _sum(builder, exponent, *logarithm)


def _sum(builder: LaneBuilder, a: Value, high: Value, low: Value | None = None) -> tuple[Value, Value]:
    """a + high + low in two parts, if |a| is at least |high|, or 0."""
    total = builder.add(a, high)
    rest = builder.sub(high, builder.sub(total, a))
    return total, rest if low is None else builder.add(rest, low)


def _product(builder: LaneBuilder, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
    """The product of two sums, in two parts."""
    high = builder.mul(a[0], b[0])
    rest = builder.fma(a[0], b[0], builder.neg(high))
    return high, builder.fma(a[0], b[1], builder.fma(a[1], b[0], rest))
