"""Ranges of `convert` between f32, f16, i32 and bool."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.integers import truth, wrapped
from asmgen.graph.reference.ranges import IntegerRange, Integers, Range, computed, settled
from asmgen.graph.reference.rounding import Floats, round_to
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType


def convert(a: Range, element: ElementType) -> Range:
    """A float is rounded to its own type first: a conversion is exact, or rounds once. One to its own type is
    nothing."""
    if a.element is element:
        return a
    if isinstance(a, IntegerRange):
        return _from_integer(a, element)
    a = settled(replace(a, value=round_to(a.value, a.element)))
    if element.is_float:
        return settled(replace(a, element=element, value=round_to(a.value, element)))
    if element is BOOL:
        can_be_true = ~((a.low == 0) & (a.high == 0)) | a.may_be_nan
        return truth(a.holds_zero, can_be_true, a.value != 0)
    low = np.where(a.may_be_nan, np.fmin(a.low, 0.0), a.low)
    high = np.where(a.may_be_nan, np.fmax(a.high, 0.0), a.high)
    return IntegerRange(
        element, _truncated(a.value, element), _truncated(low, element), _truncated(high, element)
    )


def _from_integer(a: IntegerRange, element: ElementType) -> Range:
    if element.is_float:
        value = round_to(a.value.astype(np.float64), element)
        low = a.low.astype(np.float64)
        high = low if a.high is a.low else a.high.astype(np.float64)
        nowhere = np.zeros(value.shape, np.bool_)
        return settled(computed(element, value, low, high, nowhere, nowhere, contract=False))
    if element is BOOL:
        return truth((a.low <= 0) & (a.high >= 0), (a.low != 0) | (a.high != 0), a.value != 0)
    return IntegerRange(element, wrapped(a.value, element), wrapped(a.low, element), wrapped(a.high, element))


def _truncated(x: Floats, element: ElementType) -> Integers:
    """Towards zero, saturated, 0 for NaN."""
    low, high = integer_range(element)
    return np.clip(np.trunc(np.where(np.isnan(x), 0.0, x)), low, high).astype(np.int64)
