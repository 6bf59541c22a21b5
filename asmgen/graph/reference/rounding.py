"""Rounding of float64 arrays to the float types, and their ULP."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.types import ElementType

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Numbers = NDArray[Any]

OVERFLOW_F32 = 2.0**128 - 2.0**103  # from here on a number rounds to infinity in f32


def round_f32(x: Floats) -> Floats:
    """To nearest even, overflow to infinity."""
    return x.astype(np.float32).astype(np.float64)


def round_to(x: Floats, element: ElementType) -> Floats:
    """To nearest even in `element` (f16, f32 or f64), overflow to infinity."""
    return x.astype(element.numpy).astype(np.float64)


def round_f32_down(x: Floats) -> Floats:
    """The largest f32 <= x."""
    rounded = x.astype(np.float32)
    return np.where(rounded > x, np.nextafter(rounded, np.float32(-np.inf)), rounded).astype(np.float64)


def overflowed(x: Floats, element: ElementType) -> Floats:
    """x, but infinite where rounding to `element` makes it so."""
    form = FLOAT_FORMATS[element.name]
    limit = form.largest * (
        1 + 2.0 ** (-form.precision - 1)
    )  # a little under halfway to the next power of two
    if not x.size or np.abs(x).max(initial=0.0, where=~np.isnan(x)) <= limit:
        return x
    rounded = round_to(x, element)
    return np.where(np.isinf(rounded), rounded, x)


def ulp(x: Floats, element: ElementType) -> Floats:
    """The distance between neighbours of `element` at |x|: of the binade that holds x, and never under the
    smallest denormal."""
    form = FLOAT_FORMATS[element.name]
    exponent = np.frexp(np.where(np.isfinite(x), x, 1.0))[1] - 1
    return np.ldexp(1.0, np.maximum(exponent, form.minimum_exponent) - form.precision + 1)
