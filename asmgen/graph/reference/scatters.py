"""The range of additions to rows that indices choose (docs/numerics.md, "Scatters")."""

from __future__ import annotations

from math import prod

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference import integer_reductions, reductions
from asmgen.graph.reference.integers import integer_dtype
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Numbers,
    Range,
    Rules,
    exact_float,
    exact_integer,
    rearranged,
)
from asmgen.graph.reference.rounding import work_of
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import I64

LEAST_NORMAL = 2.0**-126


def scatter_add(statement: Statement, rules: Rules, x: Range, indices: IntegerRange, updates: Range) -> Range:
    """The sum of an element and its updates, in any order."""
    axis = statement.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    axis %= x.value.ndim
    if not indices.is_point.all():
        return _anything(x)
    terms = _Terms(x.value.shape, axis, indices.value.reshape(-1))
    whole = _joined(terms, x, updates)
    if isinstance(whole, IntegerRange):
        return rearranged(integer_reductions.add_up(whole, (2,)), terms.restored)
    in_any_order = replace(rules, additions=float)
    total = rearranged(reductions.add_up(whole, (2,), in_any_order), terms.restored)
    assert isinstance(total, FloatRange), "a sum of floats"
    if work_of(x.element).element.bits > 32:
        return total
    lost = LEAST_NORMAL * terms.most
    return replace(total, low=total.low - lost, high=total.high + lost)


def histogram(statement: Statement, rules: Rules, x: IntegerRange, *weights: Range) -> Range:
    """The number of elements in each bin, or the sum of their weights."""
    (bins,) = tensor_type(statement.result).shape
    element = statement.result.type.element
    low, high = np.clip(x.low, -1, bins), np.clip(x.high, -1, bins)
    places = np.where(np.clip(x.value, -1, bins) < 0, bins, np.clip(x.value, -1, bins)).astype(np.int64)
    known = IntegerRange(I64, places, places, np.where(low == high, places, places + 1))
    if weights:
        given = rearranged(weights[0], np.ravel)
    else:
        given = exact_integer(np.ones(places.size, integer_dtype(element)), element)
    zeros = np.zeros(bins, given.value.dtype)
    start = exact_float(zeros, element) if isinstance(given, FloatRange) else exact_integer(zeros, element)
    flat = rearranged(known, np.ravel)
    assert isinstance(flat, IntegerRange), "places are integers"
    return scatter_add(replace(statement, attributes={"axis": 0}), rules, start, flat, given)


class _Terms:
    """The place of each update among the terms of its row. Arrays have the axes before the chosen axis
    joined, the chosen axis, the terms, and the axes after it joined."""

    def __init__(self, shape: tuple[int, ...], axis: int, indices: Integers) -> None:
        self._shape, size = shape, shape[axis]
        self.before, self.after = prod(shape[:axis]), prod(shape[axis + 1 :])
        self._size = size
        rows = np.where(indices < 0, indices + size, indices).astype(np.int64)
        self._kept = np.flatnonzero((rows >= 0) & (rows < size))
        self._rows = rows[self._kept]
        seen = np.zeros(size, np.int64)
        self._numbers = np.zeros(len(self._rows), np.int64)
        for at, row in enumerate(self._rows):
            seen[row] += 1
            self._numbers[at] = seen[row]
        self.most = int(seen.max(initial=0))
        self._updates = len(indices)

    def of(self, x: Numbers, updates: Numbers) -> Numbers:
        """The terms of an array: the element, then its updates; others are 0."""
        terms = np.zeros((self.before, self._size, self.most + 1, self.after), x.dtype)
        terms[:, :, 0] = x.reshape(self.before, self._size, self.after)
        given = updates.reshape(self.before, self._updates, self.after)
        terms[:, self._rows, self._numbers] = given[:, self._kept].astype(x.dtype)
        return terms

    def restored(self, array: Numbers) -> Numbers:
        return array.reshape(self._shape)


def _joined(terms: _Terms, x: Range, updates: Range) -> Range:
    if isinstance(x, IntegerRange) and isinstance(updates, IntegerRange):
        ends = zip((x.value, x.low, x.high), (updates.value, updates.low, updates.high), strict=True)
        value, low, high = (terms.of(*pair) for pair in ends)
        return IntegerRange(x.element, value, low, high)
    assert isinstance(x, FloatRange) and isinstance(updates, FloatRange), "operand types agree"
    low = terms.of(x.low, updates.low)
    is_point = x.high is x.low and updates.high is updates.low
    return FloatRange(
        x.element,
        terms.of(x.value, updates.value),
        low,
        low if is_point else terms.of(x.high, updates.high),
        terms.of(x.may_be_nan, updates.may_be_nan),
        terms.of(x.free_zero, updates.free_zero),
    )


def _anything(x: Range) -> Range:
    """If an index is not certain."""
    if isinstance(x, IntegerRange):
        ends = np.iinfo(x.value.dtype)
        return IntegerRange(
            x.element, x.value, np.full_like(x.value, ends.min), np.full_like(x.value, ends.max)
        )
    infinite, true = np.full_like(x.value, np.inf), np.ones(x.value.shape, np.bool_)
    return FloatRange(x.element, x.value, -infinite, infinite, true, true)
