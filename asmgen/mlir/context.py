"""The lowering of one kernel: its values so far, and the row for each of its operations.

A row takes the lowering and an operation and gives what the operation's results are. The operation that ends
a block is looked at by the one whose region it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from asmgen.ir.program import Value
from asmgen.ir.types import ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import MAX_LANES
from asmgen.mlir.indices import Indices, fits_word
from asmgen.mlir.kernels import MlirKernel
from asmgen.mlir.lowered import Index, Kind, Lowered, Memory, Pointer, Root, View
from asmgen.mlir.source import Block, MlirModule, Operation, Region, Ssa
from asmgen.mlir.types import (
    FloatType,
    IndexType,
    IntegerType,
    MemrefType,
    OtherType,
    PointerType,
    Type,
    VectorType,
    lane_element,
)
from isa.diagnostics import InputError, Place
from isa.targets import TargetId

Rule = Callable[["Lowering", Operation], Sequence[Lowered]]


class Row(NamedTuple):
    """An op that kernels may have: `rule` lowers it, or `ends` says that it ends a region of another op."""

    rule: Rule | None = None
    ends: bool = False


ENDS = Row(None, ends=True)
Rows = Mapping[str, Row]


def rows(rules: Mapping[str, Rule], ends: Sequence[str] = ()) -> Rows:
    """The rows of a dialect: of ops, and of those that end regions."""
    return {**{name: Row(rule) for name, rule in rules.items()}, **dict.fromkeys(ends, ENDS)}


class Demands(NamedTuple):
    """What an attempt to lower a kernel has found: the arguments that are passed as descriptors, and the
    types that elements of memory are to have, by what begins the memory, the last one counts; and the private
    memory that is in scratch."""

    described: frozenset[Ssa] = frozenset()
    elements: tuple[tuple[Root, ElementType], ...] = ()
    scratch: frozenset[Root] = frozenset()


class Lowering:
    """What is known while a kernel is lowered."""

    def __init__(
        self, module: MlirModule, kernel: MlirKernel, target: TargetId, table: Rows, demands: Demands
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.described = demands.described
        self.elements = dict(demands.elements)  # of memory, by what begins it
        self.demanded = frozenset(demands.elements)
        self.in_scratch = demands.scratch
        self.target = target
        self.wave = target.target.wave_size
        self.table = table
        self.builder = LaneBuilder()
        self.indices = Indices(self.builder)
        self.values: dict[Ssa, Lowered] = {}
        self.cells: dict[Memory, list[Value]] = {}  # what private memory holds
        self.calls: list[str] = []  # the functions that are being inlined
        self.globals: dict[str, View | Pointer] = {}  # workgroup memory by its symbol
        self.lds_bytes = 0
        self.copies = 1  # the trips of the loops around that are being written out, of all of them
        self.chosen_cells = 0  # accesses of private memory whose element is chosen when the kernel runs

    # Values

    def value(self, ssa: Ssa) -> Lowered:
        """What a value is; constants around a `gpu.launch` are made where its body reads them."""
        found = self.values.get(ssa)
        if found is None:
            assert ssa.owner is not None, f"{ssa.name} at {ssa.place} has no value"
            self.operation(ssa.owner)
            found = self.values[ssa]
        return found

    def index(self, ssa: Ssa) -> Index:
        """An operand of type index, or an integer as one."""
        found = self.value(ssa)
        if isinstance(found, Index):
            return found
        assert isinstance(found, Value), f"{ssa.name} is {ssa.type}"
        return self.index_of_integer(found, signed=True)

    def lane(self, ssa: Ssa) -> Value:
        """An operand as a lane value; an index as the 64 bits that it has."""
        found = self.value(ssa)
        if isinstance(found, Index):
            return self.indices.wide(found)
        assert isinstance(found, Value), f"{ssa.name} is {ssa.type}"
        return found

    def view(self, ssa: Ssa) -> View:
        """A memref; `NeedsElement` where its memory has wider elements than it."""
        found = self.value(ssa)
        assert isinstance(found, View), f"{ssa.name} is {ssa.type}"
        if found.narrow is not None:
            from asmgen.mlir.units import NeedsElement

            assert found.memory.root is not None
            raise NeedsElement(found.memory.root, found.narrow)
        return found

    def pointer(self, ssa: Ssa) -> Pointer:
        found = self.value(ssa)
        assert isinstance(found, Pointer), f"{ssa.name} is {ssa.type}"
        return found

    def index_of_integer(self, value: Value, *, signed: bool) -> Index:
        """An index of an integer, extended by its sign or by zeros."""
        from asmgen.mlir.integers import index_of_integer

        return index_of_integer(self, value, signed=signed)

    # Types

    def lane_type(self, type_: Type, operation: Operation) -> LaneType:
        """The type of a lane value; `InputError` MLIR010 for what lanes do not hold."""
        found = lane_type(type_)
        if found is None:
            raise self.refused(
                operation, "MLIR010", f"{operation.name} has a value of type {type_}", wanted_type(type_)
            )
        return found

    def refused(self, operation: Operation, code: str, got: str, wanted: str, help: str = "") -> InputError:
        return InputError(operation.place, code, f"{got}, wanted {wanted}", help=help)

    # Operations

    def operation(self, operation: Operation) -> None:
        """Lower one operation, and note its results."""
        row = self.table.get(operation.name)
        if row is None:
            from asmgen.mlir.refusals import refuse_operation

            raise refuse_operation(operation, self.table)
        if row.rule is None:
            raise self.refused(
                operation, "MLIR012", f"{operation.name} is here", "it at the end of its region"
            )
        for ssa in operation.results:
            if isinstance(ssa.type, OtherType) and ssa.type.text.startswith("vector<"):
                message = f"{operation.name} has a value of type {ssa.type}"
                raise self.refused(operation, "MLIR010", message, "a vector whose dims are numbers")
        with self.builder.origin(operation.place, _hint(operation)):
            made = tuple(row.rule(self, operation))
        for ssa, value in zip(operation.results, made, strict=True):
            self.values[ssa] = value

    def block(self, block: Block, arguments: Sequence[Lowered]) -> tuple[Lowered, ...]:
        """Lower the operations of a block; what the operands of its last one are."""
        self.values.update(zip(block.arguments, arguments, strict=True))
        for operation in block.operations[:-1]:
            self.operation(operation)
        return self.ending(block.terminator)

    def ending(self, operation: Operation) -> tuple[Lowered, ...]:
        """The operands of an operation that ends a region."""
        _ = self.ending_row(operation)
        return tuple([self.value(operand) for operand in operation.operands])

    def ending_row(self, operation: Operation) -> Row:
        """The row of an operation that ends a block; `InputError` MLIR011 where it has none."""
        row = self.table.get(operation.name)
        if row is None or not row.ends:
            from asmgen.mlir.refusals import refuse_operation

            raise refuse_operation(operation, self.table)
        return row

    def region(self, region: Region, arguments: Sequence[Lowered]) -> tuple[Lowered, ...]:
        """Lower a region, whose blocks may branch to each other; what the operands are of what ends it."""
        if len(region.blocks) == 1:
            return self.block(region.blocks[0], arguments)
        from asmgen.mlir.graph import lower_blocks

        return lower_blocks(self, region, arguments)

    # Memory

    def size_of(self, view: View, number: int) -> Index:
        """A dim of a memref; `NeedsDescriptor` where its argument does not say it yet."""
        if view.unknown and view.unknown[number]:
            from asmgen.mlir.parameters import NeedsDescriptor

            assert view.memory.argument is not None
            raise NeedsDescriptor(view.memory.argument)
        return view.sizes[number]

    def allocate(self, type_: MemrefType, ssa: Ssa, kind: Kind) -> View:
        """A buffer in LDS or private memory; `InputError` MLIR020 where its size is not static."""
        from asmgen.mlir.buffers import allocate

        return allocate(self, type_, ssa, kind)

    def allocate_global(self, type_: MemrefType, declared: Operation) -> View:
        """A buffer in LDS that is no value of the file."""
        from asmgen.mlir.buffers import allocate

        ssa = Ssa(type_, declared.text("sym_name"), declared.place)
        return allocate(self, type_, ssa, Kind.LDS, declared)


def _hint(operation: Operation) -> str:
    """A name for what an operation makes: that of the file where it is one of gen text."""
    name = operation.results[0].name if operation.results else ""
    cleaned = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
    if cleaned and not cleaned[0].isdigit():
        return cleaned
    return operation.name.rpartition(".")[2]


def lane_type(type_: Type) -> LaneType | None:
    """The type of a lane value of an integer, a float, or a vector of at most 16 of them; an index is not
    one."""
    if isinstance(type_, VectorType):
        element = element_of(type_.element)
        if element is None or not 1 <= type_.elements <= MAX_LANES:
            return None
        return LaneType(element, type_.elements)
    element = lane_element(type_)
    return None if element is None else LaneType(element)


def element_of(type_: Type) -> ElementType | None:
    """The element of a vector; an index in one is an i64."""
    return lane_element(IntegerType(64) if isinstance(type_, IndexType) else type_)


def wanted_type(type_: Type) -> str:
    """What a type that lanes do not hold might be instead."""
    if isinstance(type_, VectorType):
        return f"a vector of 1 to {MAX_LANES} of i1, i8, i16, i32, i64, or of floats of 8 to 64 bits"
    if isinstance(type_, IntegerType):
        return "i1, i8, i16, i32 or i64"
    return "an integer, a float, an index, a vector of them, a memref or !llvm.ptr"


def is_number(type_: Type) -> bool:
    """Whether a value of the type is a lane value or an index."""
    return isinstance(type_, IntegerType | FloatType | VectorType | IndexType)


def is_place(type_: Type) -> bool:
    """Whether a value of the type is a place in memory."""
    return isinstance(type_, MemrefType | PointerType)


def place_of(operation: Operation | Ssa) -> Place:
    return operation.place


__all__ = ["ENDS", "Lowering", "Row", "Rows", "fits_word", "is_number", "is_place", "lane_type", "rows"]
