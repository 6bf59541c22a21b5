"""Physical registers by their numbers, for kernels by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import Registers, is_whole, registers
from isa.registers import EXEC, M0, VCC, Register, RegisterClass, agpr, sgpr, vgpr


class _File:
    """Physical registers of a file: `k.physical.v[0]`, `k.physical.s[2:4]`."""

    def __init__(self, recorder: Recorder, make: Callable[[int, int], Register], size: int) -> None:
        self._recorder, self._make, self._size = recorder, make, size

    def __getitem__(self, place: int | slice) -> Registers[Any]:
        inside = range(0)
        if isinstance(place, slice):
            inside = range(self._size)[place]
        elif is_whole(place):
            inside = range(place, place + 1)
        if not inside or inside.step != 1 or not 0 <= inside.start < inside.stop <= self._size:
            raise self._recorder.fault("HND006", f"got {place}, wanted registers from 0 to {self._size - 1}")
        register = self._make(inside.start, len(inside))
        return registers(self._recorder, register, self._recorder.kernel.register_class(register))


class Physical:
    """Physical registers, if an ABI or a trick needs a certain register."""

    def __init__(self, recorder: Recorder) -> None:
        target = recorder.target
        self.v = _File(recorder, vgpr, 256)
        self.s = _File(recorder, sgpr, target.sgprs)
        self.a = _File(recorder, agpr, 256 if target.has_agprs else 0)
        self.vcc = registers(
            recorder, recorder.masks.vcc if recorder.masks.units == 1 else VCC, RegisterClass.SGPR
        )
        self.exec = registers(recorder, recorder.masks.exec, recorder.kernel.register_class(EXEC))
        self.m0 = registers(recorder, M0, recorder.kernel.register_class(M0))
