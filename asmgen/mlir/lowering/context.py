"""The state of the lowering of a kernel, and the table of rules for its operations.

A rule takes the lowering and an operation, and gives the values of the operation's results. The operation
that ends a region has no rule: the op around the region reads its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.ir.program import Value
from asmgen.ir.types import ElementType, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.result_types import MAX_LANES
from asmgen.mlir.kernels import MlirKernel
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.arithmetic.lanes import index_of_integer
from asmgen.mlir.lowering.refusals import refuse_operation
from asmgen.mlir.lowering.values import Index, Lowered, Memory, Pointer, Root, View
from asmgen.mlir.source import Block, MlirModule, Operation, Ssa
from asmgen.mlir.types import IndexType, IntegerType, OtherType, Type, VectorType, lane_element
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.targets import TargetId

DYNAMIC = -(1 << 63)  # marks an operand in a list of numbers
Rule = Callable[["Lowering", Operation], Sequence[Lowered]]


class OpRule(NamedTuple):
    """How an op is lowered: by `rule`, or by the op around the region that it ends."""

    rule: Rule | None = None
    ends: bool = False


ENDS = OpRule(None, ends=True)
OpRules = Mapping[str, OpRule]


def rows(rules: Mapping[str, Rule], ends: Sequence[str] = ()) -> OpRules:
    """The rows of a dialect: those of its ops, and of the ops that end regions."""
    return {**{name: OpRule(rule) for name, rule in rules.items()}, **dict.fromkeys(ends, ENDS)}


class Demands(NamedTuple):
    """What earlier attempts to lower a kernel asked for.

    `described` are the arguments passed as descriptors. `elements` are the element types of memory, by the
    value that begins the memory; the last entry counts. `scratch` is the private memory kept in scratch.
    """

    described: frozenset[Ssa] = frozenset()
    elements: tuple[tuple[Root, ElementType], ...] = ()
    scratch: frozenset[Root] = frozenset()


class LowerAgain(Exception):
    """The kernel has to be lowered again, with more demands."""

    def __init__(self, demands: Demands) -> None:
        super().__init__()
        self.demands = demands


class Lowering:
    """The state of the lowering of a kernel."""

    def __init__(
        self, module: MlirModule, kernel: MlirKernel, target: TargetId, table: OpRules, demands: Demands
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.demands = demands
        self.elements = dict(demands.elements)
        self.target = target
        self.wave = target.target.wave_size
        self.table = table
        self.builder = LaneBuilder()
        self.indices = IndexBuilder(self.builder)
        self.values: dict[Ssa, Lowered] = {}
        self.cells: dict[Memory, list[Value]] = {}  # the values of private memory in registers
        self.calls: list[str] = []  # the functions being inlined
        self.globals: dict[str, View | Pointer] = {}  # workgroup memory by its symbol
        self.lds_bytes = 0
        self.copies = 1  # the product of the trips of all unrolled loops around
        self.chosen_cells = 0  # accesses of private memory at an element number known only at run time

    # Values

    def value(self, ssa: Ssa) -> Lowered:
        """The lowered form of a value. A constant outside of a `gpu.launch` is made at its first use in the
        body."""
        if ssa not in self.values:
            assert ssa.owner is not None, f"{ssa.name} at {ssa.place} has no value"
            self.operation(ssa.owner)
        return self.values[ssa]

    def index(self, ssa: Ssa) -> Index:
        """An operand of type index, or an integer as an index."""
        lowered = self.value(ssa)
        if isinstance(lowered, Index):
            return lowered
        assert isinstance(lowered, Value), f"{ssa.name} is {ssa.type}"
        return index_of_integer(self.indices, lowered, signed=True)

    def indices_of(self, static: Sequence[int], dynamic: Sequence[Ssa]) -> list[Index]:
        """Numbers in order: those of the attribute, with an operand in the place of each `DYNAMIC`."""
        given = iter(dynamic)
        return [
            self.index(next(given)) if number == DYNAMIC else self.indices.constant(number)
            for number in static
        ]

    def lane(self, ssa: Ssa) -> Value:
        """An operand as a lane value; an index as 64 bits."""
        lowered = self.value(ssa)
        if isinstance(lowered, Index):
            return self.indices.wide(lowered)
        assert isinstance(lowered, Value), f"{ssa.name} is {ssa.type}"
        return lowered

    def view(self, ssa: Ssa) -> View:
        """A memref. If its memory has wider elements than the memref, the kernel is lowered again."""
        view = self.value(ssa)
        assert isinstance(view, View), f"{ssa.name} is {ssa.type}"
        if view.narrow is not None:
            raise self.with_element(root_of(view.memory), view.narrow)
        return view

    def pointer(self, ssa: Ssa) -> Pointer:
        pointer = self.value(ssa)
        assert isinstance(pointer, Pointer), f"{ssa.name} is {ssa.type}"
        return pointer

    def size_of(self, view: View, number: int) -> Index:
        """A dim of a memref. If its argument is passed as a bare pointer, the kernel is lowered again with a
        descriptor."""
        if view.unknown and view.unknown[number]:
            assert view.memory.argument is not None
            described = self.demands.described | {view.memory.argument}
            raise LowerAgain(self.demands._replace(described=described))
        return view.sizes[number]

    # Demands for another attempt

    def with_element(self, root: Root, element: ElementType) -> LowerAgain:
        """The memory that begins at `root` needs elements of this type."""
        return LowerAgain(self.demands._replace(elements=(*self.demands.elements, (root, element))))

    def with_scratch(self, root: Root) -> LowerAgain:
        """Private memory in registers is indexed among too many elements, or read with another size."""
        return LowerAgain(self.demands._replace(scratch=self.demands.scratch | {root}))

    # Types

    def lane_type(self, type_: Type, operation: Operation) -> LaneType:
        """The type of a lane value; `InputError` MLIR010 if lanes do not have the type."""
        lane = lane_type(type_)
        if lane is None:
            raise self.refused(
                operation, "MLIR010", f"{operation.name} has a value of type {type_}", wanted_type(type_)
            )
        return lane

    def refused(self, operation: Operation, code: str, got: str, wanted: str, help: str = "") -> InputError:
        return InputError(operation.place, code, f"{got}, wanted {wanted}", help=help)

    # Operations

    def operation(self, operation: Operation) -> None:
        """Lower an operation, and note its results."""
        row = self.table.get(operation.name)
        if row is None:
            raise refuse_operation(operation, self.table)
        if row.rule is None:
            raise self.refused(
                operation,
                "MLIR012",
                f"{operation.name} is not the last operation of its region",
                "it at the end",
            )
        for ssa in operation.results:
            if isinstance(ssa.type, OtherType) and ssa.type.text.startswith("vector<"):
                message = f"{operation.name} has a value of type {ssa.type}"
                raise self.refused(operation, "MLIR010", message, "a vector with fixed dims")
        with self.builder.origin(operation.place, _hint(operation)):
            made = tuple(row.rule(self, operation))
        self.values.update(zip(operation.results, made, strict=True))

    def block(self, block: Block, arguments: Sequence[Lowered]) -> Operation:
        """Lower the operations of a block but the last; gives the last."""
        self.values.update(zip(block.arguments, arguments, strict=True))
        for operation in block.operations[:-1]:
            self.operation(operation)
        last = block.terminator
        row = self.table.get(last.name)
        if row is None or not row.ends:
            raise refuse_operation(last, self.table)
        return last


def root_of(memory: Memory) -> Root:
    """The value that begins a memory."""
    assert memory.root is not None, memory.place
    return memory.root


def _hint(operation: Operation) -> str:
    """A name for the results of an operation: that of the file, if gen text can have it."""
    name = operation.results[0].name if operation.results else ""
    cleaned = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name)
    if cleaned and not cleaned[0].isdigit():
        return cleaned
    return operation.name.rpartition(".")[2]


def lane_type(type_: Type) -> LaneType | None:
    """The lane type of an integer, a float, or a vector of at most 16 of them; None for other types, such as
    an index."""
    if isinstance(type_, VectorType):
        element = lane_element(IntegerType(64) if isinstance(type_.element, IndexType) else type_.element)
        if element is None or not 1 <= type_.elements <= MAX_LANES:
            return None
        return LaneType(element, type_.elements)
    element = lane_element(type_)
    return None if element is None else LaneType(element)


def wanted_type(type_: Type) -> str:
    """What may stand in the place of a type that lanes do not have."""
    if isinstance(type_, VectorType):
        return f"a vector of 1 to {MAX_LANES} of i1, i8, i16, i32, i64, or of floats of 8 to 64 bits"
    if isinstance(type_, IntegerType):
        return "i1, i8, i16, i32 or i64"
    return "an integer, a float, an index, a vector of them, a memref or !llvm.ptr"
