"""Conversions. Float to integer truncates, saturates, and gives 0 for NaN (CDNA3 ISA, V_CVT_I32_F32)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.mode import I16, I32, U16, U32, Array, Mode, Rounding, narrow


def to_integer(dtype: type[np.integer[Any]]) -> Callable[[Array], Array]:
    """Truncating, saturating conversion of floats; NaN gives 0."""
    limits = np.iinfo(dtype)

    def call(x: Array) -> Array:
        wide = x.astype(np.float64)
        wide = np.where(np.isnan(wide), 0.0, wide)
        return np.clip(np.trunc(wide), float(limits.min), float(limits.max)).astype(np.int64).astype(dtype)

    return call


def floor_to_i32(x: Array) -> Array:
    return to_integer(I32)(np.floor(x.astype(np.float64)))


def nearest_to_i32(x: Array) -> Array:
    """floor(x + 0.5) (V_CVT_RPI_I32_F32)."""
    return to_integer(I32)(np.floor(x.astype(np.float64) + 0.5))


def integer_to_f32(mode: Mode, x: Array) -> Array:
    return narrow(x.astype(np.float64), np.float32, mode.rounding_32)


def integer_to_f16(mode: Mode, x: Array) -> Array:
    return narrow(x.astype(np.float64), np.float16, mode.rounding_16_64)


def f64_to_f32(mode: Mode, x: Array) -> Array:
    return narrow(x, np.float32, mode.rounding_32)


def f32_to_f16(mode: Mode, x: Array) -> Array:
    return narrow(x.astype(np.float64), np.float16, mode.rounding_16_64)


def pack_rtz(a: Array, b: Array) -> Array:
    """Two f32 to packed f16, toward zero; overflow stops at the largest finite value."""
    halves = [narrow(x.astype(np.float64), np.float16, Rounding.ZERO) for x in np.broadcast_arrays(a, b)]
    return np.stack(halves, -1)


def normalised(dtype: type[np.integer[Any]]) -> Callable[[Array], Array]:
    """A float of [-1, 1] or [0, 1] to a fixed-point number of full scale, rounded to nearest even."""
    limits = np.iinfo(dtype)
    low = -limits.max if limits.min < 0 else 0

    def call(x: Array) -> Array:
        wide = np.where(np.isnan(x), 0.0, x.astype(np.float64))
        return np.clip(np.rint(wide * limits.max), low, limits.max).astype(dtype)

    return call


def pack_normalised(dtype: type[np.integer[Any]]) -> Callable[[Array, Array], Array]:
    convert = normalised(dtype)

    def call(a: Array, b: Array) -> Array:
        return np.stack(np.broadcast_arrays(convert(a), convert(b)), -1)

    return call


def pack_saturated(dtype: type[np.integer[Any]]) -> Callable[[Array, Array], Array]:
    limits = np.iinfo(dtype)

    def call(a: Array, b: Array) -> Array:
        wide = (np.clip(x.astype(np.int64), limits.min, limits.max).astype(dtype) for x in (a, b))
        return np.stack(np.broadcast_arrays(*wide), -1)

    return call


def pack_integers(dtype: type[np.integer[Any]]) -> Callable[[Array, Array], Array]:
    """Two floats to two integers, each truncated and saturated."""
    convert = to_integer(dtype)
    return lambda a, b: np.stack(np.broadcast_arrays(convert(a), convert(b)), -1)


def pack_f16(mode: Mode, a: Array, b: Array) -> Array:
    return np.stack(np.broadcast_arrays(f32_to_f16(mode, a), f32_to_f16(mode, b)), -1)


def pack_byte(x: Array, position: Array, old: Array) -> Array:
    """The byte of `old` at `position` replaced by x, rounded and clamped to 0..255 (V_CVT_PK_U8_F32,
    V_CVT_PKACCUM_U8_F32)."""
    wide = np.where(np.isnan(x), 0.0, x.astype(np.float64))
    byte = np.clip(np.rint(wide), 0, 255).astype(U32)
    shift = (position & U32(3)) * U32(8)
    return (old & ~(U32(255) << shift)) | (byte << shift)


def byte_to_f32(index: int) -> Callable[[Array], Array]:
    def call(x: Array) -> Array:
        return ((x >> U32(8 * index)) & U32(255)).astype(np.float32)

    return call


def _i4_offset(x: Array) -> Array:
    """A 4-bit signed number in sixteenths (V_CVT_OFF_F32_I4)."""
    nibble = (x.astype(U32) & U32(15)).astype(I32)
    return (np.where(nibble > 7, nibble - 16, nibble) / 16).astype(np.float32)


CONVERSIONS: dict[str, LaneFunction] = {
    "v_cvt_i32_f32": pure(to_integer(I32)), "v_cvt_u32_f32": pure(to_integer(U32)),
    "v_cvt_i32_f64": pure(to_integer(I32)), "v_cvt_u32_f64": pure(to_integer(U32)),
    "v_cvt_i16_f16": pure(to_integer(I16)), "v_cvt_u16_f16": pure(to_integer(U16)),
    "v_cvt_flr_i32_f32": pure(floor_to_i32), "v_cvt_rpi_i32_f32": pure(nearest_to_i32),
    "v_cvt_f32_i32": moded(integer_to_f32), "v_cvt_f32_u32": moded(integer_to_f32),
    "v_cvt_f16_i16": moded(integer_to_f16), "v_cvt_f16_u16": moded(integer_to_f16),
    "v_cvt_f64_i32": pure(lambda x: x.astype(np.float64)),
    "v_cvt_f64_u32": pure(lambda x: x.astype(np.float64)),
    "v_cvt_f64_f32": pure(lambda x: x.astype(np.float64)), "v_cvt_f32_f64": moded(f64_to_f32),
    "v_cvt_f32_f16": pure(lambda x: x.astype(np.float32)), "v_cvt_f16_f32": moded(f32_to_f16),
    "v_cvt_pkrtz_f16_f32": pure(pack_rtz), "v_cvt_pknorm_i16_f32": pure(pack_normalised(I16)),
    "v_cvt_pknorm_u16_f32": pure(pack_normalised(U16)), "v_cvt_pk_i16_i32": pure(pack_saturated(I16)),
    "v_cvt_pk_u16_u32": pure(pack_saturated(U16)), "v_cvt_pk_u8_f32": pure(pack_byte),
    "v_cvt_pkaccum_u8_f32": pure(pack_byte), "v_cvt_f32_ubyte0": pure(byte_to_f32(0)),
    "v_cvt_f32_ubyte1": pure(byte_to_f32(1)), "v_cvt_f32_ubyte2": pure(byte_to_f32(2)),
    "v_cvt_f32_ubyte3": pure(byte_to_f32(3)), "v_cvt_off_f32_i4": pure(_i4_offset),
    "v_cvt_norm_i16_f16": pure(normalised(I16)), "v_cvt_norm_u16_f16": pure(normalised(U16)),
    "v_cvt_i32_i16": pure(lambda x: x.astype(I32)), "v_cvt_u32_u16": pure(lambda x: x.astype(U32)),
    "v_cvt_pk_i16_f32": pure(pack_integers(I16)), "v_cvt_pk_u16_f32": pure(pack_integers(U16)),
    "v_cvt_pk_norm_i16_f16": pure(pack_normalised(I16)), "v_cvt_pk_norm_u16_f16": pure(pack_normalised(U16)),
    "v_cvt_pknorm_i16_f16": pure(pack_normalised(I16)), "v_cvt_pknorm_u16_f16": pure(pack_normalised(U16)),
    "v_cvt_pk_f16_f32": moded(pack_f16),
}  # fmt: skip
