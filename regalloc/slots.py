"""The 32-bit units that every point of a kernel reads and writes.

The *slots* of a block are its instructions, then the copies of its edges' arguments (a single slot, even if
empty), then its terminator. Slots are numbered through the kernel in layout order. Slot `s` reads its
operands at position `2 * s` and writes its results at position `2 * s + 1`: a value that dies at an
instruction may share its register with a value that is born there.
"""

from __future__ import annotations

from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import (
    FIRST_AGPR,
    FIRST_VGPR,
    FIRST_VIRTUAL,
    VCC,
    Register,
    RegisterClass,
    Units,
    tracked_units,
)

VECTOR_CLASSES = (RegisterClass.VGPR, RegisterClass.AGPR, RegisterClass.AV)

PARAMETERS = -1
"""The slot in which a block's parameters are defined: before its first instruction."""


class BlockSlots(NamedTuple):
    """A block: its parameters, and for each slot the units read and written. `first` is the number of its
    first slot."""

    first: int
    parameters: Units
    uses: list[Units]
    defines: list[Units]
    copies: int  # the index of the slot of the edge copies


def slot_instruction(block: Block, index: int) -> Instr | None:
    """The instruction in a block's slot; None for the slot of the edge copies."""
    if index < len(block.instructions):
        return block.instructions[index]
    return block.terminator if index > len(block.instructions) else None


def block_slots(block: Block, first: int) -> BlockSlots:
    """The slots of a block."""
    units = [instr.units for instr in block.instructions]
    uses = [touched.tracked_read for touched in units]
    defines = [touched.tracked_written for touched in units]
    uses.append(
        tracked_units(
            argument
            for edges in (block.linear, block.logical)
            for edge in edges
            for argument in edge.arguments
        )
    )
    defines.append(())
    if block.terminator is not None:
        uses.append(block.terminator.units.tracked_read)
        defines.append(block.terminator.units.tracked_written)
    parameters = tracked_units((*block.scalar_parameters, *block.vector_parameters))
    return BlockSlots(first, parameters, uses, defines, len(block.instructions))


def kernel_slots(kernel: Kernel) -> list[BlockSlots]:
    """The slots of every block, numbered in layout order."""
    slots: list[BlockSlots] = []
    first = 0
    for block in kernel.blocks:
        slots.append(block_slots(block, first))
        first += len(slots[-1].uses)
    return slots


def is_vector_unit(kernel: Kernel, unit: int) -> bool:
    """Whether a unit lives along logical edges."""
    if unit >= FIRST_VIRTUAL:
        return kernel.owners[unit - FIRST_VIRTUAL].register_class in VECTOR_CLASSES
    return unit >= FIRST_VGPR


def unit_class(kernel: Kernel, unit: int) -> RegisterClass:
    """The class of a virtual or physical unit."""
    if unit >= FIRST_VIRTUAL:
        return kernel.owners[unit - FIRST_VIRTUAL].register_class
    return physical_unit_class(unit)


def physical_unit_class(unit: int) -> RegisterClass:
    """The class of a physical unit as liveness counts it: VCC is an SGPR, other scalars by name are not."""
    if unit >= FIRST_VGPR:
        return RegisterClass.VGPR if unit < FIRST_AGPR else RegisterClass.AGPR
    return RegisterClass.SGPR if unit < VCC.first + VCC.count else RegisterClass.SPECIAL


def unit_name(kernel: Kernel, unit: int) -> str:
    """A unit as messages spell it: `%name`, `%name.2` for a part of a tuple, or the physical register."""
    if unit < FIRST_VIRTUAL:
        return str(Register(unit))
    owner = kernel.owners[unit - FIRST_VIRTUAL]
    return f"%{owner.name}" if owner.count == 1 else f"%{owner.name}.{unit - owner.first}"
