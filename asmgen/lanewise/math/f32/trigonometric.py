"""sin, cos and tan of every f32.

|x| is m * 2**e with m from 2**31 to 2**32. Of m * 2**e * 2/pi only the remainder by 4 is wanted, so that the
bits of 2/pi that give multiples of 4 are left out: the 96 bits from bit e - 2 on are enough (Payne and Hanek,
1983). Their product with m modulo 2**96 is the angle in quadrants, 2 bits, and its fraction, of which 62 bits
are kept: no f32 is nearer to a multiple of pi/2 than 2**-33. The rest r, at most pi/4 in magnitude, is within
2 ULP.

If f64 is fast, 2/pi comes from the hardware's table, in two parts of 53 bits. The product with the first is
the sum of two f64, and the bits after the second would add less than 2**-80 quadrants.

Polynomials: r + r**3 S(r**2) and 1 - r**2/2 + r**4 C(r**2).
"""

from __future__ import annotations

import math
from itertools import pairwise

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64, I32, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.f32.division import div
from asmgen.lanewise.math.polynomial import horner

# 2/pi after its binary point, in words of 32 bits, after two words of 0
_WORDS = (0, 0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041)
_FIRST_EXPONENT = 96  # the biased exponent at which the needed bits begin with these words
_SINE = (-0.1666666716337204, 0.008333329111337662, -0.00019839292508549988, 2.7179296466783853e-06)
_COSINE = (0.04166664555668831, -0.0013887352542951703, 2.443660923745483e-05)
_SIGN = 0x80000000
# The exponent of the table's operand chooses the first bit of 2/pi. The bits that it leaves out for this
# multiple of x give multiples of 4 in the product with x, and the others a product below 2**26.
_PREOP_SCALE = 2.0**29


def sin(builder: LaneBuilder, x: Value) -> Value:
    return _sine(builder, x, _reduced(builder, x))


def cos(builder: LaneBuilder, x: Value) -> Value:
    return _cosine(builder, x, _reduced(builder, x))


def tan(builder: LaneBuilder, x: Value) -> Value:
    return _tangent(builder, x, _reduced(builder, x))


def sin_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`sin`, for targets on which f64 is as fast as f32."""
    return _sine(builder, x, _reduced_in_f64(builder, x))


def cos_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`cos`, for targets on which f64 is as fast as f32."""
    return _cosine(builder, x, _reduced_in_f64(builder, x))


def tan_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`tan`, for targets on which f64 is as fast as f32."""
    return _tangent(builder, x, _reduced_in_f64(builder, x))


Rest = tuple[Value, Value]  # the quadrant of |x|, of which the last two bits count, and the remainder of |x|


def _sine(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    value = builder.where(_is_odd(builder, quadrant), cosine, sine)
    sign = builder.bitwise_xor(_second_bit_as_sign(builder, quadrant), _sign_of(builder, x))
    return _signed(builder, value, sign)


def _cosine(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    value = builder.where(_is_odd(builder, quadrant), sine, cosine)
    next_one = builder.add(quadrant, _word(builder, 1, x))
    return _signed(builder, value, _second_bit_as_sign(builder, next_one))


def _tangent(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    is_odd = _is_odd(builder, quadrant)
    above = builder.where(is_odd, builder.neg(cosine), sine)
    below = builder.where(is_odd, sine, cosine)
    return _signed(builder, div(builder, above, below), _sign_of(builder, x))


def _word(builder: LaneBuilder, number: int, x: Value) -> Value:
    return builder.like(number, builder.bit_cast(x, U32))


def _is_odd(builder: LaneBuilder, quadrant: Value) -> Value:
    one = builder.like(1, quadrant)
    return builder.equal(builder.bitwise_and(quadrant, one), one)


def _second_bit_as_sign(builder: LaneBuilder, quadrant: Value) -> Value:
    bit = builder.bitwise_and(quadrant, builder.like(2, quadrant))
    return builder.shift_left(bit, builder.like(30, quadrant))


def _sign_of(builder: LaneBuilder, x: Value) -> Value:
    return builder.bitwise_and(builder.bit_cast(x, U32), _word(builder, _SIGN, x))


def _signed(builder: LaneBuilder, value: Value, sign: Value) -> Value:
    """The value with its sign changed if the bit is set."""
    return builder.bit_cast(builder.bitwise_xor(builder.bit_cast(value, U32), sign), F32)


def _of_rest(builder: LaneBuilder, r: Value) -> tuple[Value, Value]:
    """The sine and the cosine of an angle of at most pi/4."""
    square = builder.mul(r, r)
    sine = builder.fma(builder.mul(r, square), horner(builder, square, _SINE), r)
    half = builder.fma(square, builder.like(-0.5, r), builder.like(1.0, r))
    # the rounding error of 1 - r**2/2 is added back
    lost = builder.fma(square, builder.like(-0.5, r), builder.sub(builder.like(1.0, r), half))
    tail = builder.fma(builder.mul(square, square), horner(builder, square, _COSINE), lost)
    return sine, builder.add(half, tail)


def _reduced_in_f64(builder: LaneBuilder, x: Value) -> Rest:
    """The products of |x| and two parts of 2/pi: that of the first in two f64, of which the upper has the
    quadrants. An infinite x gives NaN."""
    size = builder.convert(builder.abs(x), F64)
    like = builder.like
    scaled = builder.mul(size, like(_PREOP_SCALE, size))
    assert isinstance(x.type, LaneType)
    words = LaneType(I32, x.type.lanes)
    first, second = [builder.hw_two_over_pi(scaled, builder.constant(part, words)) for part in range(2)]
    product = builder.mul(size, first)
    whole = builder.nearbyint(product)
    lower = builder.fma(size, first, builder.neg(product))
    lower = builder.fma(size, second, lower)
    fraction = builder.add(builder.sub(product, whole), lower)
    angle = builder.mul(fraction, like(math.pi / 2, size))
    return builder.bit_cast(builder.convert(whole, I32), U32), builder.convert(angle, F32)


def _reduced(builder: LaneBuilder, x: Value) -> Rest:
    """By integers. An infinite x gives NaN."""
    size = builder.abs(x)
    bits = builder.bit_cast(size, U32)
    like = builder.like
    exponent = builder.shift_right(bits, like(23, bits))
    top, rest = _product(
        builder,
        builder.bitwise_or(builder.shift_left(bits, like(8, bits)), like(_SIGN, bits)),
        builder.sub(exponent, like(_FIRST_EXPONENT + 1, bits)),
    )
    quadrant = builder.shift_right(builder.add(top, like(1 << 29, top)), like(30, top))
    fraction = builder.sub(top, builder.shift_left(quadrant, like(30, top)))
    # the rest as a number with a sign, so that a small sum of the two has all digits
    fraction = builder.add(fraction, builder.shift_right(rest, like(31, rest)))
    upper, lower = [builder.convert(builder.bit_cast(word, I32), F32) for word in (fraction, rest)]
    whole = builder.fma(lower, like(2.0**-32, x), upper)
    angle = builder.mul(whole, like(math.pi / 2 * 2.0**-30, x))
    angle = builder.where(builder.less(size, like(math.inf, x)), angle, like(math.nan, x))
    is_small = builder.less(size, like(math.pi / 4, x))
    return builder.where(is_small, like(0, bits), quadrant), builder.where(is_small, size, angle)


def _product(builder: LaneBuilder, mantissa: Value, first: Value) -> tuple[Value, Value]:
    """m times the bits of 2/pi after the bit `first`: two words, of units of 2**-30 and of 2**-62
    quadrants."""
    like = builder.like
    upper, middle, lower = _window(builder, first)
    top = builder.mul(mantissa, upper)
    low = builder.mul(mantissa, middle)
    rest = builder.add(low, builder.multiply_high(mantissa, lower))
    carry = builder.where(builder.less(rest, low), like(1, low), like(0, low))
    return builder.add(builder.add(top, builder.multiply_high(mantissa, middle)), carry), rest


def _window(builder: LaneBuilder, first: Value) -> tuple[Value, Value, Value]:
    """Three words of the table from the bit after the bit `first` on."""
    like = builder.like
    is_later = [builder.greater_equal(first, like(32 * n, first)) for n in range(1, len(_WORDS) - 3)]

    def chosen(offset: int) -> Value:
        words = _WORDS[offset:]
        chosen = like(words[0], first)
        for is_from, before, word in zip(is_later, words, words[1:], strict=False):
            chosen = builder.where(is_from, like(word, first), chosen) if word != before else chosen
        return chosen

    words = [chosen(offset) for offset in range(4)]
    back = builder.bitwise_not(first)  # 31 less `first`, modulo 32
    upper, middle, lower = [builder.align_bits(above, below, back) for above, below in pairwise(words)]
    return upper, middle, lower
