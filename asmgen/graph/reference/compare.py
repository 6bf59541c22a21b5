"""Compares results with their ranges, and measures the largest error."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from asmgen.graph.reference.ranges import BLOCK, FloatRange, Range, in_blocks, part
from asmgen.graph.reference.rounding import Bools, Floats, ulp
from asmgen.ir.types import ElementType
from isa.diagnostics import InputError


class Comparison(Struct, frozen=True):
    """An output compared with its reference.

    `error` is |got - wanted| of the element that comes nearest to its bound or goes furthest beyond it,
    and `allowed` is that bound. For floats both are in units of the last place of the output's type, at
    the element's own magnitude, or at that of its row if the reference gives a magnitude
    (`FloatRange.scale`); for integers and bool the unit is 1. `error` is infinite if a NaN or an infinity
    has no match. `index`, `got`, `wanted`, `low` and `high` belong to that element too; `index` is None
    for an empty array. `broken` counts the elements outside their bounds, `elements` all compared
    elements.
    """

    element: ElementType
    error: float
    allowed: float
    broken: int
    index: tuple[int, ...] | None
    got: float
    wanted: float
    low: float
    high: float
    of_row: bool = False
    elements: int = 0

    @property
    def is_broken(self) -> bool:
        return self.broken > 0

    @property
    def share(self) -> float:
        """The error as a share of its bound: more than 1 if a bound is broken."""
        return _share(np.array(self.error), np.array(self.allowed)).item()

    def __str__(self) -> str:
        """Lines: the verdict on all elements, then the element nearest to its bound or furthest outside."""
        if self.index is None:
            return "no element"
        if not self.is_broken and self.error == 0:
            return f"all {self.elements} elements are exact, or the correctly rounded result"
        verdict = f"all {self.elements} elements are within their error bounds"
        which, wanted = "nearest to its bound", f"float64 reference {self.wanted!r}"
        if self.is_broken:
            verdict = f"{self.broken} of {self.elements} elements are outside their error bounds"
            which, wanted = "furthest outside", f"{wanted}, allowed {self.low!r} to {self.high!r}"
        element = f"{which}: element {list(self.index)}, got {self.got!r}, {wanted}"
        return f"{verdict}\n  {element}\n  {self._measured}"

    @property
    def _measured(self) -> str:
        """The error, its bound, and the share."""
        unit = ""
        if self.element.is_float:
            unit = " units in the last place of " + ("the row's scale" if self.of_row else "the result")
        used = "" if self.is_broken else f": {self.share:.0%} of the bound"
        if not self.is_broken and np.isinf(self.allowed):
            used = ": any number is allowed"
        return f"error {self.error:.3g}, bound {self.allowed:.3g}{unit}{used}"


def compare(expected: Range, actual: NDArray[Any]) -> Comparison:
    """Compare an output array with its range from `evaluate`; `InputError` VER001 if its shape differs."""
    if actual.shape != expected.value.shape:
        raise InputError(
            "output", "VER001", f"the output has shape {actual.shape}, wanted {expected.value.shape}"
        )
    if expected.element.is_code:
        actual = actual.view(np.uint8)
    if not actual.size:
        return Comparison(expected.element, 0.0, 0.0, 0, None, 0.0, 0.0, 0.0, 0.0)
    if actual.size > 2 * BLOCK:
        return _by_blocks(expected, actual, int(np.argmax(actual.shape)))
    return _compare(expected, actual)


def worse(first: Comparison, second: Comparison) -> Comparison:
    """The comparison of both: that of the element that is furthest off."""
    chosen = max(first, second, key=lambda comparison: (comparison.is_broken, comparison.share))
    return replace(chosen, broken=first.broken + second.broken, elements=first.elements + second.elements)


def moved(comparison: Comparison, axis: int, start: int) -> Comparison:
    """The comparison of a part that begins at `start` along an axis."""
    if comparison.index is None:
        return comparison
    return replace(
        comparison,
        index=(*comparison.index[:axis], comparison.index[axis] + start, *comparison.index[axis + 1 :]),
    )


def _by_blocks(expected: Range, actual: NDArray[Any], axis: int) -> Comparison:
    """The comparison of many elements."""
    worst: Comparison | None = None
    start = 0
    for block in in_blocks(expected, axis):
        length = block.value.shape[axis]
        other = moved(_compare(block, part(actual, axis, start, length)), axis, start)
        worst = other if worst is None else worse(worst, other)
        start += length
    assert worst is not None, "an array with elements has a block"
    return worst


def _compare(expected: Range, actual: NDArray[Any]) -> Comparison:
    with np.errstate(all="ignore"):
        if isinstance(expected, FloatRange):
            got = actual.astype(expected.value.dtype)
            broken, error, allowed = _floats(expected, got)
        else:
            got = actual.astype(expected.value.dtype)
            broken = (got < expected.low) | (got > expected.high)
            exact, value, low, high = (
                array.astype(np.longdouble) for array in (got, expected.value, expected.low, expected.high)
            )
            error = np.abs(exact - value).astype(np.float64)
            allowed = np.maximum(high - value, value - low).astype(np.float64)
        count = int(broken.sum())
        # if a single result is allowed, an element equal to it has no error
        error = np.where((expected.low == expected.high) & ~broken, 0.0, error)
        share = _share(error, allowed)
        flat = int(np.where(broken, np.maximum(share, 1.0), share if not count else -1.0).argmax())
    index = tuple(int(i) for i in np.unravel_index(flat, got.shape))
    shown = [
        _shown(array[index]) for array in (error, allowed, got, expected.value, expected.low, expected.high)
    ]
    error_, allowed_, *values = shown
    of_row = isinstance(expected, FloatRange) and expected.scale is not None
    return Comparison(
        expected.element, error_, allowed_, count, index, *values, of_row=of_row, elements=got.size
    )


def _shown(number: Any) -> float:
    """A number as Python has it; a long double as the float next to it."""
    return float(number) if number.dtype == np.longdouble else number.item()


def _share(error: Floats, allowed: Floats) -> Floats:
    """error / allowed; 0 for no error, infinite for an error that has no allowance."""
    with np.errstate(all="ignore"):
        return np.where(error == 0, 0.0, np.where(np.isinf(allowed), 0.0, error / allowed))


def error_bound(expected: FloatRange) -> Floats:
    """The largest distance from `value` that the bounds allow, per element; NaN for a value of NaN."""
    with np.errstate(all="ignore"):
        return np.where(
            expected.low == expected.high,
            0.0,
            np.maximum(expected.high - expected.value, expected.value - expected.low),
        )


def _floats(expected: FloatRange, got: Floats) -> tuple[Bools, Floats, Floats]:
    """The elements out of bounds, and the error and the allowance of each, in units of the last place."""
    is_nan = np.isnan(got)
    inside = np.where(is_nan, expected.may_be_nan, (got >= expected.low) & (got <= expected.high))
    one_sign = np.signbit(expected.low) == np.signbit(expected.high)
    signed_zero = (expected.low == 0) & (expected.high == 0) & one_sign & ~expected.free_zero & (got == 0)
    inside &= ~(signed_zero & (np.signbit(got) != np.signbit(expected.low)))
    value = expected.value
    unit = ulp(
        value if expected.scale is None else np.maximum(np.abs(value), expected.scale), expected.element
    )
    error = np.abs(got - value) / unit
    matched = (got == value) | (is_nan & np.isnan(value)) | (inside & ~np.isfinite(error))
    error = np.where(matched, 0.0, np.where(np.isnan(error), np.inf, error))
    allowed = np.maximum(expected.high - value, value - expected.low) / unit
    return ~inside, error, np.where(np.isnan(allowed), 0.0, allowed)
