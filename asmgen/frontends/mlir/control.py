"""Branches and loops, with what they carry: values, indices with their bounds, and cells of private memory.

A loop is lowered with the bounds that its carried indices have at the beginning. Where its body gives an
index beyond them, or changes a cell that is not carried yet, it is lowered again with wider bounds and that
cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from asmgen.frontends.mlir.context import Lowering
from asmgen.frontends.mlir.indices import FULL, WORD, is_signed_word, is_unsigned_word
from asmgen.frontends.mlir.lowered import Aggregate, Index, Lowered, Memory, Pointer, Slot, View
from asmgen.frontends.mlir.source import Operation
from asmgen.ir.program import Region, Statement, Value
from asmgen.ir.types import I32, I64, U32
from asmgen.lanewise import ops
from isa.diagnostics import InputError

MOST_WRITTEN_OUT = 256  # operations of a loop of constant bounds, in all of its trips
MOST_UNROLLED = 64  # trips of a loop that is written out for the sake of private memory
Body = Callable[[Sequence[Lowered]], Sequence[Lowered]]
_SIGNED = -(1 << 31), (1 << 31) - 1
_WIDER = ((0, WORD), _SIGNED, FULL)


class _Cell(NamedTuple):
    memory: Memory
    number: int


def slots_of(lowered: Lowered) -> tuple[Slot, ...]:
    """The lane values and indices that a value is made of."""
    if isinstance(lowered, View):
        return (lowered.offset, *lowered.sizes, *lowered.strides)
    if isinstance(lowered, Aggregate):
        return tuple([slot for one in lowered.fields if one is not None for slot in slots_of(one)])
    return (lowered.offset, lowered.bytes) if isinstance(lowered, Pointer) else (lowered,)


def rebuilt(like: Lowered, slots: Sequence[Slot]) -> Lowered:
    """A value as another one, of other slots."""
    if isinstance(like, View):
        offset, *rest = [slot for slot in slots if isinstance(slot, Index)]
        rank = len(like.sizes)
        return like._replace(offset=offset, sizes=tuple(rest[:rank]), strides=tuple(rest[rank:]))
    if isinstance(like, Aggregate):
        fields: list[Lowered | None] = []
        for one in like.fields:
            count = 0 if one is None else len(slots_of(one))
            fields.append(None if one is None else rebuilt(one, slots[:count]))
            slots = slots[count:]
        return Aggregate(tuple(fields))
    if isinstance(like, Pointer):
        offset, rest = slots
        assert isinstance(offset, Index) and isinstance(rest, Index)
        return like._replace(offset=offset, bytes=rest)
    (slot,) = slots
    return slot


def _all_slots(values: Sequence[Lowered]) -> list[Slot]:
    return [slot for value in values for slot in slots_of(value)]


def _rebuilt_all(like: Sequence[Lowered], slots: Sequence[Slot]) -> list[Lowered]:
    found: list[Lowered] = []
    first = 0
    for value in like:
        count = len(slots_of(value))
        found.append(rebuilt(value, slots[first : first + count]))
        first += count
    return found


def check_same_memory(a: Sequence[Lowered], b: Sequence[Lowered], operation: Operation) -> None:
    """`InputError` MLIR030 where two values that become one are places in different memories."""
    for one, other in zip(a, b, strict=True):
        if (
            isinstance(one, View | Pointer)
            and isinstance(other, View | Pointer)
            and one.memory is not other.memory
        ):
            message = f"{operation.name} chooses between two buffers, wanted places in one buffer"
            help = "load from both, and choose between the values"
            raise InputError(operation.place, "MLIR030", message, help=help)


# Branches


def branch(
    lower: Lowering,
    operation: Operation,
    condition: Value,
    then: Callable[[], Sequence[Lowered]],
    otherwise: Callable[[], Sequence[Lowered]] | None,
) -> list[Lowered]:
    """`if`; the results are what the two sides give. A condition that is a constant leaves one side."""
    known = lower.builder.literal_of(condition)
    if known is not None:
        return list(then()) if known else list(otherwise()) if otherwise is not None else []
    before = copied(lower.cells)
    with lower.builder.nested() as first:
        a = list(then())
    cells_a, lower.cells = lower.cells, copied(before)
    with lower.builder.nested() as second:
        b = list(otherwise()) if otherwise is not None else []
    cells_b = lower.cells
    check_same_memory(a, b, operation)
    changed = [
        _Cell(memory, i)
        for memory, cells in before.items()
        for i in range(len(cells))
        if cells_a[memory][i] is not cells_b[memory][i]
    ]
    slots_a = [*_all_slots(a), *[cells_a[cell.memory][cell.number] for cell in changed]]
    slots_b = [*_all_slots(b), *[cells_b[cell.memory][cell.number] for cell in changed]]
    bounds = [_joined(one, other) for one, other in zip(slots_a, slots_b, strict=True)]
    regions = [_region(lower, first, slots_a, bounds)]
    if slots_a or len(second):
        regions.append(_region(lower, second, slots_b, bounds))
    results = lower.builder.branch(condition, tuple(regions))
    slots = _slots_from(results, bounds)
    lower.cells = before
    for cell, slot in zip(changed, slots[len(slots) - len(changed) :], strict=True):
        assert isinstance(slot, Value)
        lower.cells[cell.memory] = _with(lower.cells[cell.memory], cell.number, slot)
    return _rebuilt_all(a, slots[: len(slots) - len(changed)])


Bounds = tuple[int, int] | None  # of an index; None of a lane value


def _joined(one: Slot, other: Slot) -> Bounds:
    if isinstance(one, Index) and isinstance(other, Index):
        return min(one.low, other.low), max(one.high, other.high)
    return None


def _in_form(lower: Lowering, slot: Slot, bounds: Bounds) -> Value:
    if not isinstance(slot, Index):
        return slot
    assert bounds is not None
    return lower.indices.in_form(slot, *bounds)


def _slots_from(values: Sequence[Value], bounds: Sequence[Bounds]) -> list[Slot]:
    return [
        value if known is None else Index(value, *known) for value, known in zip(values, bounds, strict=True)
    ]


def _region(
    lower: Lowering, begun: list[Statement], slots: Sequence[Slot], bounds: Sequence[Bounds]
) -> Region:
    with lower.builder.nested(begun) as statements:
        values = [_in_form(lower, slot, known) for slot, known in zip(slots, bounds, strict=True)]
        _ = lower.builder.emit(ops.YIELD, *values)
    return Region((), tuple(statements))


def copied(cells: dict[Memory, list[Value]]) -> dict[Memory, list[Value]]:
    return {memory: list(values) for memory, values in cells.items()}


def _with(cells: list[Value], number: int, value: Value) -> list[Value]:
    return [*cells[:number], value, *cells[number + 1 :]]


# Loops


class _Plan(NamedTuple):
    """What a loop carries: the bounds of each slot of its values, and cells after them."""

    bounds: tuple[Bounds, ...]
    cells: tuple[_Cell, ...]


class _Replan(Exception):
    """The body needs a loop that carries more."""

    def __init__(self, plan: _Plan) -> None:
        super().__init__()
        self.plan = plan


class Carried:
    """What a loop carries, while it is lowered by one plan."""

    def __init__(
        self, lower: Lowering, operation: Operation, initial: Sequence[Lowered], plan: _Plan
    ) -> None:
        self._lower = lower
        self._operation = operation
        self._like = initial
        self._plan = plan
        self._bounds = (*plan.bounds, *[None] * len(plan.cells))

    def initial(self) -> list[Value]:
        slots = [*_all_slots(self._like), *[self._lower.cells[c.memory][c.number] for c in self._plan.cells]]
        return [_in_form(self._lower, slot, known) for slot, known in zip(slots, self._bounds, strict=True)]

    def enter(self, values: Sequence[Value]) -> list[Lowered]:
        """The values of the file that carried values are; cells are put into place."""
        slots = _slots_from(values, self._bounds)
        count = len(self._plan.bounds)
        for cell, slot in zip(self._plan.cells, slots[count:], strict=True):
            assert isinstance(slot, Value)
            lower = self._lower
            lower.cells[cell.memory] = _with(lower.cells[cell.memory], cell.number, slot)
        return _rebuilt_all(self._like, slots[:count])

    def leave(self, results: Sequence[Lowered], before: dict[Memory, list[Value]]) -> list[Value]:
        """The next carried values; `_Replan` where they do not fit. `before` are the cells as the body found
        them."""
        check_same_memory(self._like, results, self._operation)
        slots = _all_slots(results)
        changed = [
            _Cell(memory, i)
            for memory, cells in before.items()
            for i, cell in enumerate(cells)
            if self._lower.cells[memory][i] is not cell and _Cell(memory, i) not in self._plan.cells
        ]
        bounds = tuple(
            [_wide_enough(slot, known) for slot, known in zip(slots, self._plan.bounds, strict=True)]
        )
        if changed or bounds != self._plan.bounds:
            raise _Replan(_Plan(bounds, (*self._plan.cells, *changed)))
        slots += [self._lower.cells[cell.memory][cell.number] for cell in self._plan.cells]
        return [_in_form(self._lower, slot, known) for slot, known in zip(slots, self._bounds, strict=True)]


def _wide_enough(slot: Slot, known: Bounds) -> Bounds:
    """Bounds that a slot is within: the known ones, or the next wider ones."""
    if not isinstance(slot, Index) or known is None or (known[0] <= slot.low and slot.high <= known[1]):
        return known
    low, high = min(known[0], slot.low), max(known[1], slot.high)
    return next(wider for wider in _WIDER if wider[0] <= low and high <= wider[1])


def _first_plan(initial: Sequence[Lowered]) -> _Plan:
    slots = _all_slots(initial)
    return _Plan(tuple([(s.low, s.high) if isinstance(s, Index) else None for s in slots]), ())


def carry(
    lower: Lowering,
    operation: Operation,
    initial: Sequence[Lowered],
    make: Callable[[Carried], Sequence[Value]],
) -> list[Lowered]:
    """Make a loop by the first plan that it fits."""
    plan = _first_plan(initial)
    before = copied(lower.cells)
    while True:
        carried = Carried(lower, operation, initial, plan)
        try:
            with lower.builder.nested() as statements:
                results = make(carried)
        except _Replan as wanted:
            plan, lower.cells = wanted.plan, copied(before)
            continue
        for statement in statements:
            lower.builder.append(statement)
        lower.cells = before
        return carried.enter(results)


def counted_loop(
    lower: Lowering,
    operation: Operation,
    bounds: tuple[Index, Index, Index],
    initial: Sequence[Lowered],
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> list[Lowered]:
    """`for` from the first bound to below the second by the third, which is positive."""
    start, stop, step = bounds
    trips = _trips(start, stop, step)
    if trips == 0:
        return list(initial)
    if trips is not None and trips * sum(1 for _ in operation.walk()) <= MOST_WRITTEN_OUT:
        return _unrolled(lower, start, step, trips, initial, body)
    chosen = lower.chosen_cells
    cells = copied(lower.cells)
    form = _counter_form(start, stop, step)

    def make(carried: Carried) -> Sequence[Value]:
        if form is not None:
            return _word_loop(lower, bounds, form, carried, body)
        if step.is_constant and all(is_unsigned_word(one.low, one.high) for one in (start, stop)):
            return _loop_of_trips(lower, bounds, carried, body)
        return _wide_loop(lower, bounds, carried, body)

    with lower.builder.nested() as statements:
        results = carry(lower, operation, initial, make)
    if lower.chosen_cells > chosen and trips is not None and trips <= MOST_UNROLLED:
        lower.cells = cells
        return _unrolled(lower, start, step, trips, initial, body)
    for statement in statements:
        lower.builder.append(statement)
    return results


Axis = tuple[Index, Index, Index]  # from, up to, by


def nested_loops(
    lower: Lowering,
    operation: Operation,
    axes: Sequence[Axis],
    initial: Sequence[Lowered],
    body: Callable[[Sequence[Index], Sequence[Lowered]], Sequence[Lowered]],
    numbers: tuple[Index, ...] = (),
) -> Sequence[Lowered]:
    """A loop for each axis, the last one innermost; `body` takes all their numbers, and what is carried."""
    if not axes:
        return body(numbers, initial)
    first, *others = axes

    def inside(number: Index, carried: Sequence[Lowered]) -> Sequence[Lowered]:
        return nested_loops(lower, operation, others, carried, body, (*numbers, number))

    return counted_loop(lower, operation, first, initial, inside)


def _trips(start: Index, stop: Index, step: Index) -> int | None:
    if start.is_constant and stop.is_constant and step.is_constant and step.low > 0:
        return max(0, -(-(stop.low - start.low) // step.low))
    return None


def _unrolled(
    lower: Lowering,
    start: Index,
    step: Index,
    trips: int,
    initial: Sequence[Lowered],
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> list[Lowered]:
    values = list(initial)
    for trip in range(trips):
        values = list(body(lower.indices.constant(start.low + trip * step.low), values))
    return values


def _counter_form(start: Index, stop: Index, step: Index) -> tuple[int, int] | None:
    """The bounds of a counter of 32 bits, which does not wrap where it passes the end; None where it
    might."""
    last = stop.high - 1 + step.high
    if start.low >= 0 and start.high <= WORD and last <= WORD:
        return 0, WORD
    is_signed = is_signed_word(start.low, start.high) and is_signed_word(stop.low, stop.high)
    return _SIGNED if is_signed and last <= _SIGNED[1] else None


def _word_loop(
    lower: Lowering,
    bounds: tuple[Index, Index, Index],
    form: tuple[int, int],
    carried: Carried,
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> Sequence[Value]:
    builder, indices = lower.builder, lower.indices
    start, stop, step = bounds
    is_unsigned = form == (0, WORD)
    if is_unsigned and not is_unsigned_word(stop.low, stop.high):
        stop = indices.greatest(stop, indices.constant(0))
    words = [indices.word(one) for one in (start, stop, step)]
    if not is_unsigned:
        words = [builder.bit_cast(word, I32) for word in words]

    def inside(counter: Value, values: tuple[Value, ...]) -> Sequence[Value]:
        given = carried.enter(values)
        before = copied(lower.cells)
        word = counter if is_unsigned else builder.bit_cast(counter, U32)
        number = indices.of_word(word, start.low, max(start.low, stop.high - 1))
        return carried.leave(body(number, given), before)

    return builder.for_(words[0], words[1], words[2], carried.initial(), inside)


def _loop_of_trips(
    lower: Lowering,
    bounds: tuple[Index, Index, Index],
    carried: Carried,
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> Sequence[Value]:
    """The trips are counted in 32 bits, where the number itself might pass them after the last trip."""
    indices = lower.indices
    start, stop, step = bounds
    left = indices.with_bounds(indices.sub(indices.greatest(stop, start), start), 0, stop.high)
    one, zero = indices.constant(1), indices.constant(0)
    has_rest = indices.compare("ne", indices.remainder(left, step), zero)
    trips = indices.add(indices.divide(left, step), indices.select(has_rest, one, zero))

    def trip(number: Index, values: Sequence[Lowered]) -> Sequence[Lowered]:
        here = indices.add(start, indices.mul(number, step))
        return body(indices.with_bounds(here, start.low, max(start.low, stop.high - 1)), values)

    return _word_loop(lower, (zero, trips, one), (0, WORD), carried, trip)


def _wide_loop(
    lower: Lowering,
    bounds: tuple[Index, Index, Index],
    carried: Carried,
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> Sequence[Value]:
    """A counter of 64 bits, in a `while`."""
    builder, indices = lower.builder, lower.indices
    start, stop, step = bounds
    last = indices.wide(stop)
    by = indices.wide(step)

    def test(values: tuple[Value, ...]) -> Value:
        return builder.less(values[0], last)

    def inside(values: tuple[Value, ...]) -> Sequence[Value]:
        given = carried.enter(values[1:])
        before = copied(lower.cells)
        number = indices.of_wide(values[0], start.low, max(start.low, stop.high - 1))
        after = carried.leave(body(number, given), before)
        return (builder.add(values[0], by), *after)

    first = builder.convert(indices.wide(start), I64) if not start.is_constant else indices.wide(start)
    return builder.while_([first, *carried.initial()], test, inside)[1:]


def repeated(lower: Lowering, operation: Operation, initial: Sequence[Lowered], body: Body) -> list[Lowered]:
    """`body` makes the next values of the values as long as the first of them, a bool, holds; the last
    ones."""

    def make(carried: Carried) -> Sequence[Value]:
        def run(values: tuple[Value, ...]) -> Sequence[Value]:
            given = carried.enter(values)
            before = copied(lower.cells)
            return carried.leave(body(given), before)

        return lower.builder.while_(carried.initial(), lambda values: values[0], run)

    return carry(lower, operation, initial, make)


def nothing_like(lower: Lowering, value: Lowered) -> Lowered:
    """A value of the same type that nobody reads."""
    slots: list[Slot] = []
    for slot in slots_of(value):
        if isinstance(slot, Index):
            slots.append(lower.indices.constant(slot.low if slot.low > FULL[0] else 0))
        else:
            element = slot.type.element
            slots.append(lower.builder.like(0.0 if element.is_float else 0, slot))
    return rebuilt(value, slots)
