"""Registers for programs that need more than there are: what does not fit is spilled before it is coloured.

SGPRs go first, since the lanes that hold them take VGPRs. A file's budget begins at what there is. Where the
scan still finds no room (tuples need consecutive registers, and copies a free one), room is made at that
point, and where that does not help the budget is lowered; the spills are then chosen anew.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from isa.diagnostics import InputError
from isa.instruction import Instr
from isa.program import Block, Kernel
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass
from regalloc.allocate import build_problem, solve
from regalloc.allocation import Allocation
from regalloc.crowding import find_crowds
from regalloc.linear_scan import OutOfRegisters, Problem
from regalloc.pools import Pool, build_pools
from regalloc.shortage import shortage
from regalloc.slots import PARAMETERS, slot_instruction
from regalloc.spill_code import SpillWriter, places_of
from regalloc.spill_facts import SpillFacts, gather_spill_facts
from regalloc.spill_memory import DWORD, Lanes, Scratch
from regalloc.spill_plan import Crowded, Point, SpillPlan
from regalloc.spill_room import NoRoom
from regalloc.spill_walk import SpillWalk

PATIENCE = 100  # times that room is made at points for a class before its whole budget is lowered
SPILLED = (RegisterClass.SGPR, RegisterClass.VGPR)


class Tightness(Struct):
    """How much of a class is spilled: its budget, and points at which more leaves than that asks for."""

    budget: int
    crowded: Crowded = field(default_factory=Crowded)
    attempts: int = 0


class Spilled(NamedTuple):
    """A kernel with the spill code of a class, and where its slots and its registers come from.

    `origins` has by block and slot the slot of the kernel before. `before` is the number of units that the
    kernel before has, and `brought` maps those that reloads fill to the units whose values they take.
    """

    kernel: Kernel
    origins: list[list[int]]
    before: int
    brought: dict[int, int]

    def original(self, unit: int) -> int | None:
        """The unit of the kernel before whose value a unit holds; None for one that spill code computes."""
        return unit if unit < self.before else self.brought.get(unit)


class Spiller:
    """Tries one kernel in pools of registers, tighter each time; `kernel` must be a verified one."""

    def __init__(self, kernel: Kernel, reserved: frozenset[int], max_vgprs: int | None) -> None:
        self._kernel = kernel
        self._reserved = reserved
        self._pools = build_pools(kernel, reserved, max_vgprs)
        self._tightness: dict[RegisterClass, Tightness] = {}

    def run(self) -> tuple[Kernel, Allocation]:
        """The kernel with the spill code it needs, and its allocation.

        InputError RA002 where one instruction alone needs more registers than there are.
        """
        while True:
            stages: dict[RegisterClass, Spilled] = {}
            kernel = self._kernel
            for register_class in SPILLED:
                if register_class in self._tightness:
                    stages[register_class] = self._spill(kernel, register_class)
                    kernel = stages[register_class].kernel
            problem, pools = build_problem(kernel), _without_lanes(self._pools, kernel)
            try:
                return kernel, solve(problem, pools, self._reserved)
            except OutOfRegisters as out:
                if out.owner.register_class not in SPILLED:
                    raise shortage(self._kernel, self._pools, out) from None
                self._tighten(out, problem, pools[out.owner.register_class], stages)

    def _tighten(
        self, out: OutOfRegisters, problem: Problem, pool: Pool, stages: dict[RegisterClass, Spilled]
    ) -> None:
        """Make room where the scan found none, or everywhere where that did not help."""
        register_class = pool.register_class
        tightness = self._tightness.get(register_class)
        if tightness is None:
            self._tightness[register_class] = Tightness(self._pools[register_class].mask.bit_count())
        elif tightness.attempts >= PATIENCE or not self._make_room(out, problem, pool, stages):
            self._tightness[register_class] = Tightness(tightness.budget - 1)
        else:
            tightness.attempts += 1
        if register_class is RegisterClass.SGPR and RegisterClass.VGPR in self._tightness:
            self._tightness[RegisterClass.VGPR].crowded = Crowded()  # its points were those of other code

    def _make_room(
        self, out: OutOfRegisters, problem: Problem, pool: Pool, stages: dict[RegisterClass, Spilled]
    ) -> bool:
        """Have what is in the way leave wherever the scan finds no room; whether more leaves than before."""
        register_class = pool.register_class
        stage, crowded = stages[register_class], self._tightness[register_class].crowded
        if not out.owner.first:  # a copy needs a register for a moment
            point = _origin(out.block, out.index, register_class, stages)
            crowded.fewer[point] = crowded.fewer.get(point, 0) + out.owner.count
            return crowded.fewer[point] <= pool.mask.bit_count()
        owners = problem.kernel.owners
        computed = {
            unit for unit in range(stage.before, FIRST_VIRTUAL + len(owners)) if stage.original(unit) is None
        }
        is_more = False
        for (owner, group, block, index), occupants in find_crowds(problem, pool, problem.lanes | computed):
            point = _origin(block, index, register_class, stages)
            is_result = index != PARAMETERS and owner.first < stage.before
            read = problem.liveness.slots[block].uses[index] if is_result else ()
            is_early = not problem.constraints.early.isdisjoint(group)
            for occupant in occupants:
                unit = stage.original(occupant)
                assert unit is not None, "what spill code computes stays"
                is_after = is_result and not (is_early and occupant in read)
                leaving = (crowded.after if is_after else crowded.before).setdefault(point, set())
                is_more = is_more or unit not in leaving
                leaving.add(unit)
        return is_more

    def _spill(self, kernel: Kernel, register_class: RegisterClass) -> Spilled:
        pools = _without_lanes(self._pools, kernel)
        pool, tightness = pools[register_class], self._tightness[register_class]
        budget = tightness.budget - (self._pools[register_class].mask.bit_count() - pool.mask.bit_count())
        facts = gather_spill_facts(kernel, pool)
        walk = SpillWalk(facts, budget, tightness.crowded)
        try:
            plan = walk.run()
        except NoRoom as none:
            raise _too_small(kernel, pool, none) from None
        places = places_of(facts, plan, walk.places)
        spilled = replace(kernel, owners=[*kernel.owners, *plan.owners])
        if facts.is_vector:
            return _write_vectors(spilled, facts, plan, places)
        return _write_scalars(spilled, facts, plan, places, pools[RegisterClass.VGPR])


def _origin(
    block: int, index: int, register_class: RegisterClass, stages: dict[RegisterClass, Spilled]
) -> Point:
    """The point of the kernel before the spill code of a class that a slot after all of it comes from."""
    if index != PARAMETERS:
        for one in reversed(SPILLED[SPILLED.index(register_class) :]):
            if one in stages:
                index = stages[one].origins[block][index]
    return block, index


def _write_vectors(spilled: Kernel, facts: SpillFacts, plan: SpillPlan, places: dict[int, int]) -> Spilled:
    """Spill code with scratch after what the kernel has already."""
    size = max(places.values(), default=-1) + 1
    start = -(-spilled.scratch_bytes // DWORD) * DWORD
    memory = Scratch(spilled, start, size)
    writer = SpillWriter(spilled, facts, plan, places, memory)
    blocks, origins = writer.blocks(), writer.origins
    blocks[0] = blocks[0].with_instructions([*memory.set_up, *blocks[0].instructions])
    origins[0] = [0] * len(memory.set_up) + origins[0]
    kernel = replace(spilled.with_blocks(blocks), scratch_bytes=start + DWORD * size)
    return Spilled(kernel, origins, _units_before(facts), plan.brought())


def _write_scalars(
    spilled: Kernel, facts: SpillFacts, plan: SpillPlan, places: dict[int, int], pool: Pool
) -> Spilled:
    """Spill code with lanes of VGPRs, which are set apart."""
    registers = _lane_registers(facts, pool, max(places.values(), default=-1) + 1)
    writer = SpillWriter(spilled, facts, plan, places, Lanes(spilled, registers))
    kernel = replace(spilled.with_blocks(writer.blocks()), spill_lanes=registers)
    return Spilled(kernel, writer.origins, _units_before(facts), plan.brought())


def _units_before(facts: SpillFacts) -> int:
    """The first unit that the kernel without spill code does not have."""
    return FIRST_VIRTUAL + len(facts.kernel.owners)


def allocate_with_spills(
    kernel: Kernel, reserved: frozenset[int] = frozenset(), max_vgprs: int | None = None
) -> tuple[Kernel, Allocation]:
    """The kernel with the spill code that it needs, the kernel itself where everything fits, and its
    allocation.

    InputError RA002 where one instruction alone needs more registers than there are.
    """
    return Spiller(kernel, reserved, max_vgprs).run()


def _lane_registers(facts: SpillFacts, pool: Pool, places: int) -> tuple[Register, ...]:
    """VGPRs with lanes for `places` values.

    They are the first ones above what the program has live at once, or the last ones there are.
    """
    count = -(-places // facts.kernel.table.target.wave_size)
    pressure = facts.liveness.pressure.get(RegisterClass.VGPR)
    wanted = (pressure.units if pressure is not None else 0) + 1
    usable = [i for i in range(pool.mask.bit_length()) if pool.mask >> i & 1]
    above = [i for i in usable if i >= wanted][:count]
    chosen = above if len(above) == count else usable[len(usable) - count :]
    return tuple(Register(pool.first + i) for i in chosen)


def _without_lanes(pools: dict[RegisterClass, Pool], kernel: Kernel) -> dict[RegisterClass, Pool]:
    """The pools without the VGPRs that hold spilled SGPRs."""
    if not kernel.spill_lanes:
        return pools
    pool = pools[RegisterClass.VGPR]
    taken = sum(1 << (register.first - FIRST_VGPR) for register in kernel.spill_lanes)
    return {**pools, RegisterClass.VGPR: pool._replace(mask=pool.mask & ~taken)}


def _too_small(kernel: Kernel, pool: Pool, none: NoRoom) -> InputError:
    """RA002: a point that needs more registers than there are, or more consecutive ones than can be free."""
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
        "a larger --max-vgprs, or a smaller workgroup",
    )
