"""div and recip of f32.

Mantissas are divided, in [0.5, 1), and the exponents put back by ldexp, which rounds a denormal result once
more; V_DIV_FIXUP then gives zeros, infinities and NaNs. V_DIV_SCALE and V_DIV_FMAS would round once, but VCC
makes them wait for each other, element by element.
"""

from __future__ import annotations

import math

from asmgen.ir.program import Value
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
    """`numerator / divisor` within 1 ULP by one or two multiplies; None where the reciprocal does not allow
    it.

    One multiply does if the reciprocal's rounding error is at most 2**-25 of it: half an ULP besides the
    product's own. Else the reciprocal is split in two of one sign, so that an infinite numerator gives no
    NaN.
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
    """A multiply by the rounded reciprocal; None where that is 0 or no f32."""
    if not math.isfinite(divisor) or not 2.0**-126 < abs(divisor) < 2.0**126:
        return None
    return builder.mul(numerator, builder.like(1 / divisor, numerator))
