"""Vector registers by their halves of 16 bits: where a row reads or writes one half, the other keeps what it
holds.

A *part* is one half of a unit: `2 * unit` is the low one, `2 * unit + 1` the high one.
"""

from __future__ import annotations

from collections.abc import Iterable

from isa.emulator.modifiers import half_of
from isa.instruction import Instr
from isa.program import Kernel
from isa.registers import FIRST_VGPR, Register

Parts = tuple[int, ...]


def parts_read(instr: Instr) -> Parts:
    """The parts of vector registers that an instruction reads, tied ones included."""
    return tuple(part for i in instr.row.uses for part in _parts(instr, i))


def parts_written(instr: Instr) -> Parts:
    """The parts of vector registers that an instruction writes, in some lanes at least."""
    return tuple(part for i in instr.row.defines for part in _parts(instr, i))


def _parts(instr: Instr, index: int) -> Iterable[int]:
    register = instr.operands[index]
    if not isinstance(register, Register) or register.first < FIRST_VGPR:
        return ()
    if instr.row.operands[index].half:
        return (2 * register.first + half_of(instr, index).value,)
    return range(2 * register.first, 2 * (register.first + register.count))


def writes_halves(kernel: Kernel) -> bool:
    """Whether some instruction writes one half of a register and leaves the other."""
    return any(_writes_half(instr) for block in kernel.blocks for instr in block.instructions)


def _writes_half(instr: Instr) -> bool:
    return any(instr.row.operands[i].half for i in instr.row.defines)
