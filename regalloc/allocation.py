"""The result of an allocation."""

from __future__ import annotations

from isa.diagnostics import Place
from isa.instruction import Instr, Origin
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass, tuple_register, unit_register
from regalloc.liveness import Pressure

COPY_ORIGIN = Origin("register copy")
"""The origin of every copy that allocation inserts; the checker recognises copies by it."""

SPILL = Origin("spill")
RELOAD = Origin("reload")
CROSSING = Origin("copy between files")
"""The origin of every copy between VGPRs and AGPRs that the choice of files inserts."""


Insertions = dict[tuple[int, int], tuple[Instr, ...]]
"""The copies before slot `index` of block `number`; the slot of the edge copies is `len(instructions)`."""


class Statistics(NamedTuple):
    """Figures of an allocation. Registers are counted up to the highest register in use; `sgprs` leaves VCC
    out.

    `copies` counts the inserted copies, `coalesced` the units of edge arguments and ties that needed no copy.
    """

    vgprs: int
    sgprs: int
    agprs: int
    uses_vcc: bool
    copies: int
    coalesced: int
    pressure: dict[RegisterClass, Pressure]


class Allocation(NamedTuple):
    """The register of every virtual unit: `units` maps it to a physical unit. `insertions` are the copies, by
    block and slot.

    `reserved` are the physical units that the allocation had to leave alone, and `usable` the available units
    of each class.
    """

    units: dict[int, int]
    insertions: Insertions
    statistics: Statistics
    usable: dict[RegisterClass, frozenset[int]]
    reserved: frozenset[int] = frozenset()

    def register(self, register: Register) -> Register:
        """The physical register of a virtual register or of a part of it. A physical register maps to
        itself."""
        first, count = register
        if first < FIRST_VIRTUAL:
            return register
        place = self.units[first]
        return unit_register(place) if count == 1 else tuple_register(place, count)


class SpilledValue(NamedTuple):
    """A virtual register that is in memory for a part of its life.

    `memory` is `scratch`, `AGPRs`, `SGPRs` (other SGPRs), `lanes of VGPRs`, or `made again` if no memory
    keeps the value. `stores` and `loads` count the points of spill code, `depth` is the loop depth of the
    deepest point, and `cost` counts the points, each ten times for every loop around it.
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
    """A kernel on virtual registers with its allocation. `spilled` lists the spilled values, the most
    expensive first."""

    kernel: Kernel
    allocation: Allocation
    spilled: tuple[SpilledValue, ...] = ()
