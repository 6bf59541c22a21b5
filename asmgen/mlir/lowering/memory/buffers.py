"""Buffers of a kernel, and loads and stores of all kinds of memory.

Private memory is in registers, with a cell for each element. An access with a constant element number uses
that cell; another access selects among the cells by comparing its number with theirs.
Private memory with too many cells is in scratch.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.lanes import as_unsigned, bits_as, lanes_of, packed, parts_of, zero
from asmgen.mlir.lowering.context import Lowering, lane_type, root_of
from asmgen.mlir.lowering.memory.retyped import read_as, write_as
from asmgen.mlir.lowering.values import Index, Kind, Lowered, Memory, Root, View
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import (
    IndexType,
    MemrefType,
    ScalarType,
    Type,
    VectorType,
    memory_element,
)
from isa.diagnostics import InputError, Place

MOST_CELLS = 128  # elements of private memory in registers
MOST_CHOSEN = 64  # elements among which an access selects
MOST_SCRATCH = 1 << 16  # bytes per buffer and lane
_READS = {
    Kind.GLOBAL: LaneBuilder.load,
    Kind.LDS: LaneBuilder.lds_load,
    Kind.SCRATCH: LaneBuilder.scratch_load,
}
_WRITES = {
    Kind.GLOBAL: LaneBuilder.store,
    Kind.LDS: LaneBuilder.lds_store,
    Kind.SCRATCH: LaneBuilder.scratch_store,
}


def scalar_of(type_: MemrefType) -> tuple[ScalarType, int]:
    """The scalar type of the elements of a memref, and the number of scalars per element."""
    if isinstance(type_.element, VectorType):
        return type_.element.element, type_.element.elements
    return type_.element, 1


def element_in_memory(type_: MemrefType, place: Place) -> tuple[ElementType, int]:
    """The element type of a memref in memory, and the number of them per element. `InputError` MLIR010 for a
    type that memory does not have."""
    scalar, lanes = scalar_of(type_)
    element = memory_element(scalar)
    if element is None:
        wanted = "an integer of 1, 8, 16, 32 or 64 bits, an index or a float"
        message = f"{type_} has elements of {scalar}, wanted {wanted}"
        raise InputError(place, "MLIR010", message)
    return element, lanes


def allocate(lower: Lowering, type_: MemrefType, ssa: Ssa, kind: Kind, root: Root | None = None) -> View:
    """A buffer in LDS or private memory, which begins at `root`, or else at the value."""
    element, lanes = element_in_memory(type_, ssa.place)
    count = type_.elements
    if count is None:
        message = f"the buffer is of type {type_}, wanted static dims"
        raise InputError(
            ssa.place, "MLIR020", message, help="LDS and private memory have their size at compile time"
        )
    elements = count * lanes
    if kind is Kind.LDS:
        root = root or ssa
        own = lower.elements.get(root, element)
        memory = in_lds(lower, own, -(-elements * element.bytes // own.bytes), ssa, root)
        view = whole_view(lower, memory, type_, lanes)
        return view._replace(narrow=element) if own.bytes > element.bytes else view
    memory = private_memory(lower, element, elements, ssa)
    view = whole_view(lower, memory, type_, lanes)
    return view._replace(narrow=element) if memory.element.bytes > element.bytes else view


def private_memory(lower: Lowering, element: ElementType, elements: int, ssa: Ssa) -> Memory:
    """Cells in registers, or a buffer in scratch. `InputError` MLIR021 if the buffer is too large for
    scratch."""
    size = elements * element.bytes
    if size > MOST_SCRATCH:
        message = f"{size} bytes of private memory in a single buffer, wanted at most {MOST_SCRATCH}"
        raise InputError(ssa.place, "MLIR021", message, help="use global memory, or a smaller buffer")
    if elements > MOST_CELLS or ssa in lower.demands.scratch:
        own = lower.elements.get(ssa, element)
        count = max(-(-size // own.bytes), 1)
        with lower.builder.origin(ssa.place, ssa.name or "private"):
            buffer = lower.builder.scratch_allocate(own, count)
        return Memory(Kind.SCRATCH, own, count, ssa.place, buffer, root=ssa)
    memory = Memory(Kind.PRIVATE, element, elements, ssa.place, None, elements, root=ssa)
    nothing = zero(lower.builder, LaneType(element))
    lower.cells[memory] = [nothing] * elements
    return memory


def in_lds(
    lower: Lowering, element: ElementType, elements: int, ssa: Ssa, root: Root | None = None
) -> Memory:
    """A buffer in LDS. `InputError` MLIR022 if the kernel uses more LDS than the target has."""
    size, most = elements * element.bytes, lower.target.target.lds_bytes
    lower.lds_bytes += -(-size // 16) * 16
    if lower.lds_bytes > most:
        message = (
            f"workgroup memory of {lower.lds_bytes} bytes with this buffer of {size}, wanted at most {most}"
        )
        raise InputError(ssa.place, "MLIR022", f"{message} on {lower.target.target.name}")
    with lower.builder.origin(ssa.place, ssa.name or "lds"):
        buffer = lower.builder.lds_allocate(element, max(elements, 1))
    return Memory(Kind.LDS, element, elements, ssa.place, buffer, root=root or ssa)


def whole_view(lower: Lowering, memory: Memory, type_: MemrefType, lanes: int) -> View:
    """A memref of static layout at the beginning of its memory."""
    constant = lower.indices.constant
    assert type_.offset is not None and None not in type_.dims and None not in type_.strides, type_
    return View(
        memory,
        constant(type_.offset * lanes),
        tuple([constant(dim) for dim in type_.dims if dim is not None]),
        tuple([constant(stride * lanes) for stride in type_.strides if stride is not None]),
        lanes,
    )


def load_from(
    lower: Lowering, view: View, indices: Sequence[Index], type_: Type, operation: Operation
) -> Lowered:
    """The element at some indices, or the vector that starts there."""
    wanted = lane_type(type_)
    count = wanted.lanes if wanted is not None else 1
    if wanted is None and not isinstance(type_, IndexType):
        wanted = lower.lane_type(type_, operation)
    if view.memory.kind is Kind.PRIVATE:
        if memory_element_of(type_).bytes != view.memory.element.bytes:
            raise lower.with_scratch(root_of(view.memory))
        value = _from_cells(lower, view, indices, count, operation)
    else:
        value = _from_buffer(lower, view, indices, memory_element_of(type_), count, operation)
    return from_memory(lower, value, type_)


def memory_element_of(type_: Type) -> ElementType:
    """The element type in memory of a number, or of the elements of a vector."""
    element = memory_element(type_.element if isinstance(type_, VectorType) else type_)
    assert element is not None, type_
    return element


def _from_buffer(
    lower: Lowering,
    view: View,
    indices: Sequence[Index],
    element: ElementType,
    count: int,
    operation: Operation,
) -> Value:
    address = lower.indices.address(view.offset, indices, view.strides)
    buffer = view.memory.buffer
    assert buffer is not None
    read, builder = _READS[view.memory.kind], lower.builder

    def some(first: int, size: int) -> Value:
        return read(builder, buffer, address, size, first * view.memory.element.bytes)

    return read_as(lower, view.memory, element, count, operation, some)


def store_to(
    lower: Lowering, view: View, indices: Sequence[Index], given: Lowered, operation: Operation
) -> None:
    """Write the element at some indices, or the vector that starts there."""
    value = lower.indices.wide(given) if isinstance(given, Index) else given
    assert isinstance(value, Value)
    if view.memory.kind is Kind.PRIVATE:
        if lanes_of(value).element.bytes != view.memory.element.bytes:
            raise lower.with_scratch(root_of(view.memory))
        _to_cells(lower, view, indices, to_memory(lower, value, view.memory.element), operation)
        return
    address = lower.indices.address(view.offset, indices, view.strides)
    buffer = view.memory.buffer
    assert buffer is not None
    write, builder = _WRITES[view.memory.kind], lower.builder

    def some(first: int, part: Value) -> None:
        write(builder, buffer, address, part, first * view.memory.element.bytes)

    write_as(lower, view.memory, value, operation, some)


def from_memory(lower: Lowering, value: Value, type_: Type) -> Lowered:
    """The lane form of a loaded value: signless integers, and an index of 64 bits."""
    if isinstance(type_, IndexType):
        return lower.indices.of_wide(value)
    element = memory_element_of(type_)
    is_same = lanes_of(value).element.kind is element.kind
    return as_unsigned(lower.builder, value if is_same else lower.builder.bit_cast(value, element))


def to_memory(lower: Lowering, given: Lowered, element: ElementType) -> Value:
    """The value to store, in the element type of the memory."""
    if isinstance(given, Index):
        wide = lower.indices.wide(given)
        return bits_as(lower.builder, wide, element)
    assert isinstance(given, Value)
    return bits_as(lower.builder, given, element)


# Private cells


def _number(lower: Lowering, view: View, indices: Sequence[Index]) -> Index:
    """The number of the first cell."""
    products = [lower.indices.mul(i, stride) for i, stride in zip(indices, view.strides, strict=True)]
    return lower.indices.sum([view.offset, *products])


def _check_inside(lower: Lowering, view: View, number: Index, count: int, operation: Operation) -> None:
    if number.is_constant and not 0 <= number.low <= view.memory.cells - count:
        message = f"element {number.low} of private memory, wanted an element of its {view.memory.cells}"
        raise InputError(
            operation.place, "MLIR023", message, (f"the memory is allocated at {view.memory.place}",)
        )
    if not number.is_constant and view.memory.cells > MOST_CHOSEN:
        raise lower.with_scratch(root_of(view.memory))


def _from_cells(
    lower: Lowering, view: View, indices: Sequence[Index], count: int, operation: Operation
) -> Value:
    number = _number(lower, view, indices)
    _check_inside(lower, view, number, count, operation)
    cells = lower.cells[view.memory]
    if number.is_constant:
        parts = cells[number.low : number.low + count]
        return packed(lower.builder, parts)
    lower.chosen_cells += 1
    last = view.memory.cells - count + 1
    parts = [chosen_part(lower, cells[i : i + last], number) for i in range(count)]
    return packed(lower.builder, parts)


def chosen_part(lower: Lowering, parts: Sequence[Value], number: Index) -> Value:
    """The part with a number that is known only at run time."""
    value = parts[0]
    for position, part in enumerate(parts[1:], 1):
        here = relations.compare(lower.indices, "eq", number, lower.indices.constant(position))
        value = lower.builder.where(here, part, value)
    return value


def _to_cells(
    lower: Lowering, view: View, indices: Sequence[Index], value: Value, operation: Operation
) -> None:
    number, count = _number(lower, view, indices), lanes_of(value).lanes
    _check_inside(lower, view, number, count, operation)
    parts = parts_of(lower.builder, value)
    cells = list(lower.cells[view.memory])
    if number.is_constant:
        cells[number.low : number.low + count] = parts
    else:
        lower.chosen_cells += 1
        for position in range(len(cells)):
            for i, part in enumerate(parts):
                here = relations.compare(lower.indices, "eq", number, lower.indices.constant(position - i))
                cells[position] = lower.builder.where(here, part, cells[position])
    lower.cells[view.memory] = cells
