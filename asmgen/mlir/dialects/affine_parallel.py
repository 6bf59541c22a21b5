"""`affine`: parallel loops, and indices of several digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from asmgen.ir.program import Value
from asmgen.mlir.dialects.affine import mapped
from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.arithmetic.combine import COMBINED_BY_KIND, combiner
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.context import Lowering, lane_type, rows
from asmgen.mlir.lowering.control.counted_loops import Axis, nested_loops
from asmgen.mlir.lowering.control.regions import lower_region
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import AffineMap, Operation, Ssa


def parallel(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Nested loops: each lane runs the whole space and combines the results of the trips."""
    lows, highs = (operation.map(name) for name in ("lowerBoundsMap", "upperBoundsMap"))
    split = lows.dims + lows.symbols
    starts = _bounds(lower, operation, lows, operation.operands[:split], "lower", IndexBuilder.greatest)
    stops = _bounds(lower, operation, highs, operation.operands[split:], "upper", IndexBuilder.least)
    steps = [lower.indices.constant(number) for number in operation.integers("steps")]
    axes: list[Axis] = list(zip(starts, stops, steps, strict=True))
    kinds = [str(kind) for kind in _tuple(operation, "reductions")]

    def body(numbers: Sequence[Index], carried: Sequence[Lowered]) -> Sequence[Lowered]:
        results = lower_region(lower, operation.regions[0], numbers)
        return [_combined(lower, operation, *triple) for triple in zip(kinds, carried, results, strict=True)]

    initial = [_neutral(lower, operation, *pair) for pair in zip(kinds, operation.results, strict=True)]
    return nested_loops(lower, operation, axes, initial, body)


def _tuple(operation: Operation, name: str) -> tuple[object, ...]:
    value = operation.attributes[name]
    assert isinstance(value, tuple), value
    return value


def _bounds(
    lower: Lowering,
    operation: Operation,
    map_: AffineMap,
    operands: Sequence[Ssa],
    which: str,
    choose: Callable[[IndexBuilder, Index, Index], Index],
) -> list[Index]:
    """A bound for each axis. An axis takes as many results of the map as its group has."""
    numbers = iter(mapped(lower, map_, [lower.index(operand) for operand in operands]))
    groups = operation.integers(f"{which}BoundsGroups")
    sizes = (
        groups
        if len(groups) == len(operation.integers("steps"))
        else groups * len(operation.integers("steps"))
    )
    bounds: list[Index] = []
    for size in sizes:
        bound = next(numbers)
        for _ in range(size - 1):
            bound = choose(lower.indices, bound, next(numbers))
        bounds.append(bound)
    return bounds


def _combined(lower: Lowering, operation: Operation, kind: str, a: Lowered, b: Lowered) -> Lowered:
    combine = combiner(lower.builder, COMBINED_BY_KIND.get(kind, kind))
    if combine is None or not isinstance(a, Value) or not isinstance(b, Value):
        raise lower.refused(
            operation, "MLIR051", f"a reduction by {kind} of {operation.result.type}", "numbers of lanes"
        )
    return combine(a, b)


def _neutral(lower: Lowering, operation: Operation, kind: str, result: Ssa) -> Value:
    """The identity element of a reduction."""
    type_ = lane_type(result.type)
    if type_ is None or kind not in _NEUTRAL:
        raise lower.refused(
            operation, "MLIR051", f"a reduction by {kind} of {result.type}", "numbers of lanes"
        )
    number = _NEUTRAL[kind](type_.element.bits)
    return lower.builder.constant(float(number) if type_.element.is_float else int(number), type_)


# By the bits of the type; integers have no sign.
_NEUTRAL: dict[str, Callable[[int], float]] = {
    "addf": lambda bits: -0.0,
    "addi": lambda bits: 0,
    "mulf": lambda bits: 1.0,
    "muli": lambda bits: 1,
    "maximumf": lambda bits: -math.inf,
    "maxnumf": lambda bits: -math.inf,
    "minimumf": lambda bits: math.inf,
    "minnumf": lambda bits: math.inf,
    "maxs": lambda bits: 1 << (bits - 1),
    "mins": lambda bits: (1 << (bits - 1)) - 1,
    "maxu": lambda bits: 0,
    "minu": lambda bits: (1 << bits) - 1,
    "andi": lambda bits: (1 << bits) - 1,
    "ori": lambda bits: 0,
    "xori": lambda bits: 0,
}


def delinearize(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The digits of a number. All but the first are below the sizes of the basis."""
    indices = lower.indices
    number = lower.index(operation.operands[0])
    sizes = lower.indices_of(operation.integers("static_basis"), operation.operands[1:])[::-1]
    digits: list[Index] = []
    for size in sizes[: len(operation.results) - 1]:
        digits.append(quotients.floor_modulo(indices, number, size))
        number = quotients.floor_divide(indices, number, size)
    return [number, *reversed(digits)]


def linearize(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The number with these digits. The size of the first digit has no effect."""
    indices = lower.indices
    given, dynamic = operation.segments()
    digits = [lower.index(operand) for operand in given]
    sizes = lower.indices_of(operation.integers("static_basis"), dynamic)[::-1]
    number, weight = indices.constant(0), indices.constant(1)
    for position, digit in enumerate(reversed(digits)):
        number = indices.add(number, indices.mul(digit, weight))
        if position < len(digits) - 1:
            weight = indices.mul(weight, sizes[position])
    return (number,)


ROWS = rows(
    {
        "affine.parallel": parallel,
        "affine.delinearize_index": delinearize,
        "affine.linearize_index": linearize,
    }
)
