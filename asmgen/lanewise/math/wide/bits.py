"""Shifts by any count, and counts of bits, of integers of 64 bits; counts of bits of 8 and 16."""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.ir.types import ELEMENT_TYPES, U32, U64, ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.integer import leading_zeros, right_shift
from asmgen.lanewise.math.wide.arithmetic import high, join, low


def right_shift_signed(builder: LaneBuilder, x: Value, count: Value) -> Value:
    """By at most 63, which gives copies of the sign."""
    if builder.literal_of(count) is not None:
        return right_shift(builder, x, count)
    unsigned, word = builder.bit_cast(count, U64), low(builder, count)
    is_shift = builder.less(unsigned, builder.like(U64.bits, unsigned))
    return builder.shift_right(x, builder.where(is_shift, word, builder.like(U64.bits - 1, word)))


def popcount_long(builder: LaneBuilder, x: Value) -> Value:
    below, above = [builder.popcount(word) for word in (low(builder, x), high(builder, x))]
    return _long(builder, builder.add(below, above), x.type.element)


def leading_zeros_long(builder: LaneBuilder, x: Value) -> Value:
    of_low = leading_zeros(builder, low(builder, x))
    of_low = builder.add(of_low, builder.like(U32.bits, of_low))
    # -1 of an upper half of 0 is the larger
    return _long(builder, builder.min(builder.first_one(high(builder, x)), of_low), x.type.element)


def _long(builder: LaneBuilder, word: Value, element: ElementType) -> Value:
    return join(builder, word, builder.like(0, word), element)


def popcount_short(builder: LaneBuilder, x: Value) -> Value:
    """Of 8 or 16 bits."""
    return builder.convert(builder.popcount(_extended(builder, x)), x.type.element)


def leading_zeros_short(builder: LaneBuilder, x: Value) -> Value:
    """Of 8 or 16 bits."""
    zeros = leading_zeros(builder, _extended(builder, x))
    return builder.convert(
        builder.sub(zeros, builder.like(U32.bits - x.type.element.bits, zeros)), x.type.element
    )


def _extended(builder: LaneBuilder, x: Value) -> Value:
    """A short integer with zeros above its bits."""
    assert isinstance(x.type, LaneType)
    unsigned = ELEMENT_TYPES[f"u{x.type.element.bits}"]
    return builder.convert(x if x.type.element is unsigned else builder.bit_cast(x, unsigned), U32)
