"""Loops that data end, but a counter at the latest: `(error > tolerance) & (k < 50)`.

All trips that the counter allows are unrolled. A trip after the end keeps the carried values: they are chosen
by the condition. The condition may be whether any element goes on, as `vmap` prints it; a body that itself
keeps the elements that do not go on needs no choices.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from asmgen.frontends.tensors.op_call import Item, OpCall
from asmgen.frontends.tensors.regions import single_op
from asmgen.frontends.tensors.stablehlo import elementwise
from asmgen.frontends.tensors.stablehlo.branches import chosen
from asmgen.frontends.tensors.stablehlo.counted import before_loop
from asmgen.frontends.tensors.stablehlo.single_element import BROADCASTS
from asmgen.frontends.tensors.types import element_of
from asmgen.frontends.traced.array import Array, apply
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import TensorType
from isa.named_tuple import NamedTuple

_COMPARES: Mapping[str, Callable[[int, int], bool]] = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


class _Bound(NamedTuple):
    """The carried value `counter` in each trip, the last excepted: the loop ends there at the latest."""

    counter: int
    numbers: tuple[int, ...]


def bounded_trips(call: OpCall, most: int, check: Callable[[], None]) -> tuple[Item, ...] | None:
    """The results of a `while` of at most `most` trips; None if no counter ends it. `check` runs in each
    trip."""
    loop = _Loop(call)
    keeps = loop.keeps_elements()
    bound = loop.bound(most, keeps)
    if bound is None:
        return None
    if not keeps:
        return _chosen_trips(call, bound, check)
    items: tuple[Item, ...] = call.items
    for _ in bound.numbers:
        items = call.block(loop.body, items)
        check()
    return items


def _chosen_trips(call: OpCall, bound: _Bound, check: Callable[[], None]) -> tuple[Item, ...]:
    condition, body = [region.blocks[0] for region in call.operation.regions]
    items, running = list(call.items), None
    for number in bound.numbers:
        given = [*items]
        given[bound.counter] = _number_like(call, items[bound.counter], number)
        (goes_on,) = call.block(condition, given)
        assert isinstance(goes_on, Array), "the condition is a tensor"
        running = goes_on if running is None else apply("logical_and", running, goes_on)
        made = call.block(body, given)
        for place, (argument, result) in enumerate(
            zip(body.arguments, body.terminator.operands, strict=True)
        ):
            if argument is not result:
                items[place] = chosen(call, running, made[place], items[place])
        check()
    return tuple(items)


def _number_like(call: OpCall, item: Item, number: int) -> Item:
    """A number of rank 0: in a trip that counts, the counter is known."""
    if not isinstance(item, Array) or item.type.rank:
        return item
    return Array(call.tracer.number(number, item.type.element, call.operation.place), call.tracer)


class _Loop:
    """The condition of a loop, and the values of its body that are equal to it."""

    def __init__(self, call: OpCall) -> None:
        self._call = call
        self.condition, self.body = [region.blocks[0] for region in call.operation.regions]
        for block in (self.condition, self.body):
            for operation in block.operations:
                if not operation.operands and not operation.regions and operation.results:
                    _ = call.compute(operation, {})
        (end,) = self.condition.terminator.operands
        of_elements = self._of_any_element(end)
        self._is_any = of_elements is not None
        self._test = _same_type(end if of_elements is None else of_elements)
        self._equal: dict[tuple[Ssa, Ssa], bool] = {}

    def _of_any_element(self, end: Ssa) -> Ssa | None:
        """The truth values of elements, if the condition is whether any is true."""
        owner = end.owner
        if owner is None or owner.name != "stablehlo.reduce" or len(owner.results) != 1:
            return None
        is_or = single_op(owner.body) == "stablehlo.or" and self._integer(owner.operands[1]) == 0
        return owner.operands[0] if is_or and isinstance(end.type, TensorType) and not end.type.dims else None

    def _conjuncts(self) -> Iterator[Operation]:
        """The comparisons of numbers that are all true if the condition is."""
        pending = [self._test]
        while pending:
            owner = _same_type(pending.pop()).owner
            if owner is None or owner.name not in ("stablehlo.and", "stablehlo.compare"):
                continue
            if owner.name == "stablehlo.and":
                pending.extend(owner.operands)
            elif not _is_of_truth_values(owner):
                yield owner
            elif owner.text("comparison_direction").lower() == "ne" and self._integer(owner.operands[1]) == 0:
                pending.append(owner.operands[0])

    def keeps_elements(self) -> bool:
        """Whether the body keeps all values of the elements that do not go on, so that none of them goes on
        later."""
        if not self._is_any or not self._is_of_own_element(self._test):
            return False
        pairs = zip(self.body.arguments, self.body.terminator.operands, strict=True)
        return all(
            result is argument or self._chosen(result, argument) is not None for argument, result in pairs
        )

    def _is_of_own_element(self, test: Ssa) -> bool:
        """Whether only the carried values of an element itself say if it goes on."""
        pending = [test]
        seen: set[Ssa] = set()
        while pending:
            value = _same_type(pending.pop())
            owner = value.owner
            if value in seen or owner is None or owner not in self.condition.operations or not owner.operands:
                continue
            seen.add(value)
            if owner.name in elementwise.RULES:
                pending.extend(owner.operands)
            elif owner.name not in BROADCASTS or before_loop(self._call, owner.operands[0]) is None:
                return False
        return True

    def _chosen(self, result: Ssa, argument: Ssa) -> Ssa | None:
        """The value of an element that goes on, if another element keeps its argument."""
        owner = _same_type(result).owner
        if owner is None or owner.name != "stablehlo.select":
            return None
        test, on_true, on_false = map(_same_type, owner.operands)
        return on_true if on_false is argument and self._is_equal(self._test, test) else None

    def bound(self, most: int, keeps: bool) -> _Bound | None:
        """The bound by a counter of known numbers."""
        for compare in self._conjuncts():
            for limit_place in (0, 1):
                direction = compare.text("comparison_direction").lower()
                bound = self._counted(
                    compare.operands[1 - limit_place],
                    compare.operands[limit_place],
                    direction if limit_place else _TURNED.get(direction, ""),
                    most,
                    keeps,
                )
                if bound is not None:
                    return bound
        return None

    def _counted(self, counter: Ssa, limit: Ssa, direction: str, most: int, keeps: bool) -> _Bound | None:
        counter = _same_type(counter)
        if counter not in self.condition.arguments or direction not in _COMPARES:
            return None
        place = self.condition.arguments.index(counter)
        before = self._call.operation.operands[place]
        first, last, step = self._integer(before), self._integer(limit), self._step(place, keeps)
        if first is None or last is None or step is None:
            return None
        low, high = integer_range(element_of(before.type, before.place))
        numbers: list[int] = []
        while _COMPARES[direction](first, last):
            if len(numbers) == most or not low <= first + step <= high:
                return None  # a number beyond the range of the type wraps
            numbers.append(first)
            first += step
        return _Bound(place, tuple(numbers))

    def _step(self, place: int, keeps: bool) -> int | None:
        """The number that each trip adds to a carried integer."""
        argument, result = self.body.arguments[place], self.body.terminator.operands[place]
        following = self._chosen(result, argument) if keeps else _same_type(result)
        owner = None if following is None else following.owner
        if owner is None or owner.name not in ("stablehlo.add", "stablehlo.subtract"):
            return None
        first, second = owner.operands
        if owner.name == "stablehlo.subtract":
            step = self._integer(second) if first is argument else None
            return None if step is None else -step
        return self._integer(second if first is argument else first) if argument in owner.operands else None

    def _integer(self, value: Ssa) -> int | None:
        """The integer that all elements of a value are, if it is known before the loop."""
        while (owner := value.owner) is not None and owner.name in BROADCASTS:
            value = owner.operands[0]
        before = before_loop(self._call, value)
        item = None if before is None else self._call.item(before)
        if not isinstance(item, Array) or item.type.element.is_float:
            return None
        known = self._call.number(item)
        return None if known is None else int(known)

    def _is_equal(self, a: Ssa, b: Ssa) -> bool:
        """Whether a value of the condition and a value of the body are the same function of the carried
        values."""
        pair = _same_type(a), _same_type(b)
        if pair not in self._equal:  # many values may share their operands
            self._equal[pair] = self._are_equal(*pair)
        return self._equal[pair]

    def _are_equal(self, a: Ssa, b: Ssa) -> bool:
        if a in self.condition.arguments:
            return b is self.body.arguments[self.condition.arguments.index(a)]
        first, second = a.owner, b.owner
        if a is b or first is None or second is None or first.regions or second.regions:
            return a is b
        return (
            (first.name, first.attributes, a.type) == (second.name, second.attributes, b.type)
            and first.results.index(a) == second.results.index(b)
            and len(first.operands) == len(second.operands)
            and all(map(self._is_equal, first.operands, second.operands))
        )


def _is_of_truth_values(compare: Operation) -> bool:
    type_ = compare.operands[0].type
    return isinstance(type_, TensorType) and type_.element is BOOL


def _same_type(value: Ssa) -> Ssa:
    """The operand of conversions and broadcasts to the type itself, which JAX prints."""
    while (owner := value.owner) is not None and owner.name in (*BROADCASTS, "stablehlo.convert"):
        kept = owner.operands[0]
        axes = owner.integers("broadcast_dimensions") if owner.name in BROADCASTS else ()
        if kept.type != value.type or list(axes) != sorted(axes):
            return value
        value = kept
    return value
