"""Counted loops. Short loops are unrolled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.index.interval import I32_BOUNDS, U32_BOUNDS, WORD, Interval
from asmgen.ir.program import Value
from asmgen.ir.types import I32, I64, U32
from asmgen.mlir.lowering.arithmetic import quotients, relations
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.control.carried import Carried, carry
from asmgen.mlir.lowering.control.slots import (
    copied,
)
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation

MOST_WRITTEN_OUT = 256  # operations of all trips of an unrolled loop with constant bounds

MOST_IN_ALL = 2048  # the same, counting the trips of unrolled loops around it

MOST_UNROLLED = 64  # trips of a loop that is unrolled to keep private memory in registers


def counted_loop(
    lower: Lowering,
    operation: Operation,
    bounds: tuple[Index, Index, Index],
    initial: Sequence[Lowered],
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> list[Lowered]:
    """`for` from the first bound up to the second, by a positive step."""
    start, stop, step = bounds
    if step.is_constant and step.low <= 0:
        raise lower.refused(
            operation, "MLIR043", f"{operation.name} has the step {step.low}", "a step of at least 1"
        )
    trips = _trips(start, stop, step)
    if trips == 0:
        return list(initial)
    size = (trips or 0) * sum(1 for _ in operation.walk())
    writable = 0 if trips is None or lower.copies * size > MOST_IN_ALL else trips
    if writable and size <= MOST_WRITTEN_OUT:
        return _unrolled(lower, start, step, writable, initial, body)
    chosen = lower.chosen_cells
    cells = copied(lower.cells)
    form = _counter_form(start, stop, step)

    def make(carried: Carried) -> Sequence[Value]:
        if form is not None:
            return _word_loop(lower, bounds, form, carried, body)
        if step.is_constant and all(number.is_u32 for number in (start, stop)):
            return _loop_of_trips(lower, bounds, carried, body)
        return _wide_loop(lower, bounds, carried, body)

    with lower.builder.nested() as statements:
        results = carry(lower, operation, initial, make)
    if lower.chosen_cells > chosen and 0 < writable <= MOST_UNROLLED:
        lower.cells = cells
        return _unrolled(lower, start, step, writable, initial, body)
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
    """A loop for each axis, the last innermost. `body` takes the numbers of all axes and the carried
    values."""
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
    around = lower.copies
    lower.copies *= trips
    for trip in range(trips):
        values = list(body(lower.indices.constant(start.low + trip * step.low), values))
    lower.copies = around
    return values


def _counter_form(start: Index, stop: Index, step: Index) -> Interval | None:
    """The bounds of a 32-bit counter that does not wrap after the last trip; None if it may wrap."""
    last = stop.high - 1 + step.high
    if start.low >= 0 and start.high <= WORD and last <= WORD:
        return U32_BOUNDS
    is_signed = start.is_i32 and stop.is_i32
    return I32_BOUNDS if is_signed and last <= I32_BOUNDS.high else None


def _word_loop(
    lower: Lowering,
    bounds: tuple[Index, Index, Index],
    form: Interval,
    carried: Carried,
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> Sequence[Value]:
    builder, indices = lower.builder, lower.indices
    start, stop, step = bounds
    is_unsigned = form == U32_BOUNDS
    if is_unsigned and not stop.is_u32:
        stop = indices.greatest(stop, indices.constant(0))
    words = [indices.word(bound) for bound in (start, stop, step)]
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
    """Count the trips in 32 bits, if the number itself may exceed 32 bits after the last trip."""
    indices = lower.indices
    start, stop, step = bounds
    left = indices.with_bounds(indices.sub(indices.greatest(stop, start), start), 0, stop.high)
    one, zero = indices.constant(1), indices.constant(0)
    has_rest = relations.compare(indices, "ne", quotients.remainder(indices, left, step), zero)
    trips = indices.add(quotients.divide(indices, left, step), indices.select(has_rest, one, zero))

    def trip(number: Index, values: Sequence[Lowered]) -> Sequence[Lowered]:
        here = indices.add(start, indices.mul(number, step))
        return body(indices.with_bounds(here, start.low, max(start.low, stop.high - 1)), values)

    return _word_loop(lower, (zero, trips, one), U32_BOUNDS, carried, trip)


def _wide_loop(
    lower: Lowering,
    bounds: tuple[Index, Index, Index],
    carried: Carried,
    body: Callable[[Index, Sequence[Lowered]], Sequence[Lowered]],
) -> Sequence[Value]:
    """A 64-bit counter, in a `while`."""
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
