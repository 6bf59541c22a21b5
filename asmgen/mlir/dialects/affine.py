"""`affine`: loops, branches and accesses by affine maps of indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, LaneType
from asmgen.mlir.lowering.arithmetic import quotients, relations
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.control.counted_loops import counted_loop
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.memory.buffers import load_from, store_to
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import AffineMap, Dim, Expression, IntegerSet, Operation


def evaluated(
    indices: IndexBuilder, expression: Expression, dims: Sequence[Index], symbols: Sequence[Index]
) -> Index:
    """An affine expression of numbers."""
    if isinstance(expression, int):
        return indices.constant(expression)
    if isinstance(expression, Dim):
        return symbols[expression.number] if expression.is_symbol else dims[expression.number]
    a, b = (evaluated(indices, number, dims, symbols) for number in (expression.left, expression.right))
    return _BINARY[expression.op](indices, a, b)


_BINARY: dict[str, Callable[[IndexBuilder, Index, Index], Index]] = {
    "+": IndexBuilder.add,
    "*": IndexBuilder.mul,
    "mod": quotients.floor_modulo,
    "floordiv": quotients.floor_divide,
    "ceildiv": quotients.ceil_divide,
}


def mapped(lower: Lowering, map_: AffineMap, operands: Sequence[Index]) -> list[Index]:
    """The results of a map. Its dims come first among the operands, then its symbols."""
    dims, symbols = operands[: map_.dims], operands[map_.dims :]
    return [evaluated(lower.indices, result, dims, symbols) for result in map_.results]


def _indices(lower: Lowering, operation: Operation, first: int = 0) -> list[Index]:
    return [lower.index(operand) for operand in operation.operands[first:]]


def apply(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return mapped(lower, operation.map("map"), _indices(lower, operation))


def _extreme(
    choose: Callable[[IndexBuilder, Index, Index], Index],
) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        return (_chosen(lower, mapped(lower, operation.map("map"), _indices(lower, operation)), choose),)

    return rule


def _chosen(
    lower: Lowering, numbers: Sequence[Index], choose: Callable[[IndexBuilder, Index, Index], Index]
) -> Index:
    bound = numbers[0]
    for number in numbers[1:]:
        bound = choose(lower.indices, bound, number)
    return bound


def load(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    numbers = mapped(lower, operation.map("map"), _indices(lower, operation, 1))
    return (load_from(lower, lower.view(operation.operands[0]), numbers, operation.result.type, operation),)


def store(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, buffer = operation.operands[:2]
    numbers = mapped(lower, operation.map("map"), _indices(lower, operation, 2))
    store_to(lower, lower.view(buffer), numbers, lower.value(value), operation)
    return ()


def for_(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The loop starts at the largest lower bound and ends at the least upper bound."""
    lows, highs, initial = operation.segments()
    indices = lower.indices
    starts = mapped(lower, operation.map("lowerBoundMap"), [lower.index(low) for low in lows])
    ends = mapped(lower, operation.map("upperBoundMap"), [lower.index(high) for high in highs])
    start = _chosen(lower, starts, IndexBuilder.greatest)
    stop = _chosen(lower, ends, IndexBuilder.least)
    step = indices.constant(operation.integer("step"))
    values = [lower.value(value) for value in initial]
    return counted_loop(
        lower,
        operation,
        (start, stop, step),
        values,
        lambda number, carried: lower_region(lower, operation.regions[0], (number, *carried)),
    )


def if_(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    conditions = operation.attributes["condition"]
    assert isinstance(conditions, IntegerSet)
    numbers = _indices(lower, operation)
    then, otherwise = operation.regions
    return branch(
        lower,
        operation,
        _holds(lower, conditions, numbers),
        lambda: lower_region(lower, then, ()),
        (lambda: lower_region(lower, otherwise, ())) if otherwise.blocks else None,
    )


def nothing(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A hint has no effect."""
    return ()


def _holds(lower: Lowering, conditions: IntegerSet, numbers: Sequence[Index]) -> Value:
    dims, symbols = numbers[: conditions.dims], numbers[conditions.dims :]
    zero = lower.indices.constant(0)
    all_hold: Value | None = None
    for expression, is_equality in conditions.constraints:
        number = evaluated(lower.indices, expression, dims, symbols)
        holds = relations.compare(lower.indices, "eq" if is_equality else "sge", number, zero)
        all_hold = holds if all_hold is None else lower.builder.logical_and(all_hold, holds)
    return lower.builder.constant(True, LaneType(BOOL)) if all_hold is None else all_hold


ROWS = rows(
    {
        "affine.apply": apply,
        "affine.min": _extreme(IndexBuilder.least),
        "affine.max": _extreme(IndexBuilder.greatest),
        "affine.load": load,
        "affine.store": store,
        "affine.vector_load": load,
        "affine.vector_store": store,
        "affine.prefetch": nothing,
        "affine.for": for_,
        "affine.if": if_,
    },
    ends=("affine.yield",),
)
