"""Loops that data end, with trips that compute each element by itself: `iterate`.

    while(any(b != 0)) { a, b = where(b != 0, b, a), where(b != 0, a % b, 0) }        iterate(a, b)

StableHLO runs trips as long as any element goes on. Each element has trips of its own if a trip changes no
element that does not go on (`kept_elements.py`). Conditions on numbers, such as a count of trips, end all
elements together. So each element has a copy of the numbers; their values after the loop are known only if
no element ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.tensors.op_call import Apart, Item, NotOfElements, OpCall
from asmgen.frontends.tensors.stablehlo.kept_elements import keeps, of_those_that_go_on
from asmgen.frontends.tensors.stablehlo.single_element import is_any
from asmgen.frontends.traced.array import Array
from asmgen.graph.bodies import body_of
from asmgen.graph.needed import needed
from asmgen.graph.ops import ABS, ITERATE, PARAM, RETURN
from asmgen.index.size import Dim
from asmgen.ir.program import Module, Statement, Value, is_made_of
from asmgen.mlir.source import Block, Operation, Ssa
from isa.named_tuple import NamedTuple


def element_trips(call: OpCall) -> list[Item] | None:
    """The results of a `while` by trips of each element; None for a loop that has others."""
    try:
        return _Loop(call).results()
    except NotOfElements:
        return None


class _Trip(NamedTuple):
    """A trip of an element. `values` are the carried values and then those of before the loop."""

    values: tuple[Value, ...]
    more: Value
    following: tuple[Value, ...]


class _Loop:
    def __init__(self, call: OpCall) -> None:
        self._call = call
        self._condition, self._body = [region.blocks[0] for region in call.operation.regions]
        self._outer = [*call.items]
        self._dims = self._common_dims(self._outer)
        self._has_arrays = any(_array(item).type.rank for item in self._outer)
        self._apart: Apart = call.apart()

    def results(self) -> list[Item]:
        call = self._call
        trip = self._trip()
        self._check_changes(trip)
        test = self._any_test() if self._has_arrays else None
        if test is not None:
            self._check_ends(trip, self._apart.known(test))
        used = [number for number, result in enumerate(call.operation.results) if call.readers(result)]
        if test is not None and any(not _array(self._outer[number]).type.rank for number in used):
            raise NotOfElements  # a number that all elements together end
        numbers = [number for number in used if not _array(self._outer[number]).type.rank]
        arrays = [number for number in used if number not in numbers]
        made: dict[int, Item] = {}
        for some in (numbers, arrays):
            made |= self._iterated(trip, some)
        return [made.get(number, item) for number, item in enumerate(call.items)]

    def _trip(self) -> _Trip:
        """The blocks of the loop as a module of single elements."""
        call, apart = self._call, self._apart
        for value in _outer_values(self._condition, self._body):
            item = call.known_item(value)
            array = _array(item) if item is not None else None
            if array is None:
                continue  # of another block
            known = call.number(array)
            if known is not None:
                apart.number(value, known, array.type.element)
            else:
                self._check_dims(array)
                self._outer.append(array)
                _ = apart.argument(value, array.type.element)
        outside = [each.result for each in apart.builder.statements if each.op is PARAM]
        carried = [
            apart.argument(value, _array(item).type.element)
            for value, item in zip(self._body.arguments, call.items, strict=True)
        ]
        (more,) = apart.block(self._condition, carried)
        following = apart.block(self._body, carried)
        return _Trip((*carried, *outside), more, following)

    def _any_test(self) -> Ssa | None:
        """The truth values of elements, if the condition is whether any of them is true; None for a condition
        on numbers."""
        tests: list[Ssa] = []
        pending = [self._condition.terminator.operands[0]]
        while pending:
            owner = pending.pop().owner
            if owner is None or owner not in self._condition.operations:
                continue
            if owner.name == "stablehlo.and":
                pending.extend(owner.operands)
            elif owner.name == "stablehlo.reduce" and is_any(owner):
                tests.append(owner.operands[0])
        reductions = [each for each in self._apart.read if each.name == "stablehlo.reduce"]
        if len(tests) != len(reductions) or len(tests) > 1:
            raise NotOfElements
        return tests[0] if tests else None

    def _check_changes(self, trip: _Trip) -> None:
        """Refuse a condition that is the same in each trip."""
        pairs = zip(trip.values, trip.following, strict=False)  # without the values of before the loop
        changed = {value for value, after in pairs if after is not value}
        if not is_made_of([trip.more], changed, self._defined):
            message = "no trip changes what its condition reads: it has no trips, or never ends"
            self._call.refuse(f"{message}, wanted a condition on a value that trips change")

    @property
    def _defined(self) -> dict[Value, Statement]:
        return {each.result: each for each in self._apart.builder.statements}

    def _check_ends(self, trip: _Trip, test: Value) -> None:
        """Raise `NotOfElements` unless an element keeps its values once its test is false. Its test stays
        false too, since it does not depend on numbers that trips change, such as a count of them."""
        statements = self._apart.builder.statements
        outer = [_array(item) for item in self._outer]
        # without the values of before the loop
        carried = list(zip(trip.values, trip.following, outer, strict=False))
        of_elements = [(value, after) for value, after, array in carried if array.type.rank]
        counts = {value for value, after, array in carried if not array.type.rank and after is not value}
        not_negative = [
            value
            for value, array in zip(trip.values, outer, strict=True)
            if (first := self._call.definitions.get(array.value)) is not None and first.op is ABS
        ]
        is_counted = is_made_of([test], counts, self._defined)
        if is_counted or not keeps(statements, of_elements, test, not_negative):
            raise NotOfElements

    def _iterated(self, trip: _Trip, wanted: Sequence[int]) -> dict[int, Item]:
        """The wanted results, by trips of the carried values that these need."""
        if not wanted:
            return {}
        call = self._call
        statements, instead = of_those_that_go_on(
            self._apart.builder.statements, trip.more, self._apart.builder.fresh
        )
        defined = {each.result: each for each in statements}
        after = [instead.get(each, each) for each in trip.following]
        following = dict(zip(trip.values, after, strict=False))
        kept = {trip.values[number] for number in wanted}
        ends: list[Value] = [trip.more]
        while True:
            ends = [
                trip.more,
                *[following[value] for value in trip.values if value in kept and value in following],
            ]
            more = {
                value for value in trip.values if value not in kept and is_made_of(ends, {value}, defined)
            }
            if not more:
                break
            kept |= more
        given = [(value, item) for value, item in zip(trip.values, self._outer, strict=True) if value in kept]
        if any(value.type.element.name not in ITERATE.types for value, _ in given):
            raise NotOfElements
        outputs = (trip.more, *[following.get(value, value) for value, _ in given])
        place = call.operation.place
        parameters = {value: defined[value] for value, _ in given}
        rest = [each for each in statements if each.op is not PARAM]
        ending = Statement(RETURN, outputs, place=place)
        module = needed(Module("while", (*parameters.values(), *rest, ending)))
        body = body_of(module)
        operands = [_array(item).value for _, item in given]
        made: dict[int, Item] = {}
        for number in wanted:
            result = [value for value, _ in given].index(trip.values[number])
            name = call.tracer.builder.fresh("iterate")
            value = call.tracer.builder.apply(
                ITERATE, tuple(operands), {"result": result, "body": body}, name, place
            )
            made[number] = Array(value, call.tracer)
        return made

    def _common_dims(self, items: Sequence[Item]) -> tuple[Dim, ...]:
        dims = {_array(item).type.dims for item in items} - {()}
        if len(dims) > 1:
            raise NotOfElements
        return next(iter(dims), ())

    def _check_dims(self, array: Array) -> None:
        if array.type.dims not in ((), self._dims):
            raise NotOfElements


def _array(item: Item) -> Array:
    if not isinstance(item, Array):
        raise NotOfElements
    return item


def _walked(blocks: Sequence[Block]) -> list[Operation]:
    return [
        each
        for block in blocks
        for operation in block.operations
        for each in (operation, *_walked([inner for region in operation.regions for inner in region.blocks]))
    ]


def _outer_values(*blocks: Block) -> list[Ssa]:
    """The values that blocks read and do not define."""
    operations = _walked(blocks)
    inside = {value for block in blocks for value in block.arguments}
    for operation in operations:
        inside.update(operation.results)
        inside.update(
            [each for region in operation.regions for block in region.blocks for each in block.arguments]
        )
    read = dict.fromkeys([value for operation in operations for value in operation.operands])
    return [value for value in read if value not in inside]
