"""Ranges of scans along an axis: each element combined with all before it, or in `reverse` with all after
it.

They are inclusive. An exclusive scan is the inclusive scan of the identity element followed by the
elements, each a place later. The k elements up to a place may be added in any order, so that the bounds of
a sum of k elements apply (`reductions`): within min(k, h) * 2**-24 sum|x| of the exact sum, and exact if
all elements are known multiples of a power of two q and sum|x| is at most 2**24 q.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.arithmetic import negate
from asmgen.graph.reference.integers import LONG, fitting, integer_dtype, wrapped
from asmgen.graph.reference.products import magnitudes, multiplied
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Integers, Numbers, Rules, bounded
from asmgen.graph.reference.reductions import grid_losses, inward, summed
from asmgen.graph.reference.rounding import Bools, Floats, Work, work_of
from asmgen.ir.numbers import integer_range

_NO_BIT = 1 << 20  # the exponent of the lowest bit of 0, which is a multiple of everything


def add_up(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    """The sums of the elements up to each place."""
    work = work_of(x.element)
    additions = np.minimum(_counts(x, axis), rules.additions(x.value.shape[axis]))

    def total(array: Floats) -> Floats:
        return np.add.accumulate(array, axis)

    def anywhere(array: Bools) -> Bools:
        return np.logical_or.accumulate(array, axis)

    error = _sum_error(x, axis, additions * work.unit, work)
    low, high, may_be_nan = summed(x, total, anywhere, additions * work.unit, error)
    low, high = inward(low, high, work)
    value = total(x.value)
    sums = bounded(x.element, value, low, high, may_be_nan, np.ones(value.shape, np.bool_))
    return replace(sums, scale=total(np.abs(np.where(np.isfinite(x.value), x.value, 0.0))))


def _counts(x: FloatRange, axis: int) -> Floats:
    """The number of elements up to each place."""
    shape = tuple([-1 if at == axis else 1 for at in range(x.value.ndim)])
    counts: Floats = np.arange(1, x.value.shape[axis] + 1, dtype=np.float64)
    return counts.reshape(shape)


def _sum_error(x: FloatRange, axis: int, relative: Floats, work: Work) -> Floats:
    """The largest distance of the rounded sums from the exact sums; 0 if a sum is exact in every order."""
    low, high = (np.where(np.isfinite(end), end, 0.0) for end in (x.low, x.high))
    size = np.maximum(np.abs(low), np.abs(high))
    whole = np.add.accumulate(size, axis)
    exponent = np.maximum(np.frexp(whole)[1] - work.digits, work.least)
    multiples = np.minimum.accumulate(lowest_exponent(size), axis) >= exponent
    known = np.logical_and.accumulate(low == high, axis)
    error = relative * whole + np.add.accumulate(grid_losses(low, high, work), axis)
    return np.where(multiples & known & np.isfinite(whole), 0.0, error)


def lowest_exponent(size: Floats) -> Integers:
    """The exponents of the lowest bits that are set in numbers; large for 0."""
    mantissa, power = np.frexp(size)
    digits = np.ldexp(mantissa, np.finfo(size.dtype).nmant + 1)
    lowest = np.frexp(_lowest_bit(digits))[1] - 1 + power - (np.finfo(size.dtype).nmant + 1)
    return np.where(size == 0, _NO_BIT, lowest)


def _lowest_bit(whole: Floats) -> Floats:
    """The value of the lowest bit that is set in whole numbers below 2**64; 1 for 0."""
    bits = whole.astype(np.uint64)
    return np.where(bits == 0, 1, bits & (~bits + np.uint64(1))).astype(whole.dtype)


def multiply_up(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    """The products of the elements up to each place."""
    counts = _counts(x, axis).astype(work_of(x.element).wide)

    def every(op: np.ufunc) -> Callable[[Numbers], Numbers]:
        return lambda array: op.accumulate(array, axis)

    def product(array: Floats) -> Floats:
        return _products(array, axis)

    low, high, may_be_nan = multiplied(x, magnitudes(x), every, product, counts, rules.contract)
    value = product(x.value)
    return bounded(x.element, value, low, high, may_be_nan, np.ones(value.shape, np.bool_))


def _products(x: Floats, axis: int) -> Floats:
    """The products, with exponents kept apart so that no mantissa leaves the range."""
    mantissas, exponents = np.frexp(np.moveaxis(x, axis, 0))
    products = np.empty_like(mantissas)
    if not len(products):
        return np.moveaxis(products, 0, axis)
    mantissa, exponent = mantissas[0], exponents[0].astype(np.int64)
    products[0] = np.ldexp(mantissa, exponent.astype(np.int32))
    for place in range(1, len(products)):
        mantissa, carried = np.frexp(mantissa * mantissas[place])
        exponent = exponent + carried + exponents[place]
        products[place] = np.ldexp(mantissa, np.clip(exponent, -20000, 20000).astype(np.int32))
    return np.moveaxis(products, 0, axis)


def greatest(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    """The maxNum of the elements up to each place; NaN if all are NaN, or with `propagate_nan` if any is."""
    nan_wins = rules.propagates_nan
    best = np.maximum if nan_wins else np.fmax
    value, low, high = (best.accumulate(array, axis) for array in (x.value, x.low, x.high))
    may_be_nan = (np.logical_or if nan_wins else np.logical_and).accumulate(x.may_be_nan, axis)
    if not nan_wins:
        certain = np.fmax.accumulate(np.where(x.may_be_nan, np.nan, x.low), axis)
        least = np.fmin.accumulate(x.low, axis)
        low = np.where(np.isnan(certain), least, certain)
    return FloatRange(x.element, value, low, high, may_be_nan, (low <= 0) & (high >= 0))


def least(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    """The minNum of the elements up to each place."""
    return negate(greatest(negate(x), axis, rules))


# Integers, which wrap


def add_integers(x: IntegerRange, axis: int) -> IntegerRange:
    value, low, high = (np.add.accumulate(array, axis) for array in (x.value, x.low, x.high))
    if x.element.bits == LONG:
        lowest, highest = (low.dtype.type(end) for end in integer_range(x.element))
        known = np.logical_and.accumulate(x.is_point, axis)
        return IntegerRange(x.element, value, np.where(known, low, lowest), np.where(known, high, highest))
    return IntegerRange(x.element, wrapped(value, x.element), *fitting(low, high, x.element))


def multiply_integers(x: IntegerRange, axis: int) -> IntegerRange:
    """Modulo 2**64, of which the type's own range keeps the lower bits; anything for unknown operands."""

    def product(array: Integers) -> Integers:
        total = np.multiply.accumulate(array.astype(np.uint64), axis)
        bits = np.uint64((1 << x.element.bits) - 1)
        return wrapped((total & bits).astype(array.dtype), x.element)

    lowest, highest = (integer_dtype(x.element)(end) for end in integer_range(x.element))
    known, exact = np.logical_and.accumulate(x.is_point, axis), product(x.low)
    low, high = np.where(known, exact, lowest), np.where(known, exact, highest)
    return IntegerRange(x.element, product(x.value), low, high)


def greatest_integers(x: IntegerRange, axis: int) -> IntegerRange:
    return IntegerRange(x.element, *[np.maximum.accumulate(end, axis) for end in (x.value, x.low, x.high)])


def least_integers(x: IntegerRange, axis: int) -> IntegerRange:
    return IntegerRange(x.element, *[np.minimum.accumulate(end, axis) for end in (x.value, x.low, x.high)])
