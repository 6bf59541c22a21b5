"""`memref`: copies of whole buffers, scopes of private memory, and what is said of buffers."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.buffers import load, store
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.counted_loops import Axis, nested_loops
from asmgen.mlir.dialects.affine import nothing
from asmgen.mlir.dialects.memref import memref_type
from asmgen.mlir.dialects.scf import execute_region
from asmgen.mlir.lowered import Index, Lowered
from asmgen.mlir.source import Operation


def copy(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Each lane copies all elements, one after the other."""
    source, target = (lower.view(operand) for operand in operation.operands)
    type_ = memref_type(operation.operands[0]).element
    zero, one = lower.indices.constant(0), lower.indices.constant(1)
    axes: list[Axis] = [(zero, lower.size_of(source, number), one) for number in range(len(source.sizes))]

    def body(numbers: Sequence[Index], _: Sequence[Lowered]) -> Sequence[Lowered]:
        store(lower, target, numbers, load(lower, source, numbers, type_, operation), operation)
        return ()

    return nested_loops(lower, operation, axes, (), body)


def distinct(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`distinct_objects`: buffers of a kernel do not overlap in any case."""
    return [lower.value(operand) for operand in operation.operands]


ROWS = rows(
    {
        "memref.alloca_scope": execute_region,
        "memref.copy": copy,
        "memref.distinct_objects": distinct,
        "memref.prefetch": nothing,
    },
    ends=("memref.alloca_scope.return",),
)
