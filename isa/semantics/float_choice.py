"""Minimum, maximum and median of floats, by each rule of AMD's targets for NaNs and signed zeros."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.semantics.mode import Array, Mode, is_signalling, quiet, sign_bit


def minimum(mode: Mode, a: Array, b: Array) -> Array:
    """IEEE 754-2008 minNum with -0 < +0; a signalling NaN gives a quiet NaN under IEEE mode (CDNA3 ISA,
    V_MIN_F32)."""
    result = np.minimum(a, b)
    if np.count_nonzero(result != result):
        return _select(mode, a, b, np.where(a == b, sign_bit(a) != 0, a < b))
    zero = result == 0
    return (
        np.where(zero, (sign_bit(a) | sign_bit(b)).view(result.dtype), result)
        if np.count_nonzero(zero)
        else result
    )


def maximum(mode: Mode, a: Array, b: Array) -> Array:
    result = np.maximum(a, b)
    if np.count_nonzero(result != result):
        return _select(mode, a, b, np.where(a == b, sign_bit(a) == 0, a > b))
    zero = result == 0
    return (
        np.where(zero, (sign_bit(a) & sign_bit(b)).view(result.dtype), result)
        if np.count_nonzero(zero)
        else result
    )


def _select(mode: Mode, a: Array, b: Array, first: Array) -> Array:
    result = np.where(first, a, b)
    nan = np.isnan(a) | np.isnan(b)
    if not nan.any():
        return result
    result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, result))
    if mode.ieee:
        result = np.where(is_signalling(a), quiet(a), np.where(is_signalling(b), quiet(b), result))
    return result


def minimum_number(a: Array, b: Array) -> Array:
    """IEEE 754-2019 minimumNumber as RDNA4 has it: the operand that is a number, a quiet NaN of two NaNs
    (V_MIN_NUM_F32)."""
    return _select_number(a, b, np.where(a == b, sign_bit(a) != 0, a < b))


def maximum_number(a: Array, b: Array) -> Array:
    return _select_number(a, b, np.where(a == b, sign_bit(a) == 0, a > b))


def _select_number(a: Array, b: Array, first: Array) -> Array:
    result = np.where(first, a, b)
    nan_a, nan_b = np.isnan(a), np.isnan(b)
    if not (nan_a | nan_b).any():
        return result
    return np.where(nan_a & nan_b, quiet(a), np.where(nan_a, b, np.where(nan_b, a, result)))


def propagating_minimum(a: Array, b: Array) -> Array:
    """IEEE 754-2019 minimum: NaNs propagate; a signalling NaN comes first and becomes quiet
    (V_MINIMUM_F32)."""
    return _select_nan(a, b, np.where(a == b, sign_bit(a) != 0, a < b))


def propagating_maximum(a: Array, b: Array) -> Array:
    return _select_nan(a, b, np.where(a == b, sign_bit(a) == 0, a > b))


def _select_nan(a: Array, b: Array, first: Array) -> Array:
    result = np.where(first, a, b)
    nan = np.isnan(a) | np.isnan(b)
    if not nan.any():
        return result
    result = np.where(np.isnan(a), a, np.where(np.isnan(b), b, result))
    return np.where(is_signalling(a), quiet(a), np.where(is_signalling(b), quiet(b), result))


def then(
    first: Callable[[Array, Array], Array], second: Callable[[Array, Array], Array]
) -> Callable[[Array, Array, Array], Array]:
    """The first of two operands, then the second of that and a third."""
    return lambda a, b, c: second(first(a, b), c)


def median_number(a: Array, b: Array, c: Array) -> Array:
    """As `median`, by minimumNumber and maximumNumber (V_MED3_NUM_F32)."""
    largest = maximum_number(maximum_number(a, b), c)
    result = np.where(
        largest == a, maximum_number(b, c), np.where(largest == b, maximum_number(a, c), maximum_number(a, b))
    )
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, minimum_number(minimum_number(a, b), c), result) if nan.any() else result


def moded_then(
    first: Callable[[Mode, Array, Array], Array], second: Callable[[Mode, Array, Array], Array]
) -> Callable[[Mode, Array, Array, Array], Array]:
    return lambda mode, a, b, c: second(mode, first(mode, a, b), c)


def minimum3(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    return minimum(mode, minimum(mode, a, b), c)


def maximum3(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    return maximum(mode, maximum(mode, a, b), c)


def median(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """The median of three; the smallest if any is NaN."""
    largest = maximum3(mode, a, b, c)
    result = np.where(
        largest == a, maximum(mode, b, c), np.where(largest == b, maximum(mode, a, c), maximum(mode, a, b))
    )
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, minimum3(mode, a, b, c), result) if nan.any() else result
