"""Ranges of reductions of floats over `axes`, which stay as dims of 1: sum, mean, max, min.

A program may add a row's elements in any order. Each addition rounds to nearest. If no element passes
through more than h additions, the result is within h 2**-24 sum|x| of the exact sum (Lange and Rump,
"Sharp estimates for perturbation errors in summations", 2019; for h = n - 1 Jeannerod and Rump, "Improved
error bounds for inner products in floating-point arithmetic", 2013). `Rules.additions` gives h. Denormal sums
of floats are exact. But a product that meets an addition unrounded need not be a multiple of the smallest
denormal d, and this addition may then lose d/2 more (`grid_losses`). The effects of infinities and of
overflowing partial sums depend on the order.

Some sums are exact in every order. Let every element of a row be a multiple of a power of two q, and
sum|x| at most 2**24 q. Then every partial sum is a multiple of q of at most 2**24 q, and every such number
is an f32. For example, a sum of whole numbers up to 2**24 has a single right result.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.arithmetic import negate
from asmgen.graph.reference.ranges import FloatRange, Rules, bounded
from asmgen.graph.reference.rounding import Bools, Floats, Work, round_down, ulp, work_of

Axes = tuple[int, ...]
_MEAN_ULPS = 1.5  # the reciprocal of n is up to 1 ULP of the product off, and the product is rounded


def count(shape: tuple[int, ...], axes: Axes) -> int:
    """The number of elements of each result."""
    elements = 1
    for axis in axes:
        elements *= shape[axis]
    return elements


def add_up(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    """The sum, within h * 2**-24 * sum|x| of the exact sum, h the additions that `rules` allow."""
    value = np.add.reduce(x.value, axes, keepdims=True)
    low, high, may_be_nan = _sum_bounds(x, axes, rules)
    low, high = inward(low, high, work_of(x.element))
    result = bounded(x.element, value, low, high, may_be_nan, np.ones(value.shape, np.bool_))
    return replace(result, scale=_finite_size(x, axes))


def average(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    """The sum times the reciprocal of n, each rounded; with `contract` the product may meet an addition
    unrounded."""
    elements, work = count(x.value.shape, axes), work_of(x.element)
    value = np.add.reduce(x.value, axes, keepdims=True) / elements
    low, high, may_be_nan = _sum_bounds(x, axes, rules)
    low, high = inward(low, high, work)
    low, high = -_more(-low / elements, work), _more(high / elements, work)
    if not rules.contract:
        low, high = inward(low, high, work)
    mean = bounded(x.element, value, low, high, may_be_nan, np.ones(value.shape, np.bool_))
    return replace(mean, scale=_finite_size(x, axes) / elements)


def greatest(x: FloatRange, axes: Axes, propagate_nan: bool) -> FloatRange:
    """The maxNum of the elements: NaN if all are NaN; with `propagate_nan` if any is NaN."""
    value, low, high = _selected(x, axes, np.maximum if propagate_nan else np.fmax)
    may_be_nan = (np.logical_or if propagate_nan else np.logical_and).reduce(
        x.may_be_nan, axes, keepdims=True
    )
    if not propagate_nan and x.high is not x.low:
        # an element that may be NaN may lose; if all elements may be NaN, the least of them may be the result
        certain = np.fmax.reduce(np.where(x.may_be_nan, np.nan, x.low), axes, keepdims=True)
        least = np.fmin.reduce(x.low, axes, keepdims=True)
        low = np.where(np.isnan(certain), least, certain)
    return FloatRange(x.element, value, low, high, may_be_nan, (low <= 0) & (high >= 0))


def least(x: FloatRange, axes: Axes, propagate_nan: bool) -> FloatRange:
    """The minNum of the elements, as `greatest`."""
    return negate(greatest(negate(x), axes, propagate_nan))


def inward(low: Floats, high: Floats, work: Work) -> tuple[Floats, Floats]:
    """The least and the greatest number of the format between exact bounds; infinite from the overflow
    threshold on."""
    return -_rounded_in(-low, work), _rounded_in(high, work)


def _rounded_in(high: Floats, work: Work) -> Floats:
    return np.where(np.abs(high) >= work.overflow, np.copysign(np.inf, high), round_down(high, work))


def _more(high: Floats, work: Work) -> Floats:
    return np.where(high == 0, high, high + _MEAN_ULPS * ulp(high, work.element))


def _selected(x: FloatRange, axes: Axes, op: np.ufunc) -> tuple[Floats, Floats, Floats]:
    value, low = (op.reduce(array, axes, keepdims=True) for array in (x.value, x.low))
    return value, low, low if x.high is x.low else op.reduce(x.high, axes, keepdims=True)


def sum_error(low: Floats, high: Floats, axes: Axes, rules: Rules, work: Work) -> Floats:
    """The largest distance of the rounded sum of finite elements between `low` and `high` from their exact
    sum.

    0 if the sum is exact in every order: every element is a known multiple of q, and sum|x| is at most
    2**24 q.
    """
    size = np.abs(low) if high is low else np.maximum(np.abs(low), np.abs(high))
    whole = np.add.reduce(size, axes, keepdims=True)
    error = rules.additions(count(low.shape, axes)) * work.unit * whole
    error = error + np.add.reduce(grid_losses(low, high, work), axes, keepdims=True)
    is_known = np.ones(size.shape, np.bool_) if high is low else low == high
    exponent = np.maximum(np.frexp(whole)[1] - work.digits, work.least)
    quanta = np.ldexp(size, -exponent)
    is_exact = np.logical_and.reduce(
        is_known & (quanta == np.rint(quanta)), axes, keepdims=True
    ) & np.isfinite(whole)
    return np.where(is_exact, 0.0, error)


def grid_losses(low: Floats, high: Floats, work: Work) -> Floats:
    """The most that the addition of each element may lose besides its relative error: half the smallest
    denormal if the element is not known to be a multiple of it."""
    quanta = np.ldexp(low, -work.least)
    is_multiple = (low == high) & (quanta == np.rint(quanta))
    return np.where(is_multiple, 0.0, np.ldexp(work.wide(1), work.least - 1))


def _finite_size(x: FloatRange, axes: Axes) -> Floats:
    """sum|x| of the finite elements, which measures the rounding of a sum."""
    return np.add.reduce(np.abs(np.where(np.isfinite(x.value), x.value, 0.0)), axes, keepdims=True)


def _sum_bounds(x: FloatRange, axes: Axes, rules: Rules) -> tuple[Floats, Floats, Bools]:
    """The exact bounds of a rounded sum, and whether it may be NaN; NaN bounds if it can only be NaN."""

    def total(array: Floats) -> Floats:
        return np.add.reduce(array, axes, keepdims=True)

    def anywhere(array: Bools) -> Bools:
        return np.logical_or.reduce(array, axes, keepdims=True)

    low = np.where(np.isfinite(x.low), x.low, 0.0)
    high = low if x.high is x.low else np.where(np.isfinite(x.high), x.high, 0.0)
    work = work_of(x.element)
    relative = rules.additions(count(x.value.shape, axes)) * work.unit
    return summed(x, total, anywhere, relative, sum_error(low, high, axes, rules, work))


def summed(
    x: FloatRange,
    total: Callable[[Floats], Floats],
    anywhere: Callable[[Bools], Bools],
    relative: Floats | float,
    error: Floats,
) -> tuple[Floats, Floats, Bools]:
    """The bounds of sums. `total` adds up elements, `anywhere` tells whether some element is true. A sum of
    finite elements may be off by `relative` times sum|x|, and by `error` in all.
    """
    work = work_of(x.element)
    low = np.where(np.isfinite(x.low), x.low, 0.0)
    high = low if x.high is x.low else np.where(np.isfinite(x.high), x.high, 0.0)
    # no partial sum is beyond the sum of all elements of its sign
    rises = anywhere(x.high == np.inf) | (total(np.maximum(high, 0.0)) * (1 + relative) >= work.overflow)
    falls = anywhere(x.low == -np.inf) | (total(np.maximum(-low, 0.0)) * (1 + relative) >= work.overflow)
    must_rise, must_fall = anywhere(x.low == np.inf), anywhere(x.high == -np.inf)
    only_nan = anywhere(x.only_nan) | (must_rise & must_fall)
    # a certain infinity is the sum, unless the opposite infinity is met, which makes NaN
    low_sum = np.where(must_rise, np.inf, np.where(falls, -np.inf, total(low) - error))
    high_sum = np.where(must_fall, -np.inf, np.where(rises, np.inf, total(high) + error))
    may_be_nan = anywhere(x.may_be_nan) | (rises & falls)
    return np.where(only_nan, np.nan, low_sum), np.where(only_nan, np.nan, high_sum), may_be_nan
