"""Approximate instructions: reciprocal, square roots, exponential, logarithm, sine, cosine; and the division
steps.

| type | documented error | |---|---| | f32 | 1 ULP (CDNA3 ISA, VOP1 descriptions); denormal sources and
results are flushed whatever MODE says, so LLVM's lowering of 1/x, sqrt, exp and log scales its arguments | |
f16 | 0.51 ULP: the rounded exact value at NEAREST, a step from it otherwise | | f64 | 2**29 ULP |

At LOW and HIGH every finite, non-zero result is moved by the documented error.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec.structs import replace

from isa.semantics.float_arithmetic import fma, round_fraction
from isa.semantics.lane import LaneFunction, moded
from isa.semantics.mode import (
    Approximation,
    Array,
    Mode,
    bits_of,
    flush,
    narrow,
    quiet,
    round_odd_sum,
    sign_bit,
    where,
)

_F64_ERROR = 2.0**-23  # 2**29 ULP of f64


def perturb(x: Array, approximation: Approximation) -> Array:
    """The low or high end of the documented error interval around a correctly rounded result."""
    if approximation is Approximation.NEAREST:
        return x
    sign = -1 if approximation is Approximation.LOW else 1
    ordinary = np.isfinite(x) & (x != 0)
    if x.dtype.itemsize == 8:
        return where(ordinary, x + np.abs(x) * (sign * _F64_ERROR), x)
    return where(ordinary, np.nextafter(x, x.dtype.type(sign * np.inf)), x)


def _approximate(exact: Callable[[Any], Any]) -> LaneFunction:
    """The function computed in f64 and rounded to the operand's type; f32 flushes denormals on both sides."""

    def call(mode: Mode, x: Array) -> Array:
        if x.dtype.itemsize == 4:
            result = exact(flush(x).astype(np.float64)).astype(np.float32)
            return flush(perturb(result, mode.approximation))
        return perturb(exact(x.astype(np.float64)).astype(x.dtype), mode.approximation)

    return replace(moded(call), approximate=True)


def _log2(x: Any) -> Any:
    return np.log2(where(x < 0, np.nan, x))


def _rsqrt(x: Any) -> Any:
    """1/sqrt(x); infinity of its sign for a zero."""
    root = where(x == 0, x, np.sqrt(x))
    return np.reciprocal(root)


def _turns(function: Callable[[Any], Any], beyond: float) -> Callable[[Any], Any]:
    """A function of revolutions; beyond 256 of them the hardware gives sin 0, cos 1 (CDNA3 ISA,
    V_SIN_F32)."""

    def call(x: Any) -> Any:
        reduced = x - np.rint(x)
        value = function(reduced * (2 * np.pi))
        quarters = 4 * reduced
        # 2π is not exact, its quarters' values are
        value = where(quarters == np.rint(quarters), np.rint(value), value)
        return where(np.isfinite(x), where(np.abs(x) > 256, beyond, value), np.nan)

    return call


def _reciprocal(x: Any) -> Any:
    return np.reciprocal(x)


def _exponent(x: Array) -> Array:
    """The biased exponent field."""
    if x.dtype.itemsize == 8:
        return ((bits_of(x) >> np.uint64(52)) & np.uint64(0x7FF)).astype(np.int32)
    return ((bits_of(x) >> np.uint32(23)) & np.uint32(0xFF)).astype(np.int32)


def _denormal(x: Array) -> Array:
    return (x != 0) & (_exponent(x) == 0)


def div_scale(mode: Mode, value: Array, denominator: Array, numerator: Array) -> tuple[Array, Array]:
    """V_DIV_SCALE: scales numerator or denominator so that the division steps neither overflow nor lose bits.

    If reciprocal and quotient are both denormal, the denominator is scaled down. The published text scales it
    up, which would overflow, and V_DIV_FMAS undoes a quotient that is too large.
    """
    single = value.dtype.itemsize == 4
    far, step, tiny = (96, 64, 23) if single else (768, 128, 53)
    value, denominator, numerator = np.broadcast_arrays(value, denominator, numerator)
    reciprocal = 1 / denominator
    quotient = numerator / denominator
    zero = (numerator == 0) | (denominator == 0)
    near_overflow = _exponent(numerator) - _exponent(denominator) >= far
    small_reciprocal, small_quotient = _denormal(reciprocal), _denormal(quotient)
    is_denominator, is_numerator = value == denominator, value == numerator
    conditions = [
        zero,
        near_overflow,
        _denormal(denominator),
        small_reciprocal & small_quotient,
        small_reciprocal,
        small_quotient,
        _exponent(numerator) <= tiny,
    ]
    nothing = np.zeros(value.shape, np.int32)
    powers = [
        nothing,
        where(is_denominator, step, 0),
        nothing + step,
        where(is_denominator, -step, 0),
        nothing - step,
        where(is_numerator, step, 0),
        nothing + step,
    ]
    scaled = np.ldexp(value, np.select(conditions, powers, 0))
    flags = np.select(
        conditions, [nothing, nothing + 1, nothing, nothing + 1, nothing, nothing + 1, nothing], 0
    ).astype(bool)
    return where(zero, value.dtype.type(np.nan), scaled).astype(value.dtype), flags


def div_fmas(mode: Mode, a: Array, b: Array, c: Array, scaled: Array) -> Array:
    """V_DIV_FMAS: an fma, scaled back if V_DIV_SCALE set the lane's VCC bit, and rounded once after that.

    A quotient above 1 was scaled down (its denominator up) and is scaled up; a quotient below 1 is scaled
    down.
    """
    single = a.dtype.itemsize == 4
    step, middle = (64, 127) if single else (128, 1023)
    power = np.where(scaled, np.where(_exponent(np.asarray(c)) > middle, step, -step), 0)
    if single:
        exact = round_odd_sum(
            *np.broadcast_arrays(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))
        )
        return narrow(np.ldexp(exact, power), np.float32, mode.rounding_32)
    return _scaled_f64(mode, a, b, c, power)


def _scaled_f64(mode: Mode, a: Array, b: Array, c: Array, power: Array) -> Array:
    """The f64 fma times 2**power; computed exactly if two roundings could differ: for a denormal result, or a
    sum beyond the range before scaling."""
    a, b, c, power = np.broadcast_arrays(a, b, c, power)
    result = np.ldexp(fma(mode, a, b, c), power)
    doubtful = (
        (power < 0)
        & (_denormal(result) | np.isinf(result))
        & np.isfinite(a)
        & np.isfinite(b)
        & np.isfinite(c)
    )
    for index in np.argwhere(doubtful):
        at = tuple(index)
        exact = (Fraction(float(a[at])) * Fraction(float(b[at])) + Fraction(float(c[at]))) * Fraction(
            2
        ) ** int(power[at])
        result[at] = round_fraction(exact, mode.rounding_16_64, float(result[at]))
    return result


def div_fixup(mode: Mode, quotient: Array, denominator: Array, numerator: Array) -> Array:
    """V_DIV_FIXUP: NaNs, infinities, zeros, and results beyond the format's range.

    The published overflow case (an infinite denominator) can never apply, because an earlier case covers it.
    Here it is a quotient with an exponent beyond the format, for which the steps before give NaN.
    """
    dtype: Any = quotient.dtype.type
    negative = sign_bit(denominator) != sign_bit(numerator)
    signed = where(negative, -np.abs(quotient), np.abs(quotient))
    if quotient.dtype.itemsize > 2:
        lowest, highest = (-150, 130) if quotient.dtype.itemsize == 4 else (-1075, 1026)
        exponent = _exponent(numerator) - _exponent(denominator)
        signed = where(exponent < lowest, where(negative, dtype(-0.0), dtype(0)), signed)
        signed = where(exponent > highest, where(negative, dtype(-np.inf), dtype(np.inf)), signed)
    infinity = where(negative, dtype(-np.inf), dtype(np.inf))
    zero = where(negative, dtype(-0.0), dtype(0))
    signed = where(np.isinf(denominator) | (numerator == 0), zero, signed)
    signed = where((denominator == 0) | np.isinf(numerator), infinity, signed)
    invalid = ((denominator == 0) & (numerator == 0)) | (np.isinf(denominator) & np.isinf(numerator))
    signed = where(invalid, dtype(np.nan), signed)
    signed = where(np.isnan(denominator), quiet(denominator), signed)
    return where(np.isnan(numerator), quiet(numerator), signed).astype(quotient.dtype)


def _scalar_table(table: dict[str, LaneFunction]) -> dict[str, LaneFunction]:
    """RDNA4's transcendentals of scalars (v_s_rcp_f32), which compute as those of lanes do."""
    return {
        f"v_s_{name}_{t}": table[f"v_{name}_{t}"]
        for name in ("rcp", "rsq", "sqrt", "exp", "log")
        for t in ("f16", "f32")
    }


def _table() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for t in ("f16", "f32", "f64"):
        table |= {
            f"v_rcp_{t}": _approximate(_reciprocal), f"v_rsq_{t}": _approximate(_rsqrt),
            f"v_sqrt_{t}": _approximate(np.sqrt), f"v_div_fixup_{t}": moded(div_fixup),
        }  # fmt: skip
    for t in ("f16", "f32"):
        table |= {
            f"v_exp_{t}": _approximate(np.exp2), f"v_log_{t}": _approximate(_log2),
            f"v_sin_{t}": _approximate(_turns(np.sin, 0.0)), f"v_cos_{t}": _approximate(_turns(np.cos, 1.0)),
        }  # fmt: skip
    for t in ("f32", "f64"):
        table |= {f"v_div_scale_{t}": moded(div_scale), f"v_div_fmas_{t}": moded(div_fmas)}
    table |= _scalar_table(table)
    return table | {
        "v_rcp_iflag_f32": _approximate(_reciprocal),
        "v_exp_legacy_f32": _approximate(np.exp2),
        "v_log_legacy_f32": _approximate(_log2),
    }


APPROXIMATE = _table()
