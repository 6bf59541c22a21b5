"""`llvm`: pointers, accesses through them, and structs and arrays as values."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.arithmetic.lanes import zero
from asmgen.mlir.lowering.context import Lowering, lane_type, rows
from asmgen.mlir.lowering.memory.buffers import in_lds, load_from, private_memory, store_to
from asmgen.mlir.lowering.memory.retyped import BYTE, need_element
from asmgen.mlir.lowering.values import Aggregate, Index, Lowered, Memory, Pointer, View
from asmgen.mlir.source import Operation, Ssa
from asmgen.mlir.types import ArrayType, StructType, Type, VectorType, field_offset, memory_element, size_of

_DYNAMIC = -(1 << 31)  # marks an index of a getelementptr that is an operand


def _begin(lower: Lowering, memory: Memory) -> Pointer:
    return Pointer(memory, lower.indices.constant(0), lower.indices.constant(0))


def view_at(lower: Lowering, pointer: Pointer, operation: Operation) -> View:
    """The element that a pointer points to, as a memref without dims."""
    memory, indices, size = pointer.memory, lower.indices, pointer.memory.element.bytes
    if pointer.bytes.is_constant and pointer.bytes.low % size:
        need_element(lower, memory, BYTE, operation)
    moved = quotients.floor_divide(indices, pointer.bytes, indices.constant(size))
    return View(memory, indices.add(pointer.offset, moved), (), ())


def load(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    _check_plain(lower, operation)
    view = view_at(lower, lower.pointer(operation.operands[0]), operation)
    type_ = operation.result.type
    _ = lower.lane_type(type_, operation)
    return (load_from(lower, view, (), type_, operation),)


def store(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    _check_plain(lower, operation)
    value, pointer = operation.operands
    _ = lower.lane_type(value.type, operation)
    view = view_at(lower, lower.pointer(pointer), operation)
    store_to(lower, view, (), lower.value(value), operation)
    return ()


def _check_plain(lower: Lowering, operation: Operation) -> None:
    if operation.attributes.get("ordering", 0) or "volatile_" in operation.attributes:
        got = f"{operation.name} that is atomic or volatile"
        raise lower.refused(operation, "MLIR046", got, "a plain access", "llvm.atomicrmw is atomic")


def element_pointer(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`getelementptr`: the first index moves by whole elements, the others go into the element."""
    pointer = lower.pointer(operation.operands[0])
    dynamic = iter(operation.operands[1:])
    type_ = operation.attributes["elem_type"]
    for position, constant in enumerate(operation.integers("rawConstantIndices")):
        number = lower.indices.constant(constant) if constant != _DYNAMIC else lower.index(next(dynamic))
        if position == 0:
            pointer = _moved(lower, pointer, number, size_of(_type(type_)), operation)
        else:
            pointer, type_ = _into(lower, pointer, number, _type(type_), operation)
    return (pointer,)


def _type(given: object) -> Type:
    assert isinstance(given, Type), given
    return given


def _into(
    lower: Lowering, pointer: Pointer, number: Index, type_: Type, operation: Operation
) -> tuple[Pointer, Type]:
    """A pointer to a part of an array, a struct or a vector, and the type of the part."""
    if isinstance(type_, StructType) and number.is_constant:
        place = field_offset(type_, number.low)
        one = lower.indices.constant(1)
        return _moved(lower, pointer, one, place, operation), type_.fields[number.low]
    if not isinstance(type_, ArrayType | VectorType):
        raise lower.refused(
            operation, "MLIR046", f"an index into {type_}", "an index into an array or a struct"
        )
    return _moved(lower, pointer, number, size_of(type_.element), operation), type_.element


def _moved(
    lower: Lowering, pointer: Pointer, number: Index, size: int | None, operation: Operation
) -> Pointer:
    """A pointer moved by `number` times `size` bytes. The offset counts elements of the memory if `size` is a
    multiple of them."""
    if size is None:
        got = f"{operation.name} by {operation.attributes['elem_type']}"
        raise lower.refused(operation, "MLIR046", got, "a type that has a size")
    indices, own = lower.indices, pointer.memory.element.bytes
    if size % own == 0:
        by = indices.mul(number, indices.constant(size // own))
        return pointer._replace(offset=indices.add(pointer.offset, by))
    by = indices.mul(number, indices.constant(size))
    return pointer._replace(bytes=indices.add(pointer.bytes, by))


def alloca(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Private memory of a constant number of elements."""
    number = lower.index(operation.operands[0])
    type_ = operation.attributes["elem_type"]
    count, element = _flat(_type(type_))
    scalar = memory_element(element)
    if scalar is None or not number.is_constant:
        raise lower.refused(
            operation, "MLIR020", f"private memory of {type_}", "a constant number of elements"
        )
    return (_begin(lower, private_memory(lower, scalar, count * number.low, operation.result)),)


def _flat(type_: Type) -> tuple[int, Type]:
    """The number of scalars of an array or a vector, and their type."""
    if isinstance(type_, ArrayType | VectorType):
        count, element = _flat(type_.element)
        return count * (type_.count if isinstance(type_, ArrayType) else type_.elements), element
    return 1, type_


def allocate_global(lower: Lowering, operation: Operation) -> Pointer:
    """The LDS of an `llvm.mlir.global`."""
    type_ = operation.attributes["global_type"]
    ssa = Ssa(_type(type_), operation.text("sym_name"), operation.place)
    size = size_of(_type(type_))
    if not size:
        raise lower.refused(
            operation, "MLIR020", f"workgroup memory of type {type_}", "a type that has a size"
        )
    element = lower.elements.get(operation, BYTE)
    memory = in_lds(lower, element, -(-size // element.bytes), ssa, operation)
    memory.is_undecided = operation not in lower.elements
    return _begin(lower, memory)


def address_of(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    symbol = operation.symbol("global_name")
    pointer = lower.globals.get(symbol.path[-1])
    if not isinstance(pointer, Pointer):
        raise lower.refused(operation, "MLIR026", f"{symbol} is not in workgroup memory", "a global that is")
    return (pointer,)


def same(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The operand itself."""
    return (lower.value(operation.operands[0]),)


# Structs and arrays as values


def undefined(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`undef`, `poison` and `zero`: numbers are zero."""
    type_ = operation.result.type
    lanes = lane_type(type_)
    if lanes is not None:
        return (zero(lower.builder, lanes),)
    if not isinstance(type_, StructType | ArrayType):
        raise lower.refused(operation, "MLIR010", f"{operation.name} of {type_}", "a number or a struct")
    return (_empty(type_),)


def _empty(type_: StructType | ArrayType) -> Aggregate:
    types = type_.fields if isinstance(type_, StructType) else (type_.element,) * type_.count
    return Aggregate(
        tuple([_empty(field) if isinstance(field, StructType | ArrayType) else None for field in types])
    )


def insert_value(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    container, value = (lower.value(operand) for operand in operation.operands)
    return (_with(container, operation.integers("position"), value),)


def _with(container: Lowered | None, position: Sequence[int], value: Lowered) -> Lowered:
    if not position:
        return value
    assert isinstance(container, Aggregate), container
    fields = list(container.fields)
    fields[position[0]] = _with(fields[position[0]], position[1:], value)
    return Aggregate(tuple(fields))


def extract_value(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    field: Lowered | None = lower.value(operation.operands[0])
    for number in operation.integers("position"):
        assert isinstance(field, Aggregate), field
        field = field.fields[number]
    if field is None:
        raise lower.refused(operation, "MLIR046", "a field that nothing has set", "llvm.insertvalue before")
    return (field,)


ROWS = rows(
    {
        "llvm.addrspacecast": same,
        "llvm.alloca": alloca,
        "llvm.extractvalue": extract_value,
        "llvm.freeze": same,
        "llvm.getelementptr": element_pointer,
        "llvm.insertvalue": insert_value,
        "llvm.load": load,
        "llvm.mlir.addressof": address_of,
        "llvm.mlir.poison": undefined,
        "llvm.mlir.undef": undefined,
        "llvm.mlir.zero": undefined,
        "llvm.store": store,
    },
    ends=("llvm.br", "llvm.cond_br", "llvm.switch", "llvm.return"),
)
