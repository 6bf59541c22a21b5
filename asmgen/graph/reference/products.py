"""Ranges of products over `axes`, which stay as dims of 1: reduce_prod of floats.

n - 1 roundings are a factor of at most (1 + 2**-24)**(n-1). Partial products depend on the order. They may
overflow if the factors above 1 allow it, and lose digits to denormals or vanish if the factors below 1
allow it; infinity times 0 is NaN. Powers of two multiply without rounding.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.reference.ranges import FloatRange, Numbers, bounded
from asmgen.graph.reference.reductions import Axes, count, inward
from asmgen.graph.reference.rounding import Bools, Floats, work_of


def multiply_up(x: FloatRange, axes: Axes, contract: bool) -> FloatRange:
    """The product; with `contract` the last multiply may meet an addition unrounded."""

    def every(op: np.ufunc) -> Callable[[Numbers], Numbers]:
        return lambda array: op.reduce(array, axes, keepdims=True)

    elements = work_of(x.element).wide(count(x.value.shape, axes))
    low, high, may_be_nan = multiplied(
        x, magnitudes(x), every, lambda array: product(array, axes), elements, contract
    )
    return bounded(x.element, product(x.value, axes), low, high, may_be_nan, np.ones(low.shape, np.bool_))


def multiplied(
    x: FloatRange,
    sizes: tuple[Floats, Floats],
    every: Callable[[np.ufunc], Callable[[Numbers], Numbers]],
    exact: Callable[[Floats], Floats],
    elements: Floats,
    contract: bool,
) -> tuple[Floats, Floats, Bools]:
    """The bounds of products of `elements` numbers with magnitudes `sizes`: `every` combines by an operation,
    `exact` multiplies."""
    anywhere = every(np.logical_or)
    work = work_of(x.element)
    only_nan, either_sign = anywhere(x.only_nan), anywhere((x.low < 0) & (x.high > 0))
    is_negative = every(np.bitwise_xor)(x.high <= 0) & ~either_sign
    small, large = sizes
    infinite, surely_infinite = anywhere(np.isinf(large)), anywhere(np.isinf(small))
    zero, surely_zero = anywhere(small == 0), anywhere(large == 0)
    small, large = (np.where((size == 0) | np.isinf(size), 1.0, size) for size in (small, large))
    are_powers = every(np.logical_and)((small == large) & (np.frexp(large)[0] == 0.5))
    growth = np.where(are_powers, 0.0, np.expm1(elements * work.unit))
    margin = np.log2(1 + growth) + 2.0**-20
    above = every(np.add)(np.maximum(np.log2(large), 0.0)) + margin
    below = every(np.add)(np.minimum(np.log2(small), 0.0)) - margin
    overflows, vanishes = infinite | (above >= work.top), zero | (below <= work.least)
    roundings = np.ldexp(elements, work.least - 1)
    beyond = work.top - work.least + 1.0  # a rounding that is multiplied by 2**beyond overflows
    lost = np.where(below <= work.normal, roundings * np.exp2(np.minimum(above, beyond)), 0.0)
    least, most = exact(small), exact(large)
    least = np.where(vanishes, 0.0, np.maximum(least * (1 - growth) - lost, 0.0))
    most = most * (1 + growth) + lost
    most = np.where(overflows | (most >= work.overflow), np.inf, most)
    least, most = np.where(surely_infinite, np.inf, least), np.where(surely_zero, 0.0, most)
    only_nan = only_nan | (surely_zero & surely_infinite)
    low, high = np.where(is_negative, -most, least), np.where(is_negative, -least, most)
    low = np.where(either_sign, -most, low)
    high = np.where(either_sign, most, high)
    if not contract:
        low, high = inward(low, high, work)
    low, high = np.where(only_nan, np.nan, low), np.where(only_nan, np.nan, high)
    return low, high, anywhere(x.may_be_nan) | (overflows & vanishes)


def product(x: Floats, axes: Axes) -> Floats:
    """The product in float64, with the exponents of partial products kept apart so that they never leave
    the range."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
    rows = x.transpose(*kept, *axes).reshape(*[x.shape[axis] for axis in kept], count(x.shape, axes))
    mantissa, exponent = np.frexp(rows)
    exponent = np.add.reduce(exponent, -1, np.int64)
    while mantissa.shape[-1] > 1:
        half = mantissa.shape[-1] // 2
        odd = mantissa[..., 2 * half :]
        mantissa, carried = np.frexp(
            np.concatenate((mantissa[..., :half] * mantissa[..., half : 2 * half], odd), -1)
        )
        exponent = exponent + np.add.reduce(carried, -1, np.int64)
    return np.ldexp(mantissa[..., 0], np.clip(exponent, -3000, 3000).astype(np.int32)).reshape(shape)


def magnitudes(x: FloatRange) -> tuple[Floats, Floats]:
    """The least and the greatest magnitude of each element; 1 for a NaN."""
    low, high = np.abs(x.low), np.abs(x.high)
    small = np.where(x.holds_zero, 0.0, np.minimum(low, high))
    return np.where(x.only_nan, 1.0, small), np.where(x.only_nan, 1.0, np.maximum(low, high))
