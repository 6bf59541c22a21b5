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
    z = _in_range(builder, product)
    rest = builder.where(builder.equal(z, product), rest, builder.like(0.0, a))
    whole = builder.nearbyint(z)
    return _power_of_two(builder, a, b, whole, builder.add(builder.sub(z, whole), rest))


def power_in_f64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    logarithm = _log2_in_f64(builder, builder.abs(a))
    z = _in_range(builder, builder.mul(builder.convert(b, F64), logarithm))
    whole = builder.nearbyint(z)
    part = builder.convert(builder.sub(z, whole), F32)
    return _power_of_two(builder, a, b, builder.convert(whole, F32), part)


def _in_range(builder: LaneBuilder, z: Value) -> Value:
    """z, clamped to the range of an exponent."""
    return builder.min(builder.max(z, builder.like(-_FARTHEST, z)), builder.like(_FARTHEST, z))


def _power_of_two(builder: LaneBuilder, a: Value, b: Value, whole: Value, part: Value) -> Value:
    """a**b, if b log2 |a| is `whole` + `part`."""
    like = builder.like
    line = builder.fma(part, like(math.log(2), a), like(1.0, a))
    is_near = builder.less(builder.abs(part), like(_NEAR_ONE, a))
    result = builder.where(is_near, line, builder.hw_exp2(part))
    return of_all(builder, a, b, builder.ldexp(result, builder.convert(whole, I32)))


def of_all(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from that of an |a| that is above 0 and finite."""
    exponent = _constant(builder, b)
    if exponent is not None:
        result = _of_ends_by_constant(builder, builder.abs(a), exponent, result)
        return _signed_by_constant(builder, a, exponent, result)
    result = _of_ends(builder, builder.abs(a), b, result)
    is_nan = builder.logical_or(builder.not_equal(a, a), builder.not_equal(b, b))
    return with_sign(builder, a, b, builder.where(is_nan, builder.add(a, b), result))


def with_sign(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from that of |a| and b."""
    exponent = _constant(builder, b)
    if exponent is not None:
        return _signed_by_constant(builder, a, exponent, result)
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


def _constant(builder: LaneBuilder, b: Value) -> float | None:
    """An exponent that is a literal, neither 0 nor infinite nor NaN; None of others. 1 to its power is 1."""
    literal = builder.literal_of(b)
    if literal is None or not math.isfinite(literal):
        return None
    exponent = nearest(float(literal)) if b.type.element is F32 else float(literal)
    return exponent if exponent and math.isfinite(exponent) else None


def _of_ends_by_constant(builder: LaneBuilder, size: Value, exponent: float, result: Value) -> Value:
    """The power of 0 and of infinity."""
    zero, infinity = builder.like(0.0, size), builder.like(math.inf, size)
    of_zero, of_infinity = (zero, infinity) if exponent > 0 else (infinity, zero)
    result = builder.where(builder.equal(size, zero), of_zero, result)
    return builder.where(builder.equal(size, infinity), of_infinity, result)


def _signed_by_constant(builder: LaneBuilder, a: Value, exponent: float, result: Value) -> Value:
    """The power of every a, NaN among them, from that of |a|."""
    like = builder.like
    if exponent.is_integer():
        signed = builder.copysign(result, a) if exponent % 2 else result
        return builder.where(builder.equal(a, a), signed, a)
    is_least = builder.equal(a, like(-math.inf, a))
    has_power = builder.logical_or(builder.greater_equal(a, like(0.0, a)), is_least)
    return builder.where(has_power, result, like(math.nan, a))


def _mantissa(builder: LaneBuilder, size: Value) -> tuple[Value, Value]:
    """m from the root of 1/2 to that of 2, and k as f32, of a finite m 2**k above 0."""
    mantissa, exponent = builder.frexp_mantissa(size), builder.frexp_exponent(size)
    low = builder.less(mantissa, builder.like(math.sqrt(0.5), size))
    mantissa = builder.where(low, builder.add(mantissa, mantissa), mantissa)
    exponent = builder.sub(exponent, builder.where(low, builder.like(1, exponent), builder.like(0, exponent)))
    return mantissa, builder.convert(exponent, F32)


def _log2_in_f64(builder: LaneBuilder, size: Value) -> Value:
    """log2 of a finite number above 0, as f64."""
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
    """log2 of a finite number above 0, as the sum of two f32 within 2**-33 of it."""
    m, exponent = _mantissa(builder, size)
    like, zero = builder.like, builder.like(0.0, size)
    f = builder.sub(m, like(1.0, m))
    below = _sum(builder, like(2.0, m), f, zero)
    inverse = builder.hw_rcp(below[0])
    t = builder.mul(f, inverse)
    minus_t = builder.neg(t)
    rest = builder.fma(minus_t, below[1], builder.fma(minus_t, below[0], f))
    t_parts = t, builder.mul(rest, inverse)
    square = _product(builder, t_parts, t_parts)
    (first, first_low), (cubic, cubic_low) = _LOG2_LINE, _LOG2_CUBIC
    series = horner(builder, square[0], (cubic_low, *_LOG2_REST))
    bend = _product(builder, square, _sum(builder, like(cubic, m), series, zero))
    slope = _sum(builder, like(first, m), bend[0], builder.add(bend[1], like(first_low, m)))
    logarithm = _product(builder, t_parts, slope)
    return _sum(builder, exponent, *logarithm)


def _sum(builder: LaneBuilder, a: Value, high: Value, low: Value) -> tuple[Value, Value]:
    """a + high + low in two parts, if |a| is at least |high|, or 0."""
    total = builder.add(a, high)
    return total, builder.add(builder.sub(high, builder.sub(total, a)), low)


def _product(builder: LaneBuilder, a: tuple[Value, Value], b: tuple[Value, Value]) -> tuple[Value, Value]:
    """The product of two sums, in two parts."""
    high = builder.mul(a[0], b[0])
    rest = builder.fma(a[0], b[0], builder.neg(high))
    return high, builder.fma(a[0], b[1], builder.fma(a[1], b[0], rest))


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
