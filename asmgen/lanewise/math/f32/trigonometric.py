"""sin, cos and tan of every f32.

|x| is m * 2**e with m from 2**31 to 2**32. Of m * 2**e * 2/pi only the remainder by 4 is wanted, so that the
bits of 2/pi that give multiples of 4 are left out: the 96 bits from bit e - 2 on are enough (Payne and Hanek,
1983). Their product with m modulo 2**96 is the angle in quadrants, 2 bits, and its fraction, of which 62 bits
are kept: no f32 is nearer to a multiple of pi/2 than 2**-33. The rest r, at most pi/4 in magnitude, is within
2 ULP. An |x| below 1 is its own rest.

If f64 is fast, 2/pi comes from the hardware's table, in two parts of 53 bits. The product with the first is
the sum of two f64, and the bits after the second would add less than 2**-80 quadrants.

Polynomials: r + r**3 S(r**2) and 1 - r**2/2 + r**4 C(r**2), by Horner's rule.
"""

from __future__ import annotations

import math
from itertools import pairwise

from asmgen.ir.program import Value
from asmgen.ir.types import F32, F64, I32, U32, U64, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner

# 2/pi after its binary point, in words of 32 bits, after 34 bits of 0
_WORDS = (0, 0x28BE60DB, 0x9391054A, 0x7F09D5F4, 0x7D4D3770, 0x36D8A566, 0x4F10E410)
_FIRST_EXPONENT = 127  # the biased exponent at which the needed bits begin at bit 1 of these words
_QUADRANT, _HALF = 1 << 30, 1 << 29
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
    return _cosine(builder, _reduced(builder, x, ahead=1))


def tan(builder: LaneBuilder, x: Value) -> Value:
    return _tangent(builder, x, _reduced(builder, x))


def sin_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`sin`, for targets on which f64 is as fast as f32."""
    return _sine(builder, x, _reduced_in_f64(builder, x))


def cos_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`cos`, for targets on which f64 is as fast as f32."""
    return _cosine(builder, _reduced_in_f64(builder, x, ahead=1))


def tan_in_f64(builder: LaneBuilder, x: Value) -> Value:
    """`tan`, for targets on which f64 is as fast as f32."""
    return _tangent(builder, x, _reduced_in_f64(builder, x))


Rest = tuple[Value, Value]  # a word with the quadrant of |x| in its upper two bits, and the remainder of |x|


def _sine(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    value, quadrant = _in_quadrant(builder, rest)
    return _turned(builder, value, builder.bitwise_xor(quadrant, builder.bit_cast(x, U32)))


def _cosine(builder: LaneBuilder, rest: Rest) -> Value:
    """The cosine, as the sine a quadrant ahead."""
    return _turned(builder, *_in_quadrant(builder, rest))


def _in_quadrant(builder: LaneBuilder, rest: Rest) -> tuple[Value, Value]:
    """The sine of |x| but for the sign that the quadrant's upper bit gives it, and the quadrant."""
    quadrant, r = rest
    sine, cosine = _of_rest(builder, r)
    return _chosen(builder, _is_odd(builder, quadrant), cosine, sine), quadrant


def _tangent(builder: LaneBuilder, x: Value, rest: Rest) -> Value:
    quadrant, r = rest
    is_odd = _is_odd(builder, quadrant)
    sine, cosine = _of_rest(builder, r)
    above, below = _chosen(builder, is_odd, cosine, sine), _chosen(builder, is_odd, sine, cosine)
    word = builder.bitwise_xor(is_odd, builder.bit_cast(x, U32))
    return _turned(builder, _quotient(builder, above, below), word)


def _quotient(builder: LaneBuilder, above: Value, below: Value) -> Value:
    """The quotient, `below` from 2**-33 to 1 in magnitude: in contrast to `div` nothing has to be scaled."""
    inverse = builder.hw_rcp(below)
    quotient = builder.mul(above, inverse)
    missing = builder.fma(builder.neg(below), quotient, above)
    return builder.fma(missing, inverse, quotient)


def _is_odd(builder: LaneBuilder, quadrant: Value) -> Value:
    """Whether a quadrant is odd, as a word of equal bits."""
    return builder.signed_bits(quadrant, 30, 1)


def _chosen(builder: LaneBuilder, mask: Value, a: Value, b: Value) -> Value:
    """`a` if the bits of the mask are 1, else `b`."""
    words = [builder.bit_cast(number, U32) for number in (a, b)]
    return builder.bit_cast(builder.choose_bits(mask, *words), F32)


def _turned(builder: LaneBuilder, value: Value, word: Value) -> Value:
    """The value, with its sign changed if the word has a sign."""
    changed = builder.bitwise_xor(builder.bit_cast(value, U32), word)
    return builder.copysign(value, builder.bit_cast(changed, F32))


def _of_rest(builder: LaneBuilder, r: Value) -> tuple[Value, Value]:
    """The sine and the cosine of an angle of at most 1."""
    square = builder.mul(r, r)
    sine = builder.fma(builder.mul(r, square), horner(builder, square, _SINE), r)
    return sine, horner(builder, square, (1.0, -0.5, *_COSINE))


def _reduced_in_f64(builder: LaneBuilder, x: Value, ahead: int = 0) -> Rest:
    """The products of |x| and two parts of 2/pi: that of the first in two f64, of which the upper has the
    quadrants; `ahead` is added to them. An infinite x gives NaN."""
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
    quadrant = builder.bit_cast(builder.convert(whole, I32), U32)
    if ahead:
        quadrant = builder.add(quadrant, like(ahead, quadrant))
    return builder.shift_left(quadrant, like(30, quadrant)), builder.convert(angle, F32)


def _reduced(builder: LaneBuilder, x: Value, ahead: int = 0) -> Rest:
    """By integers. `ahead` is added to the quadrants."""
    size = builder.abs(x)
    bits = builder.bit_cast(x, U32)
    like = builder.like
    near, rest = _product(builder, bits)
    fraction = builder.signed_bits(near, 0, 30)
    # the rest as a number with a sign, so that a small sum of the two has all digits
    fraction = builder.add(fraction, builder.shift_right(rest, like(31, rest)))
    upper, lower = [builder.convert(builder.bit_cast(word, I32), F32) for word in (fraction, rest)]
    whole = builder.fma(lower, like(2.0**-32, x), upper)
    angle = builder.mul(whole, like(math.pi / 2 * 2.0**-30, x))
    angle = builder.fma(x, like(0.0, x), angle)  # NaN for an infinite x
    is_small = builder.less(size, like(1.0, x))
    near = builder.where(is_small, like(0, bits), near)
    quadrant = builder.add(near, like(_HALF + ahead * _QUADRANT, bits))
    return quadrant, builder.where(is_small, size, angle)


def _product(builder: LaneBuilder, bits: Value) -> tuple[Value, Value]:
    """m times the needed bits of 2/pi: two words, of units of 2**-30 and of 2**-62 quadrants."""
    like = builder.like
    mantissa = builder.bitwise_or(builder.shift_left(bits, like(8, bits)), like(_SIGN, bits))
    upper, middle, lower = _window(builder, bits)
    low, high = builder.multiply_high(mantissa, lower), builder.mul(mantissa, upper)
    above = builder.value(ops.JOIN_WORDS, low, high, type=U64.name)
    product = builder.multiply_add(mantissa, middle, above)
    return builder.value(ops.HIGH_WORD, product), builder.value(ops.LOW_WORD, product)


def _window(builder: LaneBuilder, bits: Value) -> list[Value]:
    """Three words of the table, from the bit after bit e on: e is the exponent less `_FIRST_EXPONENT`. Each
    of the upper two bits of 127 - e, if it is 0, takes the words two places or one place on."""
    like = builder.like
    before = builder.sub(like((_FIRST_EXPONENT + 128 << 23) - 1, bits), bits)  # 127 - e, from bit 23 on
    words = [like(word, bits) for word in _WORDS]
    for step in (2, 1):
        mask = builder.signed_bits(before, 27 + step, 1)
        words = [builder.choose_bits(mask, *pair) for pair in zip(words, words[step:], strict=False)]
    count = builder.shift_right(before, like(23, bits))
    return [builder.align_bits(above, below, count) for above, below in pairwise(words)]
