"""The registers of a file during the choice of spills: their occupants, and the order in which these leave.

A walk over the program (`regalloc.spill.walk`) asks for room at its points, and its decisions go into the
plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from isa.named_tuple import NamedTuple
from isa.program import VirtualRegister
from isa.registers import FIRST_VIRTUAL, Register
from regalloc.spill.facts import SpillFacts
from regalloc.spill.plan import Crowded, OperandKey, Point, Reload, SpillPlan

Held = dict[int, int]
"""For every unit in a register, the virtual unit with its value: itself, or a unit that a reload filled."""


class NoRoom(Exception):
    """The operands or results of a point do not fit the budget: `needed` registers."""

    def __init__(self, point: Point, needed: int) -> None:
        super().__init__(point, needed)
        self.point = point
        self.needed = needed


class Read(NamedTuple):
    """A register that a point reads, and the alignment that it has to have there."""

    key: OperandKey
    register: Register
    align: int


class SpillRoom:
    """`budget` registers, and fewer at the points of `crowded`, as far as the operands and results there
    allow it."""

    def __init__(self, facts: SpillFacts, budget: int, crowded: Crowded, plan: SpillPlan) -> None:
        self.facts = facts
        self.budget = budget
        self.crowded = crowded
        self.plan = plan

    def current(self, read: Read, held: Held) -> Register | None:
        """The register of an operand, if all its units are in a single register with the alignment."""
        first = held.get(read.register.first)
        if first is None:
            return None
        if any(held.get(unit) != first + k for k, unit in enumerate(read.register.units)):
            return None
        if first == read.register.first:
            return read.register
        owner = self._owner(first)
        inside = first + read.register.count <= owner.first + owner.count
        aligned = owner.align % read.align == 0 and (first - owner.first) % read.align == 0
        return Register(first, read.register.count) if inside and aligned else None

    def _owner(self, unit: int) -> VirtualRegister:
        owners = self.facts.kernel.owners
        place = unit - FIRST_VIRTUAL
        return owners[place] if place < len(owners) else self.plan.owners[place - len(owners)]

    def bring(self, number: int, index: int, read: Read, held: Held) -> Register:
        """The register of an operand of a point; a reload fills it if no register has the value."""
        current = self.current(read, held)
        if current is not None:
            return current
        register = self._new_register(read)
        again = self.facts.remat.again(
            read.register, register, (number, index),
            lambda wanted, align: self.current(Read(0, wanted, align), held), self.facts.depths[number] > 0,
        )  # fmt: skip
        reload = Reload(register, tuple(read.register.units), again)
        self.plan.actions.setdefault((number, index), []).append(reload)
        held.update(zip(read.register.units, register.units, strict=True))
        return register

    def _new_register(self, read: Read) -> Register:
        first = FIRST_VIRTUAL + len(self.facts.kernel.owners) + len(self.plan.owners)
        owner = self.facts.kernel.owner(read.register)
        count = read.register.count
        align = max(read.align, min(owner.align, 1 << (count - 1).bit_length()))
        new = VirtualRegister(
            f"{owner.name}_again{first}", self.facts.register_class, first, count, align, owner.place
        )
        self.plan.owners.extend([new] * count)
        return Register(first, count)

    def make_room(self, number: int, index: int, held: Held, needed: int, kept: Collection[int]) -> None:
        """Let values leave until `needed` registers are free.

        The values with the furthest next use leave first; a value that would have to be stored in a loop
        leaves last.
        """
        count = len(held) + self.facts.physical[number][index] + needed
        if count <= self.budget - self.crowded.fewer.get((number, index), 0):
            return
        at = self.facts.next_uses.at
        leaving = sorted(
            (self._is_cheap(unit, number), at(number, index, unit), self._owner(unit).first, unit)
            for unit in held
            if unit not in kept and self.may_leave(unit)
        )
        wanted = self.budget - self.crowded.fewer.get((number, index), 0)
        while count > wanted and leaving:
            *together, unit = leaving.pop()
            self.evict(unit, number, index, held)
            count -= 1
            while leaving and [*leaving[-1][:3]] == together:  # read with it, so of no use without
                self.evict(leaving.pop()[3], number, index, held)
                count -= 1
        if count > self.budget:
            raise NoRoom((number, index), count)

    def _is_cheap(self, unit: int, number: int) -> bool:
        """Whether a value can leave in a block without a new store in a loop that the block is not in."""
        facts = self.facts
        home, _ = facts.sites[unit]
        is_stored = unit in facts.constants or unit in self.plan.stores
        return is_stored or facts.depths[home] <= facts.depths[number]

    def may_leave(self, unit: int) -> bool:
        """Whether a value may go to memory at all."""
        return unit not in self.facts.kept

    def let_leave(self, units: Iterable[int], number: int, index: int, held: Held) -> None:
        """Have units out of registers before a point, with those that are read together with them."""
        firsts = {self.facts.kernel.owners[unit - FIRST_VIRTUAL].first for unit in units}
        for unit in list(held):
            if self.facts.kernel.owners[unit - FIRST_VIRTUAL].first in firsts and self.may_leave(unit):
                self.evict(unit, number, index, held)

    def evict(self, unit: int, number: int, index: int, held: Held) -> None:
        """Let a value leave its register before a point."""
        del held[unit]
        self.store(unit, number, index)

    def store(self, unit: int, number: int, index: int) -> None:
        """Have a unit in memory from before a point on, at the latest; constants need none."""
        owner = self.facts.kernel.owners[unit - FIRST_VIRTUAL]
        is_there = unit in self.plan.stores or owner.register in self.plan.in_memory
        if is_there or unit in self.facts.constants:
            return
        self.plan.stores[unit] = self.facts.storing_slot(unit, number, index)
