"""A summary of spilling for each value: its memory, the number of stores and reloads, and their loop
depth."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct, field

from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL
from regalloc.allocation import SpilledValue
from regalloc.spill.facts import SpillFacts
from regalloc.spill.memory import SPARE
from regalloc.spill.plan import Point, Reload, SpillPlan

TRIPS = 10
"""The trip count that cost estimates assume for a loop."""


class Traffic(Struct):
    """The points at which a virtual register is stored, and those at which it comes back."""

    stores: set[Point] = field(default_factory=set)
    loads: set[Point] = field(default_factory=set)

    def points(self) -> tuple[Point, ...]:
        """Those of both kinds."""
        return (*self.stores, *self.loads)


def spill_traffic(facts: SpillFacts, plan: SpillPlan, kept: Collection[int]) -> dict[int, Traffic]:
    """The spill code of each virtual register that a plan spills, by its first unit. `kept` are the units
    that have another home meanwhile."""
    traffic: dict[int, Traffic] = {}

    def of(unit: int) -> Traffic:
        return traffic.setdefault(facts.kernel.owners[unit - FIRST_VIRTUAL].first, Traffic())

    for unit, point in plan.stores.items():
        if unit in kept:
            of(unit).stores.add(point)
    for point, actions in plan.actions.items():
        for action in actions:
            for unit in action.units:
                (of(unit).loads if isinstance(action, Reload) else of(unit).stores).add(point)
    return traffic


def spilled_values(
    facts: SpillFacts, plan: SpillPlan, in_memory: Collection[int], in_registers: Collection[int]
) -> tuple[SpilledValue, ...]:
    """The values that a plan takes out of registers, the dearest first; the units in memory, and in spare
    registers, are given."""
    values = [
        _value(facts, facts.kernel.owners[first - FIRST_VIRTUAL], traffic, in_memory, in_registers)
        for first, traffic in spill_traffic(facts, plan, {*in_memory, *in_registers}).items()
    ]
    return tuple(sorted(values, key=lambda value: (-value.cost, value.name)))


def _value(
    facts: SpillFacts, owner: VirtualRegister, traffic: Traffic,
    in_memory: Collection[int], in_registers: Collection[int],
) -> SpilledValue:  # fmt: skip
    is_in_registers = any(unit in in_registers for unit in owner.register.units)
    is_in_memory = any(unit in in_memory for unit in owner.register.units)
    memory = "scratch" if facts.is_vector else "lanes of VGPRs"
    spare = f"{SPARE[facts.register_class].name}s"
    where = spare if is_in_registers else memory if is_in_memory else "made again"
    depths = [facts.depths[block] for points in (traffic.stores, traffic.loads) for block, _ in points]
    cost = sum(TRIPS**depth for depth in depths)
    return SpilledValue(
        owner.name, facts.register_class.name, owner.count,
        where,
        len(traffic.stores), len(traffic.loads), max(depths), cost, owner.place,
    )  # fmt: skip


def spill_lines(kernel: str, values: tuple[SpilledValue, ...], most: int) -> list[str]:
    """A line for each of the `most` most expensive values, and a line for all the others."""
    lines = [f"{kernel}: {spill_line(value)}" for value in values[:most]]
    others = values[most:]
    if others:
        lines.append(f"{kernel}: {len(others)} more spilled, cost {sum(value.cost for value in others)}")
    return lines


def spill_line(value: SpilledValue) -> str:
    """`%x (2 VGPRs, line 5) in scratch: 1 store, 3 loads, 1 loop deep, cost 31`."""
    size = f"{value.registers} {value.file}{'' if value.registers == 1 else 's'}"
    line = f", line {value.place.line}" if value.place is not None and value.place.line else ""
    stores = "" if value.memory == "made again" else f"{_times(value.stores, 'store')}, "
    loops = f", {_times(value.depth, 'loop')} deep" if value.depth else ""
    where = value.memory if value.memory == "made again" else f"in {value.memory}"
    traffic = f"{stores}{_times(value.loads, 'load')}{loops}"
    return f"%{value.name} ({size}{line}) {where}: {traffic}, cost {value.cost}"


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
