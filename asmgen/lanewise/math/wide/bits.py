"""Shifts by any count, and counts of bits, of integers of 64 bits; counts of bits of 8 and 16.

A shift by a known count of 32 or more moves a single word, by an instruction of the full rate:
x >> 40 is the upper word >> 8.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.ir.types import ELEMENT_TYPES, I32, U32, U64, ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.integer import leading_zeros, left_shift, right_shift
from asmgen.lanewise.math.wide.arithmetic import high, join, low


def left_shift_long(builder: LaneBuilder, x: Value, count: Value) -> Value:
    by = _by_words(builder, count)
    if by is None:
        return left_shift(builder, x, count)
    word = _shifted(builder, builder.shift_left, low(builder, x), by)
    return join(builder, builder.like(0, word), word, x.type.element)


def right_shift_long(builder: LaneBuilder, x: Value, count: Value) -> Value:
    by = _by_words(builder, count)
    if by is None:
        return right_shift(builder, x, count)
    return _long(builder, _shifted(builder, builder.shift_right, high(builder, x), by), x.type.element)


def right_shift_signed(builder: LaneBuilder, x: Value, count: Value) -> Value:
    """By at most 63, which gives copies of the sign."""
    by = _by_words(builder, count)
    if by is not None:
        word = builder.bit_cast(high(builder, x), I32)
        sign = builder.shift_right(word, builder.like(U32.bits - 1, word))
        below = _shifted(builder, builder.shift_right, word, by)
        return join(builder, builder.bit_cast(below, U32), builder.bit_cast(sign, U32), x.type.element)
    if builder.literal_of(count) is not None:
        return right_shift(builder, x, count)
    unsigned, word = builder.bit_cast(count, U64), low(builder, count)
    is_shift = builder.less(unsigned, builder.like(U64.bits, unsigned))
    return builder.shift_right(x, builder.where(is_shift, word, builder.like(U64.bits - 1, word)))


def _by_words(builder: LaneBuilder, count: Value) -> int | None:
    """The known bits beyond a word by which 64 bits are shifted."""
    known = builder.literal_of(count)
    return int(known) - U32.bits if known is not None and U32.bits <= known < U64.bits else None


def _shifted(builder: LaneBuilder, shift: Callable[[Value, Value], Value], word: Value, by: int) -> Value:
    return shift(word, builder.like(by, word)) if by else word


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
