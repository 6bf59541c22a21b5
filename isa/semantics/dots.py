"""Dot products, and the first step of the range reduction of trigonometric functions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from isa.semantics.floats import fma
from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.mode import Array, Mode, narrow, round_odd_sum


def dot_f16(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """c + a0 b0, then + a1 b1: the products are exact, each sum is rounded to f32, as AMD's pseudocode adds them up."""
    products = a.astype(np.float64) * b.astype(np.float64)
    total = np.asarray(c)
    for i in range(2):
        exact = round_odd_sum(*np.broadcast_arrays(total.astype(np.float64), products[..., i]))
        total = narrow(exact, np.float32, mode.rounding_32)
    return total


def _wrapping_or_saturating(wide: Callable[[Array, Array, Array], Array], result: type[np.integer[Any]]) -> LaneFunction:
    """A sum in 64 bits as 32: wrapped, or under the clamp modifier saturated."""
    limits = np.iinfo(result)

    def saturated(a: Array, b: Array, c: Array) -> Array:
        return np.clip(wide(a, b, c), limits.min, limits.max).astype(result)

    return pure(lambda a, b, c: wide(a, b, c).astype(result), saturated)


def _dot_fields(bits: int, signed: bool) -> LaneFunction:
    """Products of the `bits`-wide fields of two words and an addend; the words come as raw 32-bit patterns."""
    result = np.int32 if signed else np.uint32
    sign = np.int64(1 << (bits - 1)) if signed else np.int64(0)
    mask = np.int64((1 << bits) - 1)

    def wide(a: Array, b: Array, c: Array) -> Array:
        total = c.astype(np.int64)
        words = a.astype(np.uint32).astype(np.int64), b.astype(np.uint32).astype(np.int64)
        for shift in range(0, 32, bits):
            x, y = (((word >> np.int64(shift) & mask) ^ sign) - sign for word in words)
            total = total + x * y
        return total

    return _wrapping_or_saturating(wide, result)


def _dot_halves(result: type[np.integer[Any]]) -> LaneFunction:
    """Two products of 16-bit integers, which come as a last axis, and an addend."""

    def wide(a: Array, b: Array, c: Array) -> Array:
        return (a.astype(np.int64) * b.astype(np.int64)).sum(-1) + c.astype(np.int64)

    return _wrapping_or_saturating(wide, result)


def fma_legacy(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """An fma in which 0 times anything is 0."""
    zero = (a == 0) | (b == 0)
    return np.where(zero, c + a.dtype.type(0), fma(mode, a, b, c))


@cache
def two_over_pi_bits() -> int:
    """The first 1201 fraction bits of 2/pi, from Machin's formula in integers."""
    precision = 1400
    one = 1 << precision

    def arctan_inverse(n: int) -> int:
        total, term, k = 0, one // n, 0
        while term:
            total += term // (2 * k + 1) if k % 2 == 0 else -(term // (2 * k + 1))
            term //= n * n
            k += 1
        return total

    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return int(Fraction(2 * one, pi) * (1 << 1201))


def trig_preop(x: Array, segment: Array) -> Array:
    """53 bits of 2/pi for the exponent of x and a segment number (V_TRIG_PREOP_F64)."""
    x, segment = np.broadcast_arrays(x, segment)
    exponents = ((np.ascontiguousarray(x).view(np.uint64) >> np.uint64(52)) & np.uint64(0x7FF)).astype(np.int64)
    result = np.empty(x.shape, np.float64)
    known: dict[tuple[int, int], float] = {}
    for index in np.ndindex(x.shape):
        key = int(exponents[index]), int(segment[index]) & 31
        if key not in known:
            known[key] = _preop(*key)
        result[index] = known[key]
    return result


def _preop(exponent: int, segment: int) -> float:
    shift = segment * 53 + max(0, exponent - 1077)
    field = (two_over_pi_bits() << shift) >> 1148 & ((1 << 53) - 1)
    scale = -53 - shift + (128 if exponent >= 1968 else 0)
    return float(np.ldexp(float(field), scale))


DOTS: dict[str, LaneFunction] = {
    "v_dot2_f32_f16": moded(dot_f16), "v_dot2c_f32_f16": moded(dot_f16),
    "v_dot4_i32_i8": _dot_fields(8, True), "v_dot4c_i32_i8": _dot_fields(8, True), "v_dot4_u32_u8": _dot_fields(8, False),
    "v_dot8_i32_i4": _dot_fields(4, True), "v_dot8c_i32_i4": _dot_fields(4, True), "v_dot8_u32_u4": _dot_fields(4, False),
    "v_dot2_i32_i16": _dot_halves(np.int32), "v_dot2c_i32_i16": _dot_halves(np.int32), "v_dot2_u32_u16": _dot_halves(np.uint32),
    "v_fma_legacy_f32": moded(fma_legacy), "v_trig_preop_f64": pure(trig_preop),
}  # fmt: skip
