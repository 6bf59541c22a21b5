"""A program as the emulator runs it: a flat list of operations with labels, cut into straight-line blocks.

Operations are instructions, and for programs on virtual registers the copies and jumps of edges.
"""

from __future__ import annotations

from msgspec import Struct, field

from isa.diagnostics import InputError, InternalError
from isa.instruction import Immediate, Instr, Label, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import Register


class ParallelCopies(Struct, frozen=True):
    """Parallel copies: every source is read before any target is written. `vector` copies run under EXEC."""

    pairs: tuple[tuple[Register, Register | Immediate], ...]
    vector: bool


class Jump(Struct, frozen=True):
    """Go to a label: the edge of a block without a terminator. The emitter writes it as `branch`."""

    label: str
    branch: Instr


Operation = Instr | ParallelCopies | Jump
ASSEMBLY_ADDRESS = (
    0x0000_6F00_FFFF_F000  # of text, which has no encoding; an addition soon carries into the upper half
)
PC_STEP = 4


class Unread(NamedTuple):
    """A function that could not be read: its start and end address, and the reason."""

    start: int
    end: int
    error: InputError


class Code(Struct, eq=False):
    """`operations`, and the index of each label; `entries` names the possible starts of a launch.

    * `addresses`: byte addresses of the operations, if known (code objects); otherwise each takes four bytes
    * `base`: the address at which address 0 of the object is loaded
    * `unread`: functions of the object that are not among the operations
    * `function_starts`: the first operation of each function that follows the kernel
    """

    name: str
    operations: list[Operation]
    labels: dict[str, int]
    entry: int = 0
    preload_entry: int | None = None
    addresses: list[int] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list[Unread])
    function_starts: list[int] = field(default_factory=list[int])
    base: int = 0

    @property
    def instructions(self) -> list[Instr]:
        return [operation for operation in self.operations if isinstance(operation, Instr)]

    @property
    def kernel_end(self) -> int:
        """The end of the kernel's own operations."""
        return self.function_starts[0] if self.function_starts else len(self.operations)

    @property
    def functions(self) -> list[Instr]:
        """The instructions of the functions that the kernel can call."""
        return [operation for operation in self.operations[self.kernel_end :] if isinstance(operation, Instr)]

    @property
    def object_addresses(self) -> list[int]:
        """The addresses of the operations as the code object states them."""
        return [address - self.base for address in self.addresses]

    def address(self, index: int) -> int:
        """The program counter at an operation."""
        return self.addresses[index] if self.addresses else ASSEMBLY_ADDRESS + PC_STEP * index

    def following(self, index: int) -> int:
        """The program counter after an operation that reads it; these operations take four bytes each."""
        return self.address(index) + PC_STEP

    def index_at(self, address: int) -> int | None:
        """The operation at an address; None if no operation begins there."""
        if not self.addresses:
            index, rest = divmod(address - ASSEMBLY_ADDRESS, PC_STEP)
            return index if not rest and 0 <= index < len(self.operations) else None
        try:
            return self.addresses.index(address)
        except ValueError:
            return None


def ends_block(operation: Operation) -> bool:
    """Whether waves may go apart, wait or stop here."""
    if isinstance(operation, Jump):
        return True
    return isinstance(operation, Instr) and bool(_CONTROL & operation.row.traits)


_CONTROL = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END, Trait.BARRIER})


def code_of_kernel(kernel: Kernel) -> Code:
    """The flat form of a machine program; virtual registers and block parameters may be in it.

    Scalar arguments are copied at the end of the linear predecessor, vector arguments at the end of the
    logical predecessor, before the terminator. If the predecessor has several linear successors, scalar
    arguments are copied at the start of the target, which then has no other predecessor.
    """
    operations: list[Operation] = []
    labels: dict[str, int] = {}
    at_start = _copies_at_start(kernel)
    for index, block in enumerate(kernel.blocks):
        labels[block.label] = len(operations)
        operations += [ParallelCopies(copies, False) for copies in at_start.get(block.label, ())]
        operations += block.instructions
        operations += _copies_at_end(kernel, block)
        operations += _leave(kernel, block, index)
    return Code(kernel.name, operations, labels)


def _pairs(kernel: Kernel, edge: Edge, vector: bool) -> tuple[tuple[Register, Register | Immediate], ...]:
    target = kernel.block(edge.target)
    parameters = target.vector_parameters if vector else target.scalar_parameters
    if len(parameters) != len(edge.arguments):
        raise InternalError(
            "emulator",
            f"{kernel.name}, edge to {edge.target}",
            f"{len(edge.arguments)} arguments for {len(parameters)} parameters",
        )
    return tuple(zip(parameters, edge.arguments, strict=True))


def _copies_at_start(kernel: Kernel) -> dict[str, list[tuple[tuple[Register, Register | Immediate], ...]]]:
    result: dict[str, list[tuple[tuple[Register, Register | Immediate], ...]]] = {}
    for block in kernel.blocks:
        for edge in block.linear if len(block.linear) > 1 else ():
            if edge.arguments:
                result.setdefault(edge.target, []).append(_pairs(kernel, edge, False))
    return result


def _copies_at_end(kernel: Kernel, block: Block) -> list[Operation]:
    """Vector copies for the logical edges, and scalar copies for the linear edge if there is only one linear
    edge."""
    result: list[Operation] = [
        ParallelCopies(_pairs(kernel, edge, True), True) for edge in block.logical if edge.arguments
    ]
    if len(block.linear) == 1 and block.linear[0].arguments:
        result.append(ParallelCopies(_pairs(kernel, block.linear[0], False), False))
    return result


def _leave(kernel: Kernel, block: Block, index: int) -> list[Operation]:
    following = kernel.blocks[index + 1].label if index + 1 < len(kernel.blocks) else ""
    branch = Instr(kernel.table.row("s_branch"), (Label(""),))
    if block.terminator is None:
        return [] if block.linear[0].target == following else [Jump(block.linear[0].target, branch)]
    result: list[Operation] = [block.terminator]
    if len(block.linear) == 2 and block.linear[1].target != following:
        result.append(Jump(block.linear[1].target, branch))
    return result
