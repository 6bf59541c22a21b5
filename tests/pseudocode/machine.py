"""One instruction on the emulator: registers set, one step, registers read."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.emulator.state.global_memory import Memory
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.plan import step_of
from isa.instruction import Instr
from isa.registers import FIRST_VGPR, Register
from isa.target import Target

MODE = 0x3F0  # round to nearest even, denormals kept, dx10_clamp and ieee: a kernel descriptor's default
IEEE_MODE = 0x200  # of its bits
Words = NDArray[np.uint64]


class Machine(Struct, frozen=True):
    """Waves in front of an instruction. Vector registers are read and written as uint64[wave, lane], scalar
    registers as uint64[wave], and tuples of more than two registers as one of these for each register, along
    a first axis."""

    waves: Waves
    layout: RegisterLayout

    @classmethod
    def of(cls, waves: int, target: Target, vgprs: int = 64) -> Machine:
        layout = RegisterLayout(vgprs, 0, target=target)
        return cls(Waves(waves, 1, layout.rows, layout.pairs, Memory(), 0, 0, layout.lanes), layout)

    def write(self, register: Register, value: Words) -> None:
        for i, unit in enumerate(register.units):
            part = (value >> np.uint64(32 * i)).astype(np.uint32) if value.ndim < 3 else value[i]
            if register.first >= FIRST_VGPR:
                self.waves.u32[self.layout.row(unit)] = part
            else:
                self.waves.s32[unit >> 1, :, unit & 1] = part

    def read(self, register: Register) -> Words:
        vector = register.first >= FIRST_VGPR
        if register.count > 2:
            return np.array([self.read(register.part(i)) for i in range(register.count)])
        result = np.zeros((self.waves.count, self.waves.lanes) if vector else self.waves.count, np.uint64)
        for i, unit in enumerate(register.units):
            part = self.waves.u32[self.layout.row(unit)] if vector else self.waves.s32[unit >> 1, :, unit & 1]
            result |= part.astype(np.uint64) << np.uint64(32 * i)
        return result

    def step(self, instr: Instr, mask: Words, mode: int = MODE) -> None:
        """Execute under an EXEC of one mask a wave."""
        self.waves.set_exec(mask)
        self.waves.mode_bits[:] = mode
        self.waves.choose(np.arange(self.waves.count))
        step = step_of(instr, self.layout)
        with np.errstate(all="ignore"):
            if step is not None:
                step(self.waves)
