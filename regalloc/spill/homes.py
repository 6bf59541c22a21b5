"""The homes of spilled values: spare registers for some, numbered places of memory for the others.

Spare registers go to the most expensive values, as far as such registers are free. A VGPR goes to an AGPR: on
CDNA both share a file, and a value crosses by a single instruction, while scratch takes a memory access.
Values that share a place go there together: the parameter of a loop, and the argument of its back edge.

An SGPR goes to another SGPR if SGPRs are free and only a specific register, VCC for example, is needed twice.
The copies there and back split its live range. Parameters of loops are excluded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VIRTUAL
from regalloc.intervals import Segments
from regalloc.spill.facts import SpillFacts
from regalloc.spill.notes import TRIPS, spill_traffic
from regalloc.spill.plan import Pass, SpillPlan


class SpillHomes(NamedTuple):
    """`places` has the number of every unit that is in memory, `in_registers` the units that have a spare
    register."""

    places: dict[int, int]
    in_registers: frozenset[int] = frozenset()


def homes_of(facts: SpillFacts, plan: SpillPlan, shared: dict[int, int], spare: int) -> SpillHomes:
    """Homes for every spilled unit, in `spare` registers and memory.

    Parts of a tuple are adjacent, and all units to which `shared` gives the same name have the same place.
    """
    wanted = _spilled_units(facts, plan, shared)
    chosen = choose_for_registers(facts, plan, wanted, shared, spare)
    owners = facts.kernel.owners
    in_registers = frozenset(unit for unit in wanted if owners[unit - FIRST_VIRTUAL].first in chosen)
    remaining = sorted(wanted - in_registers)
    numbers: dict[int, int] = {}
    for unit in remaining:
        numbers.setdefault(shared.get(unit, unit), len(numbers))
    return SpillHomes({unit: numbers[shared.get(unit, unit)] for unit in remaining}, in_registers)


def _spilled_units(facts: SpillFacts, plan: SpillPlan, shared: dict[int, int]) -> set[int]:
    wanted = {unit for register in plan.in_memory for unit in register.units}
    for actions in plan.actions.values():
        for action in actions:
            if isinstance(action, Pass) or action.again is None:
                wanted.update(action.units)
    wanted -= facts.constants.keys()
    places = {shared.get(unit, unit) for unit in wanted}
    return wanted | {unit for unit in plan.stores if shared.get(unit, unit) in places}


def choose_for_registers(
    facts: SpillFacts, plan: SpillPlan, units: Collection[int], shared: Mapping[int, int], spare: int
) -> set[int]:
    """The first units of the virtual registers that are spilled to spare registers.

    `units` are in memory by the plan, `shared` names the units that share a place, and `spare` registers are
    free. A value needs a spare register at most while it is live.
    """
    if not spare:
        return set()
    owners = facts.kernel.owners
    traffic = spill_traffic(facts, plan, units)
    groups = _groups(facts, sorted(units), shared)

    def cost(group: set[int]) -> float:
        points = [point for first in group if first in traffic for point in traffic[first].points()]
        size = sum(owners[first - FIRST_VIRTUAL].count for first in group)
        return sum(TRIPS ** facts.depths[block] for block, _ in points) / size

    places = _Occupied(facts, spare)
    chosen: set[int] = set()
    if not facts.is_vector:
        handed_on = {register.first for register in plan.in_memory}
        groups = [group for group in groups if len(group) == 1 and group.isdisjoint(handed_on)]
    for group in sorted(groups, key=lambda group: (-cost(group), min(group))):
        if places.take(unit for first in group for unit in owners[first - FIRST_VIRTUAL].register.units):
            chosen |= group
    return chosen


def _groups(facts: SpillFacts, units: Iterable[int], shared: Mapping[int, int]) -> list[set[int]]:
    """Virtual registers, by their first units, that have a place in common."""
    members: dict[int, set[int]] = {}
    by_place: dict[int, int] = {}
    for unit in units:
        first = facts.kernel.owners[unit - FIRST_VIRTUAL].first
        other = by_place.setdefault(shared.get(unit, unit), first)
        mine, theirs = members.setdefault(first, {first}), members.setdefault(other, {other})
        if mine is not theirs:
            mine |= theirs
            members.update(dict.fromkeys(mine, mine))
    return list({id(group): group for group in members.values()}.values())


class _Occupied:
    """How many spare registers are taken at every position."""

    def __init__(self, facts: SpillFacts, spare: int) -> None:
        self._segments: Mapping[int, Segments] = facts.intervals.segments
        self._counts = np.zeros(2 * len(facts.intervals.deaths) + 2, np.int32)
        self._most = spare

    def take(self, units: Iterable[int]) -> bool:
        """Take a register for each unit while it is live. Returns False, and takes nothing, if too few are
        free."""
        stretches = [stretch for unit in units for stretch in self._segments.get(unit, ())]
        for start, end in stretches:
            self._counts[start:end] += 1
        fits = all(self._counts[start:end].max(initial=0) <= self._most for start, end in stretches)
        if not fits:
            for start, end in stretches:
                self._counts[start:end] -= 1
        return fits
