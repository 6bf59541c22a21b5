"""`memref`: views of other shapes, and buffers of the workgroup that are named elsewhere than in the
kernel."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir.buffers import allocate
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.dialects import llvm_memory
from asmgen.mlir.dialects.memref import memref_type, same
from asmgen.mlir.lowered import Index, Kind, Lowered, View
from asmgen.mlir.source import Operation, Ssa, Symbol
from asmgen.mlir.types import MemrefType, Space

_DYNAMIC = -(1 << 63)


def _groups(operation: Operation) -> list[tuple[int, ...]]:
    """The dims that are one in the smaller shape."""
    found = operation.attributes["reassociation"]
    assert isinstance(found, tuple)
    return [
        tuple([one for one in group if isinstance(one, int)]) for group in found if isinstance(group, tuple)
    ]


def collapse_shape(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Dims that lie within each other become one."""
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
    """A dim becomes several, the last of which has its stride."""
    view, indices = lower.view(operation.operands[0]), lower.indices
    dynamic = iter(operation.operands[1:])
    shape = [
        lower.index(next(dynamic)) if one == _DYNAMIC else indices.constant(one)
        for one in operation.integers("static_output_shape")
    ]
    strides: list[Index] = [indices.constant(0)] * len(shape)
    for source, group in enumerate(_groups(operation)):
        stride = view.strides[source]
        for number in reversed(group):
            strides[number] = stride
            stride = indices.mul(stride, shape[number])
    return (view._replace(sizes=tuple(shape), strides=tuple(strides), unknown=()),)


def alloc(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Memory of the workgroup, which is allocated at the kernel's start."""
    type_ = memref_type(operation.result)
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
    symbol = operation.attributes["name"]
    assert isinstance(symbol, Symbol)
    found = lower.globals.get(symbol.path[-1])
    if not isinstance(found, View):
        got = f"{symbol} is not in workgroup memory"
        raise lower.refused(operation, "MLIR026", got, "a memref.global that is")
    return (found,)


def allocate_shared(lower: Lowering) -> None:
    """The workgroup memory that the kernel's operations allocate, and that of the globals which they name."""
    named: set[str] = set()
    outer = [one for block in lower.kernel.body.blocks for one in block.operations]
    for operation in (inner for one in outer for inner in one.walk()):
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


ROWS = rows(
    {
        "memref.collapse_shape": collapse_shape,
        "memref.expand_shape": expand_shape,
        "memref.assume_alignment": same,
        "memref.alloc": alloc,
        "memref.dealloc": dealloc,
        "memref.get_global": get_global,
    }
)
