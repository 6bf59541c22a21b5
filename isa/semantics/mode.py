"""A wave's MODE, and its effect on floats: denormal flushing, rounding, NaN quieting, clamping.

Source: CDNA3 ISA, section 3.3 (MODE register). Every array function here broadcasts and does not change its
arguments.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, cached_property
from typing import Any, cast

import numpy as np
from msgspec import Struct

Array = np.ndarray[Any, np.dtype[Any]]
U8, U16, U32, U64 = np.uint8, np.uint16, np.uint32, np.uint64
I16, I32, I64 = np.int16, np.int32, np.int64


class Approximation(Enum):
    """The value of its documented error interval that an approximate instruction returns."""

    NEAREST = "nearest"
    LOW = "low"
    HIGH = "high"


class Rounding(Enum):
    """FP_ROUND of MODE."""

    NEAREST = 0
    UP = 1
    DOWN = 2
    ZERO = 3


class Mode(Struct, frozen=True, dict=True):
    """MODE decoded, and the lanes of a wave. A denormal field has bit 0 if sources keep denormals, bit 1 if
    results do."""

    rounding_32: Rounding = Rounding.NEAREST
    rounding_16_64: Rounding = Rounding.NEAREST
    denormals_32: int = 3
    denormals_16_64: int = 3
    dx10_clamp: bool = True
    ieee: bool = True
    approximation: Approximation = Approximation.NEAREST
    lanes: int = 64

    @cached_property
    def keeps_denormals(self) -> bool:
        """Whether no float is flushed, of any width."""
        return self.denormals_32 == 3 and self.denormals_16_64 == 3

    def rounding(self, dtype: np.dtype[np.generic]) -> Rounding:
        return self.rounding_32 if dtype.itemsize == 4 else self.rounding_16_64


@cache
def decode_mode(bits: int, approximation: Approximation = Approximation.NEAREST, lanes: int = 64) -> Mode:
    """MODE bits 9:0 as the hardware lays them out."""
    return Mode(
        Rounding(bits & 3), Rounding(bits >> 2 & 3), bits >> 4 & 3, bits >> 6 & 3, bool(bits >> 8 & 1),
        bool(bits >> 9 & 1), approximation, lanes,
    )  # fmt: skip


def where(condition: Array, chosen: Any, other: Any) -> Array:
    """np.where, for values of a type that is known at run time only."""
    return cast(Array, np.where(condition, chosen, other))


_BITS = {2: np.uint16, 4: np.uint32, 8: np.uint64}
_SIGN = {2: np.uint16(0x8000), 4: np.uint32(1 << 31), 8: np.uint64(1 << 63)}
_EXPONENT = {2: np.uint16(0x7C00), 4: np.uint32(0x7F800000), 8: np.uint64(0x7FF << 52)}
_QUIET = {2: np.uint16(0x200), 4: np.uint32(1 << 22), 8: np.uint64(1 << 51)}


def bits_of(x: Array) -> Array:
    """The bit pattern of a float array, as unsigned integers of its width."""
    return np.asarray(x).view(_BITS[x.dtype.itemsize])


def sign_bit(x: Array) -> Array:
    return bits_of(x) & _SIGN[x.dtype.itemsize]


def flush(x: Array) -> Array:
    """Denormals become zeros of their sign."""
    size = x.dtype.itemsize
    bits = bits_of(x)
    denormal = (bits & _EXPONENT[size]) == 0
    return np.where(denormal, bits & _SIGN[size], bits).view(x.dtype)


def is_signalling(x: Array) -> Array:
    size = x.dtype.itemsize
    return np.isnan(x) & ((bits_of(x) & _QUIET[size]) == 0)


def quiet(x: Array) -> Array:
    """The values with signalling NaNs made quiet."""
    size = x.dtype.itemsize
    bits = bits_of(x)
    return np.where(np.isnan(x), bits | _QUIET[size], bits).view(x.dtype)


def clamp_float(x: Array, dx10_clamp: bool) -> Array:
    """The clamp modifier: into [0, 1], no -0; NaN becomes 0 under DX10_CLAMP and stays otherwise."""
    dtype = x.dtype.type
    clamped: Array = np.minimum(np.maximum(x, dtype(0)), dtype(1)) + dtype(0)
    if dx10_clamp:
        return np.where(np.isnan(x), dtype(0), clamped)
    return clamped


def round_odd_sum(a: Array, b: Array) -> Array:
    """a + b in f64, rounded to odd: an inexact sum gets an odd last bit, so that rounding it again to a
    format of at most 51 bits gives the correctly rounded sum (Boldo and Melquiond, Emulation of FMA and
    correctly rounded sums, 2008).
    """
    total = a + b
    virtual = total - a
    error = (a - (total - virtual)) + (b - virtual)
    return make_odd(total, error) if np.count_nonzero(error) else total


def make_odd(total: Array, error: Array) -> Array:
    """`total`, the f64 nearest to total + error, rounded to odd instead."""
    bits = total.view(np.int64)
    fix = (error != 0) & ((bits & 1) == 0) & np.isfinite(total) & np.isfinite(error)
    if not fix.any():
        return total
    outward = (error > 0) == (total > 0)
    tiny = (total == 0) & fix
    odd = np.where(fix, np.where(outward, bits + 1, bits - 1), bits).view(np.float64)
    return np.where(tiny, error, odd)


def narrow(x: Array, dtype: type[np.floating], rounding: Rounding) -> Array:
    """Round f64 (exact, or rounded to odd) to f32 or f16 in the given direction. Overflow follows IEEE 754,
    7.4."""
    nearest = x.astype(dtype)
    if rounding is Rounding.NEAREST:
        return nearest
    wide = nearest.astype(np.float64)
    low, high = wide > x, wide < x
    down = np.nextafter(nearest, dtype(-np.inf))
    up = np.nextafter(nearest, dtype(np.inf))
    if rounding is Rounding.DOWN:
        return np.where(low, down, nearest)
    if rounding is Rounding.UP:
        return np.where(high, up, nearest)
    return np.where(low & (x > 0), down, np.where(high & (x < 0), up, nearest))
