"""Arithmetic of carried values: a sum, a product or an extreme of a value before the trip and another value.

A rule takes what each carried value is before the loop, and the operands of an op.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from asmgen.frontends.tensors.op_call import Item
from asmgen.frontends.tensors.trip_values import (
    OPEN,
    Each,
    Extreme,
    Latest,
    Linear,
    Same,
    TripValue,
    array_of,
)
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.ir.types import BOOL, F32

Rule = Callable[[Sequence[Item], list[TripValue]], TripValue]


def _split(given: list[TripValue]) -> tuple[Linear, Same | Each] | None:
    """A carried value and the operand next to it."""
    carried = [value for value in given if isinstance(value, Linear)]
    others = [value for value in given if isinstance(value, Each) or _is_array(value)]
    if len(carried) != 1 or len(others) != 1 or not isinstance(other := others[0], Same | Each):
        return None
    return carried[0], other


def _is_array(value: TripValue) -> bool:
    return isinstance(value, Same) and isinstance(value.item, Array)


def _is_wide(firsts: Sequence[Item], linear: Linear) -> bool:
    """Whether a scan rounds no less often than the loop does: narrow floats are rounded in each trip."""
    first = firsts[linear.carried]
    if not isinstance(first, Array) or first.type.element is BOOL:
        return False
    return not first.type.element.is_float or first.type.element.bits >= F32.bits


def _combined(op: Literal["add", "mul"], a: Same | Each, b: Same | Each) -> Same | Each:
    made = apply(op, array_of(a), array_of(b))
    return Same(made) if isinstance(a, Same) and isinstance(b, Same) else Each(made)


def _sum(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    first, second = given
    if isinstance(first, Linear) and isinstance(second, Linear):
        return _sum_of_both(firsts, first, second)
    split = _split(given)
    if split is None or not _is_wide(firsts, split[0]):
        return OPEN
    linear, other = split
    return linear._replace(
        summand=other if linear.summand is None else _combined("add", linear.summand, other)
    )


def _sum_of_both(firsts: Sequence[Item], first: Linear, second: Linear) -> TripValue:
    """h a + b and h c + d are h (a + c) + b + d."""
    begins = firsts[first.carried]
    if first.carried != second.carried or not isinstance(begins, Array) or not _is_wide(firsts, first):
        return OPEN
    one = Same(apply("multibroadcast", like(1, begins), out_lens=begins.type.dims))
    factor = _combined("add", first.factor or one, second.factor or one)
    summands = [each.summand for each in (first, second) if each.summand is not None]
    both = _combined("add", *summands) if len(summands) == 2 else None
    return Linear(first.carried, factor, both or (summands[0] if summands else None))


def _difference(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    first, second = given
    if isinstance(second, Linear):
        return _sum(firsts, [first, _negated(firsts, [second])])
    if not isinstance(second, Same | Each) or (isinstance(second, Same) and not _is_array(second)):
        return OPEN
    return _sum(firsts, [first, _negative(second)])


def _negative(value: Same | Each) -> Same | Each:
    made = apply("neg", array_of(value))
    return Each(made) if isinstance(value, Each) else Same(made)


def _product(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    split = _split(given)
    if split is None or not _is_wide(firsts, split[0]):
        return OPEN
    linear, other = split
    factor = other if linear.factor is None else _combined("mul", linear.factor, other)
    summand = None if linear.summand is None else _combined("mul", linear.summand, other)
    return Linear(linear.carried, factor, summand)


def _negated(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    (linear,) = given
    if not isinstance(linear, Linear):
        return OPEN
    first = firsts[linear.carried]
    return _product(firsts, [linear, Same(like(-1, first))]) if isinstance(first, Array) else OPEN


def _extreme(word: Literal["max", "min"]) -> Rule:
    def rule(_firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
        split = _split(given)
        if split is None or not split[0].is_itself:
            return OPEN
        return Extreme(split[0].carried, word, split[1])

    return rule


def _quotient(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    """The carried float divided by another value: times its reciprocal."""
    linear, other = given
    if not isinstance(linear, Linear) or not isinstance(other, Same | Each) or not _is_float(firsts, linear):
        return OPEN
    if isinstance(other, Same) and not _is_array(other):
        return OPEN
    array = array_of(other)
    reciprocal = apply("div", like(1, array), array)
    return _product(firsts, [linear, Each(reciprocal) if isinstance(other, Each) else Same(reciprocal)])


def _is_float(firsts: Sequence[Item], linear: Linear) -> bool:
    first = firsts[linear.carried]
    return isinstance(first, Array) and first.type.element.is_float


def _choice(firsts: Sequence[Item], given: list[TripValue]) -> TripValue:
    """A choice between two sums of the same carried value, or between the carried value and another value."""
    mask, on_true, on_false = given
    linear = on_true if isinstance(on_true, Linear) else on_false
    if not isinstance(mask, Same | Each) or not isinstance(linear, Linear):
        return OPEN
    first = firsts[linear.carried]
    if not isinstance(first, Array) or (isinstance(mask, Same) and not _is_array(mask)):
        return OPEN
    mask = in_rank(mask, first.type.rank)
    if isinstance(on_true, Linear) and isinstance(on_false, Linear):
        return _choice_of_sums(firsts, mask, on_true, on_false)
    other = on_false if linear is on_true else on_true
    if not isinstance(other, Same | Each) or (isinstance(other, Same) and not _is_array(other)):
        return OPEN
    if linear.is_itself:
        return Latest(linear.carried, mask if linear is on_false else _inverted(mask), other)
    if first.type.element.is_float:
        return OPEN  # the factor 0 would keep an infinity or a NaN
    constant = Linear(linear.carried, Same(like(0, first)), other)
    pair = (constant, linear) if linear is on_false else (linear, constant)
    return _choice_of_sums(firsts, mask, *pair)


def _choice_of_sums(firsts: Sequence[Item], mask: Same | Each, a: Linear, b: Linear) -> TripValue:
    first = firsts[a.carried]
    if a.carried != b.carried or not isinstance(first, Array) or not _is_wide(firsts, a):
        return OPEN
    factor = _chosen_part(mask, a.factor, b.factor, first, 1)
    return Linear(a.carried, factor, _chosen_part(mask, a.summand, b.summand, first, 0))


def _chosen_part(
    mask: Same | Each, a: Same | Each | None, b: Same | Each | None, first: Array, default: int
) -> Same | Each | None:
    """The mask chooses between two factors, or between two summands. A part that is None is `default`."""
    if a is None and b is None:
        return None
    parts = [Same(like(default, first)) if each is None else each for each in (a, b)]
    made = apply("where", array_of(mask), *[array_of(each) for each in parts])
    return Each(made) if any(isinstance(each, Each) for each in (mask, *parts)) else Same(made)


def in_rank(mask: Same | Each, rank: int) -> Same | Each:
    """A truth value of each trip for arrays of a rank."""
    if isinstance(mask, Same) or mask.array.type.rank != 1 or not rank:
        return mask
    return Each(apply("unsqueeze", mask.array, axes=tuple(range(1, 1 + rank))))


def _inverted(mask: Same | Each) -> Same | Each:
    made = apply("not", array_of(mask))
    return Each(made) if isinstance(mask, Each) else Same(made)


OF_CARRIED: Mapping[str, Rule] = {
    "add": _sum, "subtract": _difference, "multiply": _product, "negate": _negated,
    "divide": _quotient, "select": _choice, "maximum": _extreme("max"), "minimum": _extreme("min"),
}  # fmt: skip
