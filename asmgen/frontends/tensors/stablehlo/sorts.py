"""StableHLO's `sort` and CHLO's `top_k`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from itertools import product as pairs

from asmgen.frontends.tensors.associative import with_constants
from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.regions import Number, ordered, samples, total_order
from asmgen.frontends.tensors.stablehlo.elementwise import from_total_order, in_total_order
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.ir.types import BOOL, ElementType
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
    body = with_constants(call.operation.body)
    keys = _keys_of(body, [x.type.element for x in arrays], stays)
    if keys is None:
        help = "compare operands by LT or GT, and the next operands if the first are equal, as JAX prints it"
        call.refuse("the comparator is not an order of its operands", help)
    if len(arrays) == 1 and keys[0].order.make is _itself:
        return apply("sort", arrays[0], axis=axis, descending=keys[0].descending)
    place: Array | None = None
    for key in reversed(keys):  # a stable sort by each key, the least significant first
        x = key.order.make(arrays[key.operand])
        x = x if place is None else apply("take_along_axis", x, place, axis=axis)
        inner = apply("argsort", x, axis=axis, descending=key.descending)
        place = inner if place is None else apply("take_along_axis", place, inner, axis=axis)
    assert place is not None, "there is a key"
    return [_taken(call, x, place, axis) for x in arrays]


def _taken(call: OpCall, x: Array, place: Array, axis: int) -> Item:
    if call.counted_axis(x) == axis:
        return apply("convert", place, target_type=x.type.element.name)
    return apply("take_along_axis", x, place, axis=axis)


class SortKey(NamedTuple):
    """An operand that a comparator compares, its order, and whether it descends."""

    operand: int
    order: Order
    descending: bool

    def compared(self, a: Number, b: Number) -> int:
        """-1, 0 or 1: the place of two numbers in this order."""
        first, second = self.order.key(a), self.order.key(b)
        return ((first > second) - (first < second)) * (-1 if self.descending else 1)

    def is_open(self, a: Number, b: Number) -> bool:
        """Whether a comparison that is false leaves the place of a NaN open."""
        return (a != a or b != b) and self.order.key is _zeros_equal


_MOST_KEYS = 3
_EQUAL: tuple[Number, Number] = (1, 1)


def _keys_of(body: Block, elements: Sequence[ElementType], stays: bool) -> tuple[SortKey, ...] | None:
    """The keys of a comparator, the most significant first; None for a comparator that is not an order."""
    keys = [key for number in range(len(elements)) for key in _key_of(body, elements, number, stays)]
    if not 0 < len(keys) <= _MOST_KEYS:
        return None
    return next((each for each in permutations(keys) if _compares(body, elements, each, stays)), None)


def _key_of(body: Block, elements: Sequence[ElementType], operand: int, stays: bool) -> list[SortKey]:
    """The key that an operand is if all others are equal; empty for an operand that is not compared."""
    element = elements[operand]
    numbers = (*samples(element), *((-math.nan,) if element.is_float else ()))
    for order in _OF_FLOATS if element.is_float else _OF_OTHERS:
        for key in (SortKey(operand, order, False), SortKey(operand, order, True)):
            given: list[Sequence[Number | None]] = [_EQUAL] * len(elements)
            if all(
                _agrees(body, [*given[:operand], pair, *given[operand + 1 :]], [key], stays)
                for pair in pairs(numbers, repeat=2)
            ):
                return [key]
    return []


def _compares(body: Block, elements: Sequence[ElementType], keys: Sequence[SortKey], stays: bool) -> bool:
    """Whether a comparator compares keys, the next key if those before are equal, and nothing else."""
    few = [_few(elements[key.operand]) for key in keys]
    for chosen in pairs(*few):
        given: list[Sequence[Number | None]] = [(None, None)] * len(elements)
        for key, pair in zip(keys, chosen, strict=True):
            given[key.operand] = pair
        if not _agrees(body, given, keys, stays):
            return False
    return True


def _few(element: ElementType) -> list[tuple[Number, Number]]:
    """Pairs of numbers in each order."""
    if element is BOOL:
        return [(False, True), (True, False), (True, True)]
    plain: list[tuple[Number, Number]] = [(1, 2), (2, 1), _EQUAL]
    floats = [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (-0.0, 0.0), (math.nan, 1.0), (1.0, math.nan)]
    return list(floats) if element.is_float else plain


def _agrees(
    body: Block, given: Sequence[Sequence[Number | None]], keys: Sequence[SortKey], stays: bool
) -> bool:
    """Whether a comparator has the result of keys for a pair of numbers of each operand."""
    result = ordered(body, [number for pair in given for number in pair])
    if result is None:
        return False
    place = 0
    for key in keys:
        a, b = given[key.operand]
        assert a is not None and b is not None, "a key has numbers"
        if key.is_open(a, b) and not result[0]:
            return True
        place = place or key.compared(a, b)
    return bool(result[0]) == (place <= 0 if stays else place < 0)


def _top_k(call: OpCall) -> Results:
    """By the total order of IEEE 754, as XLA sorts: a NaN with the sign bit comes last."""
    (x,) = call.arrays
    element, k, axis = x.type.element, call.operation.integer("k"), x.type.rank - 1
    keys = in_total_order(x) if element.is_float else x
    places = apply("top_k_indices", keys, k=k, axis=axis)
    best = apply("top_k", keys, k=k, axis=axis)
    return [
        from_total_order(best, element) if element.is_float else best,
        apply("convert", places, target_type=call.types[1].element.name),
    ]


RULES: dict[str, Rule] = {"stablehlo.sort": _sort, "chlo.top_k": _top_k}
