"""The result of an allocation."""

from __future__ import annotations

from typing import NamedTuple

from isa.diagnostics import Place
from isa.instruction import Instr, Origin
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass, unit_register
from regalloc.liveness import Pressure

COPY_ORIGIN = Origin("register copy")
"""The origin of every copy that allocation inserts; the checker recognises copies by it."""

SPILL = Origin("spill")
RELOAD = Origin("reload")

DWORD = 4
"""Bytes of a 32-bit unit in memory."""

Insertions = dict[tuple[int, int], tuple[Instr, ...]]
"""The copies before slot `index` of block `number`; the slot of the edge copies is `len(instructions)`."""


class Statistics(NamedTuple):
    """What an allocation came to. Registers are counted to the highest one used; `sgprs` leaves VCC out.

    `copies` were put in, `coalesced` units of edge arguments and ties needed none.
    """

    vgprs: int
    sgprs: int
    agprs: int
    uses_vcc: bool
    copies: int
    coalesced: int
    pressure: dict[RegisterClass, Pressure]


class Allocation(NamedTuple):
    """Where every virtual unit lives: `units` maps it to a physical unit. `insertions` are the copies, by
    block and slot.

    `reserved` are the physical units that the allocation was told to leave alone, and `usable` those of each
    class that it was given.
    """

    units: dict[int, int]
    insertions: Insertions
    statistics: Statistics
    usable: dict[RegisterClass, frozenset[int]]
    reserved: frozenset[int] = frozenset()

    def register(self, register: Register) -> Register:
        """The physical register of a virtual one, or of a part of it; a physical one is itself."""
        first, count = register
        if first < FIRST_VIRTUAL:
            return register
        place = self.units[first]
        return unit_register(place) if count == 1 else Register(place, count)


class SpilledValue(NamedTuple):
    """One virtual register that is not in registers for all of its life.

    `memory` is `scratch`, `AGPRs`, `SGPRs` (others), `lanes of VGPRs`, or `made again` where nothing has it.
    `stores` and `loads` count the points that have them, `depth` the loops around the deepest of these, and
    `cost` their number where every loop around one counts ten times.
    """

    name: str
    file: str
    registers: int
    memory: str
    stores: int
    loads: int
    depth: int
    cost: int
    place: Place | None


class AllocatedKernel(NamedTuple):
    """A kernel on virtual registers with its allocation; where not all fits it has spill code, and `spilled`
    says of what, the dearest first."""

    kernel: Kernel
    allocation: Allocation
    spilled: tuple[SpilledValue, ...] = ()
