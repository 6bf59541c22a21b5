"""Ranges of reductions of integers over `axes`, which stay as dims of 1. They wrap, so that the order does
not matter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.reference.integers import LONG, fitting, integer_dtype, truncated_quotient, wrapped
from asmgen.graph.reference.ranges import IntegerRange, Integers
from asmgen.graph.reference.reductions import Axes, count
from asmgen.ir.numbers import integer_range


def add_up(x: IntegerRange, axes: Axes) -> IntegerRange:
    """The sum of up to 2**31 elements."""
    value, low, high = _each(x, lambda array: np.add.reduce(array, axes, keepdims=True))
    if x.element.bits == LONG:
        least_number, greatest_number = (low.dtype.type(end) for end in integer_range(x.element))
        certain = np.logical_and.reduce(x.is_point, axes, keepdims=True)
        low, high = np.where(certain, low, least_number), np.where(certain, high, greatest_number)
        return IntegerRange(x.element, value, low, high)
    return IntegerRange(x.element, wrapped(value, x.element), *fitting(low, high, x.element))


def average(x: IntegerRange, axes: Axes) -> IntegerRange:
    """The sum, which wraps, divided by n towards zero; of nothing 0."""
    total = add_up(x, axes)
    elements = x.value.dtype.type(count(x.value.shape, axes))
    return IntegerRange(
        x.element,
        *_each(total, lambda array: truncated_quotient(array, np.broadcast_to(elements, array.shape))),
    )


def greatest(x: IntegerRange, axes: Axes) -> IntegerRange:
    return IntegerRange(x.element, *_each(x, lambda array: np.maximum.reduce(array, axes, keepdims=True)))


def least(x: IntegerRange, axes: Axes) -> IntegerRange:
    return IntegerRange(x.element, *_each(x, lambda array: np.minimum.reduce(array, axes, keepdims=True)))


def multiply_up(x: IntegerRange, axes: Axes) -> IntegerRange:
    """The product; of an element that is no single number anything, unless all products fit the type."""
    least_number, greatest_number = integer_range(x.element)
    value, exact, _ = _each(x, lambda array: _wrapping_product(array, x, axes))
    certain = np.logical_and.reduce(x.is_point, axes, keepdims=True)
    size = np.maximum(np.abs(x.low), np.abs(x.high)).astype(np.float64)
    reach = np.minimum(np.multiply.reduce(size, axes, keepdims=True), 2.0**62)
    fits = reach <= greatest_number
    dtype = integer_dtype(x.element)
    low = np.where(fits, -reach, 0).astype(np.int64).astype(dtype)
    high = np.where(fits, reach, 0).astype(np.int64).astype(dtype)
    low = np.where(fits, low, dtype(least_number))
    high = np.where(fits, high, dtype(greatest_number))
    return IntegerRange(x.element, value, np.where(certain, exact, low), np.where(certain, exact, high))


def _wrapping_product(array: Integers, x: IntegerRange, axes: Axes) -> Integers:
    """Modulo 2**64, of which the type's own range keeps the lower bits."""
    total = np.multiply.reduce(array.astype(np.uint64), axes, keepdims=True)
    bits = np.uint64((1 << x.element.bits) - 1)
    return wrapped((total & bits).astype(array.dtype), x.element)


def _each(x: IntegerRange, change: Callable[[Integers], Integers]) -> tuple[Integers, Integers, Integers]:
    value = change(x.value)
    low = value if x.low is x.value else change(x.low)
    return value, low, low if x.high is x.low else change(x.high)
