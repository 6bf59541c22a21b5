"""`memref.view`: bytes as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir import quotients
from asmgen.mlir.buffers import element_in_memory
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.dialects.memref import memref_type
from asmgen.mlir.lowered import Index, Kind, Lowered, View
from asmgen.mlir.source import Operation
from asmgen.mlir.units import need_element, settled


def view(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Packed dims from a byte on. The memory has the elements of the narrowest of its views."""
    source = lower.value(operation.operands[0])
    assert isinstance(source, View), source
    memory, indices = source.memory, lower.indices
    type_ = memref_type(operation.result)
    element, lanes = element_in_memory(type_, operation.place)
    if memory.kind is Kind.PRIVATE and memory.root is not None:
        raise lower.with_scratch(memory.root)
    if memory.root is not None and memory.root not in lower.elements:
        need_element(lower, memory, element, operation)
    settled(lower, memory, element, operation)
    own = memory.element.bytes
    shift = lower.index(operation.operands[1])
    if shift.is_constant and shift.low % own:
        need_element(lower, memory, source.narrow or memory.element, operation)
    ratio = lanes * element.bytes // own
    dynamic = iter(operation.operands[2:])
    sizes = [lower.index(next(dynamic)) if dim is None else indices.constant(dim) for dim in type_.dims]
    strides: list[Index] = []
    packed = indices.constant(ratio)
    for size in reversed(sizes):
        strides.insert(0, packed)
        packed = indices.mul(packed, size)
    offset = quotients.divide(indices, indices.add(source.offset, shift), indices.constant(own))
    return (View(memory, offset, tuple(sizes), tuple(strides), ratio),)


ROWS = rows({"memref.view": view})
