"""Float instructions: what each name computes, compares, classes and parts of floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.accesses import Half
from isa.semantics.float_arithmetic import (
    MixedFma,
    add,
    add_into,
    fma,
    fma_dx9_zero,
    fma_into,
    lit_multiply,
    multiply,
    multiply_into,
    multiply_legacy,
    subtract,
    subtract_into,
    subtract_reversed,
)
from isa.semantics.float_choice import (
    maximum,
    maximum3,
    maximum_number,
    median,
    median_number,
    minimum,
    minimum3,
    minimum_number,
    moded_then,
    propagating_maximum,
    propagating_minimum,
    then,
)
from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.mode import Array, Mode, is_signalling, narrow, sign_bit


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
    """Whether the class of x is in the mask: sNaN, qNaN, -inf, -normal, -denormal, -0, +0, +denormal,
    +normal, +inf."""
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
            f"v_add_{t}": moded(add, add_into), f"v_mul_{t}": moded(multiply, multiply_into),
            f"v_fma_{t}": moded(fma, fma_into), f"v_fmac_{t}": moded(fma, fma_into),
            f"v_min_{t}": moded(minimum), f"v_max_{t}": moded(maximum), f"v_ldexp_{t}": moded(ldexp),
            f"v_fract_{t}": pure(fract), f"v_floor_{t}": pure(np.floor), f"v_ceil_{t}": pure(np.ceil),
            f"v_trunc_{t}": pure(np.trunc), f"v_rndne_{t}": pure(np.rint),
            f"v_frexp_mant_{t}": pure(frexp_mantissa),
            f"v_cmp_class_{t}": LaneFunction(_class, flushes=False),
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
            f"v_min3_num_{t}": pure(then(minimum_number, minimum_number)),
            f"v_max3_num_{t}": pure(then(maximum_number, maximum_number)),
            f"v_med3_num_{t}": pure(median_number),
            f"v_minmax_num_{t}": pure(then(minimum_number, maximum_number)),
            f"v_maxmin_num_{t}": pure(then(maximum_number, minimum_number)),
            f"v_minmax_{t}": moded(moded_then(minimum, maximum)),
            f"v_maxmin_{t}": moded(moded_then(maximum, minimum)),
            f"v_minimum3_{t}": pure(then(propagating_minimum, propagating_minimum)),
            f"v_maximum3_{t}": pure(then(propagating_maximum, propagating_maximum)),
            f"v_minimummaximum_{t}": pure(then(propagating_minimum, propagating_maximum)),
            f"v_maximumminimum_{t}": pure(then(propagating_maximum, propagating_minimum)),
            f"v_pk_min_num_{t}": pure(minimum_number), f"v_pk_max_num_{t}": pure(maximum_number),
            f"v_pk_minimum_{t}": pure(propagating_minimum), f"v_pk_maximum_{t}": pure(propagating_maximum),
            f"v_pk_minimum3_{t}": pure(then(propagating_minimum, propagating_minimum)),
            f"v_pk_maximum3_{t}": pure(then(propagating_maximum, propagating_maximum)),
            f"v_sub_{t}": moded(subtract, subtract_into), f"v_subrev_{t}": moded(subtract_reversed),
            f"v_min3_{t}": moded(minimum3), f"v_max3_{t}": moded(maximum3), f"v_med3_{t}": moded(median),
            f"v_pk_add_{t}": moded(add, add_into), f"v_pk_mul_{t}": moded(multiply, multiply_into),
            f"v_pk_fma_{t}": moded(fma, fma_into), f"v_pk_min_{t}": moded(minimum),
            f"v_pk_max_{t}": moded(maximum),
        }  # fmt: skip
    table |= {
        "v_mul_legacy_f32": moded(multiply_legacy), "v_frexp_exp_i32_f32": pure(frexp_exponent),
        "v_frexp_exp_i32_f64": pure(frexp_exponent), "v_frexp_exp_i16_f16": pure(frexp_exponent),
        "v_fmaak_f32": moded(fma, fma_into), "v_fmaak_f16": moded(fma, fma_into),
        "v_fmamk_f32": moded(fma, fma_into), "v_fmamk_f16": moded(fma, fma_into),
        "v_pk_fmac_f16": moded(fma, fma_into), "v_fma_dx9_zero_f32": moded(fma_dx9_zero),
        "v_fmac_dx9_zero_f32": moded(fma_dx9_zero), "v_mullit_f32": moded(lit_multiply),
        "v_mul_dx9_zero_f32": moded(multiply_legacy),
    }  # fmt: skip
    return table


FLOATS = _table()
MIXED: dict[str, MixedFma] = {
    "v_fma_mix_f32": MixedFma(),
    "v_fma_mixlo_f16": MixedFma(Half.LOW),
    "v_fma_mixhi_f16": MixedFma(Half.HIGH),
}
