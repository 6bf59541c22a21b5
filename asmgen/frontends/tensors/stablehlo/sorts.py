"""StableHLO's `sort` and CHLO's `top_k`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product as pairs

from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.regions import Number, ordered, samples, total_order
from asmgen.frontends.tensors.stablehlo.elementwise import in_total_order
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Block
from isa.named_tuple import NamedTuple

Rule = Callable[[OpCall], Results]
Key = Callable[[Number], tuple[float, ...]]


class Order(NamedTuple):
    """An order of numbers: `key` sorts them, `make` makes an array that the graph sorts in that order."""

    key: Key
    make: Callable[[Array], Array]


def _itself(x: Array) -> Array:
    return x


def _one_zero(x: Array) -> Array:
    """Both zeros as +0: they are equal then."""
    return apply("where", apply("equal", x, like(0, x)), like(0, x), x)


def _zeros_equal(number: Number) -> tuple[float, ...]:
    """NaN comes last, and both zeros are equal."""
    return (1, 0) if number != number else (0, number)


def _total(number: Number) -> tuple[float, ...]:
    return (total_order(number),)


_OF_FLOATS = (Order(_total, in_total_order), Order(_zeros_equal, _one_zero))
_OF_OTHERS = (Order(_total, _itself),)


def _sort(call: OpCall) -> Results:
    return sorted_by(call, call.operation.integer("dimension", -1))


def sorted_by(call: OpCall, axis: int, stays: bool = False) -> Results:
    """The operands in the order of the comparison, which says that the first element comes before the second,
    or with `stays` that it need not come after it."""
    arrays = call.arrays
    rank = arrays[0].type.rank
    axis %= max(rank, 1)
    if not rank or arrays[0].type.dims[axis] in (0, 1):
        return arrays
    found = _order_of(call.operation.body, [x.type.element for x in arrays], stays)
    if found is None:
        help = "write the comparison of a single operand by LT or GT, as JAX prints it"
        call.refuse("the comparator is none of the orders of a single operand", help)
    number, order, descending = found
    key = order.make(arrays[number])
    if len(arrays) == 1 and order.make is _itself:
        return apply("sort", key, axis=axis, descending=descending)
    place = apply("argsort", key, axis=axis, descending=descending)
    return [_taken(call, x, place, axis) for x in arrays]


def _taken(call: OpCall, x: Array, place: Array, axis: int) -> Item:
    if call.counted_axis(x) == axis:
        return apply("convert", place, target_type=x.type.element.name)
    return apply("take_along_axis", x, place, axis=axis)


def _order_of(body: Block, elements: Sequence[ElementType], stays: bool) -> tuple[int, Order, bool] | None:
    """The operand that a comparator compares, the order, and whether it descends."""
    for number, element in enumerate(elements):
        for order in _OF_FLOATS if element.is_float else _OF_OTHERS:
            for descending in (False, True):
                if _is_order(body, (number, len(elements)), element, order.key, descending, stays):
                    return number, order, descending
    return None


def _is_order(
    body: Block, operand: tuple[int, int], element: ElementType, key: Key, descending: bool, stays: bool
) -> bool:
    """Whether a comparator is the order of a key of an operand, of so many. A comparison of floats that is
    false for each NaN leaves their places open."""
    number, count = operand
    for a, b in pairs((*samples(element), *((-math.nan,) if element.is_float else ())), repeat=2):
        given: list[Number | None] = [None] * (2 * count)
        given[2 * number : 2 * number + 2] = a, b
        result = ordered(body, given)
        if result is None:
            return False
        first, second = (key(b), key(a)) if descending else (key(a), key(b))
        is_open = (a != a or b != b) and key is _zeros_equal and not result[0]
        comes_first = first <= second if stays else first < second
        if not is_open and bool(result[0]) != comes_first:
            return False
    return True


def _top_k(call: OpCall) -> Results:
    (x,) = call.arrays
    k, axis = call.operation.integer("k"), x.type.rank - 1
    places = apply("top_k_indices", x, k=k, axis=axis)
    return [
        apply("top_k", x, k=k, axis=axis),
        apply("convert", places, target_type=call.types[1].element.name),
    ]


RULES: dict[str, Rule] = {"stablehlo.sort": _sort, "chlo.top_k": _top_k}
