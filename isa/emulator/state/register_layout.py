"""Places of units in the register arrays of `Waves`: physical units at fixed places, virtual units after
them."""

from __future__ import annotations

from collections.abc import Iterable

from isa.emulator.state.waves import SCALAR_PAIRS
from isa.instruction import Instr
from isa.program import VirtualRegister
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, VCC, Register, RegisterClass
from isa.target import Target
from isa.targets import TARGETS

DEFAULT_TARGET = TARGETS["gfx942"]  # of layouts without an image


class RegisterLayout:
    """Rows of vector units and (pair, half) of scalar units. Tuples stay together; scalar tuples start at
    even places.

    `target` is the machine, at its wave size. `sgprs` counts the numbered scalar registers of a wave.
    """

    def __init__(
        self,
        vgprs: int,
        agprs: int,
        owners: Iterable[VirtualRegister] = (),
        target: Target = DEFAULT_TARGET,
        sgprs: int = VCC.first,
    ) -> None:
        self._sgprs = sgprs
        self.target = target
        self.lanes = target.wave_size
        self._agpr_row = vgprs
        self._vgprs, self._agprs = vgprs, agprs
        self.rows = vgprs + agprs
        self.pairs = SCALAR_PAIRS
        self._virtual_rows: dict[int, int] = {}
        self._virtual_scalars: dict[int, int] = {}
        for owner in {owner.first: owner for owner in owners}.values():
            if owner.register_class is RegisterClass.SGPR:
                for i in range(owner.count):
                    self._virtual_scalars[owner.first + i] = 2 * self.pairs + i
                self.pairs += (owner.count + 1) // 2
            else:
                for i in range(owner.count):
                    self._virtual_rows[owner.first + i] = self.rows + i
                self.rows += owner.count

    def is_vector(self, register: Register) -> bool:
        if register.first >= FIRST_VIRTUAL:
            return register.first in self._virtual_rows
        return register.first >= FIRST_VGPR

    def has(self, register: Register) -> bool:
        """Whether the kernel declares enough registers to have this register."""
        if register.first < self.target.sgprs:
            return register.first + register.count <= self._sgprs
        if register.first >= FIRST_VIRTUAL or register.first < FIRST_VGPR:
            return True
        if register.first >= FIRST_AGPR:
            return register.first + register.count - FIRST_AGPR <= self._agprs
        return register.first + register.count - FIRST_VGPR <= self._vgprs

    def row(self, unit: int) -> int:
        """The row of a vector unit."""
        if unit >= FIRST_VIRTUAL:
            return self._virtual_rows[unit]
        return unit - FIRST_VGPR if unit < FIRST_AGPR else self._agpr_row + unit - FIRST_AGPR

    def place(self, unit: int) -> tuple[int, int]:
        """Pair and half of a scalar unit."""
        index = self._virtual_scalars[unit] if unit >= FIRST_VIRTUAL else unit
        return index >> 1, index & 1


def vector_registers_used(instructions: Iterable[Instr]) -> tuple[int, int]:
    """How many VGPRs and AGPRs, counted from 0, physical registers of these instructions reach."""
    vgprs = agprs = 0
    for instr in instructions:
        for operand in instr.operands:
            if not isinstance(operand, Register) or not FIRST_VGPR <= operand.first < FIRST_VIRTUAL:
                continue
            end = operand.first + operand.count
            if operand.first >= FIRST_AGPR:
                agprs = max(agprs, end - FIRST_AGPR)
            else:
                vgprs = max(vgprs, end - FIRST_VGPR)
    return vgprs, agprs
