"""`scf`: structured branches and loops, and the ops of `cf` that end blocks."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.lanes import integer_of_index
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.control.counted_loops import Axis, counted_loop, nested_loops
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.control.while_loops import tested_loop
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation, Region
from asmgen.mlir.types import IndexType


def if_(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    condition = lower.lane(operation.operands[0])
    then, otherwise = operation.regions
    return branch(
        lower,
        operation,
        condition,
        lambda: lower_region(lower, then, ()),
        (lambda: lower_region(lower, otherwise, ())) if otherwise.blocks else None,
    )


def for_(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    start, stop, step = (lower.index(operand) for operand in operation.operands[:3])
    step = lower.indices.with_bounds(step, 1, step.high)
    counter = operation.body.arguments[0].type

    def body(number: Index, values: Sequence[Lowered]) -> Sequence[Lowered]:
        given: Lowered = number
        if not isinstance(counter, IndexType):
            given = integer_of_index(lower.indices, number, lower.lane_type(counter, operation).element)
        return lower_region(lower, operation.regions[0], (given, *values))

    initial = [lower.value(operand) for operand in operation.operands[3:]]
    return counted_loop(lower, operation, (start, stop, step), initial, body)


def parallel(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Nested loops: each lane runs the whole space. The regions of the final `scf.reduce` combine the result
    of a trip with the carried values."""
    starts, stops, steps, initial = operation.segments()
    axes: list[Axis] = []
    for start, stop, step in zip(starts, stops, steps, strict=True):
        by = lower.index(step)
        axes.append((lower.index(start), lower.index(stop), lower.indices.with_bounds(by, 1, by.high)))
    reductions = operation.body.terminator.regions

    def body(numbers: Sequence[Index], carried: Sequence[Lowered]) -> Sequence[Lowered]:
        results = lower_region(lower, operation.regions[0], numbers)
        return [
            lower_region(lower, region, (before, value))[0]
            for region, before, value in zip(reductions, carried, results, strict=True)
        ]

    return nested_loops(lower, operation, axes, [lower.value(operand) for operand in initial], body)


def while_(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return tested_loop(lower, operation, [lower.value(operand) for operand in operation.operands])


def index_switch(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The region of the matching case, else the default."""
    number = lower.index(operation.operands[0])
    default, *cases = operation.regions
    return _switch(
        lower, operation, number, list(zip(operation.integers("cases"), cases, strict=True)), default
    )


def _switch(
    lower: Lowering, operation: Operation, number: Index, cases: list[tuple[int, Region]], default: Region
) -> Sequence[Lowered]:
    if not cases:
        return lower_region(lower, default, ())
    (case, region), *others = cases
    is_this = relations.compare(lower.indices, "eq", number, lower.indices.constant(case))
    return branch(
        lower,
        operation,
        is_this,
        lambda: lower_region(lower, region, ()),
        lambda: _switch(lower, operation, number, others, default),
    )


def execute_region(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return lower_region(lower, operation.regions[0], ())


ROWS = rows(
    {
        "scf.if": if_,
        "scf.for": for_,
        "scf.parallel": parallel,
        "scf.while": while_,
        "scf.index_switch": index_switch,
        "scf.execute_region": execute_region,
    },
    ends=(
        "scf.yield",
        "scf.condition",
        "scf.reduce",
        "scf.reduce.return",
        "cf.br",
        "cf.cond_br",
        "cf.switch",
    ),
)
