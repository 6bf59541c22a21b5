"""The facts about a register file of a kernel that the choice of spills needs: definitions of values,
distances to their uses, and other occupants of the file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct

from isa.instruction import ExecMode, Immediate, Instr, Trait
from isa.lane_masks import reads_exec, writes_exec
from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.allocation import RELOAD, SPILL
from regalloc.cfg import FlowGraph
from regalloc.constraints import Constraints, gather_constraints
from regalloc.intervals import Intervals, build_intervals
from regalloc.lanes import lane_values
from regalloc.liveness import Liveness, compute_liveness
from regalloc.pools import Pool
from regalloc.slots import PARAMETERS, VECTOR_CLASSES
from regalloc.spill.next_use import NEVER, NextUses
from regalloc.spill.remat import Remat


class SpillFacts(Struct):
    """A file of a kernel before any of its values is spilled.

    `sites` has the block and the slot of every unit's definition. `constants` are the bits of units that a
    plain move defines from a constant. `kept` are units that may not leave their registers. `physical`
    counts, for every block and slot, the file's registers that the program itself occupies there. `heads` has
    for every block the slot from which all lanes that arrive there are on, and `exec_writes` the later slots
    that change EXEC; both are empty in the scalar file. `depths` counts the loops around every block. `remat`
    finds values that can be computed again.
    """

    kernel: Kernel
    register_class: RegisterClass
    graph: FlowGraph
    liveness: Liveness
    constraints: Constraints
    intervals: Intervals
    next_uses: NextUses
    sites: dict[int, tuple[int, int]]
    constants: dict[int, int]
    kept: set[int]
    physical: list[list[int]]
    heads: list[int]
    exec_writes: list[list[int]]
    depths: list[int]
    remat: Remat

    def storing_slot(self, unit: int, block: int, index: int) -> tuple[int, int]:
        """The slot of the store for a unit that leaves its register before slot `index` of a block.

        It is as late as possible, but in the block that defines the unit, and under the EXEC of its
        definition.
        """
        home, defined = self.sites[unit]
        slot = index if block == home else self.liveness.slots[home].copies
        first = max(defined + 1, self.heads[home])
        limit = next((write for write in self.exec_writes[home] if write >= first), slot)
        return home, max(first, min(slot, limit))

    @property
    def is_vector(self) -> bool:
        """Whether the file's values belong to lanes, and live along logical edges."""
        return self.register_class in VECTOR_CLASSES

    def is_of_file(self, unit: int) -> bool:
        """Whether a unit is a virtual unit of the file."""
        owners = self.kernel.owners
        return unit >= FIRST_VIRTUAL and owners[unit - FIRST_VIRTUAL].register_class is self.register_class

    def is_read(self, number: int, index: int, unit: int) -> bool:
        """Whether a unit is read in slot `index` of a block or later."""
        return self.next_uses.at(number, index, unit) != NEVER

    def holds(self, register: object) -> bool:
        """Whether an operand is a virtual register of the file."""
        return (
            isinstance(register, Register)
            and register.is_virtual
            and self.kernel.owner(register).register_class is self.register_class
        )


def gather_spill_facts(kernel: Kernel, pool: Pool) -> SpillFacts:
    """Collect the facts about a register file of a verified kernel."""
    liveness = compute_liveness(kernel)
    flow = liveness.flow
    constraints = gather_constraints(kernel, liveness.slots)
    owners, register_class = kernel.owners, pool.register_class
    mine = bytearray(owner.register_class is register_class for owner in owners)
    graph = flow.logical if register_class in VECTOR_CLASSES else flow.linear
    facts = SpillFacts(
        kernel=kernel,
        register_class=register_class,
        graph=graph,
        liveness=liveness,
        constraints=constraints,
        intervals=build_intervals(liveness, constraints),
        next_uses=NextUses(
            kernel, liveness, graph, lambda unit: unit >= FIRST_VIRTUAL and bool(mine[unit - FIRST_VIRTUAL])
        ),
        sites={},
        constants={},
        kept=lane_values(kernel, liveness),
        physical=_physical_counts(liveness, pool),
        heads=[],
        exec_writes=[],
        depths=graph.depths,
        remat=Remat(kernel, liveness, register_class),
    )
    for number, block in enumerate(kernel.blocks):
        _find_definitions(facts, number, block)
        head = _head(block) if facts.is_vector else 0
        facts.heads.append(head)
        facts.exec_writes.append(_exec_writes(block, head) if facts.is_vector else [])
    return facts


def _find_definitions(facts: SpillFacts, number: int, block: Block) -> None:
    for register in (*block.scalar_parameters, *block.vector_parameters):
        facts.sites.update((unit, (number, PARAMETERS)) for unit in register.units)
    for index, instr in enumerate(block.instructions):
        for register in instr.defined():
            if register.is_virtual:
                facts.sites.update((unit, (number, index)) for unit in register.units)
                facts.constants.update(_constants(instr, register))


def _constants(instr: Instr, register: Register) -> dict[int, int]:
    """The bits of the units that a move of a constant defines."""
    if Trait.MOVE not in instr.row.traits or instr.modifiers or instr.row.ties or len(instr.operands) != 2:
        return {}
    source = instr.operands[1]
    if not isinstance(source, Immediate) or source.bits >> 32 * register.count:
        return {}
    return {unit: source.bits >> 32 * k & 0xFFFFFFFF for k, unit in enumerate(register.units)}


def _head(block: Block) -> int:
    """The first slot in which every lane that comes to a block is on: after the scalar code that lets lanes
    run, which comes before anything that EXEC masks. SGPRs that come back from lanes are scalar code."""
    scalar = list(takewhile(_is_scalar, block.instructions))
    restores = [index for index, instr in enumerate(scalar) if writes_exec(instr) and not reads_exec(instr)]
    return restores[-1] + 1 if restores else 0


def _is_scalar(instr: Instr) -> bool:
    return instr.row.exec_mode is ExecMode.SCALAR or instr.origin in (SPILL, RELOAD)


def _exec_writes(block: Block, head: int) -> list[int]:
    """The slots from `head` on in which EXEC changes."""
    return [index for index, instr in enumerate(block.instructions) if index >= head and writes_exec(instr)]


def _physical_counts(liveness: Liveness, pool: Pool) -> list[list[int]]:
    """For every block and slot, the physical registers of a pool that are live there or written there."""
    usable = {pool.first + i for i in range(pool.mask.bit_length()) if pool.mask >> i & 1}
    return [_counts(liveness, number, usable) for number in range(len(liveness.slots))]


def _counts(liveness: Liveness, number: int, usable: set[int]) -> list[int]:
    slots = liveness.slots[number]
    live = usable.intersection(liveness.leaving(number))
    counts = [0] * len(slots.uses)
    for index in range(len(slots.uses) - 1, -1, -1):
        defined, used = _within(slots.defines[index], usable), _within(slots.uses[index], usable)
        before = (live - defined) | used
        counts[index] = len(live | defined | before)
        live = before
    return counts


def _within(units: Sequence[int], usable: set[int]) -> set[int]:
    return {unit for unit in units if unit < FIRST_VIRTUAL and unit in usable}
