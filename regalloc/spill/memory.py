"""The memory of spilled values, and the instructions that store and reload them.

VGPRs go to AGPRs or to scratch, the private memory of each lane. SGPRs go to other SGPRs if some are free and
only a specific register is short, or to lanes of otherwise unused VGPRs. No spill code touches SCC or EXEC.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from isa.build import build
from isa.footprint import Bytes, Footprint, Space
from isa.instruction import OFF, Instr, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import DWORD, Register, RegisterClass
from regalloc.allocation import RELOAD, SPILL

WIDTHS = (4, 3, 2, 1)
SPILLED = ".spilled"  # the object of spilled values, which no allocation of a program is named
SPARE = {RegisterClass.VGPR: RegisterClass.AGPR, RegisterClass.SGPR: RegisterClass.SGPR}
"""The file that takes the values of a file into its free registers before memory does."""
_NAMES = {1: "dword", 2: "dwordx2", 3: "dwordx3", 4: "dwordx4"}


class SpillMemory(Protocol):
    """Memory of numbered places, from 0, each for a unit."""

    def store(self, register: Register, place: int) -> list[Instr]:
        """Write a register's units to consecutive places."""
        ...

    def load(self, register: Register, place: int) -> list[Instr]:
        """Fill a register's units from consecutive places."""
        ...

    def widest(self, count: int, align: int) -> int:
        """How many of `count` units a single instruction moves, from a register at a multiple of `align`."""
        ...


class Scratch:
    """`places` dwords of scratch from byte `start` on.

    `set_up` is the beginning of the program: on targets that need a register for the address of every access,
    it moves 0 into an SGPR.
    """

    def __init__(self, kernel: Kernel, start: int, places: int) -> None:
        self._kernel = kernel
        self._table = kernel.table
        self._start = start
        self._base: Register | None = None
        self.set_up: tuple[Instr, ...] = ()
        if places and self._table.find("scratch_load_dword", "none") is None:
            self._base = kernel.new_register(RegisterClass.SGPR, name="")
            self.set_up = (self._set(self._base, 0),)

    def widest(self, count: int, align: int) -> int:
        return next(
            width
            for width in WIDTHS
            if width <= count and align % max(spec.align for spec in self._row("load", width).operands) == 0
        )

    def store(self, register: Register, place: int) -> list[Instr]:
        before, saddr, offset = self._address(place)
        row = self._row("store", register.count, saddr)
        touches = self._touches(place, register.count)
        store = build(row, OFF, register, saddr or OFF, origin=SPILL, touches=touches, offset=offset)
        return [*before, store]

    def load(self, register: Register, place: int) -> list[Instr]:
        before, saddr, offset = self._address(place)
        row = self._row("load", register.count, saddr)
        touches = self._touches(place, register.count)
        load = build(row, register, OFF, saddr or OFF, origin=RELOAD, touches=touches, offset=offset)
        return [*before, load]

    def _touches(self, place: int, count: int) -> tuple[Footprint, ...]:
        """The bytes of spilled values: the first round of spilling has other bytes than the next."""
        first = self._start + DWORD * place
        return (Footprint(Space.SCRATCH, SPILLED, bytes=Bytes("0", first, first, 1, DWORD * count)),)

    def _address(self, place: int) -> tuple[list[Instr], Register | None, int]:
        """The SGPR and the offset of a place, and the instructions that fill the SGPR if the offset alone is
        too large."""
        offset = self._start + DWORD * place
        largest = next(spec.maximum for spec in self._row("load", 1).modifiers if spec.name == "offset")
        within = offset % (largest + 1)
        if within == offset:
            return [], self._base, offset
        high = self._kernel.new_register(RegisterClass.SGPR, name="")
        return [self._set(high, offset - within)], high, within

    def _set(self, register: Register, value: int) -> Instr:
        return build(self._table.row("s_mov_b32"), register, value, origin=SPILL)

    def _row(self, direction: str, count: int, saddr: Register | None = None) -> Row:
        name = f"scratch_{direction}_{_NAMES[count]}"
        if saddr is None:
            return self._table.find(name, "none") or self._table.row(name, "saddr")
        return self._table.row(name, "saddr")


class Lanes:
    """The lanes of whole VGPRs, in order."""

    def __init__(self, kernel: Kernel, registers: Sequence[Register]) -> None:
        self._write = kernel.table.row("v_writelane_b32")
        self._read = kernel.table.row("v_readlane_b32")
        self._registers = registers
        self._lanes = kernel.table.target.wave_size

    def widest(self, count: int, align: int) -> int:
        return 1

    def store(self, register: Register, place: int) -> list[Instr]:
        vgpr, lane = self._registers[place // self._lanes], place % self._lanes
        return [build(self._write, vgpr, register, lane, vgpr, origin=SPILL)]

    def load(self, register: Register, place: int) -> list[Instr]:
        vgpr, lane = self._registers[place // self._lanes], place % self._lanes
        return [build(self._read, register, vgpr, lane, origin=RELOAD)]


class SpillCounts(NamedTuple):
    """How many registers of each kind spill code stores."""

    sgprs: int
    vgprs: int


def spill_counts(kernel: Kernel) -> SpillCounts:
    """Counts of the stores in a kernel's spill code, before or after allocation. A value in an AGPR is still
    in a register."""
    if not (kernel.scratch_bytes or kernel.spill_lanes):  # no spill code stores anything
        return SpillCounts(0, 0)
    stores = [instr for instr in kernel.instructions() if instr.origin == SPILL]
    return SpillCounts(
        sum(Trait.LANE_WRITE in instr.row.traits for instr in stores),
        sum(instr.row.memory_bytes // DWORD for instr in stores if Trait.STORE in instr.row.traits),
    )
