"""Expansions of the whole forms that `rewrite` recognises: gelu in its two spellings. Both err by at most 4 *
2**-23 |x|."""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.exponential import LOG2_E
from asmgen.lanewise.math.polynomial import horner

# log2 erfc(t / sqrt 2) = t P(t): a fit weighted by erfc and by what the bound leaves besides the rounding
# errors
_LOG2_ERFC = (-1.15109587, -0.459232611, -0.0525931429, 0.00741477245, -0.000523523225)
_SQRT_2 = 1.4142135623730951


def tanh_gate(builder: LaneBuilder, x: Value, coefficients: tuple[float, ...]) -> Value:
    """0.5 x (1 + tanh u) with u = c0 x + c1 x**3 + ...: x / (1 + exp(-2 u))."""
    like = builder.like
    scaled = [-2 * LOG2_E * coefficient for coefficient in coefficients]
    if len(scaled) == 1:
        exponent = builder.mul(x, like(scaled[0], x))
    else:
        exponent = builder.mul(x, horner(builder, builder.mul(x, x), scaled))
    denominator = builder.add(builder.hw_exp2(exponent), like(1.0, x))
    return builder.mul(x, builder.hw_rcp(denominator))


def erf_gate(builder: LaneBuilder, x: Value, scale: float) -> Value:
    """0.5 x (1 + erf(scale x)) = h + |h| (1 - erfc(scale |x|)) with h = x/2, erfc as 2**(polynomial of |h|).

    At infinite |x| the polynomial is -infinity, since its last coefficient is negative: erfc is 0, and the
    sum is infinite, or NaN for -infinity as 0.5 x (1 + erf(x)) is.
    """
    like = builder.like
    half = builder.mul(x, like(0.5, x))
    magnitude = builder.max(half, builder.neg(half))
    step = 2 * scale * _SQRT_2  # of t = sqrt 2 scale |x| in terms of |h|
    scaled = [coefficient * step**power for power, coefficient in enumerate(_LOG2_ERFC, 1)]
    erfc = builder.hw_exp2(builder.mul(magnitude, horner(builder, magnitude, scaled)))
    return builder.fma(magnitude, builder.sub(like(1.0, x), erfc), half)
