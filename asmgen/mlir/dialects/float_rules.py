"""Rules for functions of floats. Floats narrower than f32 are computed in f32 and rounded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.ir.program import Op, Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic.lanes import Function, computed
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation


def of_floats(function: Function) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of an op with operands and a result of the same float type."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        _ = lower.lane_type(operation.results[0].type, operation)
        given = [lower.lane(operand) for operand in operation.operands]
        return (computed(lower.builder, function, *given),)

    return rule


def of_op(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of an op that lanewise has for f32 and f64."""

    def function(builder: LaneBuilder, *operands: Value) -> Value:
        return builder.value(op, *operands)

    return of_floats(function)
