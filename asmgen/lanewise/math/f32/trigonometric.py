"""sin, cos and tan of every f32.

|x| is m * 2**e with m from 2**31 to 2**32. Of m * 2**e * 2/pi only the remainder by 4 is wanted, so that the
bits of 2/pi that give multiples of 4 are left out: the 96 bits from bit e - 2 on are enough (Payne and Hanek,
1983). Their product with m modulo 2**96 is the angle in quadrants, 2 bits, and its fraction, of which 62 bits
are kept: no f32 is nearer to a multiple of pi/2 than 2**-33. The rest r, at most pi/4 in magnitude, is within
2 ULP. An |x| below 1 is its own rest.

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
from asmgen.lanewise.math.polynomial import horner

# 2/pi after its binary point, in words of 32 bits, after 34 bits of 0
_WORDS = (0, 0x28BE60DB, 0x9391054A, 0x7F09D5F4, 0x7D4D3770, 0x36D8A566, 0x4F10E410)
_FIRST_EXPONENT = 127  # the biased exponent at which the needed bits begin at bit 1 of these words
_HALF = 1 << 29  # a quadrant, of 2**30 units
# minimax fits up to r = 1: the sine within 0.006, the cosine within 0.026 of 2**-24
_SINE = (-0.1666666716337204, 0.008333354257047176, -0.00019842384790536016, 2.7262710773356957e-06)
_COSINE = (0.04166657477617264, -0.001388469710946083, 2.4201613996410742e-05)
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
    of_x = builder.bit_cast(x, U32)
    return _turned(builder, value, builder.bitwise_xor(_second_bit_last(builder, quadrant), of_x))


def _cosine(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    value = builder.where(_is_odd(builder, quadrant), sine, cosine)
    next_one = builder.add(quadrant, _word(builder, 1, x))
    return _turned(builder, value, _second_bit_last(builder, next_one))


def _tangent(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    is_odd = _is_odd(builder, quadrant)
    above = builder.where(is_odd, builder.neg(cosine), sine)
    below = builder.where(is_odd, sine, cosine)
    return _turned(builder, _quotient(builder, above, below), builder.bit_cast(x, U32))


def _quotient(builder: LaneBuilder, above: Value, below: Value) -> Value:
    """The quotient, `below` from 2**-33 to 1 in magnitude: in contrast to `div` nothing has to be scaled."""
    inverse = builder.hw_rcp(below)
    quotient = builder.mul(above, inverse)
    missing = builder.fma(builder.neg(below), quotient, above)
    return builder.fma(missing, inverse, quotient)


def _word(builder: LaneBuilder, number: int, x: Value) -> Value:
    return builder.like(number, builder.bit_cast(x, U32))


def _is_odd(builder: LaneBuilder, quadrant: Value) -> Value:
    one = builder.like(1, quadrant)
    return builder.equal(builder.bitwise_and(quadrant, one), one)


def _second_bit_last(builder: LaneBuilder, quadrant: Value) -> Value:
    """A word, of which the sign is the second bit of the quadrant."""
    return builder.shift_left(quadrant, builder.like(30, quadrant))


def _turned(builder: LaneBuilder, value: Value, word: Value) -> Value:
    """The value, with its sign changed if the word has a sign."""
    changed = builder.bitwise_xor(builder.bit_cast(value, U32), word)
    return builder.copysign(value, builder.bit_cast(changed, F32))


def _of_rest(builder: LaneBuilder, r: Value) -> tuple[Value, Value]:
    """The sine and the cosine of an angle of at most 1."""
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
    """By integers."""
    size = builder.abs(x)
    bits = builder.bit_cast(size, U32)
    like = builder.like
    near, rest = _product(
        builder,
        builder.bitwise_or(builder.shift_left(bits, like(8, bits)), like(_SIGN, bits)),
        builder.shift_right(bits, like(23, bits)),
    )
    quadrant = builder.shift_right(near, like(30, near))
    fraction = builder.sub(builder.bitwise_and(near, like(2 * _HALF - 1, near)), like(_HALF, near))
    # the rest as a number with a sign, so that a small sum of the two has all digits
    fraction = builder.add(fraction, builder.shift_right(rest, like(31, rest)))
    upper, lower = [builder.convert(builder.bit_cast(word, I32), F32) for word in (fraction, rest)]
    whole = builder.fma(lower, like(2.0**-32, x), upper)
    angle = builder.mul(whole, like(math.pi / 2 * 2.0**-30, x))
    angle = builder.fma(x, like(0.0, x), angle)  # NaN for an infinite x
    is_small = builder.less(size, like(1.0, x))
    return builder.where(is_small, like(0, bits), quadrant), builder.where(is_small, size, angle)


def _product(builder: LaneBuilder, mantissa: Value, exponent: Value) -> tuple[Value, Value]:
    """m times the needed bits of 2/pi, plus half a quadrant: two words, of units of 2**-30 and of 2**-62
    quadrants."""
    like = builder.like
    upper, middle, lower = _window(builder, exponent)
    top = builder.mul(mantissa, upper)
    low = builder.mul(mantissa, middle)
    rest = builder.add(low, builder.multiply_high(mantissa, lower))
    half = builder.where(builder.less(rest, low), like(_HALF + 1, low), like(_HALF, low))
    return builder.add(builder.add(top, builder.multiply_high(mantissa, middle)), half), rest


def _window(builder: LaneBuilder, exponent: Value) -> tuple[Value, Value, Value]:
    """Three words of the table, from the bit after the bit `exponent - _FIRST_EXPONENT` on."""
    like = builder.like
    is_later = [
        builder.greater_equal(exponent, like(_FIRST_EXPONENT + 32 * n, exponent))
        for n in range(1, len(_WORDS) - 3)
    ]

    def chosen(offset: int) -> Value:
        words = _WORDS[offset:]
        chosen = like(words[0], exponent)
        for is_from, before, word in zip(is_later, words, words[1:], strict=False):
            chosen = builder.where(is_from, like(word, exponent), chosen) if word != before else chosen
        return chosen

    words = [chosen(offset) for offset in range(4)]
    # the number of later bits of a word, modulo 32
    back = builder.sub(like((_FIRST_EXPONENT - 1) % 32, exponent), exponent)
    upper, middle, lower = [builder.align_bits(above, below, back) for above, below in pairwise(words)]
    return upper, middle, lower
