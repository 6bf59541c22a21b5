"""The spill code of a register file of a kernel, tighter each time that the scan finds no room."""

from __future__ import annotations

from msgspec.structs import replace

from isa.diagnostics import InputError
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import DWORD, FIRST_VIRTUAL, Register, RegisterClass
from regalloc.allocation import RELOAD, SPILL, SpilledValue
from regalloc.pools import Pool
from regalloc.slots import slot_instruction
from regalloc.spill.agprs import find_agprs
from regalloc.spill.code import SpillWriter
from regalloc.spill.facts import SpillFacts, gather_spill_facts
from regalloc.spill.homes import SpillHomes, homes_of
from regalloc.spill.least import least_budget
from regalloc.spill.memory import SPARE, Lanes, Scratch
from regalloc.spill.notes import spilled_values
from regalloc.spill.plan import Crowded, SpillPlan
from regalloc.spill.room import NoRoom
from regalloc.spill.walk import SpillWalk
from regalloc.tuples import handed_together, named_together, parted_owners


class Spilled(NamedTuple):
    """A kernel with the spill code of a class, and the origin of its slots and registers.

    `origins` has, by block and slot, the slot of the kernel before. `before` is the number of units of the
    kernel before, and `brought` maps the units that reloads fill to the units with the same value.
    """

    kernel: Kernel
    origins: list[list[int]]
    before: int
    brought: dict[int, int]

    def original(self, unit: int) -> int | None:
        """The unit of the kernel before with the same value; None for a unit that spill code computes."""
        return unit if unit < self.before else self.brought.get(unit)


class FileSpiller:
    """Spills the file of `pool` until at most `budget` of its registers are live at once.

    Spilled VGPRs go to `spare` of the AGPRs of `pools`, and SGPRs to `spare` other SGPRs and to lanes of
    VGPRs. At the points of `crowded` more values leave than the budget asks for. `spill` chooses again after
    any of these has changed. Raises InputError RA002 if a single point needs more.
    """

    def __init__(self, kernel: Kernel, pool: Pool, pools: dict[RegisterClass, Pool], budget: int) -> None:
        self.kernel = kernel
        self.budget = budget
        self.rounds = 0
        self._pool = pool
        self._vgprs = pools[RegisterClass.VGPR]
        self._facts = gather_spill_facts(kernel, pool)
        self.spare = _spare(self._facts, pools[SPARE[pool.register_class]], pool.mask.bit_count() - budget)
        self._walk = SpillWalk(self._facts, budget)
        self.spilled = self.spill()

    @property
    def crowded(self) -> Crowded:
        """The units that have to leave, by point."""
        return self._walk.crowded

    @property
    def values(self) -> tuple[SpilledValue, ...]:
        """The spilled values, the most expensive first."""
        return spilled_values(self._facts, self._plan, self._homes.places, self._homes.in_registers)

    def spill(self) -> Spilled:
        """The kernel with its spill code, which is `spilled` from now on."""
        self.rounds += 1
        try:
            plan = self._walk.run()
        except NoRoom as none:
            raise _too_small(self.kernel, self._pool, none) from None
        homes = homes_of(self._facts, plan, self._walk.places, self.spare)
        self._plan, self._homes = plan, homes
        kernel = replace(self.kernel, owners=[*self.kernel.owners, *plan.owners])
        if self._facts.is_vector:
            self.spilled = _write_vectors(kernel, self._facts, plan, homes)
        else:
            self.spilled = _write_scalars(kernel, self._facts, plan, homes, self._vgprs)
        return self.spilled


def _write_vectors(spilled: Kernel, facts: SpillFacts, plan: SpillPlan, homes: SpillHomes) -> Spilled:
    """Spill code with AGPRs, and with scratch after the scratch that the kernel has already."""
    size = max(homes.places.values(), default=-1) + 1
    start = -(-spilled.scratch_bytes // DWORD) * DWORD
    agprs = find_agprs(spilled, facts, plan, homes.in_registers)
    filed = {
        first: replace(spilled.owner(Register(first)), register_class=RegisterClass.AGPR) for first in agprs
    }
    spilled = replace(
        spilled,
        scratch_bytes=start + DWORD * size,
        owners=[filed.get(owner.first, owner) for owner in spilled.owners],
    )
    memory = Scratch(spilled, start, size)
    blocks = SpillWriter(spilled, facts, plan, homes, memory, agprs).blocks()
    blocks[0] = blocks[0].with_instructions([*memory.set_up, *blocks[0].instructions])
    kernel = spilled.with_blocks(blocks)
    return _spilled(facts, plan, _loosened(kernel))


def _write_scalars(
    spilled: Kernel, facts: SpillFacts, plan: SpillPlan, homes: SpillHomes, pool: Pool
) -> Spilled:
    """Spill code with other SGPRs, and with lanes of VGPRs, which are set apart."""
    registers = _lane_registers(facts, pool, max(homes.places.values(), default=-1) + 1)
    blocks = SpillWriter(spilled, facts, plan, homes, Lanes(spilled, registers), set()).blocks()
    return _spilled(facts, plan, replace(spilled.with_blocks(blocks), spill_lanes=registers))


def _loosened(kernel: Kernel) -> Kernel:
    """A kernel with spill code. A tuple is split if no operand names it as a whole any more. A tuple that is
    written part by part goes to memory by parts, and is reloaded as a whole into another register."""
    joined = named_together(kernel) | handed_together(kernel)
    return replace(kernel, owners=parted_owners(kernel, joined))


def _spilled(facts: SpillFacts, plan: SpillPlan, kernel: Kernel) -> Spilled:
    before = facts.kernel
    origins = [_origins(old, new) for old, new in zip(before.blocks, kernel.blocks, strict=True)]
    return Spilled(kernel, origins, FIRST_VIRTUAL + len(before.owners), plan.brought())


def _origins(old: Block, new: Block) -> list[int]:
    """For each slot of a block with spill code, the slot of the block without it."""
    origins: list[int] = []
    index = 0
    for instr in new.instructions:
        origins.append(index)
        is_old = instr.origin not in (SPILL, RELOAD) or slot_instruction(old, index) is instr
        index += is_old
    return [*origins, index, index + 1]


def _spare(facts: SpillFacts, pool: Pool, lowered: int) -> int:
    """The registers of a pool that the program leaves at every point, and a budget that is `lowered`."""
    own = facts.liveness.pressure.get(pool.register_class)
    less = 0 if facts.is_vector else lowered
    return max(0, pool.mask.bit_count() - less - (own.units if own is not None else 0))


def _lane_registers(facts: SpillFacts, pool: Pool, places: int) -> tuple[Register, ...]:
    """VGPRs with lanes for `places` values.

    They are the first registers above the program's pressure and its widest instruction, or else the last
    registers: in between they would separate the parts of tuples. The program does not name them itself.
    Raises InputError RA002 if there are too few.
    """
    count = -(-places // facts.kernel.table.target.wave_size)
    if not count:
        return ()
    pressure = facts.liveness.pressure.get(RegisterClass.VGPR)
    least = least_budget(facts.kernel, RegisterClass.VGPR)
    wanted = max((pressure.units if pressure is not None else 0) + 1, least)
    own = _own_units(facts)
    usable = [i for i in range(pool.mask.bit_length()) if pool.mask >> i & 1 and pool.first + i not in own]
    if len(usable) < count:
        raise InputError(
            facts.kernel.name,
            "RA002",
            f"{count} VGPRs must keep {places} spilled SGPRs in their lanes, but only {len(usable)} may",
            (pool.limit,),
            f"--max-vgprs {least + count} or more, or a smaller workgroup",
        )
    above = [i for i in usable if i >= wanted][:count]
    chosen = above if len(above) == count else usable[len(usable) - count :]
    return tuple(Register(pool.first + i) for i in chosen)


def _own_units(facts: SpillFacts) -> set[int]:
    """The physical units that a program names itself, or is given."""
    named = [
        unit for slots in facts.liveness.slots for units in (*slots.uses, *slots.defines) for unit in units
    ]
    given = [unit for _, register in facts.kernel.abi.entry for unit in register.units]
    return {unit for unit in (*named, *given) if unit < FIRST_VIRTUAL}


def _too_small(kernel: Kernel, pool: Pool, none: NoRoom) -> InputError:
    """RA002: a point needs more registers than there are, or more consecutive registers than can be free."""
    number, index = none.point
    block: Block = kernel.blocks[number]
    instr: Instr | None = slot_instruction(block, index)
    what = instr.row.mnemonic if instr is not None else f"the end of {block.label}"
    place = instr.origin.place if instr is not None and instr.origin is not None else None
    there = pool.mask.bit_count()
    needs = f"{what} needs {none.needed} {pool.register_class.name}s at once"
    return InputError(
        place or kernel.name,
        "RA002",
        f"{needs}, the budget is {there}"
        if none.needed > there
        else f"{needs}, some of them consecutive, and the budget of {there} does not have them free",
        (f"in block {block.label}; {pool.limit}; everything else that may be spilled is spilled there",),
        f"{_larger(kernel, pool)}, or a smaller workgroup",
    )


def _larger(kernel: Kernel, pool: Pool) -> str:
    """The help of RA002: for VGPRs, a budget that certainly suffices, if the target has so many. A smaller
    budget may suffice if fewer values around an instruction have to stay than the estimate counts."""
    if pool.register_class is not RegisterClass.VGPR:
        return "a larger --max-vgprs"
    lanes = len(kernel.spill_lanes)
    needed = max(least_budget(kernel, RegisterClass.VGPR), pool.mask.bit_count() + 1) + lanes
    if needed > kernel.table.target.arch_vgprs:
        return "fewer elements of a lane, by a smaller tile or vector width"
    return f"--max-vgprs {needed}, which suffices (fewer may)"
