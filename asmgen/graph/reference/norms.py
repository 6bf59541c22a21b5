"""Ranges of softmax, layernorm and rmsnorm along an axis.

They are computed in f32 (f16 operands are widened, the result is rounded once), in the order of the formulas
below; the bounds are derived in docs/numerics.md, "Reductions and norms".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
from msgspec.structs import replace

from asmgen.graph.ops import EXP
from asmgen.graph.reference import arithmetic
from asmgen.graph.reference.functions import FUNCTIONS, apply_function
from asmgen.graph.reference.ranges import FloatRange, Rules, bounded, exact_float, rearranged
from asmgen.graph.reference.reductions import average, sum_error
from asmgen.graph.reference.rounding import Bools, Floats, Work, round_in, ulp, work_of
from asmgen.graph.rounded import rounding_of

_ULPS, _ULPS_PER_UNIT = 8.0, 1.5  # of softmax: (8 + 1.5 |x - m|) ULP, and the sum's bound
_ROUNDED_ULPS, _ROUNDED_PER_UNIT = 20.0, 3.0  # the same if the result is rounded to 16 bits
_OF_REFERENCE = 2.0**-48  # more than the rounding of a float64 difference of sums
_OF_LONG_REFERENCE = 2.0**-59  # the same of long doubles


def softmax(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    """exp(x - m) / sum(exp(x - m)), m the greatest of the row.

    It grows with its own element and falls with every other, which gives the exact image of a box. A row
    with a NaN or +infinity is NaN, and so is a row of -infinity alone.
    """
    work = work_of(x.element)
    top = np.fmax.reduce(x.high, axis, keepdims=True)
    image_low, image_high = _softmax_image(x, np.where(np.isfinite(top), top, 0.0), axis)
    is_rounded = rounding_of(EXP, x.element) is not None
    ulps, per_unit = (_ROUNDED_ULPS, _ROUNDED_PER_UNIT) if is_rounded else (_ULPS, _ULPS_PER_UNIT)
    slack = ulps + per_unit * np.minimum(top - x.low, work.top)
    elements = x.value.shape[axis]
    of_powers = _ROUNDED_PER_UNIT * math.log(elements) if is_rounded else 0.0
    of_sum = (rules.additions(elements) + of_powers) * work.unit
    low = np.maximum(image_low - slack * ulp(image_low, work.element) - of_sum * image_low, 0.0)
    high = image_high + slack * ulp(image_high, work.element) + of_sum * image_high
    only_nan = _anywhere(x.only_nan | (x.low == np.inf), axis) | np.logical_and.reduce(
        x.high == -np.inf, axis, keepdims=True
    )
    may_be_nan = _anywhere(x.may_be_nan | (x.high == np.inf), axis) | np.logical_and.reduce(
        x.low == -np.inf, axis, keepdims=True
    )
    # if +infinity is possible, the share of the row may be anything; -infinity gives 0
    unknown = top == np.inf
    low, high = np.where(unknown, 0.0, low), np.where(unknown, 1.0 + of_sum + ulps * 2 * work.unit, high)
    vanished = x.high == -np.inf
    low, high = np.where(vanished, 0.0, low), np.where(vanished, 0.0, high)
    low, high = np.where(only_nan, np.nan, low), np.where(only_nan, np.nan, high)
    value = np.exp(x.value - np.fmax.reduce(x.value, axis, keepdims=True))
    value = value / np.add.reduce(value, axis, keepdims=True)
    nowhere = np.zeros(low.shape, np.bool_)
    return bounded(x.element, value, low, high, np.broadcast_to(may_be_nan, low.shape), nowhere)


def _softmax_image(x: FloatRange, top: Floats, axis: int) -> tuple[Floats, Floats]:
    """The least and the greatest share of each element, with `top` near the greatest of the row."""
    above = np.exp(x.high - top)
    if x.high is x.low:
        share = above / np.add.reduce(above, axis, keepdims=True)
        return share, share
    below, slack = np.exp(x.low - top), _slack_of(work_of(x.element))
    least = below / (below + _others(above, axis, slack))
    most = above / (above + _others(below, axis, -slack))
    return np.where(np.isnan(least), 0.0, least), np.where(np.isnan(most), 1.0, np.minimum(most, 1.0))


def layernorm(
    x: FloatRange, scale_and_bias: Sequence[FloatRange], axis: int, epsilon: float, rules: Rules
) -> FloatRange:
    """c * rsqrt(mean(c * c) + epsilon) * scale + bias, c = x - mean(x)."""
    wide = widened_range(x)
    mean = _mean(wide, axis, rules)
    centred = arithmetic.subtract(wide, spread(mean, wide), rules.contract)
    square = _mean_square(centred, axis, rules)
    error = _off_centre(wide, mean, axis, rules)
    square = _tightened(square, wide, error, axis, rules)
    return _normalised(x, centred, square, scale_and_bias, axis, epsilon, rules)


def rmsnorm(
    x: FloatRange, scale: Sequence[FloatRange], axis: int, epsilon: float, rules: Rules
) -> FloatRange:
    """x * rsqrt(mean(x * x) + epsilon) * scale."""
    wide = widened_range(x)
    return _normalised(x, wide, _mean_square(wide, axis, rules), scale, axis, epsilon, rules)


def _normalised(
    x: FloatRange,
    value: FloatRange,
    square: FloatRange,
    others: Sequence[FloatRange],
    axis: int,
    epsilon: float,
    rules: Rules,
) -> FloatRange:
    work = work_of(x.element)
    rounded = np.full(square.value.shape, round_in(np.asarray(epsilon, work.wide), work))
    sum_ = arithmetic.add(square, exact_float(rounded, work.element), rules.contract)
    factor = apply_function(FUNCTIONS["rsqrt"], sum_, 1.0)
    result = arithmetic.multiply(value, spread(factor, value), rules.contract)
    for op, other in zip((arithmetic.multiply, arithmetic.add), others, strict=False):
        result = op(result, spread(widened_range(other), value), rules.contract)
    range_ = bounded(x.element, result.value, result.low, result.high, result.may_be_nan, result.free_zero)
    return replace(range_, scale=_largest_of_row(result.value, axis))


def _largest_of_row(value: Floats, axis: int) -> Floats:
    """The largest finite magnitude of each row, for each of its elements."""
    size = np.abs(np.where(np.isfinite(value), value, 0.0))
    return np.broadcast_to(np.maximum.reduce(size, axis, keepdims=True), value.shape)


def _mean_square(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    size = arithmetic.absolute(x)
    return _mean(arithmetic.multiply(size, size, rules.contract), axis, rules)


def _mean(x: FloatRange, axis: int, rules: Rules) -> FloatRange:
    return x if x.value.shape[axis] == 1 else average(x, (axis,), rules)


def _tightened(square: FloatRange, x: FloatRange, error: Floats, axis: int, rules: Rules) -> FloatRange:
    """The mean square of the centred row, narrowed by a fact of centred rows.

    Exact deviations from the mean add up to 0, so that an error e of the mean adds e*e and nothing of
    first order; and moving x by at most `radius` moves the standard deviation by at most the root mean
    square of `radius`.
    """
    elements = x.value.shape[axis]
    middle, radius = (x.low + x.high) / 2, (x.high - x.low) / 2
    work = work_of(x.element)
    rounding = _slack_of(work)
    float64_error = rounding * np.fmax.reduce(np.abs(middle), axis, keepdims=True)
    centred = middle - np.add.reduce(middle, axis, keepdims=True) / elements
    deviation, slack = (
        np.sqrt(np.add.reduce(array * array, axis, keepdims=True) / elements) for array in (centred, radius)
    )
    slack = slack * (1 + rounding) + float64_error
    relative, smallest = (
        (rules.additions(elements) + 8) * work.unit,
        np.ldexp(work.wide(elements), work.least),
    )
    least = np.maximum(deviation - slack, 0.0) ** 2
    most = (deviation + slack) ** 2 + error * error
    low = np.fmax(square.low, least * max(1 - relative, 0.0) - smallest)
    high = np.fmin(square.high, most * (1 + relative + relative * relative) + smallest)
    narrowed = (
        np.isfinite(square.high) & np.isfinite(low) & (low <= high)
    )  # sums that may overflow stay as they are
    return replace(
        square, low=np.where(narrowed, low, square.low), high=np.where(narrowed, high, square.high)
    )


def _off_centre(x: FloatRange, mean: FloatRange, axis: int, rules: Rules) -> Floats:
    """The largest distance of a computed mean from the exact mean of its elements."""
    largest = np.maximum(np.abs(mean.low), np.abs(mean.high))
    work = work_of(x.element)
    error = sum_error(x.low, x.high, (axis,), rules, work)
    return error / x.value.shape[axis] + 1.5 * ulp(largest, work.element)


def _slack_of(work: Work) -> float:
    """More than the reference's own rounding of a difference of sums."""
    return _OF_REFERENCE if work.wide is np.float64 else _OF_LONG_REFERENCE


def widened_range(x: FloatRange) -> FloatRange:
    """A value in its type of computation, without rounding."""
    return replace(x, element=work_of(x.element).element)


def spread(x: FloatRange, like: FloatRange) -> FloatRange:
    spread = rearranged(x, partial(np.broadcast_to, shape=like.value.shape))
    assert isinstance(spread, FloatRange), "moving elements keeps their type"
    return spread


def _others(x: Floats, axis: int, slack: float) -> Floats:
    """The sum of a row without the element itself, and `slack` times the whole sum."""
    whole = np.add.reduce(x, axis, keepdims=True)
    return np.maximum(whole * (1 + slack) - x, 0.0)


def _anywhere(array: Bools, axis: int) -> Bools:
    return np.logical_or.reduce(array, axis, keepdims=True)
