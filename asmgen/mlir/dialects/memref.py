"""`memref`: loads, stores, allocations, copies and subviews."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.dialects.affine import nothing
from asmgen.mlir.dialects.scf import execute_region
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.control.counted_loops import Axis, nested_loops
from asmgen.mlir.lowering.memory.buffers import allocate, load_from, store_to
from asmgen.mlir.lowering.values import Index, Kind, Lowered, View
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import Space


def load(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    buffer, *indices = operation.operands
    numbers = [lower.index(index) for index in indices]
    return (load_from(lower, lower.view(buffer), numbers, operation.result.type, operation),)


def store(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, buffer, *indices = operation.operands
    numbers = [lower.index(index) for index in indices]
    store_to(lower, lower.view(buffer), numbers, lower.value(value), operation)
    return ()


def alloca(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Memory of each work-item; in address space 3, of the workgroup."""
    if operation.operands:
        raise lower.refused(operation, "MLIR020", "the buffer has dynamic dims", "static dims")
    type_ = operation.result.memref
    if type_.space is Space.WORKGROUP:
        view = lower.values.get(operation.result)  # allocated at the kernel's start
        if view is None:
            raise lower.refused(
                operation,
                "MLIR026",
                "workgroup memory allocated in a function",
                "the allocation in the kernel",
            )
        return (view,)
    return (allocate(lower, type_, operation.result, Kind.PRIVATE),)


def dim(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    number = lower.index(operation.operands[1])
    view = lower.view(operation.operands[0])
    if not number.is_constant:
        result = lower.size_of(view, 0)
        for position in range(1, len(view.sizes)):
            size = lower.size_of(view, position)
            here = relations.compare(lower.indices, "eq", number, lower.indices.constant(position))
            result = lower.indices.select(here, size, result)
        return (result,)
    if not 0 <= number.low < len(view.sizes):
        raise lower.refused(
            operation,
            "MLIR025",
            f"dim {number.low} of a memref of {len(view.sizes)} dims",
            f"0 to {len(view.sizes) - 1}",
        )
    return (lower.size_of(view, number.low),)


def same(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`cast` and `memory_space_cast`: the memref itself."""
    return (lower.value(operation.operands[0]),)


def _groups(
    operation: Operation,
) -> tuple[list[tuple[Ssa, ...]], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The operands of a view, and its static offsets, sizes and strides."""
    offsets, sizes, strides = (
        operation.integers(f"static_{name}") for name in ("offsets", "sizes", "strides")
    )
    return operation.segments(), offsets, sizes, strides


def subview(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    groups, offsets, sizes, strides = _groups(operation)
    view = lower.view(operation.operands[0])
    indices = lower.indices
    starts = lower.indices_of(offsets, groups[1])
    steps = lower.indices_of(strides, groups[3])
    extents = lower.indices_of(sizes, groups[2])
    whole = [indices.mul(step, stride) for step, stride in zip(steps, view.strides, strict=True)]
    moved = [indices.mul(start, stride) for start, stride in zip(starts, view.strides, strict=True)]
    offset = indices.sum([view.offset, *moved])
    kept = _kept_dims(sizes, operation.result.memref.dims)
    return (
        View(view.memory, offset, tuple(extents[i] for i in kept), tuple(whole[i] for i in kept), view.lanes),
    )


def _kept_dims(sizes: Sequence[int], dims: Sequence[int | None]) -> list[int]:
    """The dims of a subview that remain in its result. Dims of size 1 may be dropped."""
    kept: list[int] = []
    missing = len(sizes) - len(dims)
    for position, size in enumerate(sizes):
        left = dims[len(kept)] if len(kept) < len(dims) else None
        if missing and size == 1 and (left != 1 or len(kept) == len(dims)):
            missing -= 1
            continue
        kept.append(position)
    return kept


def reinterpret_cast(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    groups, offsets, sizes, strides = _groups(operation)
    view = lower.view(operation.operands[0])
    lanes = lower.indices.constant(view.lanes)
    (offset,) = lower.indices_of(offsets, groups[1])
    extents = lower.indices_of(sizes, groups[2])
    steps = [lower.indices.mul(step, lanes) for step in lower.indices_of(strides, groups[3])]
    return (View(view.memory, lower.indices.mul(offset, lanes), tuple(extents), tuple(steps), view.lanes),)


def copy(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Each lane copies all elements in order."""
    source, target = (lower.view(operand) for operand in operation.operands)
    type_ = operation.operands[0].memref.element
    zero, one = lower.indices.constant(0), lower.indices.constant(1)
    axes: list[Axis] = [(zero, lower.size_of(source, number), one) for number in range(len(source.sizes))]

    def body(numbers: Sequence[Index], _: Sequence[Lowered]) -> Sequence[Lowered]:
        store_to(lower, target, numbers, load_from(lower, source, numbers, type_, operation), operation)
        return ()

    return nested_loops(lower, operation, axes, (), body)


def distinct(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`distinct_objects`: the buffers of a kernel never overlap."""
    return [lower.value(operand) for operand in operation.operands]


ROWS = rows(
    {
        "memref.load": load,
        "memref.store": store,
        "memref.alloca": alloca,
        "memref.dim": dim,
        "memref.cast": same,
        "memref.memory_space_cast": same,
        "memref.subview": subview,
        "memref.reinterpret_cast": reinterpret_cast,
        "memref.alloca_scope": execute_region,
        "memref.copy": copy,
        "memref.distinct_objects": distinct,
        "memref.prefetch": nothing,
    },
    ends=("memref.alloca_scope.return",),
)
