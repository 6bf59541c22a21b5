"""Ranges of integer arithmetic, which is exact and wraps, and of bool; ranges wider than a point come from
converted floats. Ranges are kept in int64, ranges of u64 in uint64; arithmetic on both wraps too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Integers, Range
from asmgen.graph.reference.rounding import Bools
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, U64, ElementType

LONG = 64  # bits
IntegerOp = Callable[[Integers, Integers], Integers]


def integer_dtype(element: ElementType) -> type[np.int64] | type[np.uint64]:
    """The numpy type of a type's reference."""
    return np.uint64 if element is U64 else np.int64


def wrapped(x: Integers, element: ElementType) -> Integers:
    """x modulo 2**bits, in the type's range."""
    low, high = integer_range(element)
    if element.bits == LONG:
        return x.astype(integer_dtype(element))
    x = x.astype(np.int64)
    return (x - low) % (high - low + 1) + low


def binary(op: IntegerOp, a: IntegerRange, b: IntegerRange) -> IntegerRange:
    """An op that is monotone in each operand, in 64 bits before it wraps."""
    value = wrapped(op(a.value, b.value), a.element)
    if a.low is a.high and b.low is b.high:
        exact = value if a.low is a.value and b.low is b.value else wrapped(op(a.low, b.low), a.element)
        return IntegerRange(a.element, value, exact, exact)
    ends = [(left, right) for left in (a.low, a.high) for right in (b.low, b.high)]
    corners = [op(left, right) for left, right in ends]
    low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
    least, greatest = integer_range(a.element)
    # beyond 64 bits the corners wrap themselves, so only their magnitudes are known
    exact = [op(left.astype(np.longdouble), right.astype(np.longdouble)) for left, right in ends]
    beyond = (low != high) & ((np.minimum.reduce(exact) < least) | (np.maximum.reduce(exact) > greatest))
    low, high = fitting(low, high, a.element)
    return IntegerRange(
        a.element,
        value,
        np.where(beyond, low.dtype.type(least), low),
        np.where(beyond, high.dtype.type(greatest), high),
    )


def fitting(low: Integers, high: Integers, element: ElementType) -> tuple[Integers, Integers]:
    """Bounds after wrapping: a single number wraps to a single number; a range that leaves the type may be
    anything."""
    least, greatest = integer_range(element)
    dtype = integer_dtype(element)
    outside = (low != high) & ((low.astype(np.longdouble) < least) | (high.astype(np.longdouble) > greatest))
    return (
        np.where(outside, dtype(least), wrapped(low, element)),
        np.where(outside, dtype(greatest), wrapped(high, element)),
    )


def truncated_quotient(a: Integers, b: Integers) -> Integers:
    """a / b towards zero, 0 if b is 0."""
    size, by = (np.abs(x).astype(np.uint64) for x in (a, b))  # that of the least number too
    quotient = (size // np.maximum(by, np.uint64(1))).astype(a.dtype)
    signed = np.where((a < 0) != (b < 0), np.negative(quotient), quotient)
    return np.where(b == 0, a.dtype.type(0), signed)


def divide(a: IntegerRange, b: IntegerRange) -> IntegerRange:
    value = wrapped(truncated_quotient(a.value, b.value), a.element)
    exact = wrapped(truncated_quotient(a.low, b.low), a.element)
    if a.low is a.high and b.low is b.high:
        return IntegerRange(a.element, value, exact, exact)
    least, greatest = integer_range(a.element)
    points = a.is_point & b.is_point
    low, high = np.full_like(exact, least), np.full_like(exact, greatest)
    if a.element.bits < LONG:
        reach = np.maximum(np.abs(a.low), np.abs(a.high))
        low, high = np.maximum(-reach, low), np.minimum(reach, high)
    return IntegerRange(a.element, value, np.where(points, exact, low), np.where(points, exact, high))


def negate(a: IntegerRange) -> IntegerRange:
    return binary(np.subtract, IntegerRange(a.element, *[np.zeros_like(a.value)] * 3), a)


def absolute(a: IntegerRange) -> IntegerRange:
    """The least number of the type stays as it is: its absolute value wraps."""
    value = wrapped(np.abs(a.value), a.element)
    if a.low is a.high:
        exact = value if a.low is a.value else wrapped(np.abs(a.low), a.element)
        return IntegerRange(a.element, value, exact, exact)
    reach = np.maximum(np.abs(a.low), np.abs(a.high))
    near = np.where((a.low <= 0) & (a.high >= 0), 0, np.minimum(np.abs(a.low), np.abs(a.high)))
    return IntegerRange(a.element, value, *fitting(near, reach, a.element))


def truth(can_be_false: Bools, can_be_true: Bools, value: Bools) -> IntegerRange:
    """The range of a bool with the allowed values."""
    return IntegerRange(
        BOOL, value.astype(np.int64), (~can_be_false).astype(np.int64), can_be_true.astype(np.int64)
    )


def less(a: Range, b: Range) -> IntegerRange:
    """a < b; a comparison with NaN is false."""
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        may_be_nan = a.may_be_nan | b.may_be_nan
        return truth(may_be_nan | (a.high >= b.low), a.low < b.high, a.value < b.value)
    return truth(a.high >= b.low, a.low < b.high, a.value < b.value)


def equal(a: Range, b: Range) -> IntegerRange:
    can_be_true = (a.low <= b.high) & (b.low <= a.high)
    can_be_false = ~(a.is_point & b.is_point) | (a.low != b.low)
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        can_be_false |= a.may_be_nan | b.may_be_nan
    return truth(can_be_false, can_be_true, a.value == b.value)


def logical(op: Callable[[Integers, Integers], Integers], a: IntegerRange, b: IntegerRange) -> IntegerRange:
    """A bool op of two bools, each of which may be either."""
    corners = [op(left, right) for left in (a.low, a.high) for right in (b.low, b.high)]
    return IntegerRange(BOOL, op(a.value, b.value), np.minimum.reduce(corners), np.maximum.reduce(corners))


def union(a: IntegerRange, b: IntegerRange, take_a: Bools, take_b: Bools, value: Integers) -> IntegerRange:
    """An element from a if `take_a` allows it, or from b if `take_b` does."""
    low = np.where(take_a & take_b, np.minimum(a.low, b.low), np.where(take_a, a.low, b.low))
    high = np.where(take_a & take_b, np.maximum(a.high, b.high), np.where(take_a, a.high, b.high))
    return IntegerRange(a.element, value, low, high)
