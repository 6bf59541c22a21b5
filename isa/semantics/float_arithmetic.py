"""Float sums, products and fused multiply-adds, rounded once in every rounding mode.

f16 and f32 results are computed in f64 without error (or rounded to odd) and rounded once; f64 results by
error-free transformations. If the mode rounds to nearest, numpy's own arithmetic is used.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec import Struct

from isa.semantics.accesses import Half
from isa.semantics.mode import Array, Mode, Rounding, narrow, round_odd_sum

_SPLIT = float(2**27 + 1)
# bits of an f64 that f32 lacks; a half of its last place
_BELOW_F32, _HALFWAY = np.array(0x1FFFFFFF, np.uint64), np.array(0x10000000, np.uint64)
_SMALL = np.array(2.0**-125, np.float32)  # below it an f32 may have fewer bits


def _two_sum_error(a: Array, b: Array, total: Array) -> Array:
    virtual = total - a
    return (a - (total - virtual)) + (b - virtual)


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """a * b in f64 and its rounding error (Dekker 1971); exact while nothing over- or underflows."""
    product = a * b
    wide_a, wide_b = a * _SPLIT, b * _SPLIT
    high_a, high_b = wide_a - (wide_a - a), wide_b - (wide_b - b)
    low_a, low_b = a - high_a, b - high_b
    return product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b


def _direct_f64(nearest: Array, error: Array, rounding: Rounding) -> Array:
    """The f64 neighbour of nearest + error that a directed rounding picks."""
    if rounding is Rounding.NEAREST:
        return nearest
    up, down = np.nextafter(nearest, np.inf), np.nextafter(nearest, -np.inf)
    too_high, too_low = error < 0, error > 0
    if rounding is Rounding.ZERO:
        positive = (nearest > 0) | ((nearest == 0) & (error > 0))
        too_high, too_low = too_high & positive, too_low & ~positive
    go_down = too_high & (rounding is not Rounding.UP)
    go_up = too_low & (rounding is not Rounding.DOWN)
    if rounding is Rounding.UP:
        go_down = np.zeros_like(go_down)
    if rounding is Rounding.DOWN:
        go_up = np.zeros_like(go_up)
    return np.where(go_down, down, np.where(go_up, up, nearest))


def add(mode: Mode, a: Array, b: Array) -> Array:
    """IEEE 754 addition in the type of the operands."""
    rounding = mode.rounding(a.dtype)
    if rounding is Rounding.NEAREST:
        return a + b
    if a.dtype.itemsize == 8:
        total = a + b
        error = np.nan_to_num(_two_sum_error(a, b, total), nan=0.0)
        overflowed = np.isinf(total) & np.isfinite(a) & np.isfinite(b)
        return _signed_zero_sum(
            _direct_f64(total, np.where(overflowed, -total, error), rounding), a, b, rounding
        )
    exact = round_odd_sum(*np.broadcast_arrays(a.astype(np.float64), b.astype(np.float64)))
    return _signed_zero_sum(narrow(exact, a.dtype.type, rounding), a, b, rounding)


def _signed_zero_sum(total: Array, a: Array, b: Array, rounding: Rounding) -> Array:
    """x + (-x) is -0 when rounding down (IEEE 754, 6.3)."""
    if rounding is not Rounding.DOWN:
        return total
    cancels = (total == 0) & (a != 0)
    return np.where(cancels & (a == -b), -np.abs(total), total)


def add_into(mode: Mode, result: Array, a: Array, b: Array) -> None:
    if mode.rounding(result.dtype) is Rounding.NEAREST:
        np.add(a, b, result)
    else:
        result[...] = add(mode, a, b)


def multiply_into(mode: Mode, result: Array, a: Array, b: Array) -> None:
    if mode.rounding(result.dtype) is Rounding.NEAREST:
        np.multiply(a, b, result)
    else:
        result[...] = multiply(mode, a, b)


def subtract_into(mode: Mode, result: Array, a: Array, b: Array) -> None:
    add_into(mode, result, a, -b)


def subtract(mode: Mode, a: Array, b: Array) -> Array:
    return add(mode, a, -b)


def subtract_reversed(mode: Mode, a: Array, b: Array) -> Array:
    return add(mode, b, -a)


def multiply(mode: Mode, a: Array, b: Array) -> Array:
    rounding = mode.rounding(a.dtype)
    if rounding is Rounding.NEAREST:
        return a * b
    if a.dtype.itemsize == 8:
        product = a * b
        exact_zero = (a == 0) | (b == 0)
        return np.where(exact_zero, product, fma_f64(a, b, np.zeros_like(product), rounding))
    return narrow(a.astype(np.float64) * b.astype(np.float64), a.dtype.type, rounding)


def fma(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once."""
    size = a.dtype.itemsize
    rounding = mode.rounding(a.dtype)
    if size == 8:
        return fma_f64(a, b, c, rounding)
    if size == 2:
        product = a.astype(np.float64) * b.astype(np.float64)
        exact = round_odd_sum(*np.broadcast_arrays(product, c.astype(np.float64)))
        return narrow(exact, np.float16, rounding)
    return fma_f32(a, b, c, rounding)


def fma_f32(a: Array, b: Array, c: Array, rounding: Rounding) -> Array:
    if rounding is not Rounding.NEAREST:
        product = np.multiply(a, b, dtype=np.float64)
        return narrow(
            round_odd_sum(*np.broadcast_arrays(product, c.astype(np.float64))), np.float32, rounding
        )
    result = np.empty(np.broadcast(a, b, c).shape, np.float32)
    _nearest_fma(result, a, b, c)
    return result


Workspace = tuple[Array, Array, Array, Array, Array, Array]


def _workspace(shape: tuple[int, ...]) -> Workspace:
    """Reusable work arrays: three of f64, the bits of the third, an f32 and a bool array. New arrays would
    cost more than the sums.

    Groups of waves have many sizes, so a size that is not a power of two takes a part of a larger array.
    """
    if not shape or not shape[0] & (shape[0] - 1):
        return _arrays(shape)
    first, second, third, bits, floats, flags = _arrays((1 << shape[0].bit_length(), *shape[1:]))
    part = slice(shape[0])
    return first[part], second[part], third[part], bits[part], floats[part], flags[part]


@lru_cache(maxsize=16)
def _arrays(shape: tuple[int, ...]) -> Workspace:
    product, addend, total = (np.empty(shape) for _ in range(3))
    return (
        product, addend, total, total.view(np.uint64), np.empty(shape, np.float32), np.empty(shape, np.bool_),
    )  # fmt: skip


def fma_into(mode: Mode, result: Array, a: Array, b: Array, c: Array) -> None:
    if result.dtype.itemsize == 4 and mode.rounding_32 is Rounding.NEAREST:
        _nearest_fma(result, a, b, c)
    else:
        result[...] = fma(mode, a, b, c)


def _nearest_fma(result: Array, a: Array, b: Array, c: Array) -> None:
    """In f32: the f64 product is exact; only sums on or near a halfway point of f32 need the sum's error as
    well."""
    product, addend, total, bits, magnitude, doubtful = _workspace(result.shape)
    product[...] = a
    if a is b:
        np.multiply(product, product, product)
    else:
        addend[...] = b
        np.multiply(product, addend, product)
    addend[...] = c
    np.add(product, addend, total)
    result[...] = total
    np.less(np.abs(result, magnitude), _SMALL, doubtful)
    if np.count_nonzero(doubtful):
        tiny = np.flatnonzero(doubtful)
        _round_again(result, tiny[total.reshape(-1)[tiny] != 0], product, addend)
    np.equal(np.bitwise_and(bits, _BELOW_F32, bits), _HALFWAY, doubtful)
    if np.count_nonzero(doubtful):
        _round_again(result, np.flatnonzero(doubtful), product, addend)


def _round_again(result: Array, places: Array, product: Array, addend: Array) -> None:
    """Round the sum of f64 once to f32, at these of all places."""
    if places.size:
        exact = round_odd_sum(product.reshape(-1)[places], addend.reshape(-1)[places])
        np.put(result, places, exact.astype(np.float32))


def fma_f64(a: Array, b: Array, c: Array, rounding: Rounding) -> Array:
    """Correctly rounded f64 fma: error-free transformations inside a safe exponent range, exact fractions
    outside it."""
    a, b, c = (np.ascontiguousarray(x) for x in np.broadcast_arrays(a, b, c))
    high, low = two_product(a, b)
    carry = c + low
    carry_error = _two_sum_error(c, low, carry)
    total = high + carry
    residue = round_odd_sum(carry_error, _two_sum_error(high, carry, total))
    result = total + residue
    if rounding is not Rounding.NEAREST:
        result = _direct_f64(result, _two_sum_error(total, residue, result), rounding)
    exponent = np.frexp(a)[1] + np.frexp(b)[1]
    regular = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & (a != 0) & (b != 0)
    outside = regular & (
        (exponent > 1020)
        | (exponent < -900)
        | (np.abs(a) > 2.0**990)
        | (np.abs(b) > 2.0**990)
        | (np.abs(c) > 2.0**1020)
    )
    # a finite product is never infinite next to an infinite addend, though its rounded f64 may be
    result = np.where(regular, result, np.where(np.isfinite(a) & np.isfinite(b) & np.isinf(c), c, a * b + c))
    for index in np.argwhere(outside):
        at = tuple(index)
        exact = Fraction(float(a[at])) * Fraction(float(b[at])) + Fraction(float(c[at]))
        result[at] = round_fraction(exact, rounding, float(a[at] * b[at] + c[at]))
    return result


def round_fraction(exact: Fraction, rounding: Rounding, zero: float) -> float:
    """The f64 that a rounding mode picks for an exact value; `zero` gives the sign of 0."""
    if exact == 0:
        return zero * 0.0
    try:
        nearest = float(exact)
    except OverflowError:
        nearest = float("inf") if exact > 0 else float("-inf")
    if rounding is Rounding.NEAREST:
        return nearest
    infinite = nearest in (float("inf"), float("-inf"))
    above = nearest > 0 if infinite else Fraction(nearest) > exact
    below = nearest < 0 if infinite else Fraction(nearest) < exact
    toward_zero = rounding is Rounding.ZERO
    if above and (rounding is Rounding.DOWN or (toward_zero and exact > 0)):
        return float(np.nextafter(nearest, -np.inf))
    if below and (rounding is Rounding.UP or (toward_zero and exact < 0)):
        return float(np.nextafter(nearest, np.inf))
    return nearest


class MixedFma(Struct, frozen=True):
    """v_fma_mix: each source is f32, or half of a register as f16 (chosen by op_sel_hi; op_sel chooses the
    half).

    The result is f32, or f16 in half of the destination.
    """

    half: Half | None = None

    def call(self, mode: Mode, a: Array, b: Array, c: Array) -> Array:
        result = fma_f32(a, b, c, mode.rounding_32)
        return (
            result
            if self.half is None
            else narrow(result.astype(np.float64), np.float16, mode.rounding_16_64)
        )


def multiply_legacy(mode: Mode, a: Array, b: Array) -> Array:
    """DX9 rules: 0 times anything is +0."""
    return np.where((a == 0) | (b == 0), a.dtype.type(0), multiply(mode, a, b))


def fma_dx9_zero(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """An fma in which 0 times anything is 0 and the addend comes back as it is (V_FMA_DX9_ZERO_F32)."""
    return np.where((a == 0) | (b == 0), c, fma(mode, a, b, c))


def lit_multiply(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """a * b, or the lowest float if b is the lowest float, minus infinity or NaN, or if c is not above 0
    (V_MULLIT_F32)."""
    lowest = np.finfo(a.dtype).min
    return np.where((b <= lowest) | np.isnan(b) | ~(c > 0), lowest, multiply(mode, a, b)).astype(a.dtype)
