"""AGPRs in place of VGPRs that are only copied to or from AGPRs.

    ds_read_b32 %x, v0                             ds_read_b32 %x_apart, v0
    v_accvgpr_write_b32 %x_apart, %x     becomes
    v_accvgpr_read_b32 %x_again, %x_apart          ds_write_b32 v0, %x_apart
    ds_write_b32 v0, %x_again

Loads, stores, LDS and matrix instructions accept AGPRs as such operands. A value crosses between the files if
one of its definitions or uses does not accept the other file. Operands that have to be in the same file
change together or stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from isa.instruction import Instr, Operand
from isa.program import Block, Kernel
from isa.registers import Register, RegisterClass
from isa.verify import find_fault
from regalloc.allocation import RELOAD, SPILL

Site = tuple[int, int]
"""A block's number and an instruction's in it; the terminator is after the last."""


class _Crossing(NamedTuple):
    """The AGPR that a unit comes from or goes to, and the copies that take it there."""

    agpr: int
    sites: set[Site]


class _Value(Struct):
    """A virtual VGPR that may be unnecessary: how its units cross, and the other instructions that name
    it."""

    crossings: dict[int, _Crossing] = field(default_factory=dict)
    sites: set[Site] = field(default_factory=set)
    is_kept: bool = False

    @property
    def shift(self) -> int | None:
        """The distance of the AGPRs from the VGPRs if it is the same for all units; else None."""
        shifts = {crossing.agpr - unit for unit, crossing in self.crossings.items()}
        return shifts.pop() if len(shifts) == 1 else None


def without_crossings(blocks: Sequence[Block], kernel: Kernel, origins: list[list[int]]) -> list[Block]:
    """The blocks of a kernel with spill code, without the copies between files that nothing needs; `origins`
    loses the slots of these."""
    values = _values(kernel, blocks)
    shifts = {
        first: shift
        for first, value in values.items()
        if not value.is_kept and (shift := value.shift) is not None
    }
    while wrong := [first for first in shifts if not _takes_agprs(kernel, blocks, values[first], shifts)]:
        for first in wrong:
            del shifts[first]
    if not shifts:
        return list(blocks)
    dropped = {
        site for first in shifts for crossing in values[first].crossings.values() for site in crossing.sites
    }
    return [
        _without(block, number, kernel, shifts, dropped, origins[number])
        for number, block in enumerate(blocks)
    ]


def _without(
    block: Block, number: int, kernel: Kernel, shifts: dict[int, int], dropped: set[Site], origins: list[int]
) -> Block:
    kept = [index for index in range(len(block.instructions)) if (number, index) not in dropped]
    origins[:] = [*(origins[index] for index in kept), *origins[len(block.instructions) :]]
    return block.with_instructions([_moved(block.instructions[index], kernel, shifts) for index in kept])


def _moved(instr: Instr, kernel: Kernel, shifts: dict[int, int]) -> Instr:
    """An instruction with AGPRs for its operands: `shifts` gives the distance by the first unit of a virtual
    register."""

    def moved(operand: Operand) -> Operand:
        if not isinstance(operand, Register) or not operand.is_virtual:
            return operand
        shift = shifts.get(kernel.owner(operand).first)
        return operand if shift is None else Register(operand.first + shift, operand.count)

    operands = tuple(map(moved, instr.operands))
    return instr if operands == instr.operands else instr.as_row(instr.row, operands, instr.modifiers)


def _takes_agprs(kernel: Kernel, blocks: Sequence[Block], value: _Value, shifts: dict[int, int]) -> bool:
    """Whether every instruction that names a value may have AGPRs in its place, next to others that do."""
    return all(
        _is_legal(kernel, _moved(blocks[number].code[index], kernel, shifts)) for number, index in value.sites
    )


def _is_legal(kernel: Kernel, instr: Instr) -> bool:
    if find_fault(instr, kernel.register_class) is not None:
        return False
    for operand, spec in zip(instr.operands, instr.row.operands, strict=True):
        if isinstance(operand, Register) and operand.is_virtual and spec.align > 1:
            owner = kernel.owner(operand)
            if owner.align % spec.align or (operand.first - owner.first) % spec.align:
                return False
    return all(
        kernel.register_class(one) is kernel.register_class(other)
        for use, define in instr.row.ties
        if isinstance(one := instr.operands[use], Register)
        and isinstance(other := instr.operands[define], Register)
    )


def _values(kernel: Kernel, blocks: Sequence[Block]) -> dict[int, _Value]:
    """The values that cross between the files, by the first unit of their VGPRs. A unit stays if it crosses
    both ways, or if an instruction names other units together with it."""
    values: dict[int, _Value] = {}
    for site, instr in _code(blocks):
        if (pair := _crossing(kernel, instr)) is not None:
            vgpr, agpr = pair
            value = values.setdefault(kernel.owner(vgpr).first, _Value())
            crossing = value.crossings.setdefault(vgpr.first, _Crossing(agpr.first, set()))
            crossing.sites.add(site)
            value.is_kept |= crossing.agpr != agpr.first
    for site, instr in _code(blocks):
        is_crossing = _crossing(kernel, instr) is not None
        for operand in instr.operands:
            if not isinstance(operand, Register) or not operand.is_virtual:
                continue
            value = values.get(kernel.owner(operand).first)
            if value is not None and not is_crossing:
                value.sites.add(site)
                value.is_kept |= not value.crossings.keys() >= set(operand.units)
    for block in blocks:
        arguments = [argument for edge in (*block.linear, *block.logical) for argument in edge.arguments]
        for register in (*arguments, *block.scalar_parameters, *block.vector_parameters):
            if isinstance(register, Register) and register.is_virtual:
                value = values.get(kernel.owner(register).first)
                if value is not None:
                    value.is_kept = True
    return values


def _code(blocks: Sequence[Block]) -> Iterator[tuple[Site, Instr]]:
    for number, block in enumerate(blocks):
        for index, instr in enumerate(block.code):
            yield (number, index), instr


def _crossing(kernel: Kernel, instr: Instr) -> tuple[Register, Register] | None:
    """The VGPR and the AGPR of a copy that spill code makes between the files; None for anything else."""
    if instr.origin not in (SPILL, RELOAD) or len(instr.operands) != 2:
        return None
    one, other = instr.operands
    if not isinstance(one, Register) or not isinstance(other, Register) or not one.is_virtual:
        return None
    if not other.is_virtual:
        return None
    classes = kernel.register_class(one), kernel.register_class(other)
    if classes == (RegisterClass.AGPR, RegisterClass.VGPR):
        return other, one
    return (one, other) if classes == (RegisterClass.VGPR, RegisterClass.AGPR) else None
