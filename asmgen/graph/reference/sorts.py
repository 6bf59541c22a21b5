"""The ranges of sorts (docs/numerics.md, "Sorts").

The order is that of the keys: numbers ascending, -0 before +0, NaN last; in descending order all of it
reversed, except that equal elements stay in their order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.ops import SORTS, graph_op
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Numbers,
    Range,
    Rules,
    rearranged,
)
from asmgen.graph.reference.rounding import Bools
from asmgen.ir.program import Statement
from asmgen.ir.types import I64


def sorted_(statement: Statement, _rules: Rules, x: Range) -> Range:
    """The elements or the indices in order."""
    axis, count, descends = _of(statement, x)
    order = _order(x.value, axis, descends)
    if SORTS[graph_op(statement.op.name)]:
        return _indices(x, np.take(order, range(count), axis), axis)
    first = _first(axis, count)
    taken = rearranged(x, lambda array: first(np.take_along_axis(array, order, axis)))
    if isinstance(x, IntegerRange):
        if x.is_point.all():
            return taken
        low, high = (first(_in_order(end, axis, descends)) for end in (x.low, x.high))
        return IntegerRange(x.element, taken.value, low, high)
    assert isinstance(taken, FloatRange), "the elements have the operand's type"
    if _is_certain(x).all():
        return taken
    return _uncertain(x, taken, axis, first, descends)


def _of(statement: Statement, x: Range) -> tuple[int, int, bool]:
    """The axis, the number of elements that are asked for, and whether the order is descending."""
    attributes = statement.attributes
    axis = attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    axis %= x.value.ndim
    count = attributes.get("k", x.value.shape[axis])
    assert isinstance(count, int), "the parser reads an integer"
    return axis, count, bool(attributes.get("descending", attributes.get("largest", False)))


def _first(axis: int, count: int) -> Callable[[Numbers], Numbers]:
    return lambda array: np.take(array, range(count), axis)


def _is_certain(x: FloatRange) -> Bools:
    """Elements of which the place in the order is known, as far as it depends on them."""
    return x.is_point & (x.only_nan | ~x.may_be_nan) & ~x.free_zero


def _order(value: Numbers, axis: int, descends: bool) -> Integers:
    """The indices of the elements in order."""
    keys = _keys(value)
    return np.argsort(~keys if descends else keys, axis, kind="stable")


def _keys(value: Numbers) -> Integers:
    """Integers with the order of numbers."""
    if value.dtype.kind in "iub":
        return value
    bits = value.astype(np.float64).view(np.int64)
    keys = np.where(bits < 0, np.int64(np.iinfo(np.int64).max) - bits, bits)
    return np.where(np.isnan(value), np.iinfo(np.int64).max, keys)


def _in_order(array: Numbers, axis: int, descends: bool) -> Numbers:
    return np.take_along_axis(array, _order(array, axis, descends), axis)


def _indices(x: Range, order: Integers, axis: int) -> IntegerRange:
    """The indices of a row with an element that is not certain may be any."""
    is_certain = x.is_point if isinstance(x, IntegerRange) else _is_certain(x)
    is_known = np.broadcast_to(is_certain.all(axis, keepdims=True), order.shape)
    last = x.value.shape[axis] - 1
    return IntegerRange(I64, order, np.where(is_known, order, 0), np.where(is_known, order, last))


def _uncertain(
    x: FloatRange, taken: FloatRange, axis: int, first: Callable[[Numbers], Numbers], descends: bool
) -> FloatRange:
    """The k-th least of numbers is between the k-th least of their lower and of their upper bounds. An
    element that may be NaN is beyond all numbers if it is."""
    may_be_nan = x.may_be_nan & ~x.only_nan

    def of_row(elements: Bools) -> Bools:
        return first(np.broadcast_to(elements.any(axis, keepdims=True), x.value.shape))

    lowest, highest = np.where(may_be_nan, -np.inf, x.low), np.where(may_be_nan, np.inf, x.high)
    low, high = (first(_in_order(end, axis, descends)) for end in (lowest, highest))
    low = np.where(of_row(may_be_nan) & descends, -np.inf, low)  # a NaN that comes first moves the others on
    may_be_nan, free_zero = taken.may_be_nan | of_row(may_be_nan), of_row(x.free_zero | (x.low != x.high))
    return FloatRange(x.element, taken.value, low, high, may_be_nan, taken.free_zero | free_zero)
