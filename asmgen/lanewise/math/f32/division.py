"""div, recip, sqrt, rsqrt, cbrt, fmod and mod of f32.

Division: mantissas are divided, in [0.5, 1), and the exponents put back by ldexp, which rounds a denormal
result once more; V_DIV_FIXUP then gives zeros, infinities and NaNs. V_DIV_SCALE and V_DIV_FMAS would round
once, but VCC makes them wait for each other, element by element.

Roots: a small x, denormals above all, is scaled by 2**64 and the result scaled back. One Newton step refines
the hardware's rsq. The step would make NaN of zeros and infinities, so these are chosen by their class.

A cube root y is 2**(log2(x) / 3) within 2**-17, and a Newton step, y - (y**3 - x) / (3 y**2). The rounding of
y**2 counts a third. A denormal x is scaled by 2**24.

Remainders are exact. From the rest r, at first |a|, each step takes q |b|, q the multiple of 2**s nearest to
r/|b|, for s falling to 0. Adding and subtracting 1.5 * 2**(s + p) rounds r/|b| so, p the digits of the type
less 1. Every rest is a number of the type, so the fma that subtracts is exact. A rest is below 3/4 of
|b| 2**s: the quotient rounds by 1/2, and errs by less than 1/4 before. |b| is added to a last rest below 0.

In f64, 6 steps of 47 bits divide any two f32. That takes fewer instructions, but longer if f64 is slow. In
f32, the mantissas are divided, in two parts of 7 steps of 20 bits, so that no number leaves the type's range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import nearest


def div(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    if builder.literal_of(numerator) == 1.0:
        return recip(builder, denominator)
    m = builder.frexp_mantissa(denominator)
    n = builder.frexp_mantissa(numerator)
    r = builder.hw_rcp(m)
    quotient = builder.mul(n, r)
    remainder = builder.fma(builder.neg(m), quotient, n)
    quotient = builder.fma(remainder, r, quotient)
    exponent = builder.sub(builder.frexp_exponent(numerator), builder.frexp_exponent(denominator))
    return builder.div_fixup(builder.ldexp(quotient, exponent), denominator, numerator)


def div_fast(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    return builder.mul(numerator, builder.hw_rcp(denominator))


def recip(builder: LaneBuilder, x: Value) -> Value:
    m = builder.frexp_mantissa(x)
    r = builder.hw_rcp(m)
    r = builder.fma(builder.fma(builder.neg(m), r, builder.like(1.0, x)), r, r)
    exponent = builder.frexp_exponent(x)
    scaled = builder.ldexp(r, builder.sub(builder.like(0, exponent), exponent))
    return builder.div_fixup(scaled, x, builder.like(1.0, x))


def recip_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_rcp(x)


def div_by_constant(builder: LaneBuilder, numerator: Value, divisor: float) -> Value | None:
    """`numerator / divisor` within 1 ULP by at most two multiplies; None if the reciprocal does not allow it.

    A single multiply suffices if the reciprocal's rounding error is at most 2**-25 of it: half an ULP besides
    the product's own. Else the reciprocal is split in two parts of the same sign, so that an infinite
    numerator gives no NaN.
    """
    if not math.isfinite(divisor) or not 2.0**-100 < abs(divisor) < 2.0**100:
        return None
    from fractions import Fraction  # takes 5 ms to load, and most programs divide by no constant

    exact = 1 / Fraction(divisor)
    reciprocal = nearest(float(exact))
    if reciprocal == 1.0:
        return numerator
    if abs(Fraction(reciprocal) - exact) <= abs(exact) / 2**25:
        return builder.mul(numerator, builder.like(reciprocal, numerator))
    high = (
        reciprocal
        if abs(Fraction(reciprocal)) <= abs(exact)
        else math.copysign(nearest(abs(reciprocal) * (1 - 2.0**-24)), reciprocal)
    )
    low = nearest(float(exact - Fraction(high)))
    return builder.fma(
        numerator, builder.like(high, numerator), builder.mul(numerator, builder.like(low, numerator))
    )


def div_by_constant_fast(builder: LaneBuilder, numerator: Value, divisor: float) -> Value | None:
    """A multiply by the rounded reciprocal; None if that is 0 or not an f32."""
    if not math.isfinite(divisor) or not 2.0**-126 < abs(divisor) < 2.0**126:
        return None
    return builder.mul(numerator, builder.like(1 / divisor, numerator))


SMALL = 2.0**-96  # smaller numbers are scaled
_SCALE = 2.0**64
_ZEROS_AND_INFINITY = 0x20 | 0x40 | 0x200  # -0, +0, +inf of V_CMP_CLASS_F32


def sqrt(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    small = builder.less(x, like(SMALL, x))
    scaled = builder.mul(x, builder.where(small, like(_SCALE, x), like(1.0, x)))
    r = builder.hw_rsq(scaled)
    root = builder.mul(scaled, r)
    residue = builder.fma(builder.neg(root), root, scaled)
    root = builder.fma(residue, builder.mul(r, like(0.5, x)), root)
    root = builder.mul(root, builder.where(small, like(_SCALE**-0.5, x), like(1.0, x)))
    return builder.where(builder.is_class(x, _ZEROS_AND_INFINITY), x, root)


def sqrt_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_sqrt(x)


def rsqrt(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    small = builder.less(x, like(SMALL, x))
    scaled = builder.mul(x, builder.where(small, like(_SCALE, x), like(1.0, x)))
    r = builder.hw_rsq(scaled)
    error = builder.fma(builder.neg(builder.mul(scaled, r)), r, like(1.0, x))
    refined = builder.fma(builder.mul(r, like(0.5, x)), error, r)
    refined = builder.where(builder.is_class(scaled, _ZEROS_AND_INFINITY), r, refined)
    return builder.mul(refined, builder.where(small, like(_SCALE**0.5, x), like(1.0, x)))


def rsqrt_normal(builder: LaneBuilder, x: Value) -> Value:
    """rsqrt of a number that is not less than `SMALL`: no scaling, and no zero. At infinity the error of the
    step is a NaN; -1 in its place gives the 0 of the hardware's rsq. Any other error is far above -1."""
    like = builder.like
    r = builder.hw_rsq(x)
    error = builder.fma(builder.neg(builder.mul(x, r)), r, like(1.0, x))
    return builder.fma(builder.mul(r, like(0.5, x)), builder.max(error, like(-1.0, x)), r)


def rsqrt_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_rsq(x)


_CUBE_SCALE = 2.0**24
_SMALLEST_NORMAL = 2.0**-126


def cbrt(builder: LaneBuilder, x: Value) -> Value:
    like, size = builder.like, builder.abs(x)
    small = builder.less(size, like(_SMALLEST_NORMAL, x))
    scaled = builder.mul(size, builder.where(small, like(_CUBE_SCALE, x), like(1.0, x)))
    root = builder.hw_exp2(builder.mul(builder.hw_log2(scaled), like(1 / 3, x)))
    square = builder.mul(root, root)
    residue = builder.fma(square, root, builder.neg(scaled))
    root = builder.fma(builder.mul(residue, builder.hw_rcp(square)), like(-1 / 3, x), root)
    root = builder.mul(root, builder.where(small, like(_CUBE_SCALE ** (-1 / 3), x), like(1.0, x)))
    return builder.where(builder.is_class(size, _ZEROS_AND_INFINITY), x, builder.copysign(root, x))


# 2**128 by 2**-149 has 277 bits
_STEP, _STEPS = 20, 7  # bits of a step in f32, and the steps of each of two parts
_PART = _STEP * _STEPS
_UNIT = 2.0**-100  # of quotients and rests in f32: those of a part are from it to 2**40
_WIDE_STEP, _WIDE_STEPS = 47, 6  # in f64

Remainder = Callable[[LaneBuilder, Value, Value], Value]


def fmod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of a."""
    return _with_dividends_sign(_remainder, builder, a, b)


def mod(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """The remainder with the sign of b: fmod, plus b if the signs differ."""
    return with_divisors_sign(builder, fmod(builder, a, b), b)


def fmod_in_f64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """`fmod`, for targets on which f64 is as fast as f32."""
    return _with_dividends_sign(_remainder_in_f64, builder, a, b)


def mod_in_f64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    """`mod`, for targets on which f64 is as fast as f32."""
    return with_divisors_sign(builder, fmod_in_f64(builder, a, b), b)


def _with_dividends_sign(remainder: Remainder, builder: LaneBuilder, a: Value, b: Value) -> Value:
    """fmod from a remainder of magnitudes that is NaN for an infinite a, b = 0 and NaN, and if |a| is less
    than |b| anything."""
    size, by = builder.abs(a), builder.abs(b)
    rest = builder.copysign(remainder(builder, size, by), a)
    return builder.where(builder.less(size, by), a, rest)


def with_divisors_sign(builder: LaneBuilder, rest: Value, b: Value) -> Value:
    """A remainder with the dividend's sign, moved by b if that differs from b's sign."""
    zero = builder.like(0.0, rest)
    differs = builder.logical_xor(builder.less(rest, zero), builder.less(b, zero))
    moved = builder.where(differs, builder.add(rest, b), rest)
    return builder.where(builder.equal(rest, zero), builder.copysign(zero, b), moved)


def _remainder(builder: LaneBuilder, a: Value, b: Value) -> Value:
    like = builder.like
    by, exponent = builder.frexp_mantissa(b), builder.frexp_exponent(b)
    left = builder.sub(builder.frexp_exponent(a), exponent)
    reciprocal = builder.hw_rcp(by)
    unit = round(math.log2(_UNIT))
    first = builder.max(builder.sub(left, like(_PART - unit, left)), like(unit, left))
    rest = _less_multiples(builder, builder.ldexp(builder.frexp_mantissa(a), first), by, reciprocal)
    second = builder.med3(left, like(0, left), like(_PART, left))
    rest = _less_multiples(builder, builder.ldexp(rest, second), by, reciprocal)
    rest = _not_negative(builder, rest, builder.mul(by, like(_UNIT, by)))
    return builder.ldexp(rest, builder.sub(exponent, like(unit, exponent)))


def _less_multiples(builder: LaneBuilder, rest: Value, by: Value, reciprocal: Value) -> Value:
    """The rest, up to 2**40 and a multiple of `_UNIT` 2**-24, modulo `by` `_UNIT`."""
    units = [_UNIT * 2.0 ** (_STEP * step + 23) for step in range(_STEPS)]
    return _reduced(builder, rest, by, reciprocal, units)


def _remainder_in_f64(builder: LaneBuilder, a: Value, b: Value) -> Value:
    rest, by = builder.convert(a, F64), builder.convert(b, F64)
    reciprocal = builder.hw_rcp(by)
    for _ in range(2):
        missing = builder.fma(builder.neg(by), reciprocal, builder.like(1.0, by))
        reciprocal = builder.fma(missing, reciprocal, reciprocal)
    units = [2.0 ** (_WIDE_STEP * step + 52) for step in range(_WIDE_STEPS)]
    rest = builder.convert(_reduced(builder, rest, by, reciprocal, units), F32)
    return _not_negative(builder, rest, b)


def _reduced(
    builder: LaneBuilder, rest: Value, by: Value, reciprocal: Value, units: Sequence[float]
) -> Value:
    """The rest less multiples of `by`, each quotient rounded to the last digit of a unit, the last unit
    first."""
    minus = builder.neg(by)
    for unit in reversed(units):
        rounder = builder.like(1.5 * unit, rest)
        quotient = builder.sub(builder.fma(rest, reciprocal, rounder), rounder)
        rest = builder.fma(quotient, minus, rest)
    return rest


def _not_negative(builder: LaneBuilder, rest: Value, by: Value) -> Value:
    return builder.where(builder.less(rest, builder.like(0.0, rest)), builder.add(rest, by), rest)
