"""The range of a matrix product: n products and their sum, accumulated in f32.

With h additions for each product, the result is within (h + 2) u sum|a b| of the exact result: u for each
product, h u for the sum and u to spare. The product is exact for whole numbers if the magnitudes of all
products sum up to at most 2**24. Operands that are uncertain by r and s widen it by sum(r |b| + |a| s).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asmgen.graph.reference.integers import wrapped
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Range, Rules, bounded
from asmgen.graph.reference.reductions import inward
from asmgen.graph.reference.rounding import Floats, work_of
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement

_DENORMAL = 2.0**-149  # the most that a product of two small numbers may lose
_EXACT = 2.0**24


def dot(_statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return _of_floats(rules, a, b)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return _of_integers(a, b)


def _of_integers(a: IntegerRange, b: IntegerRange) -> IntegerRange:
    """Modulo 2**64, of which the type keeps its own bits; of numbers that are not certain anything."""
    value, exact = [wrapped(x @ y, a.element) for x, y in ((a.value, b.value), (a.low, b.low))]
    if a.is_point.all() and b.is_point.all():
        return IntegerRange(a.element, value, exact, exact)
    least, greatest = integer_range(a.element)
    return IntegerRange(a.element, value, np.full_like(value, least), np.full_like(value, greatest))


def _of_floats(rules: Rules, a: FloatRange, b: FloatRange) -> FloatRange:
    n, work = a.value.shape[-1], work_of(a.element)
    (centre_a, radius_a, size_a), (centre_b, radius_b, size_b) = _parts(a), _parts(b)
    product, size = centre_a @ centre_b, size_a @ size_b
    spread = radius_a @ size_b + size_a @ radius_b
    is_whole = _is_whole(centre_a, radius_a, -1) & _is_whole(centre_b, radius_b, -2) & (size <= _EXACT)
    error = spread + np.where(is_whole, 0.0, (rules.additions(n) + 2) * work.unit * size + n * _DENORMAL)
    loose = _is_loose(a, -1) | _is_loose(b, -2)
    low, high = inward(product - error, product + error, work)
    low, high = np.where(loose, -np.inf, low), np.where(loose, np.inf, high)
    value = a.value @ b.value
    return bounded(a.element, value, low, high, loose, np.ones(value.shape, np.bool_))


def _parts(x: FloatRange) -> tuple[Floats, Floats, Floats]:
    """The middle and the radius of each interval, and the largest magnitude; 0 if it is not finite."""
    finite = np.isfinite(x.low) & np.isfinite(x.high)
    low, high = np.where(finite, x.low, 0.0), np.where(finite, x.high, 0.0)
    return (low + high) / 2, (high - low) / 2, np.maximum(np.abs(low), np.abs(high))


def _is_whole(centre: Floats, radius: Floats, axis: int) -> Any:
    """Whether a row, or a column, has known whole numbers alone."""
    return np.logical_and.reduce((centre == np.rint(centre)) & (radius == 0), axis, keepdims=True)


def _is_loose(x: FloatRange, axis: int) -> Any:
    """Whether a row, or a column, has a number that is not finite, or may not be."""
    return np.logical_or.reduce(
        x.may_be_nan | ~np.isfinite(x.low) | ~np.isfinite(x.high), axis, keepdims=True
    )
