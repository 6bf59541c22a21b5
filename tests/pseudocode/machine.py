"""One instruction on the emulator: registers set, one step, registers read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isa.emulator.layout import Layout
from isa.emulator.memory import Memory
from isa.emulator.plan import step_of
from isa.emulator.transfer import NoWatch
from isa.emulator.waves import EXEC_PAIR, LANES, Waves
from isa.instruction import Instr
from isa.registers import FIRST_VGPR, Register

MODE = 0x3F0  # round to nearest even, denormals kept, dx10_clamp and ieee: a kernel descriptor's default
Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Machine:
    """Waves in front of an instruction. Vector registers are read and written as uint64[wave, lane], scalar ones uint64[wave]."""

    waves: Waves
    layout: Layout

    @classmethod
    def of(cls, waves: int, vgprs: int = 64) -> Machine:
        layout = Layout(vgprs, 0)
        return cls(Waves(waves, 1, layout.rows, layout.pairs, Memory(), 0, 0), layout)

    def write(self, register: Register, value: Words) -> None:
        for i, unit in enumerate(register.units):
            part = (value >> np.uint64(32 * i)).astype(np.uint32)
            if register.first >= FIRST_VGPR:
                self.waves.u32[self.layout.row(unit)] = part
            else:
                self.waves.s32[unit >> 1, :, unit & 1] = part

    def read(self, register: Register) -> Words:
        vector = register.first >= FIRST_VGPR
        result = np.zeros((self.waves.count, LANES) if vector else self.waves.count, np.uint64)
        for i, unit in enumerate(register.units):
            part = self.waves.u32[self.layout.row(unit)] if vector else self.waves.s32[unit >> 1, :, unit & 1]
            result |= part.astype(np.uint64) << np.uint64(32 * i)
        return result

    def step(self, instr: Instr, mask: Words) -> None:
        """Execute under an EXEC of one mask a wave."""
        self.waves.s64[EXEC_PAIR] = mask
        self.waves.mode_bits[:] = MODE
        self.waves.choose(np.arange(self.waves.count))
        step = step_of(instr, self.layout, NoWatch())
        assert step is not None
        with np.errstate(all="ignore"):
            step(self.waves)
