"""Where the values are that a plan takes out of registers: spare registers for some, numbered places of
memory for the others."""

from __future__ import annotations

from typing import NamedTuple

from isa.registers import FIRST_VIRTUAL
from regalloc.spill.accumulators import choose_for_registers
from regalloc.spill.facts import SpillFacts
from regalloc.spill.plan import Pass, SpillPlan


class SpillHomes(NamedTuple):
    """`places` has the number of every unit that is in memory, `in_registers` the units that have a spare
    register."""

    places: dict[int, int]
    in_registers: frozenset[int] = frozenset()


def homes_of(facts: SpillFacts, plan: SpillPlan, shared: dict[int, int], spare: int) -> SpillHomes:
    """Homes for every unit that is spilled, in `spare` registers and memory.

    Parts of a tuple are next to each other, and all units that `shared` names together have one place.
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
