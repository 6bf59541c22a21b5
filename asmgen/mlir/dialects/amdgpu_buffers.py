"""`amdgpu`: buffer accesses with bounds checks.

A load outside of the memref gives zero. A store or an atomic operation outside of it does nothing. A vector
is inside if all of it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asmgen.ir.program import Value
from asmgen.mlir.dialects.atomics import combined_atomically, swapped_atomically
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.lanes import zero
from asmgen.mlir.lowering.context import Lowering, lane_type, rows
from asmgen.mlir.lowering.control.branches import branch
from asmgen.mlir.lowering.memory.buffers import load_from, store_to
from asmgen.mlir.lowering.values import Index, Lowered, View
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import Type
from isa.named_tuple import NamedTuple


class _Element(NamedTuple):
    """The first element of an access, and whether the access is in bounds; None if bounds are not checked."""

    view: View
    is_inside: Value | None


def _element(lower: Lowering, operation: Operation, groups: Sequence[Sequence[Ssa]], count: int) -> _Element:
    """`groups` are the memref, the indices, and the offset in an SGPR if there is any."""
    (memref,), numbers, added = groups
    view, indices = lower.view(memref), lower.indices
    if view.lanes != 1:
        raise lower.refused(operation, "MLIR053", f"{operation.name} on {memref.type}", "a memref of numbers")
    pairs = zip(numbers, view.strides, strict=True)
    place = indices.sum([indices.mul(lower.index(number), stride) for number, stride in pairs])
    place = indices.add(place, indices.constant(operation.integer("indexOffset", 0)))
    for offset in added:
        place = indices.add(place, lower.index(offset))
    inside = _is_inside(lower, view, place, count) if operation.attributes.get("boundsCheck", True) else None
    return _Element(View(view.memory, indices.add(view.offset, place), (), ()), inside)


def _is_inside(lower: Lowering, view: View, place: Index, count: int) -> Value:
    """Whether `count` elements from `place` end within the memref, that is within the largest extent of its
    dims."""
    indices = lower.indices
    records = indices.constant(1 if not view.sizes else 0)
    for number, stride in enumerate(view.strides):
        records = indices.greatest(records, indices.mul(lower.size_of(view, number), stride))
    end = indices.add(place, indices.constant(count))
    begins = relations.compare(indices, "sge", place, indices.constant(0))
    return lower.builder.logical_and(begins, relations.compare(indices, "sle", end, records))


def _count(type_: Type) -> int:
    lanes = lane_type(type_)
    return lanes.lanes if lanes is not None else 1


def load(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    type_ = operation.result.type
    wanted = lower.lane_type(type_, operation)
    at = _element(lower, operation, operation.segments(), _count(type_))
    if at.is_inside is None:
        return (load_from(lower, at.view, (), type_, operation),)
    outside = zero(lower.builder, wanted)
    return branch(
        lower,
        operation,
        at.is_inside,
        lambda: (load_from(lower, at.view, (), type_, operation),),
        lambda: (outside,),
    )


def store(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    (value,), *groups = operation.segments()
    at = _element(lower, operation, groups, _count(value.type))

    def run() -> Sequence[Lowered]:
        store_to(lower, at.view, (), lower.value(value), operation)
        return ()

    return run() if at.is_inside is None else branch(lower, operation, at.is_inside, run, None)


def _combine(kind: str, lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    (value,), *groups = operation.segments()
    at = _element(lower, operation, groups, 1)

    def run() -> Sequence[Lowered]:
        return (combined_atomically(lower, operation, at.view, (), value, kind),)

    return _guarded(lower, operation, at, run)


def swap(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`raw_buffer_atomic_cmpswap`: store the first operand if the memory has the second."""
    (value,), (expected,), *groups = operation.segments()
    at = _element(lower, operation, groups, 1)
    return _guarded(
        lower, operation, at, lambda: (swapped_atomically(lower, operation, at.view, expected, value),)
    )


def _guarded(
    lower: Lowering, operation: Operation, at: _Element, run: Callable[[], Sequence[Lowered]]
) -> Sequence[Lowered]:
    if at.is_inside is None:
        return run()
    wanted = lower.lane_type(operation.result.type, operation)
    outside = zero(lower.builder, wanted)
    return branch(lower, operation, at.is_inside, run, lambda: (outside,))


_KINDS = {"fadd": "addf", "fmax": "maxnumf", "smax": "maxs", "umin": "minu"}
ROWS = rows(
    {
        "amdgpu.raw_buffer_load": load,
        "amdgpu.raw_buffer_store": store,
        "amdgpu.raw_buffer_atomic_cmpswap": swap,
        **{f"amdgpu.raw_buffer_atomic_{name}": partial(_combine, kind) for name, kind in _KINDS.items()},
    }
)
