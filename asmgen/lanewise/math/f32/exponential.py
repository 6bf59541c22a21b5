"""exp, expm1, sigmoid, tanh, erf, and the two spellings of gelu that `rewrite` recognises.

exp(x) = 2**n * 2**f with n = round(x log2 e) and f = x log2 e - n, which two fmas give to within 2**-25
absolute. n comes out of the low bits of an f32 near 1.5 * 2**23. It is clamped there, so that f of an
infinite or huge x is infinite or huge with its sign, and the hardware's 2**f is 0 or infinity. ldexp rounds
denormal results once. Just below 1 the hardware may return the float above 1, which is more than 2 ULP off:
near 0, 2**f is 1 + f ln 2.

expm1: with r = x - n ln 2, exp(r) - 1 is r + r**2 P(r), P fitted to 2**-29 for |r| <= 0.35, and to 2**-25
up to 0.7: n is at most 127, so that 2**n is no infinity. The result is 2**n (exp(r) - 1) + (2**n - 1).

tanh: below 0.55, x + x**3 P(x**2) with P a minimax polynomial (relative error of the sum 0.7 * 2**-24);
above, 1 - 2 e/(1+e) with e = exp(-2|x|) <= 0.34, so that 1 swallows its errors.

erf: below 0.8, x + x P(x**2); above, 1 - 2**Q(|x|) with Q fitted to log2 erfc, weighted by erfc so that the
error of the difference is even. Both are minimax fits (Lawson's weights) in f64, rounded to f32.

The gelus err by at most 4 * 2**-23 |x|.
"""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.ir.types import I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.logarithm import LN_2, LN_2_HIGH, LN_2_LOW
from asmgen.lanewise.math.polynomial import horner, split_toward_zero

LOG2_E = 1 / LN_2
_HIGH, _LOW = split_toward_zero(LOG2_E)
_INTEGERS = 1.5 * 2.0**23  # an f32 here has a last bit of 1: adding it rounds to an integer
_INTEGER_BITS = 0x4B400000  # its bits
_LOWEST, _HIGHEST = -152.0, 129.0  # 2**n beyond these is 0 or infinite whatever f is
_HIGHEST_FINITE = 127.0
_LESS_ONE_ALONE = -20.0  # below it exp(x) - 1 rounds to -1
_EXP_QUADRATIC = (
    0.5, 0.16666680574417114, 0.04166639596223831, 0.008329823613166809, 0.0013934585731476545,
    0.00021757687500212342,
)  # fmt: skip
_NEAR_ONE = 2.0**-13  # up to here 1 + f ln 2 is right to 2**-28


def _reduced(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """f and n of exp(x)."""
    like = builder.like
    shifted = builder.fma(x, like(LOG2_E, x), like(_INTEGERS, x))
    shifted = builder.med3(shifted, like(_INTEGERS + _LOWEST, x), like(_INTEGERS + _HIGHEST, x))
    negated = builder.sub(like(_INTEGERS, x), shifted)  # v_fmamk takes no minus on its addend
    part = builder.fma(x, like(_LOW, x), builder.fma(x, like(_HIGH, x), negated))
    bits = builder.bit_cast(shifted, I32)
    return part, builder.sub(bits, builder.like(_INTEGER_BITS, bits))


def exp(builder: LaneBuilder, x: Value) -> Value:
    f, n = _reduced(builder, x)
    line = builder.fma(f, builder.like(LN_2, x), builder.like(1.0, x))
    power = builder.where(builder.less(builder.abs(f), builder.like(_NEAR_ONE, x)), line, builder.hw_exp2(f))
    return builder.ldexp(power, n)


def exp_minus_one(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    shifted = builder.fma(x, like(LOG2_E, x), like(_INTEGERS, x))
    shifted = builder.min(shifted, like(_INTEGERS + _HIGHEST_FINITE, x))
    whole = builder.sub(shifted, like(_INTEGERS, x))
    r = builder.fma(whole, like(-LN_2_LOW, x), builder.fma(whole, like(-LN_2_HIGH, x), x))
    of_rest = builder.fma(builder.mul(r, r), horner(builder, r, _EXP_QUADRATIC), r)
    bits = builder.bit_cast(shifted, I32)
    power = builder.ldexp(like(1.0, x), builder.sub(bits, builder.like(_INTEGER_BITS, bits)))
    result = builder.fma(of_rest, power, builder.sub(power, like(1.0, x)))
    result = builder.where(builder.less(x, like(_LESS_ONE_ALONE, x)), like(-1.0, x), result)
    return builder.copysign(result, x)  # the sum of -0 is +0


def half_exp(builder: LaneBuilder, x: Value) -> Value:
    """exp(x)/2 of an x that is at least 0; infinite only if the result is."""
    f, n = _reduced(builder, x)
    return builder.ldexp(builder.hw_exp2(f), builder.sub(n, builder.like(1, n)))


def exp_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.hw_exp2(builder.mul(x, builder.like(LOG2_E, x)))


def exp_minus_one_fast(builder: LaneBuilder, x: Value) -> Value:
    return builder.sub(exp_fast(builder, x), builder.like(1.0, x))


def sigmoid(builder: LaneBuilder, x: Value) -> Value:
    """With e = exp(-|x|) <= 1: 1/(1+e), times e if x < 0.

    A Newton step refines r = 1/(1+e). Its residual 1 - (1+e) r is taken of e itself, which makes up for the
    rounding of 1 + e. The result is kept as r - 1, which is small if e is, so that only the last fma rounds.
    """
    like = builder.like
    f, n = _reduced(builder, builder.min(x, builder.neg(x)))
    e = builder.ldexp(builder.hw_exp2(f), n)
    r = builder.hw_rcp(builder.add(e, like(1.0, x)))
    missing = builder.sub(like(1.0, x), r)
    residual = builder.fma(builder.neg(e), r, missing)
    correction = builder.fma(residual, r, builder.neg(missing))
    numerator = builder.where(builder.less(x, like(0.0, x)), e, like(1.0, x))
    return builder.fma(numerator, correction, numerator)


def sigmoid_fast(builder: LaneBuilder, x: Value) -> Value:
    power = builder.hw_exp2(builder.mul(x, builder.like(-LOG2_E, x)))
    return builder.hw_rcp(builder.add(power, builder.like(1.0, x)))


_NEAR_TANH = 0.55
_TANH = (-0.33332946636493904, 0.13320725053732832, -0.052671813357487884, 0.016437580796697715)


def tanh(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    scaled = builder.mul(x, like(2 * LOG2_E, x))
    e = builder.hw_exp2(builder.neg(builder.abs(scaled)))
    share = builder.mul(e, builder.hw_rcp(builder.add(e, like(1.0, x))))
    far = builder.fma(share, like(-2.0, x), like(1.0, x))
    square = builder.mul(x, x)
    near = builder.fma(builder.mul(x, square), horner(builder, square, _TANH), x)
    # the sign comes last: the near sum of -0 is +0
    return builder.copysign(builder.where(builder.less(builder.abs(x), like(_NEAR_TANH, x)), near, far), x)


def tanh_fast(builder: LaneBuilder, x: Value) -> Value:
    power = builder.hw_exp2(builder.mul(x, builder.like(2 * LOG2_E, x)))
    r = builder.hw_rcp(builder.add(power, builder.like(1.0, x)))
    return builder.fma(r, builder.like(-2.0, x), builder.like(1.0, x))


_NEAR_ERF = 0.8
_ERF = (
    0.12837901566370263,
    -0.37611477134705146,
    0.1126931724406681,
    -0.026225075360639588,
    0.0040316054219849545,
)
_LOG2_OF_ERFC = (
    -0.001828932345228557,
    -1.6193607063456659,
    -0.9341136563171636,
    -0.13477199323597966,
    0.023615423462090668,
    -0.00195719729351862,
)


def erf(builder: LaneBuilder, x: Value) -> Value:
    magnitude = builder.max(x, builder.neg(x))  # as an instruction: packed fma takes no absolute value
    power = builder.hw_exp2(horner(builder, magnitude, _LOG2_OF_ERFC))
    far = builder.copysign(builder.sub(builder.like(1.0, x), power), x)
    near = builder.fma(x, horner(builder, builder.mul(x, x), _ERF), x)
    return builder.where(builder.less(magnitude, builder.like(_NEAR_ERF, x)), near, far)


# log2 erfc(t / sqrt 2) = t P(t): a fit weighted by erfc and by the bound's margin over the rounding
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
