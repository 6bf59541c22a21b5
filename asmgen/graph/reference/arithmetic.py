"""Ranges of float arithmetic: add, sub, mul, div, neg, abs, floor, ceil, max, min.

`contract` says whether a following op may see the result before it is rounded. Every function takes ranges
of the same shape and gives the results that any program within the ops' bounds may compute. The corners of
intervals are enough, since each op is monotone in each operand; infinities and zeros at corners are
treated apart.
"""

from __future__ import annotations

import numpy as np

from asmgen.graph.reference.ranges import FloatRange, apart, bounded, computed
from asmgen.graph.reference.rounding import Bools, Floats, Work, round_down, ulp, work_of
from asmgen.graph.rounded import SHARE
from asmgen.ir.types import F64, ElementType


def add(a: FloatRange, b: FloatRange, contract: bool) -> FloatRange:
    low = high = a.low + b.low
    if a.high is not a.low or b.high is not b.low:
        low, high = apart(low, a.high + b.high, a.is_point & b.is_point)
    may_be_nan = a.may_be_nan | b.may_be_nan
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        opposite = ((a.high == np.inf) & (b.low == -np.inf)) | ((a.low == -np.inf) & (b.high == np.inf))
        only = a.only_nan | b.only_nan | (opposite & a.is_point & b.is_point)
        low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
        low, high = np.where(only, np.nan, low), np.where(only, np.nan, high)
        may_be_nan = may_be_nan | opposite
    free = a.free_zero | b.free_zero | (low != high)
    exact = FloatRange(a.element, a.value + b.value, low, high, may_be_nan, free)
    return computed(exact, contract, _of_known(np.add, a, b))


def subtract(a: FloatRange, b: FloatRange, contract: bool) -> FloatRange:
    return add(a, negate(b), contract)


def multiply(a: FloatRange, b: FloatRange, contract: bool) -> FloatRange:
    low, high = _corners(np.multiply, a, b)
    zero_times_infinity = (a.holds_zero & _holds_infinity(b)) | (b.holds_zero & _holds_infinity(a))
    if zero_times_infinity.any():
        only = (zero_times_infinity & a.is_point & b.is_point) | a.only_nan | b.only_nan
        low, high = _filled(low, high, only, 0.0)
    free = a.free_zero | b.free_zero | (low != high)
    may_be_nan = a.may_be_nan | b.may_be_nan | zero_times_infinity
    exact = FloatRange(a.element, a.value * b.value, low, high, may_be_nan, free)
    return computed(exact, contract, _of_known(np.multiply, a, b))


def _of_known(op: np.ufunc, a: FloatRange, b: FloatRange) -> Floats | None:
    """The result of f64 arithmetic for operands that are known f64 numbers, NaN for other operands. None for
    narrower types, because their float64 reference can be rounded once more."""
    if work_of(a.element).element is not F64:
        return None
    x, y = a.low.astype(np.float64), b.low.astype(np.float64)
    is_known = a.is_point & b.is_point & (x == a.low) & (y == b.low)
    return np.where(is_known, op(x, y), np.nan).astype(np.longdouble)


def divide(a: FloatRange, b: FloatRange, ulps: float, goal: ElementType | None = None) -> FloatRange:
    low, high = _corners(np.divide, a, b)
    unsigned_zero = b.holds_zero & (b.free_zero | (np.signbit(b.low) & ~np.signbit(b.high)))
    may_be_nan = (a.holds_zero & b.holds_zero) | (_holds_infinity(a) & _holds_infinity(b))
    if may_be_nan.any() or unsigned_zero.any():
        only = (may_be_nan & a.is_point & b.is_point) | a.only_nan | b.only_nan
        low, high = _filled(low, high, only, 0.0)
        low, high = (
            np.where(unsigned_zero & ~only, -np.inf, low),
            np.where(unsigned_zero & ~only, np.inf, high),
        )
    free = a.free_zero | b.free_zero | (low != high)
    low, high = widened(low, high, ulps, a.element, goal)
    return bounded(a.element, a.value / b.value, low, high, a.may_be_nan | b.may_be_nan | may_be_nan, free)


def negate(a: FloatRange) -> FloatRange:
    low = -a.high
    return FloatRange(a.element, -a.value, low, low if a.high is a.low else -a.low, a.may_be_nan, a.free_zero)


def absolute(a: FloatRange) -> FloatRange:
    low = high = np.abs(a.low)
    if a.high is not a.low:
        high = np.abs(a.high)
        low, high = np.where(a.holds_zero, 0.0, np.minimum(low, high)), np.maximum(low, high)
    return FloatRange(a.element, np.abs(a.value), low, high, a.may_be_nan, np.zeros_like(a.free_zero))


def floor(a: FloatRange) -> FloatRange:
    return _whole(a, np.floor)


def ceil(a: FloatRange) -> FloatRange:
    return _whole(a, np.ceil)


def _whole(a: FloatRange, op: np.ufunc) -> FloatRange:
    low = op(a.low)
    high = low if a.high is a.low else op(a.high)
    return bounded(a.element, op(a.value), low, high, a.may_be_nan, a.free_zero | ~a.is_point)


def maximum(a: FloatRange, b: FloatRange, propagate_nan: bool) -> FloatRange:
    """IEEE maxNum: a NaN loses, and of +0 and -0 either may win; with `propagate_nan` a NaN wins."""
    return _select(a, b, np.maximum, np.fmax, propagate_nan)


def minimum(a: FloatRange, b: FloatRange, propagate_nan: bool) -> FloatRange:
    """IEEE minNum, as `maximum`."""
    return _select(a, b, np.minimum, np.fmin, propagate_nan)


def union(a: FloatRange, b: FloatRange, take_a: Bools, take_b: Bools, value: Floats) -> FloatRange:
    """An element from a if `take_a` allows it, or from b if `take_b` does."""
    low = np.fmin(np.where(take_a, a.low, np.nan), np.where(take_b, b.low, np.nan))
    high = np.fmax(np.where(take_a, a.high, np.nan), np.where(take_b, b.high, np.nan))
    may_be_nan = (take_a & a.may_be_nan) | (take_b & b.may_be_nan)
    free = (take_a & a.free_zero) | (take_b & b.free_zero) | (low != high) | (take_a & take_b)
    return FloatRange(a.element, value, low, high, may_be_nan, free)


def widened(
    low: Floats, high: Floats, ulps: float | Floats, element: ElementType, goal: ElementType | None = None
) -> tuple[Floats, Floats]:
    """The numbers of the format of the computation within `ulps` of the exact bounds, and within `SHARE` of
    an ULP of the `goal`, the type of 16 bits to which the result is rounded in the end.

    They include infinity if a bound reaches the overflow threshold, and an exact 0 stays 0.
    """
    work = work_of(element)
    return -_widened_up(-low, ulps, work, goal), _widened_up(high, ulps, work, goal)


def _widened_up(high: Floats, ulps: float | Floats, work: Work, goal: ElementType | None) -> Floats:
    slack = ulps * ulp(high, work.element)
    bound = high + (slack if goal is None else np.maximum(slack, SHARE * ulp(high, goal)))
    return np.where(bound >= work.overflow, np.inf, np.where(high == 0, high, round_down(bound, work)))


def _holds_infinity(a: FloatRange) -> Bools:
    return np.isinf(a.low) | np.isinf(a.high)


def _corners(op: np.ufunc, a: FloatRange, b: FloatRange) -> tuple[Floats, Floats]:
    first = op(a.low, b.low)
    if a.high is a.low and b.high is b.low:
        return first, first
    corners = (first, op(a.low, b.high), op(a.high, b.low), op(a.high, b.high))
    return apart(np.fmin.reduce(corners), np.fmax.reduce(corners), a.is_point & b.is_point)


def _filled(low: Floats, high: Floats, only_nan: Bools, number: float) -> tuple[Floats, Floats]:
    """Bounds with NaN corners replaced by `number`, which lies between them, or by NaN if no number is
    possible."""
    low = np.where(only_nan, np.nan, np.where(np.isnan(low), number, low))
    return low, np.where(only_nan, np.nan, np.where(np.isnan(high), number, high))


def _select(
    a: FloatRange, b: FloatRange, strict: np.ufunc, lenient: np.ufunc, propagate_nan: bool
) -> FloatRange:
    op = strict if propagate_nan else lenient
    value, low = op(a.value, b.value), op(a.low, b.low)
    free = a.free_zero | b.free_zero | (a.holds_zero & b.holds_zero)
    if a.high is a.low and b.high is b.low and not propagate_nan:
        return FloatRange(a.element, value, low, low, np.isnan(low), free)
    high = op(a.high, b.high)
    if propagate_nan:
        may_be_nan = a.may_be_nan | b.may_be_nan
    else:
        may_be_nan = a.may_be_nan & b.may_be_nan
        # if an operand may be NaN, the other operand may be the result
        low, high = (
            np.where(a.may_be_nan, np.fmin(low, b.low), low),
            np.where(a.may_be_nan, np.fmax(high, b.high), high),
        )
        low, high = (
            np.where(b.may_be_nan, np.fmin(low, a.low), low),
            np.where(b.may_be_nan, np.fmax(high, a.high), high),
        )
    return FloatRange(a.element, value, low, high, may_be_nan, free | (low != high))
