"""What a value may be: the float64 reference and the range of results that its bounds allow.

A float range holds, per element, `value` (the op-by-op float64 evaluation), `low` and `high` (the least and
greatest number that a conforming program may have there), `may_be_nan`, and `free_zero` (the sign of a zero
is not determined). `low` is NaN where only NaN is allowed. Between ops a conforming program may keep more
digits than the type has: an f16 value as the f32 it was computed in, and, where contraction is allowed, a
product or sum before it is rounded. `low` and `high` span all of these; what is converted or returned is
rounded to its type (`settled`).

An integer or bool range holds int64 numbers, exactly those of the type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from asmgen.graph.reference.rounding import Bools, Floats, overflowed, round_f32, round_to
from asmgen.ir.types import F32, ElementType

Integers = NDArray[np.int64]
Numbers = NDArray[Any]


class FloatRange(Struct, frozen=True):
    """The results that are allowed for a float value.

    `scale` is the magnitude by which an error is measured where it is not the value's own. It is sum|x| for a
    sum, whose elements may cancel, and the largest element of the row for a norm. It changes no bound.
    """

    element: ElementType
    value: Floats
    low: Floats
    high: Floats
    may_be_nan: Bools
    free_zero: Bools
    scale: Floats | None = None

    @property
    def only_nan(self) -> Bools:
        return np.isnan(self.low)

    @property
    def is_point(self) -> Bools:
        return (self.low == self.high) | self.only_nan

    @property
    def holds_zero(self) -> Bools:
        return (self.low <= 0) & (self.high >= 0)


class IntegerRange(Struct, frozen=True):
    """The results that are allowed for an integer or bool value."""

    element: ElementType
    value: Integers
    low: Integers
    high: Integers

    @property
    def is_point(self) -> Bools:
        return self.low == self.high


Range = FloatRange | IntegerRange


def exact_float(x: Floats, element: ElementType) -> FloatRange:
    """Numbers of the type that are known."""
    nothing = np.zeros(x.shape, np.bool_)
    return FloatRange(element, x, x, x, np.isnan(x), nothing)


def exact_integer(x: Integers, element: ElementType) -> IntegerRange:
    return IntegerRange(element, x, x, x)


def settled(range_: FloatRange) -> FloatRange:
    """The range of the value in its own type, as it is converted or returned."""
    low = round_to(range_.low, range_.element)
    high = low if range_.high is range_.low else round_to(range_.high, range_.element)
    return replace(range_, value=overflowed(range_.value, range_.element), low=low, high=high)


def computed(
    element: ElementType,
    value: Floats,
    low: Floats,
    high: Floats,
    may_be_nan: Bools,
    free_zero: Bools,
    contract: bool,
) -> FloatRange:
    """A correctly rounded result: `low` and `high` are the exact bounds, which `contract` lets an op that
    follows see."""
    rounded_low = round_f32(low)
    rounded_high = rounded_low if high is low else round_f32(high)
    if contract and not ((rounded_low == low).all() and (rounded_high == high).all()):
        rounded_low, rounded_high = np.minimum(low, rounded_low), np.maximum(high, rounded_high)
    return bounded(element, value, rounded_low, rounded_high, may_be_nan, free_zero)


def apart(low: Floats, high: Floats, certain: Bools) -> tuple[Floats, Floats]:
    """Bounds from operands that are not `certain`, moved so far apart that their own float64 rounding takes
    nothing away.

    Infinities come of infinite operands and stay.
    """
    lower, upper = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    return np.where(certain | np.isinf(low), low, lower), np.where(certain | np.isinf(high), high, upper)


def bounded(
    element: ElementType, value: Floats, low: Floats, high: Floats, may_be_nan: Bools, free_zero: Bools
) -> FloatRange:
    """A result with its bounds; of f16, widened to what rounding once more gives."""
    if element is not F32:
        narrow_low = round_to(low, element)
        narrow_high = narrow_low if high is low else round_to(high, element)
        low, high = np.minimum(low, narrow_low), np.maximum(high, narrow_high)
    return FloatRange(element, overflowed(value, F32), low, high, may_be_nan | np.isnan(low), free_zero)


def rearranged(range_: Range, change: Callable[[Numbers], Numbers]) -> Range:
    """The range of an op that only moves elements: `change` maps each array."""
    if isinstance(range_, IntegerRange):
        value = change(range_.value)
        low = value if range_.low is range_.value else change(range_.low)
        return IntegerRange(
            range_.element, value, low, low if range_.high is range_.low else change(range_.high)
        )
    low = change(range_.low)
    high = low if range_.high is range_.low else change(range_.high)
    scale = None if range_.scale is None else change(range_.scale)
    return FloatRange(
        range_.element,
        change(range_.value),
        low,
        high,
        change(range_.may_be_nan),
        change(range_.free_zero),
        scale,
    )
