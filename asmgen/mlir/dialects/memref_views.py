"""`memref`: views in other shapes and as bytes, workgroup memory, and metadata."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.dialects import llvm_memory
from asmgen.mlir.dialects.memref import same
from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.memory.buffers import allocate, element_in_memory
from asmgen.mlir.lowering.memory.retyped import need_element, settled
from asmgen.mlir.lowering.values import Index, Kind, Lowered, View
from asmgen.mlir.source import Dim, Operation, Ssa
from asmgen.mlir.types import MemrefType, Space


def _groups(operation: Operation) -> list[tuple[int, ...]]:
    """The dims of the larger shape that make up each dim of the smaller shape."""
    groups = operation.attributes["reassociation"]
    assert isinstance(groups, tuple)
    return [
        tuple([dim for dim in group if isinstance(dim, int)]) for group in groups if isinstance(group, tuple)
    ]


def collapse_shape(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Merge adjacent dims."""
    view, indices = lower.view(operation.operands[0]), lower.indices
    sizes: list[Index] = []
    strides: list[Index] = []
    unknown: list[bool] = []
    for group in _groups(operation):
        product = indices.constant(1)
        for number in group:
            product = indices.mul(product, view.sizes[number])
        sizes.append(product)
        strides.append(view.strides[group[-1]])
        unknown.append(any(view.unknown[number] for number in group) if view.unknown else False)
    return (view._replace(sizes=tuple(sizes), strides=tuple(strides), unknown=tuple(unknown)),)


def expand_shape(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Split a dim. The last of the new dims keeps its stride."""
    view, indices = lower.view(operation.operands[0]), lower.indices
    shape = lower.indices_of(operation.integers("static_output_shape"), operation.operands[1:])
    strides: list[Index] = [indices.constant(0)] * len(shape)
    for source, group in enumerate(_groups(operation)):
        stride = view.strides[source]
        for number in reversed(group):
            strides[number] = stride
            stride = indices.mul(stride, shape[number])
    return (view._replace(sizes=tuple(shape), strides=tuple(strides), unknown=()),)


def alloc(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Memory of the workgroup, allocated at the kernel's start."""
    type_ = operation.result.memref
    if type_.space is Space.WORKGROUP and operation.operands:
        got = f"memref.alloc of type {type_}"
        raise lower.refused(operation, "MLIR020", got, "static dims", "LDS has its size at compile time")
    if type_.space is not Space.WORKGROUP or operation.result not in lower.values:
        got = f"memref.alloc of {type_.space.name.lower()} memory in a kernel"
        raise lower.refused(operation, "MLIR026", got, "workgroup memory, or memref.alloca")
    return (lower.values[operation.result],)


def dealloc(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return ()


def get_global(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    symbol = operation.symbol("name")
    view = lower.globals.get(symbol.path[-1])
    if not isinstance(view, View):
        got = f"{symbol} is not in workgroup memory"
        raise lower.refused(operation, "MLIR026", got, "a memref.global that is")
    return (view,)


def allocate_shared(lower: Lowering) -> None:
    """Allocate the workgroup memory of the operations of the kernel, and of the globals that they name."""
    named: set[str] = set()
    outer = [child for block in lower.kernel.body.blocks for child in block.operations]
    for operation in (inner for top in outer for inner in top.walk()):
        if operation.name in ("memref.alloc", "memref.alloca") and not operation.operands:
            _allocate(lower, operation)
        if operation.name == "memref.get_global":
            named.add(operation.text("name").removeprefix("@"))
        if operation.name == "llvm.mlir.addressof":
            named.add(operation.text("global_name").removeprefix("@"))
    for operation in lower.module.operation.walk():
        name = operation.text("sym_name")
        if name not in named:
            continue
        type_ = operation.attributes.get("type")
        if isinstance(type_, MemrefType) and type_.space is Space.WORKGROUP:
            ssa = Ssa(type_, name, operation.place)
            lower.globals[name] = allocate(lower, type_, ssa, Kind.LDS, operation)
        if operation.integer("addr_space", 0) == Space.WORKGROUP.value:
            lower.globals[name] = llvm_memory.allocate_global(lower, operation)


def _allocate(lower: Lowering, operation: Operation) -> None:
    type_ = operation.result.type
    if isinstance(type_, MemrefType) and type_.space is Space.WORKGROUP:
        lower.values[operation.result] = allocate(lower, type_, operation.result, Kind.LDS)


def extract_strided_metadata(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The base buffer, the offset, the sizes and the strides, in elements of the memref."""
    view, indices = lower.view(operation.operands[0]), lower.indices

    def elements(number: Index) -> Index:
        return quotients.floor_divide(indices, number, indices.constant(view.lanes))

    base = View(view.memory, indices.constant(0), (), (), view.lanes)
    sizes = [lower.size_of(view, number) for number in range(len(view.sizes))]
    return base, elements(view.offset), *sizes, *[elements(stride) for stride in view.strides]


def transpose(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The dims in the order of the permutation."""
    view = lower.view(operation.operands[0])
    map_ = operation.map("permutation")
    order = [result.number for result in map_.results if isinstance(result, Dim)]
    unknown = tuple([view.unknown[number] for number in order]) if view.unknown else ()
    sizes, strides = (tuple([given[number] for number in order]) for given in (view.sizes, view.strides))
    return (view._replace(sizes=sizes, strides=strides, unknown=unknown),)


def rank(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.indices.constant(len(lower.view(operation.operands[0]).sizes)),)


def view(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A packed memref from a byte on. The memory has the elements of its narrowest view."""
    source = lower.value(operation.operands[0])
    assert isinstance(source, View), source
    memory, indices = source.memory, lower.indices
    type_ = operation.result.memref
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


ROWS = rows(
    {
        "memref.collapse_shape": collapse_shape,
        "memref.expand_shape": expand_shape,
        "memref.assume_alignment": same,
        "memref.alloc": alloc,
        "memref.dealloc": dealloc,
        "memref.get_global": get_global,
        "memref.extract_strided_metadata": extract_strided_metadata,
        "memref.transpose": transpose,
        "memref.rank": rank,
        "memref.view": view,
    },
)
