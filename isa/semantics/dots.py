"""Dot products, and the first step of the range reduction of trigonometric functions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from isa.semantics.float_arithmetic import add, fma, multiply
from isa.semantics.formats import OCP_BF8, OCP_FP8, SmallFloat, decode, from_bf16, to_bf16
from isa.semantics.lane import ByModifier, LaneFunction, moded, pure
from isa.semantics.mode import Array, Mode, narrow, round_odd_sum


def dot_f16(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """c + a0 b0, then + a1 b1: the products are exact, each sum is rounded to f32, as AMD's pseudocode adds
    them up."""
    products = a.astype(np.float64) * b.astype(np.float64)
    total = np.asarray(c)
    for i in range(2):
        exact = round_odd_sum(*np.broadcast_arrays(total.astype(np.float64), products[..., i]))
        total = narrow(exact, np.float32, mode.rounding_32)
    return total


def dot_half(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """c + a0 b0, then + a1 b1, each product and sum rounded to f16 (V_DOT2_F16_F16)."""
    total = np.asarray(c)
    for i in range(2):
        total = add(mode, total, multiply(mode, a[..., i], b[..., i]))
    return total


def dot_bf16(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """a0 b0, then + a1 b1, then + c, all of them bf16 but c and the sums, which are f32 (V_DOT2_F32_BF16)."""
    x, y = from_bf16(a), from_bf16(b)
    total = multiply(mode, x[..., 0], y[..., 0])
    return add(mode, add(mode, total, multiply(mode, x[..., 1], y[..., 1])), c)


def dot_bf16_onto(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """c + a0 b0, then + a1 b1, of bf16 onto f32 (V_DOT2C_F32_BF16, and RDNA's V_DOT2_F32_BF16)."""
    x, y = from_bf16(a), from_bf16(b)
    total = add(mode, np.asarray(c), multiply(mode, x[..., 0], y[..., 0]))
    return add(mode, total, multiply(mode, x[..., 1], y[..., 1]))


def dot_bf16_narrow(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """c + a0 b0, then + a1 b1, each product and sum rounded to bf16 (V_DOT2_BF16_BF16)."""
    x, y, total = from_bf16(a), from_bf16(b), from_bf16(np.asarray(c))
    for i in range(2):
        total = from_bf16(to_bf16(total + from_bf16(to_bf16(x[..., i] * y[..., i]))))
    return to_bf16(total)


def _wrapping_or_saturating(
    wide: Callable[[Array, Array, Array], Array], result: type[np.integer[Any]]
) -> LaneFunction:
    """A sum in 64 bits as 32: wrapped, or under the clamp modifier saturated."""
    limits = np.iinfo(result)

    def saturated(a: Array, b: Array, c: Array) -> Array:
        return np.clip(wide(a, b, c), limits.min, limits.max).astype(result)

    return pure(lambda a, b, c: wide(a, b, c).astype(result), saturated)


def _dot_fields(bits: int, signed: bool) -> LaneFunction:
    """Products of the `bits`-wide fields of two words and an addend; the words come as raw 32-bit
    patterns."""
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


def _dot_either(bits: int) -> ByModifier:
    """As `_dot_fields`, each source signed if its bit of neg_lo is set; the result is signed
    (V_DOT4_I32_IU8)."""

    def of(signs: tuple[int, ...] | int) -> LaneFunction:
        first, second = signs[:2] if isinstance(signs, tuple) else (0, 0)

        def wide(a: Array, b: Array, c: Array) -> Array:
            total = c.astype(np.int64)
            for shift in range(0, 32, bits):
                total = total + _field(a, shift, bits, first) * _field(b, shift, bits, second)
            return total

        return _wrapping_or_saturating(wide, np.int32)

    return ByModifier(("neg_lo",), of)


def _field(word: Array, shift: int, bits: int, signed: int) -> Array:
    sign = np.int64(1 << (bits - 1)) if signed else np.int64(0)
    return (
        (word.astype(np.uint32).astype(np.int64) >> np.int64(shift) & np.int64((1 << bits) - 1)) ^ sign
    ) - sign


def _dot_small_floats(first: SmallFloat, second: SmallFloat) -> LaneFunction:
    """Four products of 8-bit floats added to an f32, from the lowest on, each sum rounded
    (V_DOT4_F32_FP8_BF8)."""

    def call(mode: Mode, a: Array, b: Array, c: Array) -> Array:
        total = c
        for shift in (0, 8, 16, 24):
            x, y = (
                decode(word.astype(np.uint32) >> np.uint32(shift) & np.uint32(255), form)
                for word, form in ((a, first), (b, second))
            )
            total = add(mode, total, x * y)
        return total

    return moded(call)


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
    exponents = (np.ascontiguousarray(x).view(np.uint64) >> np.uint64(52)).astype(np.int64) & 0x7FF
    keys, places = np.unique(exponents << 5 | segment.astype(np.int64) & 31, return_inverse=True)
    return np.array([_preop(int(key) >> 5, int(key) & 31) for key in keys])[places].reshape(x.shape)


def _preop(exponent: int, segment: int) -> float:
    shift = segment * 53 + max(0, exponent - 1077)
    field = (two_over_pi_bits() << shift) >> 1148 & ((1 << 53) - 1)
    scale = -53 - shift + (128 if exponent >= 1968 else 0)
    return float(np.ldexp(float(field), scale))


DOTS: dict[str, LaneFunction | ByModifier] = {
    "v_dot4_i32_iu8": _dot_either(8), "v_dot8_i32_iu4": _dot_either(4),
    "v_dot4_f32_fp8_fp8": _dot_small_floats(OCP_FP8, OCP_FP8),
    "v_dot4_f32_fp8_bf8": _dot_small_floats(OCP_FP8, OCP_BF8),
    "v_dot4_f32_bf8_fp8": _dot_small_floats(OCP_BF8, OCP_FP8),
    "v_dot4_f32_bf8_bf8": _dot_small_floats(OCP_BF8, OCP_BF8), "v_dot2_f32_f16": moded(dot_f16),
    "v_dot2c_f32_f16": moded(dot_f16), "v_dot2_f16_f16": moded(dot_half),
    "v_dot2_bf16_bf16": moded(dot_bf16_narrow), "v_dot2_f32_bf16": moded(dot_bf16),
    "v_dot2c_f32_bf16": moded(dot_bf16_onto), "v_dot4_i32_i8": _dot_fields(8, True),
    "v_dot4c_i32_i8": _dot_fields(8, True), "v_dot4_u32_u8": _dot_fields(8, False),
    "v_dot8_i32_i4": _dot_fields(4, True), "v_dot8c_i32_i4": _dot_fields(4, True),
    "v_dot8_u32_u4": _dot_fields(4, False), "v_dot2_i32_i16": _dot_halves(np.int32),
    "v_dot2c_i32_i16": _dot_halves(np.int32), "v_dot2_u32_u16": _dot_halves(np.uint32),
    "v_fma_legacy_f32": moded(fma_legacy), "v_trig_preop_f64": pure(trig_preop),
}  # fmt: skip
