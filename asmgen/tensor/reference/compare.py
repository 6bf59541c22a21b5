"""Holds results against their ranges, and measures the largest error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.tensor.reference.ranges import FloatRange, Range
from asmgen.tensor.reference.rounding import Bools, Floats, ulp
from asmgen.tensor.types import ElementType
from isa.diagnostics import InputError


@dataclass(frozen=True, slots=True)
class Comparison:
    """One output against its reference.

    `largest` is the largest |got - wanted| in ULP of the output's type (of integers and bool, in ones), infinite where a
    NaN or an infinity has no match. `index` and `got`, `wanted`, `low`, `high` are of the first element whose bound is
    broken, else of the largest error; None and empty of an empty array. `broken` counts the elements outside their bounds.
    """

    element: ElementType
    largest: float
    broken: int
    index: tuple[int, ...] | None
    got: float
    wanted: float
    low: float
    high: float

    @property
    def is_broken(self) -> bool:
        return self.broken > 0

    def __str__(self) -> str:
        text = f"largest error {self.largest:.3g} ULP" if self.element.is_float else f"largest difference {self.largest:g}"
        if self.index is None:
            return text
        at = f" at {list(self.index)}: got {self.got!r}, reference {self.wanted!r}"
        if not self.is_broken:
            return text + at
        return f"{text}; {self.broken} elements out of bounds, first{at}, bounds {self.low!r} to {self.high!r}"


def compare(expected: Range, actual: NDArray[Any]) -> Comparison:
    """Hold an output array against what `evaluate` gave for it; `InputError` VER001 where its shape differs."""
    if actual.shape != expected.value.shape:
        raise InputError("output", "VER001", f"the output has shape {actual.shape}, wanted {expected.value.shape}")
    with np.errstate(all="ignore"):
        if isinstance(expected, FloatRange):
            got = actual.astype(np.float64)
            broken, error = _floats(expected, got)
        else:
            got = actual.astype(np.int64)
            broken = (got < expected.low) | (got > expected.high)
            error = np.abs(got - expected.value).astype(np.float64)
    if not got.size:
        return Comparison(expected.element, 0.0, 0, None, 0.0, 0.0, 0.0, 0.0)
    count = int(broken.sum())
    flat = int((broken if count else error).argmax())
    index = tuple(int(i) for i in np.unravel_index(flat, got.shape))
    shown = [array[index].item() for array in (got, expected.value, expected.low, expected.high)]
    return Comparison(expected.element, float(error.max()), count, index, *shown)


def error_bound(expected: FloatRange) -> Floats:
    """The largest distance from `value` that the bounds allow, per element; NaN where the value is one."""
    with np.errstate(all="ignore"):
        return np.where(expected.low == expected.high, 0.0, np.maximum(expected.high - expected.value, expected.value - expected.low))


def _floats(expected: FloatRange, got: Floats) -> tuple[Bools, Floats]:
    """Which elements are out of bounds, and the error of each in ULP."""
    is_nan = np.isnan(got)
    inside = np.where(is_nan, expected.may_be_nan, (got >= expected.low) & (got <= expected.high))
    one_sign = np.signbit(expected.low) == np.signbit(expected.high)
    signed_zero = (expected.low == 0) & (expected.high == 0) & one_sign & ~expected.free_zero & (got == 0)
    inside &= ~(signed_zero & (np.signbit(got) != np.signbit(expected.low)))
    value = expected.value
    error = np.abs(got - value) / ulp(value, expected.element)
    matched = (got == value) | (is_nan & np.isnan(value)) | (inside & ~np.isfinite(error))
    return ~inside, np.where(matched, 0.0, np.where(np.isnan(error), np.inf, error))
