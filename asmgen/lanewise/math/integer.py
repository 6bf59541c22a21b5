"""Integer division and the small integer ops that have no instruction.

Division by a variable: the quotient estimated through the f32 reciprocal and corrected (u32), signs put back
(i32). Division by a constant: multiply by a reciprocal of 32 bits and shift (Granlund and Montgomery,
Division by invariant integers using multiplication, 1994).

The shifts of the hardware take a count modulo the bits of the type. Those of the graph read the count without
a sign, and by the number of bits or more they give 0, or copies of the sign. A count that is known costs
nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.ir.types import F32, I32, I64, U32, U64, NumberKind
from asmgen.lanewise.builder import LaneBuilder

# 2**32 (1 - 2**-21): the estimate must not be too large, and conversion, reciprocal and product err by 2.5 *
# 2**-23
_SCALE = 4294965248.0
_UNSIGNED = {I32: U32, U32: U32, I64: U64, U64: U64}


def abs_i32(builder: LaneBuilder, x: Value) -> Value:
    return builder.max(x, neg_i32(builder, x))


def neg_i32(builder: LaneBuilder, x: Value) -> Value:
    return builder.sub(builder.like(0, x), x)


def div_u32(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """Truncating; a denominator of 0 gives 0."""
    zero = builder.like(0, denominator)
    quotient = _quotient(builder, numerator, denominator)
    return builder.where(builder.equal(denominator, zero), zero, quotient)


def _quotient(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """For a denominator above 0. The estimate is a Newton step in integers from the f32 reciprocal, at most 2
    too small."""
    like = builder.like
    approximate = builder.hw_rcp(builder.convert(denominator, F32))
    inverse = builder.convert(builder.mul(approximate, like(_SCALE, approximate)), U32)
    error = builder.mul(builder.sub(like(0, denominator), denominator), inverse)
    inverse = builder.add(inverse, builder.multiply_high(inverse, error))
    quotient = builder.multiply_high(numerator, inverse)
    remainder = builder.sub(numerator, builder.mul(quotient, denominator))
    for _ in range(2):
        again = builder.greater_equal(remainder, denominator)
        quotient = builder.where(again, builder.add(quotient, like(1, quotient)), quotient)
        remainder = builder.where(again, builder.sub(remainder, denominator), remainder)
    return quotient


def div_i32(builder: LaneBuilder, numerator: Value, denominator: Value) -> Value:
    """Truncating toward zero; a denominator of 0 gives 0; -2**31 / -1 wraps."""
    sign = builder.shift_right(builder.bitwise_xor(numerator, denominator), builder.like(31, numerator))
    magnitude = div_u32(builder, _magnitude(builder, numerator), _magnitude(builder, denominator))
    signed = builder.bit_cast(magnitude, I32)
    return builder.sub(builder.bitwise_xor(signed, sign), sign)


def _magnitude(builder: LaneBuilder, x: Value) -> Value:
    return builder.bit_cast(abs_i32(builder, x), U32)


def div_u32_by_constant(builder: LaneBuilder, numerator: Value, divisor: int) -> Value:
    """Exact for every numerator."""
    if divisor == 0:
        return builder.like(0, numerator)
    if divisor & (divisor - 1) == 0:
        return (
            numerator
            if divisor == 1
            else builder.shift_right(numerator, builder.like(divisor.bit_length() - 1, numerator))
        )
    shift = divisor.bit_length()  # 2**(shift - 1) < divisor < 2**shift
    magic = (1 << (32 + shift)) // divisor + 1  # 33 bits, the uppermost set
    for smaller in range(shift):
        candidate = (1 << (32 + smaller)) // divisor + 1
        if candidate * divisor - (1 << (32 + smaller)) <= 1 << smaller and candidate < 1 << 32:
            high = builder.multiply_high(numerator, builder.like(candidate, numerator))
            return high if smaller == 0 else builder.shift_right(high, builder.like(smaller, numerator))
    if divisor % 2 == 0:
        zeros = (divisor & -divisor).bit_length() - 1
        return _div_below(
            builder,
            builder.shift_right(numerator, builder.like(zeros, numerator)),
            divisor >> zeros,
            32 - zeros,
        )
    high = builder.multiply_high(numerator, builder.like(magic - (1 << 32), numerator))
    half = builder.shift_right(builder.sub(numerator, high), builder.like(1, numerator))
    return builder.shift_right(builder.add(half, high), builder.like(shift - 1, numerator))


def _div_below(builder: LaneBuilder, numerator: Value, divisor: int, bits: int) -> Value:
    """For a numerator below 2**bits, bits < 32, and an odd divisor: the reciprocal then has at most 32
    bits."""
    shift = next(
        s for s in range(divisor.bit_length() + 1) if (-(1 << 32 + s)) % divisor <= 1 << (32 + s - bits)
    )
    magic = -(-(1 << 32 + shift) // divisor)
    high = builder.multiply_high(numerator, builder.like(magic, numerator))
    return high if shift == 0 else builder.shift_right(high, builder.like(shift, numerator))


def div_i32_by_constant(builder: LaneBuilder, numerator: Value, divisor: int) -> Value:
    """Exact, truncating toward zero."""
    if divisor == 0:
        return builder.like(0, numerator)
    if abs(divisor) == 1:
        return numerator if divisor == 1 else neg_i32(builder, numerator)
    magnitude = abs(divisor)
    divide = _div_by_power if magnitude & (magnitude - 1) == 0 else _div_by_magic
    quotient = divide(builder, numerator, magnitude)
    return quotient if divisor > 0 else neg_i32(builder, quotient)


def _sign(builder: LaneBuilder, x: Value) -> Value:
    """-1 of a negative x, else 0."""
    return builder.shift_right(x, builder.like(31, x))


def _div_by_power(builder: LaneBuilder, numerator: Value, divisor: int) -> Value:
    """A negative numerator is first raised by divisor - 1, since the shift rounds down."""
    shift = divisor.bit_length() - 1
    raised = builder.add(
        numerator, builder.bitwise_and(_sign(builder, numerator), builder.like(divisor - 1, numerator))
    )
    return builder.shift_right(raised, builder.like(shift, numerator))


def _div_by_magic(builder: LaneBuilder, numerator: Value, divisor: int) -> Value:
    shift = next(s for s in range(32) if (-(1 << 32 + s)) % divisor <= 1 << (s + 1))
    magic = -(-(1 << 32 + shift) // divisor)
    high = builder.multiply_high(numerator, builder.like(magic, numerator))
    if magic >= 1 << 31:
        high = builder.add(high, numerator)  # the multiplier wrapped to magic - 2**32
    if shift:
        high = builder.shift_right(high, builder.like(shift, numerator))
    return builder.sub(high, _sign(builder, numerator))


# Bits


def left_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    return _shifted(builder, builder.shift_left, x, count)


def right_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    """With zeros from above, or with copies of the sign."""
    if x.type.element.kind is NumberKind.UNSIGNED:
        return _shifted(builder, builder.shift_right, x, count)
    most, known = x.type.element.bits - 1, builder.literal_of(count)
    if known is not None:
        return builder.shift_right(x, count if 0 <= known <= most else builder.like(most, count))
    unsigned = builder.bit_cast(count, _UNSIGNED[count.type.element])
    return builder.shift_right(x, builder.min(unsigned, builder.like(most, unsigned)))


def _shifted(builder: LaneBuilder, shift: Callable[[Value, Value], Value], x: Value, count: Value) -> Value:
    known = builder.literal_of(count)
    if known is None:
        return builder.where(_is_shift(builder, x, count), shift(x, count), builder.like(0, x))
    return shift(x, count) if 0 <= known < x.type.element.bits else builder.like(0, x)


def _is_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    unsigned = builder.bit_cast(count, _UNSIGNED[count.type.element])
    return builder.less(unsigned, builder.like(x.type.element.bits, unsigned))


def leading_zeros(builder: LaneBuilder, x: Value) -> Value:
    """The instruction gives -1 of 0."""
    first = builder.first_one(x)
    return builder.bit_cast(builder.min(first, builder.like(x.type.element.bits, first)), x.type.element)
