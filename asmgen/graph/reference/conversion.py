"""Ranges of `convert` between numbers and bool."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.integers import fitting, integer_dtype, truth, wrapped
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Integers, Range, exact_float, settled
from asmgen.graph.reference.rounding import Floats, round_to, work_of
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, E8M0, F32, ElementType
from isa.semantics.formats import BF6, FP4, FP6, decode


def convert(a: Range, element: ElementType) -> Range:
    """A float is rounded to its own type first. A conversion is exact or rounds once; a conversion to the
    same type changes nothing."""
    if a.element is element:
        return a
    if isinstance(a, IntegerRange):
        return convert(number_of(a), element) if a.element.is_code else _from_integer(a, element)
    a = settled(replace(a, value=round_to(a.value, a.element)))
    if element.is_float:
        return _in_reference_of(settled(replace(a, element=element, value=round_to(a.value, element))))
    if element is BOOL:
        can_be_true = ~((a.low == 0) & (a.high == 0)) | a.may_be_nan
        return truth(a.holds_zero, can_be_true, a.value != 0)
    low = np.where(a.may_be_nan, np.fmin(a.low, 0.0), a.low)
    high = np.where(a.may_be_nan, np.fmax(a.high, 0.0), a.high)
    return IntegerRange(
        element, _truncated(a.value, element), _truncated(low, element), _truncated(high, element)
    )


def number_of(a: IntegerRange) -> FloatRange:
    """The number of each byte of a microscaling type, as ml_dtypes reads it; of unknown bytes anything."""
    bytes_ = np.arange(256, dtype=np.uint8)
    if a.element is E8M0:
        numbers = bytes_.view(ml_dtypes.float8_e8m0fnu)
    else:
        form = next(form for form in (FP4, FP6, BF6) if form.name == a.element.numpy)
        numbers = decode(bytes_, form)
    made, is_known = exact_float(numbers.astype(work_of(F32).wide)[a.value], F32), a.is_point
    if is_known.all():
        return made
    low, high = np.where(is_known, made.value, -np.inf), np.where(is_known, made.value, np.inf)
    return replace(made, low=low, high=high, may_be_nan=np.isnan(made.value) | ~is_known, free_zero=~is_known)


def _from_integer(a: IntegerRange, element: ElementType) -> Range:
    if element.is_float:
        low = a.low.astype(np.longdouble)  # has every integer of 64 bits
        high = low if a.high is a.low else a.high.astype(np.longdouble)
        value, nowhere = round_to(a.value.astype(np.longdouble), element), np.zeros(low.shape, np.bool_)
        return _in_reference_of(settled(FloatRange(element, value, low, high, nowhere, nowhere)))
    if element is BOOL:
        return truth((a.low <= 0) & (a.high >= 0), (a.low != 0) | (a.high != 0), a.value != 0)
    return IntegerRange(element, wrapped(a.value, element), *fitting(a.low, a.high, element))


def _in_reference_of(a: FloatRange) -> FloatRange:
    """A range of numbers of the type, in the numpy type of its reference."""
    wide = work_of(a.element).wide
    low = a.low.astype(wide)
    high = low if a.high is a.low else a.high.astype(wide)
    return replace(a, value=a.value.astype(wide), low=low, high=high)


def _truncated(x: Floats, element: ElementType) -> Integers:
    """Towards zero, saturated, 0 for NaN."""
    low, high = (np.longdouble(end) for end in integer_range(element))
    whole = np.trunc(np.where(np.isnan(x), 0.0, x).astype(np.longdouble))
    return np.clip(whole, low, high).astype(integer_dtype(element))
