"""Ranges of ops that choose elements by indices or by places: one_hot, nll_loss, resample and interpolate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from msgspec.structs import replace

from asmgen.graph.infer.choice import class_axis
from asmgen.graph.infer.resample import LINEAR, Resampled, resampled_of
from asmgen.graph.reference import arithmetic, integer_reductions, integers, movement, norms, reductions
from asmgen.graph.reference.conversion import convert
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Range,
    Rules,
    bounded,
    exact_float,
    exact_integer,
    rearranged,
)
from asmgen.graph.reference.rounding import round_to, work_of
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import BOOL, I32, ElementType


def one_hot(statement: Statement, _rules: Rules, indices: IntegerRange) -> Range:
    """1 at the place of each index; an index outside of the axis has no place."""
    result = tensor_type(statement.result)
    axis, depth = statement.attributes["axis"], statement.attributes["depth"]
    assert isinstance(axis, int) and isinstance(depth, int), "the parser reads integers"
    axis %= result.rank
    places = np.arange(depth, dtype=indices.value.dtype).reshape(
        [-1 if at == axis else 1 for at in range(result.rank)]
    )
    is_there = integers.equal(
        _of(rearranged(indices, partial(np.expand_dims, axis=axis))), exact_integer(places, indices.element)
    )
    assert is_there.element is BOOL, "a comparison"
    return convert(is_there, result.element)


def nll_loss(
    statement: Statement, rules: Rules, x: FloatRange, target: IntegerRange, *weight: FloatRange
) -> Range:
    """The losses of the targets that are not ignored, added up or not."""
    axis, reduction = class_axis(x.value.ndim), statement.attributes["reduction"]
    shape = target.value.shape
    chosen = movement.along(x, _of(rearranged(target, partial(np.expand_dims, axis=axis))), axis)
    loss = arithmetic.negate(_widened(rearranged(chosen, partial(np.reshape, shape=shape))))
    weights = [_widened(movement.gathered(each, target, 0)) for each in weight]
    for each in weights:
        loss = arithmetic.multiply(loss, each, rules.contract)
    ignored = np.asarray(statement.attributes["ignore_index"], target.value.dtype)
    is_ignored = integers.equal(target, exact_integer(np.broadcast_to(ignored, shape), target.element))
    total = loss = _left(loss, is_ignored)
    if reduction != "none":
        total = _sum(loss, rules)
    if reduction == "mean" and weights:
        total = arithmetic.divide(total, _sum(_left(weights[0], is_ignored), rules), 1.0)
    elif reduction == "mean":
        left = IntegerRange(I32, 1 - is_ignored.value, 1 - is_ignored.high, 1 - is_ignored.low)
        count = convert(_count(left), total.element)
        assert isinstance(count, FloatRange), "it was converted"
        total = arithmetic.divide(total, count, 1.0)
    return bounded(x.element, total.value, total.low, total.high, total.may_be_nan, total.free_zero)


def _left(x: FloatRange, is_ignored: IntegerRange) -> FloatRange:
    """The elements, or 0 if they are ignored."""
    zero = exact_float(np.zeros_like(x.value), x.element)
    value = np.where(is_ignored.value != 0, zero.value, x.value)
    return arithmetic.union(zero, x, is_ignored.high != 0, is_ignored.low == 0, value)


def _sum(x: FloatRange, rules: Rules) -> FloatRange:
    """The sum of all elements, without dims. A single element may be added to 0."""
    flat = _widened(rearranged(x, np.ravel))
    if flat.value.size == 0:
        return exact_float(np.zeros((), x.value.dtype), x.element)
    if flat.value.size == 1:
        alone = _widened(rearranged(flat, partial(np.reshape, shape=())))
        return replace(alone, free_zero=np.ones((), np.bool_))
    return _widened(rearranged(reductions.add_up(flat, (0,), rules), partial(np.reshape, shape=())))


def _count(x: IntegerRange) -> Range:
    if x.value.size == 0:
        return exact_integer(np.zeros((), np.int64), x.element)
    flat = _of(rearranged(x, np.ravel))
    whole = flat if flat.value.size == 1 else integer_reductions.add_up(flat, (0,))
    return rearranged(whole, partial(np.reshape, shape=()))


def resample(statement: Statement, _rules: Rules, x: Range) -> Range:
    by, plus, over, axis = [statement.attributes[name] for name in ("by", "plus", "over", "axis")]
    assert isinstance(by, int) and isinstance(plus, int) and isinstance(over, int) and isinstance(axis, int)
    size = tensor_type(statement.result).shape[axis]
    return _at(x, (np.arange(size, dtype=np.int64) * by + plus) // over, axis)


def interpolate(statement: Statement, rules: Rules, x: Range) -> Range:
    """Along one axis after the other, in the type of computation."""
    axes = resampled_of(
        statement.op, tensor_type(statement.operands[0]), statement.attributes, statement.place
    )
    if statement.attributes["mode"] != LINEAR:
        for each in axes:
            x = _at(x, _places(each) // each.place.over, each.axis)
        return x
    assert isinstance(x, FloatRange), "the op's row takes floats only"
    made = norms.widened_range(x)
    for each in axes:
        made = _between(made, each, rules.contract)
    return bounded(x.element, made.value, made.low, made.high, made.may_be_nan, made.free_zero)


def _places(axis: Resampled) -> Integers:
    """`over` times the places."""
    assert isinstance(axis.size, int), "the reference knows all sizes"
    return np.arange(axis.size, dtype=np.int64) * axis.place.by + axis.place.plus


def _between(x: FloatRange, axis: Resampled, contract: bool) -> FloatRange:
    """(1 - t) a + t b, with the elements a and b next to a place, which is t after a."""
    place, over = np.maximum(_places(axis), 0), axis.place.over
    before = _widened(_at(x, place // over, axis.axis))
    after = _widened(_at(x, (_places(axis) + over) // over, axis.axis))
    along = [-1 if at == axis.axis else 1 for at in range(x.value.ndim)]
    part = convert(exact_integer((place % over).reshape(along), I32), x.element)
    assert isinstance(part, FloatRange), "it was converted"
    t = norms.spread(arithmetic.multiply(part, _number(1 / over, x.element), False), before)
    rest = arithmetic.subtract(norms.spread(_number(1.0, x.element), before), t, False)
    return arithmetic.add(
        arithmetic.multiply(before, rest, contract), arithmetic.multiply(after, t, contract), contract
    )


def _number(number: float, element: ElementType) -> FloatRange:
    return exact_float(round_to(np.array(number, work_of(element).wide), element), element)


def _at(x: Range, places: Integers, axis: int) -> Range:
    """The elements at places along an axis, or those at its ends."""
    inside = np.clip(places, 0, x.value.shape[axis] - 1)
    return rearranged(x, lambda array: np.take(array, inside, axis))


def _widened(x: Range) -> FloatRange:
    assert isinstance(x, FloatRange), "elements of floats"
    return norms.widened_range(x)


def _of(x: Range) -> IntegerRange:
    assert isinstance(x, IntegerRange), "elements of integers"
    return x


EVALUATORS: dict[str, Callable[..., Range]] = {
    "one_hot": one_hot,
    "nll_loss": nll_loss,
    "resample": resample,
    "interpolate": interpolate,
}
