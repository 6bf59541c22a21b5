"""Blocks that pass values on, with registers renamed: the parts of the code of a loop's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from isa.instruction import Instr, Label
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, units_among, units_of
from regalloc.slots import VECTOR_CLASSES

Renaming = Mapping[int, Register]  # by its first unit, the register that takes a virtual register's place
Ends = tuple[tuple[Edge, ...], tuple[Edge, ...]]  # the linear and the logical edges out of a block


class Labels:
    """Labels that no block of a kernel has."""

    def __init__(self, kernel: Kernel) -> None:
        self._taken = {block.label for block in kernel.blocks}

    def new(self, stem: str) -> str:
        """The stem, with a number if it is taken."""
        label, number = stem, 1
        while label in self._taken:
            label, number = f"{stem}_{number}", number + 1
        self._taken.add(label)
        return label


def with_own_registers(kernel: Kernel) -> Kernel:
    """The kernel with a list of registers of its own, to which it may add."""
    return replace(kernel, blocks=list(kernel.blocks), owners=list(kernel.owners))


def copied(kernel: Kernel, first: int) -> Register:
    """A new register like the virtual register that begins at a unit."""
    owner = kernel.owners[first - FIRST_VIRTUAL]
    return kernel.new_register(owner.register_class, owner.count, owner.align, owner.name, owner.place)


def renamed(kernel: Kernel, register: Register, by: Renaming) -> Register:
    """The register, or the part of it, that takes the place of a register."""
    if register.first < FIRST_VIRTUAL:
        return register
    first = kernel.owners[register.first - FIRST_VIRTUAL].first
    new = by.get(first)
    if new is None:
        return register
    return new if register.count == new.count else new.part(register.first - first, register.count)


def renamed_instr(kernel: Kernel, instr: Instr, by: Renaming) -> Instr:
    """The instruction on other registers."""
    operands = tuple(
        [renamed(kernel, each, by) if isinstance(each, Register) else each for each in instr.operands]
    )
    return instr if operands == instr.operands else instr.as_row(instr.row, operands, instr.modifiers)


def renamed_block(kernel: Kernel, block: Block, by: Renaming) -> Block:
    """The block with other registers in the instructions and edges that read them; its parameters stay."""
    units = units_of([kernel.owners[first - FIRST_VIRTUAL].register for first in by])
    if units.isdisjoint(units_read(block)):
        return block

    def edge_of(edge: Edge) -> Edge:
        arguments = [
            renamed(kernel, each, by) if isinstance(each, Register) else each for each in edge.arguments
        ]
        return Edge(edge.target, tuple(arguments))

    terminator = block.terminator
    return Block(
        block.label, block.scalar_parameters, block.vector_parameters,
        [
            instr if units.isdisjoint(instr.units.read) else renamed_instr(kernel, instr, by)
            for instr in block.instructions
        ],
        None if terminator is None else renamed_instr(kernel, terminator, by),
        tuple(map(edge_of, block.linear)), tuple(map(edge_of, block.logical)),
    )  # fmt: skip


def block_of(
    kernel: Kernel, label: str, parameters: Iterable[Register], code: Iterable[Instr], ends: Ends,
    branch: Instr | None = None,
) -> Block:  # fmt: skip
    """A block with parameters of any class. Its branch goes to the first of its linear edges."""
    scalar, vector = by_class(kernel, parameters)
    if branch is not None:
        label_of = ends[0][0].target
        operands = tuple([Label(label_of) if isinstance(o, Label) else o for o in branch.operands])
        branch = branch.as_row(branch.row, operands, branch.modifiers)
    return Block(label, scalar, vector, list(code), branch, *ends)


def jump(kernel: Kernel, target: str, arguments: Iterable[Register]) -> Ends:
    """The edges to a block with parameters."""
    scalar, vector = by_class(kernel, arguments)
    return (Edge(target, scalar),), (Edge(target, vector),)


def fork(targets: Sequence[str]) -> Ends:
    """The edges to blocks without parameters."""
    return tuple([Edge(target) for target in targets]), tuple([Edge(target) for target in targets])


def by_class(
    kernel: Kernel, registers: Iterable[Register]
) -> tuple[tuple[Register, ...], tuple[Register, ...]]:
    """The scalar and the vector registers of some."""
    scalar: list[Register] = []
    vector: list[Register] = []
    for register in registers:
        (vector if kernel.register_class(register) in VECTOR_CLASSES else scalar).append(register)
    return tuple(scalar), tuple(vector)


def units_read(block: Block) -> set[int]:
    """The units that a block and its edges read."""
    passed = [units_among(edge.arguments) for edge in (*block.linear, *block.logical)]
    return set[int]().union(*[instr.units.read for instr in block.code], *passed)
