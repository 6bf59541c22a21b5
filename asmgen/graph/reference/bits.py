"""Ranges of ops on the bits of integers. Of operands that are not known the result may be anything."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.reference.integers import wrapped
from asmgen.graph.reference.ranges import IntegerRange, Integers, Range, Rules
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement
from asmgen.ir.types import ElementType, NumberKind

_Bits = Callable[..., Integers]  # of the element type, and the operands in 64 bits


def _of_known(function: _Bits) -> Callable[..., Range]:
    def evaluate(_statement: Statement, _rules: Rules, *operands: IntegerRange) -> Range:
        element = operands[0].element
        value = wrapped(function(element, *[x.value for x in operands]), element)
        if all(x.low is x.value and x.high is x.value for x in operands):
            return IntegerRange(element, value, value, value)
        exact = wrapped(function(element, *[x.low for x in operands]), element)
        known = np.logical_and.reduce([x.is_point for x in operands])
        least, greatest = integer_range(element)
        return IntegerRange(element, value, np.where(known, exact, least), np.where(known, exact, greatest))

    return evaluate


def _plain(function: Callable[..., Integers]) -> _Bits:
    def of_bits(_element: ElementType, *operands: Integers) -> Integers:
        return function(*operands)

    return of_bits


def _left_shift(element: ElementType, x: Integers, count: Integers) -> Integers:
    inside = (count >= 0) & (count < element.bits)
    return np.where(inside, np.left_shift(x, np.where(inside, count, 0).astype(x.dtype)), x.dtype.type(0))


def _right_shift(element: ElementType, x: Integers, count: Integers) -> Integers:
    inside = (count >= 0) & (count < element.bits)
    most = element.bits - 1
    shifted = np.right_shift(x, np.where(inside, count, most).astype(x.dtype))
    return shifted if element.kind is NumberKind.SIGNED else np.where(inside, shifted, x.dtype.type(0))


def _unsigned(element: ElementType, x: Integers) -> Integers:
    return x.astype(np.uint64) & np.uint64((1 << element.bits) - 1)


def _popcount(element: ElementType, x: Integers) -> Integers:
    return np.bitwise_count(_unsigned(element, x)).astype(x.dtype)


def _leading_zeros(element: ElementType, x: Integers) -> Integers:
    """By halves: a clear upper half is counted, and the lower half takes its place."""
    left, zeros = _unsigned(element, x), np.zeros(x.shape, np.uint64)
    half = element.bits // 2
    while half:
        above = left >> np.uint64(half)
        is_clear = above == 0
        zeros += np.where(is_clear, np.uint64(half), np.uint64(0))
        left = np.where(is_clear, left, above)
        half //= 2
    return (zeros + (left == 0)).astype(x.dtype)


EVALUATORS: dict[str, Callable[..., Range]] = {
    "bitwise_and": _of_known(_plain(np.bitwise_and)),
    "bitwise_or": _of_known(_plain(np.bitwise_or)),
    "bitwise_xor": _of_known(_plain(np.bitwise_xor)),
    "bitwise_not": _of_known(_plain(np.invert)),
    "left_shift": _of_known(_left_shift),
    "right_shift": _of_known(_right_shift),
    "popcount": _of_known(_popcount),
    "leading_zeros": _of_known(_leading_zeros),
}
