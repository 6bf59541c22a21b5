"""Exact references for tests of semantics: rounding of fractions to a float format, in Python integers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from isa.semantics.mode import Rounding

FORMATS: dict[str, tuple[type[np.floating[Any]], int, int]] = {  # dtype, precision, least exponent of the last bit
    "f16": (np.float16, 11, -24),
    "f32": (np.float32, 24, -149),
    "f64": (np.float64, 53, -1074),
}


def rounded(exact: Fraction, type_name: str, rounding: Rounding = Rounding.NEAREST, zero: float = 0.0) -> Any:
    """`exact` in the format; `zero` if it is 0. Overflow follows IEEE 754."""
    dtype, precision, least = FORMATS[type_name]
    if exact == 0:
        return dtype(zero)
    magnitude = abs(exact)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - precision + 1, least)
    steps, rest = divmod(magnitude, unit)
    away = {
        Rounding.NEAREST: rest * 2 > unit or (rest * 2 == unit and steps % 2 == 1),
        Rounding.ZERO: False,
        Rounding.UP: rest > 0 and exact > 0,
        Rounding.DOWN: rest > 0 and exact < 0,
    }[rounding]
    value = (steps + away) * unit
    largest = Fraction(float(np.finfo(dtype).max))
    sign = 1 if exact > 0 else -1
    if value > largest:
        to_infinity = rounding is Rounding.NEAREST or (rounding is Rounding.UP and sign > 0) or (rounding is Rounding.DOWN and sign < 0)
        return dtype(sign * float("inf")) if to_infinity else dtype(sign * np.finfo(dtype).max)
    return dtype(sign * float(value))


def edge_values(type_name: str, count: int, seed: int) -> Any:
    """Zeros, denormals, the extremes, halfway patterns, powers of two and their neighbours, then random patterns; all finite."""
    dtype, precision, _ = FORMATS[type_name]
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[np.dtype(dtype).itemsize]
    rng = np.random.default_rng(seed)
    info = np.finfo(dtype)
    fixed = [0.0, -0.0, 1.0, -1.0, info.max, -info.max, info.smallest_normal, info.smallest_subnormal, -info.smallest_subnormal, 1 + info.eps, 3.0]
    fixed += [info.smallest_normal - info.smallest_subnormal, 1 - info.epsneg, 2.0 ** (precision - 1), 2.0**precision + 2]
    spread = rng.integers(0, np.iinfo(bits).max, 8 * count, bits, endpoint=True).view(dtype)
    near_one = (rng.integers(0, 1 << (precision - 1), count).astype(np.float64) * 2.0 ** (1 - precision) + 1).astype(dtype)
    sparse = (rng.integers(-8, 9, count).astype(np.float64) * 2.0 ** rng.integers(-10, 10, count)).astype(dtype)
    pool = np.concatenate([np.array(fixed, dtype), spread[np.isfinite(spread)][:count], near_one, sparse])
    return rng.choice(pool, count)
