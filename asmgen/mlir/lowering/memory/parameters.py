"""The arguments of a kernel as `@param`s.

A number is passed by value. A memref is passed as a *bare* pointer if its type has static strides and a
static offset, and the kernel does not read a dynamic size. Otherwise it is passed as MLIR's descriptor, field
by field: the allocated and the aligned pointer, the offset, the sizes and the strides.

    %x: memref<?xf32>                     x
    %y: memref<?x?xf32>                   y_allocated, y, y_offset, y_size0, y_size1, y_stride0, y_stride1
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph import ops as graph
from asmgen.index.interval import WORD
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, I64, ElementType, LaneType, ValueType, tensor
from asmgen.lanewise.result_types import MAX_LANES
from asmgen.mlir.kernels import argument_name
from asmgen.mlir.lowering.context import Lowering
from asmgen.mlir.lowering.memory.buffers import element_in_memory, from_memory, whole_view
from asmgen.mlir.lowering.memory.retyped import BYTE
from asmgen.mlir.lowering.values import Index, Kind, Lowered, Memory, Pointer, View
from asmgen.mlir.source import Ssa
from asmgen.mlir.types import (
    MemrefType,
    PointerType,
    Space,
    VectorType,
    memory_element,
)
from isa.diagnostics import InputError

MOST_BYTES = 1 << 32  # of a buffer of dynamic size


def declare(lower: Lowering, arguments: Sequence[Ssa]) -> list[Lowered]:
    """A `@param` for each argument, or several for a descriptor."""
    return [_declared(lower, ssa, number) for number, ssa in enumerate(arguments)]


def _declared(lower: Lowering, ssa: Ssa, number: int) -> Lowered:
    name, type_ = argument_name(ssa, number), ssa.type
    if isinstance(type_, MemrefType):
        return _memref(lower, ssa, type_, name, ssa in lower.demands.described or not type_.has_static_layout)
    if isinstance(type_, PointerType) and type_.space is Space.GLOBAL:
        return _pointer(lower, ssa, name)
    scalar, lanes = (type_.element, type_.elements) if isinstance(type_, VectorType) else (type_, 1)
    element = memory_element(scalar)
    if element is None or not 1 <= lanes <= MAX_LANES or (lanes > 1 and element is BOOL):
        wanted = (
            f"an index, i1, i8, i16, i32, i64, a float, a vector of up to {MAX_LANES} of these but i1, "
            "a memref, !llvm.ptr or !llvm.ptr<1>"
        )
        raise InputError(ssa.place, "MLIR010", f"argument {name} is {type_}, wanted {wanted}")
    return from_memory(lower, _parameter(lower, ssa, name, LaneType(element, lanes)), type_)


def _parameter(lower: Lowering, ssa: Ssa, name: str, type_: ValueType) -> Value:
    value = Value(lower.builder.fresh(name), type_)
    statement = Statement(graph.PARAM, (), (value,), {"name": name}, (), ssa.place)
    lower.builder.append(statement)
    return value


def _memref(lower: Lowering, ssa: Ssa, type_: MemrefType, name: str, is_described: bool) -> View:
    if type_.space is not Space.GLOBAL:
        message = f"argument {name} is in {type_.space.name.lower()} memory, wanted global memory"
        help = "workgroup memory is an attribution: workgroup(%x: memref<...>) after the arguments"
        raise InputError(ssa.place, "MLIR010", message, help=help)
    declared, lanes = element_in_memory(type_, ssa.place)
    element = lower.elements.get(ssa, declared)
    if is_described:
        _ = _parameter(lower, ssa, f"{name}_allocated", _buffer(element, 1))
    most = MOST_BYTES // element.bytes
    count = None if type_.elements is None else -(-type_.elements * lanes * declared.bytes // element.bytes)
    buffer = _parameter(lower, ssa, name, _buffer(element, most if count is None or is_described else count))
    memory = Memory(Kind.GLOBAL, element, count, ssa.place, buffer, argument=ssa, root=ssa)
    view = _view(lower, ssa, memory, type_, name, lanes, is_described)
    return view._replace(narrow=declared) if element.bytes > declared.bytes else view


def _pointer(lower: Lowering, ssa: Ssa, name: str) -> Pointer:
    """A pointer. The accesses determine the elements of its memory."""
    element = lower.elements.get(ssa, BYTE)
    buffer = _parameter(lower, ssa, name, _buffer(element, MOST_BYTES // element.bytes))
    undecided = ssa not in lower.elements
    memory = Memory(
        Kind.GLOBAL, element, None, ssa.place, buffer, argument=ssa, root=ssa, is_undecided=undecided
    )
    return Pointer(memory, lower.indices.constant(0), lower.indices.constant(0))


def _view(
    lower: Lowering, ssa: Ssa, memory: Memory, type_: MemrefType, name: str, lanes: int, is_described: bool
) -> View:
    if not is_described:
        return _bare(lower, memory, type_, lanes)
    return _described(lower, ssa, memory, type_, name, lanes)


def _buffer(element: ElementType, elements: int) -> ValueType:
    return tensor(element, (max(elements, 1),))


def _bare(lower: Lowering, memory: Memory, type_: MemrefType, lanes: int) -> View:
    """A memref passed as a pointer. If the kernel reads a dynamic size, `Lowering.size_of` asks for a
    descriptor."""
    known = tuple([0 if dim is None else dim for dim in type_.dims])
    static = MemrefType(known, type_.element, type_.strides, type_.offset, type_.space, type_.text)
    view = whole_view(lower, memory, static, lanes)
    return view._replace(unknown=tuple([dim is None for dim in type_.dims]))


def _described(lower: Lowering, ssa: Ssa, memory: Memory, type_: MemrefType, name: str, lanes: int) -> View:
    most = min(MOST_BYTES // memory.element.bytes // lanes, WORD)
    indices = lower.indices

    def field(suffix: str, static: int | None, is_size: bool = False) -> Index:
        value = _parameter(lower, ssa, f"{name}_{suffix}", LaneType(I64))
        if static is not None:
            return indices.constant(static)
        number = indices.of_wide(value)
        return indices.with_bounds(number, 0, most) if is_size else number

    by = indices.constant(lanes)
    offset = field("offset", type_.offset)
    sizes = tuple([field(f"size{i}", dim, is_size=True) for i, dim in enumerate(type_.dims)])
    strides = tuple([indices.mul(field(f"stride{i}", stride), by) for i, stride in enumerate(type_.strides)])
    return View(memory, indices.mul(offset, by), sizes, strides, lanes)
