"""Float arithmetic: add, multiply, fma, minimum and maximum, rounding to integers, exponent handling.

f16 and f32 results are computed in f64 without error (or rounded to odd) and rounded once; f64 ones by error-free
transformations. numpy's own arithmetic serves where the mode rounds to nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.memory import Half
from isa.semantics.mode import Array, Mode, Rounding, is_signalling, narrow, quiet, round_odd_sum, sign_bit, where

_SPLIT = float(2**27 + 1)


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
        return _signed_zero_sum(_direct_f64(total, np.where(overflowed, -total, error), rounding), a, b, rounding)
    exact = round_odd_sum(*np.broadcast_arrays(a.astype(np.float64), b.astype(np.float64)))
    return _signed_zero_sum(narrow(exact, a.dtype.type, rounding), a, b, rounding)


def _signed_zero_sum(total: Array, a: Array, b: Array, rounding: Rounding) -> Array:
    """x + (-x) is -0 when rounding down (IEEE 754, 6.3)."""
    if rounding is not Rounding.DOWN:
        return total
    cancels = (total == 0) & (a != 0)
    return np.where(cancels & (a == -b), -np.abs(total), total)


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
    """The f64 product is exact; only sums on or near a halfway point of f32 need the sum's error as well."""
    product = np.multiply(a, b, dtype=np.float64)
    addend = c.astype(np.float64)
    total = product + addend
    if rounding is not Rounding.NEAREST:
        return narrow(round_odd_sum(*np.broadcast_arrays(product, addend)), np.float32, rounding)
    result = total.astype(np.float32)
    halfway = (total.view(np.uint64) & np.uint64(0x1FFFFFFF)) == np.uint64(0x10000000)
    doubtful = halfway | ((np.abs(total) < 2.0**-125) & (total != 0))
    if not doubtful.any():
        return result
    product, addend, doubtful = np.broadcast_arrays(product, addend, doubtful)
    if result.ndim == 0:
        return round_odd_sum(product, addend).astype(np.float32)
    result[doubtful] = round_odd_sum(product[doubtful], addend[doubtful]).astype(np.float32)
    return result


def fma_f64(a: Array, b: Array, c: Array, rounding: Rounding) -> Array:
    """Correctly rounded f64 fma: error-free transformations inside a safe exponent range, exact fractions outside it."""
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
    outside = regular & ((exponent > 1020) | (exponent < -900) | (np.abs(a) > 2.0**990) | (np.abs(b) > 2.0**990) | (np.abs(c) > 2.0**1020))
    # a finite product is never infinite beside an infinite addend, though its rounded f64 may be
    result = np.where(regular, result, np.where(np.isfinite(a) & np.isfinite(b) & np.isinf(c), c, a * b + c))
    for index in np.argwhere(outside):
        at = tuple(index)
        exact = Fraction(float(a[at])) * Fraction(float(b[at])) + Fraction(float(c[at]))
        result[at] = round_fraction(exact, rounding, float(a[at] * b[at] + c[at]))
    return result


def round_fraction(exact: Fraction, rounding: Rounding, zero: float) -> float:
    """The f64 that a rounding mode picks for an exact value; `zero` gives the sign where it is 0."""
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


@dataclass(frozen=True, slots=True)
class MixedFma:
    """v_fma_mix: each source is f32, or half of a register as f16 (op_sel_hi says that, op_sel which half).

    The result is f32, or f16 in one half of the destination.
    """

    half: Half | None = None

    def call(self, mode: Mode, a: Array, b: Array, c: Array) -> Array:
        result = fma_f32(a, b, c, mode.rounding_32)
        return result if self.half is None else narrow(result.astype(np.float64), np.float16, mode.rounding_16_64)


def minimum(mode: Mode, a: Array, b: Array) -> Array:
    """IEEE 754-2008 minNum with -0 < +0; a signalling NaN gives a quiet one under IEEE mode (CDNA3 ISA, V_MIN_F32)."""
    return _select(mode, a, b, np.where(a == b, sign_bit(a) != 0, a < b))


def maximum(mode: Mode, a: Array, b: Array) -> Array:
    return _select(mode, a, b, np.where(a == b, sign_bit(a) == 0, a > b))


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
    """IEEE 754-2019 minimumNumber as RDNA4 has it: the operand that is a number, a quiet NaN of two NaNs (V_MIN_NUM_F32)."""
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
    """IEEE 754-2019 minimum: a NaN stays one, a signalling one comes first and quiet (V_MINIMUM_F32)."""
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


def _then(first: Callable[[Array, Array], Array], second: Callable[[Array, Array], Array]) -> Callable[[Array, Array, Array], Array]:
    """The first of two operands, then the second of that and a third."""
    return lambda a, b, c: second(first(a, b), c)


def median_number(a: Array, b: Array, c: Array) -> Array:
    """As `median`, by minimumNumber and maximumNumber (V_MED3_NUM_F32)."""
    largest = maximum_number(maximum_number(a, b), c)
    result = np.where(largest == a, maximum_number(b, c), np.where(largest == b, maximum_number(a, c), maximum_number(a, b)))
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, minimum_number(minimum_number(a, b), c), result) if nan.any() else result


def _moded_then(
    first: Callable[[Mode, Array, Array], Array], second: Callable[[Mode, Array, Array], Array]
) -> Callable[[Mode, Array, Array, Array], Array]:
    return lambda mode, a, b, c: second(mode, first(mode, a, b), c)


def minimum3(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    return minimum(mode, minimum(mode, a, b), c)


def maximum3(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    return maximum(mode, maximum(mode, a, b), c)


def median(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """The middle one of three; the smallest where one is NaN."""
    largest = maximum3(mode, a, b, c)
    result = np.where(
        largest == a, maximum(mode, b, c), np.where(largest == b, maximum(mode, a, c), maximum(mode, a, b))
    )
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(nan, minimum3(mode, a, b, c), result) if nan.any() else result


def ldexp(mode: Mode, x: Array, exponent: Array) -> Array:
    """x * 2**exponent, rounded once."""
    power = np.clip(exponent.astype(np.int32), -3000, 3000)
    if x.dtype.itemsize == 8:
        return np.ldexp(x, power)
    scaled = np.ldexp(x.astype(np.float64), np.clip(power, -800, 800))
    return narrow(scaled, x.dtype.type, mode.rounding(x.dtype))


def fract(x: Array) -> Array:
    """x - floor(x), below 1 (CDNA3 ISA, V_FRACT); NaN for infinities."""
    result = x - np.floor(x)
    below_one = np.nextafter(x.dtype.type(1), x.dtype.type(0))
    return np.where(result >= 1, below_one, result)


def frexp_mantissa(x: Array) -> Array:
    return np.where(np.isfinite(x), np.frexp(x)[0], x)


def frexp_exponent(x: Array) -> Array:
    """The exponent e of x = m * 2**e with 0.5 <= |m| < 1; 0 for 0, infinities and NaN."""
    exponent = np.where(np.isfinite(x), np.frexp(x)[1], 0)
    return exponent.astype(np.int16 if x.dtype.itemsize == 2 else np.int32)


def class_of(x: Array, mask: Array) -> Array:
    """Whether the class of x is in the mask: sNaN, qNaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal, +inf."""
    tiny = np.finfo(x.dtype).smallest_normal
    magnitude = np.abs(x)
    rank = np.where(np.isinf(x), 3, np.where(magnitude >= tiny, 2, np.where(magnitude > 0, 1, 0)))
    kind = np.where(sign_bit(x) != 0, 5 - rank, 6 + rank)
    nan = np.isnan(x)
    if nan.any():
        kind = np.where(nan, np.where(is_signalling(x), 0, 1), kind)
    return ((mask.astype(np.uint32) >> kind.astype(np.uint32)) & np.uint32(1)).astype(bool)


def _class(mode: Mode, x: Array, mask: Array) -> Array:
    return class_of(x, mask)


def multiply_legacy(mode: Mode, a: Array, b: Array) -> Array:
    """DX9 rules: 0 times anything is +0."""
    return np.where((a == 0) | (b == 0), a.dtype.type(0), multiply(mode, a, b))


def fma_dx9_zero(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """An fma in which 0 times anything is 0 and the addend comes back as it is (V_FMA_DX9_ZERO_F32)."""
    return np.where((a == 0) | (b == 0), c, fma(mode, a, b, c))


def lit_multiply(mode: Mode, a: Array, b: Array, c: Array) -> Array:
    """a * b, or the lowest float where b is that, minus infinity or NaN, or c is not above 0 (V_MULLIT_F32)."""
    lowest = np.finfo(a.dtype).min
    return np.where((b <= lowest) | np.isnan(b) | ~(c > 0), lowest, multiply(mode, a, b)).astype(a.dtype)


_OfVector = Callable[[Any, Any, Any], Any]


def _on_major_axis(of_x: _OfVector, of_y: _OfVector, of_z: _OfVector) -> Callable[[Array, Array, Array], Array]:
    """A function of a vector, chosen by the axis on which it reaches farthest: z before y before x."""

    def call(x: Array, y: Array, z: Array) -> Array:
        along_z = (np.abs(z) >= np.abs(x)) & (np.abs(z) >= np.abs(y))
        return where(along_z, of_z(x, y, z), where(np.abs(y) >= np.abs(x), of_y(x, y, z), of_x(x, y, z))).astype(np.float32)

    return call


_CUBES: dict[str, LaneFunction] = {  # CDNA3 ISA and RDNA3 ISA, V_CUBEID_F32 and its kin
    "v_cubeid_f32": pure(_on_major_axis(lambda x, y, z: where(x < 0, 1, 0), lambda x, y, z: where(y < 0, 3, 2),
                                        lambda x, y, z: where(z < 0, 5, 4))),
    "v_cubesc_f32": pure(_on_major_axis(lambda x, y, z: where(x < 0, z, -z), lambda x, y, z: x, lambda x, y, z: where(z < 0, -x, x))),
    "v_cubetc_f32": pure(_on_major_axis(lambda x, y, z: -y, lambda x, y, z: where(y < 0, -z, z), lambda x, y, z: -y)),
    "v_cubema_f32": pure(_on_major_axis(lambda x, y, z: x * np.float32(2), lambda x, y, z: y * np.float32(2), lambda x, y, z: z * np.float32(2))),
}  # fmt: skip


COMPARES: dict[str, Callable[[Any, Any], Any]] = {
    "f": lambda a, b: np.zeros(np.broadcast(a, b).shape, bool),
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "lg": lambda a, b: (a < b) | (a > b),
    "ge": lambda a, b: a >= b,
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
    "nge": lambda a, b: ~(a >= b),
    "nlg": lambda a, b: ~((a < b) | (a > b)),
    "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b),
    "neq": lambda a, b: ~(a == b),
    "nlt": lambda a, b: ~(a < b),
    "tru": lambda a, b: np.ones(np.broadcast(a, b).shape, bool),
}


def _table() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for t in ("f16", "f32", "f64"):
        table |= {
            f"v_add_{t}": moded(add), f"v_mul_{t}": moded(multiply), f"v_fma_{t}": moded(fma), f"v_fmac_{t}": moded(fma),
            f"v_min_{t}": moded(minimum), f"v_max_{t}": moded(maximum), f"v_ldexp_{t}": moded(ldexp), f"v_fract_{t}": pure(fract),
            f"v_floor_{t}": pure(np.floor), f"v_ceil_{t}": pure(np.ceil), f"v_trunc_{t}": pure(np.trunc), f"v_rndne_{t}": pure(np.rint),
            f"v_frexp_mant_{t}": pure(frexp_mantissa), f"v_cmp_class_{t}": LaneFunction(_class, flushes=False),
            f"v_cmpx_class_{t}": LaneFunction(_class, flushes=False),
        }  # fmt: skip
        for name, compare in COMPARES.items():
            table[f"v_cmp_{name}_{t}"] = table[f"v_cmpx_{name}_{t}"] = pure(compare)
        table |= {
            f"v_min_num_{t}": pure(minimum_number), f"v_max_num_{t}": pure(maximum_number),
            f"v_minimum_{t}": pure(propagating_minimum), f"v_maximum_{t}": pure(propagating_maximum),
        }  # fmt: skip
    for t in ("f16", "f32"):
        table |= {
            f"v_min3_num_{t}": pure(_then(minimum_number, minimum_number)), f"v_max3_num_{t}": pure(_then(maximum_number, maximum_number)),
            f"v_med3_num_{t}": pure(median_number),
            f"v_minmax_num_{t}": pure(_then(minimum_number, maximum_number)), f"v_maxmin_num_{t}": pure(_then(maximum_number, minimum_number)),
            f"v_minmax_{t}": moded(_moded_then(minimum, maximum)), f"v_maxmin_{t}": moded(_moded_then(maximum, minimum)),
            f"v_minimum3_{t}": pure(_then(propagating_minimum, propagating_minimum)),
            f"v_maximum3_{t}": pure(_then(propagating_maximum, propagating_maximum)),
            f"v_minimummaximum_{t}": pure(_then(propagating_minimum, propagating_maximum)),
            f"v_maximumminimum_{t}": pure(_then(propagating_maximum, propagating_minimum)),
            f"v_pk_min_num_{t}": pure(minimum_number), f"v_pk_max_num_{t}": pure(maximum_number),
            f"v_pk_minimum_{t}": pure(propagating_minimum), f"v_pk_maximum_{t}": pure(propagating_maximum),
            f"v_pk_minimum3_{t}": pure(_then(propagating_minimum, propagating_minimum)),
            f"v_pk_maximum3_{t}": pure(_then(propagating_maximum, propagating_maximum)),
            f"v_sub_{t}": moded(subtract), f"v_subrev_{t}": moded(subtract_reversed),
            f"v_min3_{t}": moded(minimum3), f"v_max3_{t}": moded(maximum3), f"v_med3_{t}": moded(median),
            f"v_pk_add_{t}": moded(add), f"v_pk_mul_{t}": moded(multiply), f"v_pk_fma_{t}": moded(fma),
            f"v_pk_min_{t}": moded(minimum), f"v_pk_max_{t}": moded(maximum),
        }  # fmt: skip
    table |= {
        "v_mul_legacy_f32": moded(multiply_legacy), "v_frexp_exp_i32_f32": pure(frexp_exponent), "v_frexp_exp_i32_f64": pure(frexp_exponent),
        "v_frexp_exp_i16_f16": pure(frexp_exponent), "v_fmaak_f32": moded(fma), "v_fmaak_f16": moded(fma),
        "v_fmamk_f32": moded(fma), "v_fmamk_f16": moded(fma), "v_pk_fmac_f16": moded(fma),
        "v_fma_dx9_zero_f32": moded(fma_dx9_zero), "v_fmac_dx9_zero_f32": moded(fma_dx9_zero), "v_mullit_f32": moded(lit_multiply),
        "v_mul_dx9_zero_f32": moded(multiply_legacy),
    }  # fmt: skip
    return table | _CUBES


FLOATS = _table()
MIXED: dict[str, MixedFma] = {
    "v_fma_mix_f32": MixedFma(), "v_fma_mixlo_f16": MixedFma(Half.LOW), "v_fma_mixhi_f16": MixedFma(Half.HIGH),
}  # fmt: skip
