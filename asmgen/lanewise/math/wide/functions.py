"""exp, expm1, log, log2, pow, cbrt, tanh, sigmoid, erf and rsqrt of f64, by additions, products and fmas.

The hardware has a reciprocal and a reciprocal root of f64 that are right to 2**-23, from which Newton's
method goes on, and no exp or log. Each function is within the bound of its op, in ULP of f64;
docs/numerics.md derives that.

The cube root of m 2**(3 q), m from 1/4 to 2, is 2**q times that of m. The hardware's functions of f32 give it
to 2**-20, and two Newton steps follow. Both have the slope at the first root.

log2 and pow take a logarithm in two parts. x = m 2**k with m from the root of 1/2 to that of 2, t = (m - 1) /
(m + 1), and log2 x = k + (2 log2 e) t (1 + t**2/3 + t**4/5 + ...). t, t**2/3 and their products are sums of
two f64, so that the logarithm is within 2**-63: b log2 a is below 1,100 if the result is finite, and then
within 2**-52. The power has 0.7 times that as its relative error.
"""

from __future__ import annotations

import math
from fractions import Fraction

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64, I32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.logarithm import constant_exponent, signed_by_constant, with_sign
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.wide.arithmetic import div_f64, reciprocal
from isa.named_tuple import NamedTuple

_LOG2_E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # the first with 32 bits
_OVERFLOW, _UNDERFLOW = 709.782712893384, -745.1332191019412  # beyond these exp is infinite, and 0
_LARGEST_EXPONENT = 1023  # of a finite number
_LESS_ONE_ALONE = -40.0  # below it exp(x) - 1 rounds to -1
EXP = tuple([1 / math.factorial(n) for n in range(2, 14)])  # the rest is below 2**-57 for |r| <= ln 2 / 2
# (log(1 + f) - f + f*f/2) / s - f*f/2 = z (L1 + z (L2 + ...)), s = f / (2 + f), z = s*s; within 2**-58
# (fdlibm, e_log.c)
_LOG = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip
_ROOT_OF_HALF = 0.7071067811865476
_ONE_OF_TANH = 22.0  # from here on tanh is 1
_ERF_SMALL, _ERF_IS_ONE = 0.84375, 6.0
# erf(x) = x + x (c0 + c1 z + ...), z = x*x: its Taylor series, with a remainder below 2**-58 up to 0.84375
_ERF_SERIES = (
    0.1283791670955126,
    *[2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(1, 16)],
)
# log(erfc(x)) + x*x - log(t) by powers of scale * t - offset, t = 2 / (2 + x), for 0.84375 <= x <= 6:
# Chebyshev's interpolation, within 2**-56
_ERFC_OFFSET, _ERFC_SCALE = 2.103030303030303, 4.412121212121212
_ERFC = (
    -0.7031007466958761, 0.3027652139793486, 0.01104973573187808, -0.004178626135202337,
    -0.0005010644888963859, 0.0001574320708744544, 2.1784763294222973e-05, -8.798805956407159e-06,
    -7.763840848792432e-07, 5.616555882352022e-07, 1.846730571980179e-09, -3.450529473817253e-08,
    3.465165264402133e-09, 1.742342680136927e-09, -4.1835835263174557e-10, -5.16410768262692e-11,
    2.6117344366125123e-11, -5.919204156040051e-13,
)  # fmt: skip


def exp(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    value, exponent = exp_less_one(builder, x)
    whole = builder.ldexp(builder.add(value, like(1.0, x)), exponent)
    whole = builder.where(builder.greater(x, like(_OVERFLOW, x)), like(math.inf, x), whole)
    return builder.where(builder.less(x, like(_UNDERFLOW, x)), like(0.0, x), whole)


def exp_less_one(builder: LaneBuilder, x: Value) -> tuple[Value, Value]:
    """exp(x) = 2**n (1 + p): p, and n as i32. p is within 1 ULP of itself."""
    like = builder.like
    whole = builder.nearbyint(builder.mul(x, like(_LOG2_E, x)))
    rest = builder.fma(whole, like(-_LN2_HIGH, x), x)  # exact: its factor has 32 bits
    low = builder.mul(whole, like(_LN2_LOW, x))
    part = builder.sub(rest, low)
    lost = builder.sub(builder.sub(rest, part), low)  # the rounding error of `part`
    square = builder.mul(part, part)
    value = builder.fma(square, horner(builder, part, EXP), lost)
    return builder.add(part, value), builder.convert(whole, I32)


def exp_minus_one(builder: LaneBuilder, x: Value) -> Value:
    """2**n p + (2**n - 1). If 2**n would be an infinity, half of it, doubled."""
    like = builder.like
    value, exponent = exp_less_one(builder, x)
    finite = builder.min(exponent, like(_LARGEST_EXPONENT, exponent))
    power = builder.ldexp(like(1.0, x), finite)
    result = builder.fma(value, power, builder.sub(power, like(1.0, x)))
    result = builder.ldexp(result, builder.sub(exponent, finite))
    result = builder.where(builder.greater(x, like(_OVERFLOW, x)), like(math.inf, x), result)
    result = builder.where(builder.less(x, like(_LESS_ONE_ALONE, x)), like(-1.0, x), result)
    return builder.copysign(result, x)


def cbrt(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    mantissa, exponent = builder.frexp_mantissa(x), builder.convert(builder.frexp_exponent(x), F32)
    third = builder.nearbyint(builder.mul(exponent, like(1 / 3, exponent)))
    rest = builder.convert(builder.fma(third, like(-3.0, third), exponent), I32)
    m = builder.abs(builder.ldexp(mantissa, rest))
    narrow = builder.convert(m, F32)
    guess = builder.hw_exp2(builder.mul(builder.hw_log2(narrow), like(1 / 3, narrow)))
    slope = builder.mul(builder.hw_rcp(builder.mul(guess, guess)), like(-1 / 3, narrow))
    slope, root = builder.convert(slope, F64), builder.convert(guess, F64)
    for _ in range(2):
        residue = builder.fma(builder.mul(root, root), root, builder.neg(m))
        root = builder.fma(residue, slope, root)
    root = builder.copysign(builder.ldexp(root, builder.convert(third, I32)), x)
    itself = builder.equal(builder.abs(x), like(math.inf, x))
    itself = builder.logical_or(itself, builder.equal(x, like(0.0, x)))
    return builder.where(itself, x, root)


def log(builder: LaneBuilder, x: Value) -> Value:
    """k ln 2 + log(1 + f), 2**k (1 + f) = x with 1 + f from the root of 1/2 to that of 2."""
    like = builder.like
    mantissa, exponent = builder.frexp_mantissa(x), builder.frexp_exponent(x)
    is_low = builder.less(mantissa, like(_ROOT_OF_HALF, x))
    mantissa = builder.where(is_low, builder.add(mantissa, mantissa), mantissa)
    part = builder.sub(mantissa, like(1.0, x))
    step = builder.where(is_low, like(1, exponent), like(0, exponent))
    power = builder.convert(builder.sub(exponent, step), F64)
    quotient = builder.mul(part, reciprocal(builder, builder.add(part, like(2.0, x))))
    square = builder.mul(quotient, quotient)
    series = builder.mul(square, horner(builder, square, _LOG))
    half = builder.mul(builder.mul(part, part), like(0.5, x))
    inner = builder.fma(quotient, builder.add(half, series), builder.mul(power, like(_LN2_LOW, x)))
    inner = builder.sub(builder.sub(half, inner), part)
    result = builder.fma(power, like(_LN2_HIGH, x), builder.neg(inner))
    result = builder.where(builder.equal(x, like(math.inf, x)), x, result)
    result = builder.where(builder.equal(x, like(0.0, x)), like(-math.inf, x), result)
    return builder.where(builder.greater_equal(x, like(0.0, x)), result, like(math.nan, x))


def tanh(builder: LaneBuilder, x: Value) -> Value:
    """t / (t + 2), t = exp(2 |x|) - 1."""
    like = builder.like
    size = builder.abs(x)
    value, exponent = exp_less_one(builder, builder.add(size, size))
    power = builder.ldexp(like(1.0, x), exponent)
    t = builder.fma(power, value, builder.sub(power, like(1.0, x)))
    result = div_f64(builder, t, builder.add(t, like(2.0, x)))
    result = builder.where(builder.greater(size, like(_ONE_OF_TANH, x)), like(1.0, x), result)
    return builder.copysign(result, x)


def sigmoid(builder: LaneBuilder, x: Value) -> Value:
    """1 / (1 + e) or e / (1 + e), e = exp(-|x|)."""
    like = builder.like
    power = exp(builder, builder.neg(builder.abs(x)))
    top = builder.where(builder.less(x, like(0.0, x)), power, like(1.0, x))
    return div_f64(builder, top, builder.add(power, like(1.0, x)))


def erf(builder: LaneBuilder, x: Value) -> Value:
    like = builder.like
    size = builder.abs(x)
    square = builder.mul(size, size)
    small = builder.fma(size, horner(builder, square, _ERF_SERIES), size)
    t = builder.mul(like(2.0, x), reciprocal(builder, builder.add(size, like(2.0, x))))
    place = builder.fma(t, like(_ERFC_SCALE, x), like(-_ERFC_OFFSET, x))
    power = exp(builder, builder.sub(horner(builder, place, _ERFC), square))
    large = builder.fma(builder.neg(t), power, like(1.0, x))
    result = builder.where(builder.less(size, like(_ERF_SMALL, x)), small, large)
    result = builder.where(builder.greater(size, like(_ERF_IS_ONE, x)), like(1.0, x), result)
    return builder.copysign(result, x)


def rsqrt(builder: LaneBuilder, x: Value) -> Value:
    """Newton's method from the hardware's reciprocal root y: y + y e/2 with e = 1 - x y y, of the whole
    product x y. 0 and infinity give the hardware's result."""
    like = builder.like
    is_tiny = builder.less(x, like(2.0**-767, x))
    scaled = builder.mul(x, builder.where(is_tiny, like(2.0**256, x), like(1.0, x)))
    estimate = builder.hw_rsq(scaled)
    root = estimate
    for _ in range(2):
        product = builder.mul(scaled, root)
        lost = builder.fma(scaled, root, builder.neg(product))
        error = builder.fma(builder.neg(product), root, like(1.0, x))
        error = builder.fma(builder.neg(lost), root, error)
        root = builder.fma(builder.mul(root, error), like(0.5, x), root)
    root = builder.mul(root, builder.where(is_tiny, like(2.0**128, x), like(1.0, x)))
    is_zero = builder.equal(x, like(0.0, x))
    itself = builder.logical_or(is_zero, builder.equal(x, like(math.inf, x)))
    return builder.where(itself, estimate, root)


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
    logarithm = _log2(builder, x)
    result = builder.add(logarithm.high, logarithm.low)
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
    result = builder.add(builder.add(angle, tail), like(1.0, b))
    result = builder.ldexp(result, builder.convert(whole, I32))
    return _of_all(builder, a, b, result)


def _of_all(builder: LaneBuilder, a: Value, b: Value, result: Value) -> Value:
    """The power of every a and b from that of an |a| that is above 0 and finite."""
    exponent = constant_exponent(builder, b)
    if exponent is not None:
        result = _of_ends_by_constant(builder, builder.abs(a), exponent, result)
        signed = signed_by_constant(builder, a, exponent, result)
        return builder.where(builder.equal(a, a), signed, a)
    result = _of_ends(builder, builder.abs(a), b, result)
    is_nan = builder.logical_or(builder.not_equal(a, a), builder.not_equal(b, b))
    return with_sign(builder, a, b, builder.where(is_nan, builder.add(a, b), result))


def _of_ends_by_constant(builder: LaneBuilder, size: Value, exponent: float, result: Value) -> Value:
    """The power of 0 and of infinity."""
    zero, infinity = builder.like(0.0, size), builder.like(math.inf, size)
    of_zero, of_infinity = (zero, infinity) if exponent > 0 else (infinity, zero)
    result = builder.where(builder.equal(size, zero), of_zero, result)
    return builder.where(builder.equal(size, infinity), of_infinity, result)


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


def _log2(builder: LaneBuilder, x: Value) -> Pair:
    """Of a number above 0 that is finite."""
    like = builder.like
    mantissa, exponent = builder.frexp_mantissa(x), builder.frexp_exponent(x)
    is_low = builder.less(mantissa, like(_ROOT_OF_HALF, x))
    mantissa = builder.where(is_low, builder.add(mantissa, mantissa), mantissa)
    step = builder.where(is_low, like(1, exponent), like(0, exponent))
    whole = builder.convert(builder.sub(exponent, step), F64)
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
    """(m - 1) / (m + 1): both are exact in two parts, and so is the remainder of the quotient."""
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
    """The rounded sum, and its rounding error (Knuth)."""
    high = builder.add(a, b)
    of_b = builder.sub(high, a)
    of_a = builder.sub(high, of_b)
    return Pair(high, builder.add(builder.sub(a, of_a), builder.sub(b, of_b)))
