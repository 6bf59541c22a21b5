"""The evaluators of ops on whole rows: reductions, softmax and norms (docs/numerics.md, "Reductions and
norms").

Each takes the statement, the rules and the operands' ranges.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from asmgen.graph.infer.checks import normal_axes
from asmgen.graph.infer.windows import windows_of
from asmgen.graph.ops import EXP
from asmgen.graph.reference import (
    arithmetic,
    integer_reductions,
    movement,
    norms,
    products,
    recurrences,
    reductions,
    scans,
    scatters,
    sorts,
)
from asmgen.graph.reference.conversion import convert
from asmgen.graph.reference.functions import FUNCTIONS, apply_function
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Numbers,
    Range,
    Rules,
    bounded,
    cut_range,
    exact_float,
    exact_integer,
    joined,
    rearranged,
    settled,
)
from asmgen.graph.reference.reductions import Axes
from asmgen.graph.rounded import rounding_of
from asmgen.ir.identities import filling
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import BOOL, I32, I64, ElementType

RowEvaluator = Callable[..., Range]
_VANISHES = 128.0  # exp of a number below its negative adds nothing to a sum
_OfFloats = Callable[[FloatRange, Axes, Rules], FloatRange]
_OfIntegers = Callable[[IntegerRange, Axes], IntegerRange]


def _reduction(
    of_floats: _OfFloats, of_integers: _OfIntegers, of_nothing: float = np.nan, *, adds: bool = False
) -> RowEvaluator:
    """A reduction over the statement's axes: a single element is the result itself, no elements give
    `of_nothing` (an integer: 0 for NaN). `adds` says that it adds elements up, for which a kernel may begin
    with 0."""

    def evaluate(statement: Statement, rules: Rules, x: Range) -> Range:
        shape = x.value.shape
        axes = normal_axes(statement.op, statement.attributes, "axes", len(shape), statement.place) or tuple(
            range(len(shape))
        )
        reduced = tuple(1 if axis in axes else size for axis, size in enumerate(shape))
        elements = reductions.count(shape, axes)
        if reduced == shape:
            return _added_to_zero(x) if adds and rules.adds_to_zero else x
        if elements == 0 or 0 in reduced:
            return _of_nothing(x, reduced, of_nothing)
        return of_floats(x, axes, rules) if isinstance(x, FloatRange) else of_integers(x, axes)

    return evaluate


def _added_to_zero(x: Range) -> Range:
    return replace(x, free_zero=np.ones(x.value.shape, np.bool_)) if isinstance(x, FloatRange) else x


def _of_nothing(x: Range, shape: tuple[int, ...], number: float) -> Range:
    if isinstance(x, FloatRange):
        return exact_float(np.full(shape, number), x.element)
    return exact_integer(np.full(shape, np.int64(0 if np.isnan(number) else number)), x.element)


def _sum(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.add_up(x, axes, rules)


def _mean(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.average(x, axes, rules)


def _max(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.greatest(x, axes, rules.propagates_nan)


def _min(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.least(x, axes, rules.propagates_nan)


def _prod(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return products.multiply_up(x, axes, rules.contract)


def _softmax(statement: Statement, rules: Rules, x: FloatRange) -> Range:
    return x if 0 in x.value.shape else norms.softmax(x, _axis(statement, x), rules)


def _layernorm(statement: Statement, rules: Rules, x: FloatRange, *scale_and_bias: FloatRange) -> Range:
    return (
        x
        if 0 in x.value.shape
        else norms.layernorm(x, scale_and_bias, _axis(statement, x), _epsilon(statement), rules)
    )


def _rmsnorm(statement: Statement, rules: Rules, x: FloatRange, *scale: FloatRange) -> Range:
    return (
        x if 0 in x.value.shape else norms.rmsnorm(x, scale, _axis(statement, x), _epsilon(statement), rules)
    )


def _logsoftmax(statement: Statement, rules: Rules, x: FloatRange) -> Range:
    """Op by op: x - m, exp, the sum, log and the difference."""
    if 0 in x.value.shape:
        return x
    wide, axis = norms.widened_range(x), _axis(statement, x)
    top = reductions.greatest(wide, (axis,), rules.propagates_nan)
    shifted = arithmetic.subtract(wide, norms.spread(top, wide), rules.contract)
    of_power, of_log = 2.0, 2.0
    if rounding_of(EXP, x.element) is not None:
        of_power, of_log = 6.0 + 1.5 * np.minimum(np.abs(shifted.low), _VANISHES), 3.0
    total = reductions.add_up(apply_function(FUNCTIONS["exp"], shifted, of_power), (axis,), rules)
    logarithm = apply_function(FUNCTIONS["log"], total, of_log)
    result = arithmetic.subtract(shifted, norms.spread(logarithm, wide), rules.contract)
    return bounded(x.element, result.value, result.low, result.high, result.may_be_nan, result.free_zero)


def _instancenorm(statement: Statement, rules: Rules, x: FloatRange, *others: FloatRange) -> Range:
    return _of_groups(statement, rules, x, x.value.shape[1], others)


def _groupnorm(statement: Statement, rules: Rules, x: FloatRange, *others: FloatRange) -> Range:
    groups = statement.attributes["groups"]
    assert isinstance(groups, int), "the parser reads an integer"
    return _of_groups(statement, rules, x, groups, others)


def _of_groups(
    statement: Statement, rules: Rules, x: FloatRange, groups: int, others: tuple[FloatRange, ...]
) -> Range:
    """layernorm over the elements of a group, with the scale and bias of each channel."""
    shape = x.value.shape
    if 0 in shape:
        return x
    rows = (shape[0], groups, -1)

    def of_channels(array: Numbers) -> Numbers:
        return np.broadcast_to(array.reshape(-1, *[1] * (len(shape) - 2)), shape).reshape(rows)

    wide = rearranged(x, lambda array: array.reshape(rows))
    spread = [rearranged(other, of_channels) for other in others]
    assert isinstance(wide, FloatRange), "norms are of floats"
    scale_and_bias = [other for other in spread if isinstance(other, FloatRange)]
    result = norms.layernorm(wide, scale_and_bias, 2, _epsilon(statement), rules)
    return rearranged(result, lambda array: np.broadcast_to(array, wide.value.shape).reshape(shape))


def _truths(reduce: np.ufunc) -> RowEvaluator:
    def evaluate(statement: Statement, _rules: Rules, x: Range) -> Range:
        shape = x.value.shape
        axes = normal_axes(statement.op, statement.attributes, "axes", len(shape), statement.place) or tuple(
            range(len(shape))
        )
        truth = convert(x, BOOL)
        parts = [
            reduce.reduce(part != 0, axes, keepdims=True) for part in (truth.value, truth.low, truth.high)
        ]
        return IntegerRange(BOOL, *[part.astype(np.int64) for part in parts])

    return evaluate


def _arg(*, is_max: bool) -> RowEvaluator:
    """The index of the extreme element; of elements that are not certain, any that may be it."""

    def evaluate(statement: Statement, rules: Rules, x: Range) -> Range:
        axis, is_last = statement.attributes["axis"], bool(statement.attributes["select_last_index"])
        assert isinstance(axis, int), "the parser reads an integer"
        if tensor_type(statement.result).size == 0:
            nothing = np.zeros(tensor_type(statement.result).shape, np.int64)
            return exact_integer(nothing, I64)
        value = _places(x.value, axis, is_max, is_last, rules.propagates_nan)
        # an element that is a number or a NaN, as an overflow of a type without infinities is
        unsure = x.may_be_nan & ~np.isnan(x.low) if isinstance(x, FloatRange) else np.zeros(x.low.shape, bool)
        if (x.low is x.high or x.is_point.all()) and not unsure.any():
            return exact_integer(_places(x.low, axis, is_max, is_last, rules.propagates_nan), I64)
        low, high = (x.low, x.high) if is_max else (-x.high, -x.low)
        least = np.where(unsure, -np.inf, low) if unsure.any() else low
        may_be = high >= np.fmax.reduce(least, axis, keepdims=True)
        if isinstance(x, FloatRange):
            may_be |= x.may_be_nan
        size = x.value.shape[axis]
        first = np.argmax(may_be, axis, keepdims=True)
        last = size - 1 - np.argmax(np.flip(may_be, axis), axis, keepdims=True)
        return IntegerRange(I64, value, first, last)

    return evaluate


def _places(x: Numbers, axis: int, is_max: bool, is_last: bool, nan_wins: bool) -> Integers:
    """A NaN loses, but in rows of NaN alone, or wins."""
    extreme = (np.fmax if is_max else np.fmin).reduce(x, axis, keepdims=True)
    is_nan = np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, np.bool_)
    is_extreme = x == extreme
    wins = is_nan.any(axis, keepdims=True) if nan_wins else is_nan.all(axis, keepdims=True)
    is_extreme = np.where(wins, is_nan, is_extreme)
    if is_last:
        return x.shape[axis] - 1 - np.argmax(np.flip(is_extreme, axis), axis, keepdims=True)
    return np.argmax(is_extreme, axis, keepdims=True)


def _scan(
    of_floats: Callable[[FloatRange, int, Rules], FloatRange],
    of_integers: Callable[[IntegerRange, int], IntegerRange],
    op: str,
) -> RowEvaluator:
    """Along the statement's axis, from its end if reversed; each part by itself, after what precedes it."""

    def evaluate(statement: Statement, rules: Rules, x: Range, before: Range | None = None) -> Range:
        attributes = statement.attributes
        axis = _scanned_axis(statement)
        is_exclusive = bool(attributes["exclusive"])

        def turned(array: Numbers) -> Numbers:
            return np.flip(array, axis) if attributes["reverse"] else array

        def scanned(x: Range, before: Range | None) -> Range:
            """A part of each row; `before` is of size 1 along the axis."""
            given = rearranged(x, turned)
            size = x.value.shape[axis]
            if before is not None:
                first = _after_nothing(before, op, rules) if is_exclusive else before
                given = joined([_without_scale(first), _without_scale(given)], axis, size + 1)
                given = cut_range(given, axis, 0, size) if is_exclusive else given
            elif is_exclusive:
                given = _moved_on(given, axis, op)
            floats = isinstance(given, FloatRange)
            result = of_floats(given, axis, rules) if floats else of_integers(given, axis)
            if before is not None and not is_exclusive:
                result = cut_range(result, axis, 1, size)
            begins_infinite = is_exclusive and op in ("max", "min")
            return rearranged(_without_infinities(result, begins_infinite), turned)

        return _in_parts(statement, (x,), before, scanned)

    return evaluate


def _without_infinities(result: Range, begins_infinite: bool) -> Range:
    """The results of a scan, with NaN for the infinities that a type lacks: what precedes the first element
    of a maximum, and sums and products that round to more than the largest number."""
    if not isinstance(result, FloatRange):
        return result
    if begins_infinite:
        return settled(result)
    form = FLOAT_FORMATS[result.element.name]
    if form.infinities:
        return result
    beyond = np.maximum(np.abs(result.low), np.abs(result.high)) > form.largest
    return replace(result, may_be_nan=result.may_be_nan | beyond)


def _linear_recurrence(
    statement: Statement, _rules: Rules, a: Range, b: Range, before: Range | None = None
) -> Range:
    """h = a h + b, each part by itself. An exclusive result is h before the element."""
    axis, step = _scanned_axis(statement), -1 if statement.attributes["reverse"] else 1

    def to_front(array: Numbers) -> Numbers:
        return np.moveaxis(array, axis, 0)[::step]

    def scanned(a: Range, b: Range, before: Range | None) -> Range:
        first = None if before is None else rearranged(before, lambda array: np.moveaxis(array, axis, 0))
        factors, summands = rearranged(a, to_front), rearranged(b, to_front)
        result = _without_scale(recurrences.recur(factors, summands, first))
        if statement.attributes["exclusive"]:
            size = result.value.shape[0]
            if first is None:
                first = rearranged(cut_range(result, 0, 0, 1), np.zeros_like)
            result = cut_range(joined([_without_scale(first), result], 0, size + 1), 0, 0, size)
            if isinstance(result, FloatRange):  # what precedes may have been added to 0
                result = replace(result, free_zero=np.ones_like(result.free_zero))
        return rearranged(result, lambda array: np.moveaxis(array[::step], 0, axis))

    return _in_parts(statement, (a, b), before, scanned)


def _scanned_axis(statement: Statement) -> int:
    axis = statement.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return axis % tensor_type(statement.result).rank


def _in_parts(
    statement: Statement, elements: tuple[Range, ...], before: Range | None, scanned: Callable[..., Range]
) -> Range:
    """A scan of each part of an axis by itself; `scanned` takes the elements and what precedes them."""
    part, axis = statement.attributes["part"], _scanned_axis(statement)
    assert isinstance(part, int), "the parser reads an integer"
    if statement.attributes["passed_on"]:
        part, before = 0, None
    x = elements[-1]
    size = x.value.shape[axis]
    if x.value.size == 0:
        return x
    if not part or part >= size:
        return scanned(*elements, before)

    def of_part(first: int) -> Range:
        preceding = None if before is None else cut_range(before, axis, first // part, 1)
        return scanned(*[cut_range(each, axis, first, part) for each in elements], preceding)

    return joined([of_part(first) for first in range(0, size, part)], axis, size)


def _without_scale(x: Range) -> Range:
    return replace(x, scale=None) if isinstance(x, FloatRange) else x


def _after_nothing(before: Range, op: str, rules: Rules) -> Range:
    """The first element of an exclusive scan: the identity element, which wins against NaN."""
    if op not in ("max", "min") or not isinstance(before, FloatRange) or rules.propagates_nan:
        return before
    best, nothing = (np.fmax, -np.inf) if op == "max" else (np.fmin, np.inf)
    value, low, high = (best(array, nothing) for array in (before.value, before.low, before.high))
    nothing_of_nan = np.where(before.may_be_nan, nothing, low if op == "max" else high)
    low, high = (nothing_of_nan, high) if op == "max" else (low, nothing_of_nan)
    return replace(before, value=value, low=low, high=high, may_be_nan=np.zeros_like(before.may_be_nan))


def _neutral(op: str, element: ElementType) -> float:
    """The identity element of a sum, a product, a maximum or a minimum."""
    if op in ("sum", "prod"):
        return int(op == "prod")
    lowest, highest = (-np.inf, np.inf) if element.is_float else integer_range(element)
    return lowest if op == "max" else highest


def _moved_on(x: Range, axis: int, op: str) -> Range:
    """The op's neutral number, then all elements but the last."""
    first = _neutral(op, x.element)

    def moved(array: Numbers) -> Numbers:
        after = np.roll(array, 1, axis)
        np.moveaxis(after, axis, 0)[0] = False if array.dtype == np.bool_ else first
        return after

    return _without_scale(rearranged(x, moved))


def _pool(combine: str = "") -> RowEvaluator:
    """The elements of each window combined. Padding has no elements: sums have 0 there."""

    def evaluate(statement: Statement, rules: Rules, x: Range) -> Range:
        kind = combine or str(statement.attributes["combine"])
        return _of_windows(statement, rules, x, kind)

    return evaluate


def _of_windows(statement: Statement, rules: Rules, x: Range, kind: str) -> Range:
    rank = x.value.ndim
    windows = windows_of(statement.op, statement.attributes, rank, statement.place)
    pads = {window.axis: (window.before, window.after) for window in windows}
    number = filling(kind, x.element, rules.propagates_nan)
    whole = movement.padded(x, [pads.get(axis, (0, 0)) for axis in range(rank)], number)
    spread = rearranged(whole, lambda array: movement.in_windows(array, windows))
    axes = tuple([window.axis + number for number, window in enumerate(windows, 1)])
    of_floats, of_integers = _COMBINES[kind]
    if all(window.length == 1 for window in windows) or spread.value.size == 0:
        reduced = spread
    elif isinstance(spread, FloatRange):
        reduced = of_floats(spread, axes, rules)
    else:
        reduced = of_integers(spread, axes)
    return rearranged(reduced, lambda array: array.reshape(tensor_type(statement.result).shape))


def _avg_pool(statement: Statement, rules: Rules, x: FloatRange) -> Range:
    """The mean of whole windows, or the sum by the number of elements that exist."""
    windows = windows_of(statement.op, statement.attributes, x.value.ndim, statement.place)
    if statement.attributes["count_pads"] or not any(window.before or window.after for window in windows):
        return _of_windows(statement, rules, x, "mean")
    total = _of_windows(statement, rules, norms.widened_range(x), "sum")
    ones = exact_integer(np.ones(x.value.shape, np.int64), I32)
    count = _of_windows(statement, rules, ones, "sum").value.astype(total.value.dtype)
    assert isinstance(total, FloatRange), "a sum of floats"
    one = exact_float(np.ones(count.shape, count.dtype), total.element)
    inverse = arithmetic.divide(one, exact_float(count, total.element), 1.0)
    mean = arithmetic.multiply(total, inverse, rules.contract)
    return bounded(x.element, mean.value, mean.low, mean.high, mean.may_be_nan, mean.free_zero)


def _iota(statement: Statement, _rules: Rules) -> Range:
    dims, axis = tensor_type(statement.result).shape, statement.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return exact_integer(np.broadcast_to(np.indices(dims, np.int64)[axis], dims), I32)


def _axis(statement: Statement, x: FloatRange) -> int:
    axis = statement.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return axis % x.value.ndim


def _epsilon(statement: Statement) -> float:
    epsilon = statement.attributes["epsilon"]
    assert isinstance(epsilon, int | float), "the parser reads a number"
    return float(epsilon)


_COMBINES: dict[str, tuple[_OfFloats, _OfIntegers]] = {
    "sum": (_sum, integer_reductions.add_up),
    "mean": (_mean, integer_reductions.average),
    "max": (_max, integer_reductions.greatest),
    "min": (_min, integer_reductions.least),
    "prod": (_prod, integer_reductions.multiply_up),
}

ROW_EVALUATORS: dict[str, RowEvaluator] = {
    "reduce_window": _pool(),
    "max_pool": _pool("max"),
    "avg_pool": _avg_pool,
    "reduce_sum": _reduction(_sum, integer_reductions.add_up, 0.0, adds=True),
    "reduce_mean": _reduction(_mean, integer_reductions.average, adds=True),
    "reduce_max": _reduction(_max, integer_reductions.greatest),
    "reduce_min": _reduction(_min, integer_reductions.least),
    "reduce_prod": _reduction(_prod, integer_reductions.multiply_up, 1.0),
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "logsoftmax": _logsoftmax,
    "instancenorm": _instancenorm,
    "groupnorm": _groupnorm,
    "reduce_any": _truths(np.logical_or),
    "reduce_all": _truths(np.logical_and),
    "argmax": _arg(is_max=True),
    "argmin": _arg(is_max=False),
    "iota": _iota,
    "scatter_add": scatters.scatter_add,
    "histogram": scatters.histogram,
    **dict.fromkeys(("sort", "argsort", "top_k", "top_k_indices"), sorts.sorted_),
    "cumsum": _scan(scans.add_up, scans.add_integers, "sum"),
    "cumprod": _scan(scans.multiply_up, scans.multiply_integers, "prod"),
    "cummax": _scan(scans.greatest, scans.greatest_integers, "max"),
    "cummin": _scan(scans.least, scans.least_integers, "min"),
    "linear_recurrence": _linear_recurrence,
}
