"""sin, cos and tan of every f64.

|x| is m * 2**e with m from 2**52 to 2**53. Of m * 2**e * 2/pi only the remainder by 4 is needed, so the bits
of 2/pi that give multiples of 4 are left out, and 192 of the others are enough (Payne and Hanek, 1983): their
product with m modulo 2**192 is the angle in quadrants, 2 bits, and its fraction. The bits after those would
add less than 2**-137, and no f64 is nearer to a multiple of pi/2 than 2**-62. The remainder, at most pi/4 in
magnitude, is a sum of two f64; its sine and cosine are Taylor series, with remainders below 2**-57.
"""

from __future__ import annotations

import math
from itertools import pairwise

from asmgen.ir.program import Value
from asmgen.ir.types import F64, I32, U32, U64
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.polynomial import horner
from asmgen.lanewise.math.wide.arithmetic import div_f64, high, join, low
from isa.named_tuple import NamedTuple

# 2/pi after its binary point, in words of 32 bits, after two words of 0
_WORDS = (
    0, 0, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
    0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB, 0xF0CFBC20, 0x9AF4361D,
)  # fmt: skip
_FIRST_EXPONENT = 1013  # the biased exponent at which the needed bits begin with these words
_TAKEN = 6  # words
_SINE = tuple([(-1) ** n / math.factorial(2 * n + 1) for n in range(1, 10)])
_COSINE = tuple([(-1) ** n / math.factorial(2 * n) for n in range(2, 11)])
_HIGH, _LOW = 1.5707963267948966, 6.123233995736766e-17  # pi/2
_UNIT = 2.0**-30  # of the first word of the fraction, in quadrants


class Rest(NamedTuple):
    """The quadrant, of which the last two bits count, and the remainder of the angle, in two parts."""

    quadrant: Value
    high: Value
    low: Value


def sin(builder: LaneBuilder, x: Value) -> Value:
    rest = _reduced(builder, x)
    sine, cosine = _of_rest(builder, rest)
    value = builder.where(_has_bit(builder, rest.quadrant, 1), cosine, sine)
    turned = builder.where(_has_bit(builder, rest.quadrant, 2), builder.neg(value), value)
    is_negative = builder.less(x, builder.like(0.0, x))
    signed = builder.where(is_negative, builder.neg(turned), turned)
    return _of_finite(builder, x, builder.where(builder.equal(x, builder.like(0.0, x)), x, signed))


def cos(builder: LaneBuilder, x: Value) -> Value:
    rest = _reduced(builder, x)
    sine, cosine = _of_rest(builder, rest)
    value = builder.where(_has_bit(builder, rest.quadrant, 1), sine, cosine)
    next_one = builder.add(rest.quadrant, builder.like(1, rest.quadrant))
    turned = builder.where(_has_bit(builder, next_one, 2), builder.neg(value), value)
    return _of_finite(builder, x, turned)


def tan(builder: LaneBuilder, x: Value) -> Value:
    rest = _reduced(builder, x)
    sine, cosine = _of_rest(builder, rest)
    is_odd = _has_bit(builder, rest.quadrant, 1)
    above = builder.where(is_odd, builder.neg(cosine), sine)
    value = div_f64(builder, above, builder.where(is_odd, sine, cosine))
    is_negative = builder.less(x, builder.like(0.0, x))
    signed = builder.where(is_negative, builder.neg(value), value)
    return _of_finite(builder, x, builder.where(builder.equal(x, builder.like(0.0, x)), x, signed))


def _has_bit(builder: LaneBuilder, quadrant: Value, bit: int) -> Value:
    mask = builder.like(bit, quadrant)
    return builder.equal(builder.bitwise_and(quadrant, mask), mask)


def _of_finite(builder: LaneBuilder, x: Value, value: Value) -> Value:
    """NaN of an infinite x and of NaN."""
    is_finite = builder.less(builder.abs(x), builder.like(math.inf, x))
    return builder.where(is_finite, value, builder.like(math.nan, x))


def _of_rest(builder: LaneBuilder, rest: Rest) -> tuple[Value, Value]:
    """The sine and the cosine of an angle of at most pi/4."""
    like, r = builder.like, rest.high
    square = builder.mul(r, r)
    half = builder.fma(square, like(-0.5, r), like(1.0, r))
    lost = builder.fma(square, like(-0.5, r), builder.sub(like(1.0, r), half))
    bent = builder.fma(builder.mul(r, square), horner(builder, square, _SINE), builder.mul(rest.low, half))
    tail = builder.fma(builder.mul(square, square), horner(builder, square, _COSINE), lost)
    return builder.add(r, bent), builder.add(half, builder.fma(builder.neg(r), rest.low, tail))


def _reduced(builder: LaneBuilder, x: Value) -> Rest:
    like, size = builder.like, builder.abs(x)
    top = high(builder, size)
    exponent = builder.shift_right(top, like(20, top))
    fraction = builder.bitwise_or(builder.bitwise_and(top, like(0xFFFFF, top)), like(0x100000, top))
    window = _window(builder, builder.sub(exponent, like(_FIRST_EXPONENT + 1, top)))
    words = _product(builder, low(builder, size), fraction, window)
    quadrant = builder.shift_right(builder.add(words[-1], like(1 << 29, top)), like(30, top))
    first = builder.sub(words[-1], builder.shift_left(quadrant, like(30, top)))
    signed = builder.bit_cast(first, I32)
    mask = builder.bit_cast(builder.shift_right(signed, like(31, signed)), U32)
    one, two, three, four = [
        builder.convert(builder.bitwise_xor(word, mask), F64) for word in (first, *words[-2:-5:-1])
    ]
    angle, rest = _angle(builder, (one, two, three, four))
    is_negative = builder.less(signed, like(0, signed))
    angle, rest = (builder.where(is_negative, builder.neg(part), part) for part in (angle, rest))
    is_small = builder.less(size, like(math.pi / 4, x))
    return Rest(
        builder.where(is_small, like(0, top), quadrant),
        builder.where(is_small, size, angle),
        builder.where(is_small, like(0.0, x), rest),
    )


def _angle(builder: LaneBuilder, words: tuple[Value, Value, Value, Value]) -> tuple[Value, Value]:
    """A fraction of a quadrant in words of 32 bits, as an angle in two parts."""
    one, two, three, four = words
    like = builder.like
    upper = builder.fma(two, like(2.0**-32, two), one)
    lost = builder.fma(two, like(2.0**-32, two), builder.sub(one, upper))
    lower = builder.mul(builder.fma(four, like(2.0**-32, two), three), like(2.0**-64, two))
    lower = builder.add(lost, lower)
    whole = builder.add(upper, lower)
    rest = builder.sub(lower, builder.sub(whole, upper))
    angle = builder.mul(whole, like(_HIGH * _UNIT, whole))
    error = builder.fma(whole, like(_HIGH * _UNIT, whole), builder.neg(angle))
    error = builder.fma(rest, like(_HIGH * _UNIT, whole), error)
    return angle, builder.fma(whole, like(_LOW * _UNIT, whole), error)


def _window(builder: LaneBuilder, first: Value) -> list[Value]:
    """The words of the table from the bit after a bit on, the last first. Each bit of the word's number takes
    the words that many places on.
    """
    like = builder.like
    number, wanted = builder.shift_right(first, like(5, first)), _TAKEN + 1
    words = [like(word, first) for word in _WORDS]
    for bit in reversed(range(6)):
        step = 1 << bit
        is_set = _has_bit(builder, number, step)
        words = [
            builder.where(is_set, words[at + step], words[at]) if at + step < len(words) else words[at]
            for at in range(min(len(words), wanted + step - 1))
        ]
    back = builder.bitwise_not(first)  # 31 less `first`, modulo 32
    return [builder.align_bits(above, below, back) for above, below in pairwise(words)][::-1]


def _product(builder: LaneBuilder, lower: Value, upper: Value, words: list[Value]) -> list[Value]:
    """The product of two words and several, modulo as many words; the last word first."""
    zero = builder.like(0, lower)
    carry: Value | None = None
    words_of_product: list[Value] = []
    columns: list[list[Value]] = [[] for _ in range(len(words) + 2)]
    for place, word in enumerate(words):
        for of, factor in enumerate((lower, upper)):
            columns[place + of].append(builder.mul(factor, word))
            columns[place + of + 1].append(builder.multiply_high(factor, word))
    for column in columns[: len(words)]:
        total = carry
        for word in column:
            wide = join(builder, word, zero, U64)
            total = wide if total is None else builder.add(total, wide)
        assert total is not None, "each column has a product"
        words_of_product.append(low(builder, total))
        carry = join(builder, high(builder, total), zero, U64)
    return words_of_product
