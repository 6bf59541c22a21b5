"""Virtual registers no wider than the operands that name them: units that no operand names together need not
be adjacent."""

from __future__ import annotations

from collections.abc import Iterator, Set

from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass


def named_together(kernel: Kernel) -> set[int]:
    """The virtual units that an instruction names together with the unit after them."""
    joined: set[int] = set()
    for instr in kernel.instructions():
        for operand in instr.operands:
            if isinstance(operand, Register):
                first, count = operand
                if count > 1 and first >= FIRST_VIRTUAL:
                    joined.update(range(first, first + count - 1))
    return joined


def handed_together(kernel: Kernel) -> set[int]:
    """Like `named_together`, for parameters of blocks and their arguments."""
    joined: set[int] = set()
    for block in kernel.blocks:
        arguments = [argument for edge in (*block.linear, *block.logical) for argument in edge.arguments]
        for register in (*arguments, *block.scalar_parameters, *block.vector_parameters):
            if isinstance(register, Register) and register.is_virtual:
                joined.update(register.units[:-1])
    return joined


def parted_owners(kernel: Kernel, joined: Set[int]) -> list[VirtualRegister]:
    """The virtual registers by unit after splitting: only units of `joined` stay with the next unit. Units
    keep their numbers."""
    aligns = _alignments(kernel)
    owners: list[VirtualRegister] = []
    while len(owners) < len(kernel.owners):
        owner = kernel.owners[len(owners)]
        parts = list(_runs(owner, joined))
        new = [_part(owner, first, count, aligns) for first, count in parts]
        if None in new:
            new = [owner]
        for register in new:
            assert register is not None
            owners += [register] * register.count
    return owners


def _runs(owner: VirtualRegister, joined: Set[int]) -> Iterator[tuple[int, int]]:
    """The first unit and the number of units of each part of a virtual register."""
    first = owner.first
    for unit in owner.register.units:
        if unit not in joined or unit == owner.first + owner.count - 1:
            yield first, unit + 1 - first
            first = unit + 1


def _part(owner: VirtualRegister, first: int, count: int, aligns: dict[int, int]) -> VirtualRegister | None:
    """A part as a register; None if the part cannot have the alignment that its operands ask for."""
    if count == owner.count:
        return owner
    align = max((aligns.get(unit, 1) for unit in range(first, first + count)), default=1)
    if any((unit - first) % aligns.get(unit, 1) for unit in range(first, first + count)):
        return None
    name = f"{owner.name}_{first - owner.first}" if owner.name else ""
    return VirtualRegister(name, owner.register_class, first, count, align, owner.place)


def _alignments(kernel: Kernel) -> dict[int, int]:
    """By the first unit of an operand, the alignment that its register needs."""
    alignments: dict[int, int] = {}
    for instr in kernel.instructions():
        for operand, spec in zip(instr.operands, instr.row.operands, strict=True):
            if isinstance(operand, Register) and operand.count > 1 and operand.is_virtual:
                is_scalar = kernel.register_class(operand) is RegisterClass.SGPR
                align = spec.scalar_align or spec.align if is_scalar else spec.align
                alignments[operand.first] = max(alignments.get(operand.first, 1), align)
    return alignments
