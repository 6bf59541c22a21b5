"""Shifts by any count, and leading zeros.

The shifts of the hardware take a count modulo the bits of the type. Those of the graph read the count without
a sign, and by the number of bits or more they give 0, or copies of the sign. A count that is known costs
nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.ir.program import Value
from asmgen.ir.types import I32, I64, U32, U64, NumberKind
from asmgen.lanewise.builder import LaneBuilder

UNSIGNED = {I32: U32, U32: U32, I64: U64, U64: U64}


def left_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    return _shifted(builder, builder.shift_left, x, count)


def right_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    """With zeros from above, or with copies of the sign."""
    if x.type.element.kind is NumberKind.UNSIGNED:
        return _shifted(builder, builder.shift_right, x, count)
    most, known = x.type.element.bits - 1, builder.literal_of(count)
    if known is not None:
        return builder.shift_right(x, count if 0 <= known <= most else builder.like(most, count))
    unsigned = builder.bit_cast(count, UNSIGNED[count.type.element])
    return builder.shift_right(x, builder.min(unsigned, builder.like(most, unsigned)))


def _shifted(builder: LaneBuilder, shift: Callable[[Value, Value], Value], x: Value, count: Value) -> Value:
    known = builder.literal_of(count)
    if known is None:
        return builder.where(_is_shift(builder, x, count), shift(x, count), builder.like(0, x))
    return shift(x, count) if 0 <= known < x.type.element.bits else builder.like(0, x)


def _is_shift(builder: LaneBuilder, x: Value, count: Value) -> Value:
    unsigned = builder.bit_cast(count, UNSIGNED[count.type.element])
    return builder.less(unsigned, builder.like(x.type.element.bits, unsigned))


def leading_zeros(builder: LaneBuilder, x: Value) -> Value:
    """The instruction gives -1 of 0."""
    first = builder.first_one(x)
    return builder.bit_cast(builder.min(first, builder.like(x.type.element.bits, first)), x.type.element)
