"""What is to be spilled of one register file: the decision, before any code is made for it.

A point is a block's number and a slot's (`regalloc.slots`), `PARAMETERS` for where the block begins. What a
point has to do comes before its instruction: first the stores, then the actions in their order.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from isa.instruction import Immediate, Instr
from isa.program import VirtualRegister
from isa.registers import Register

Point = tuple[int, int]


class Crowded(Struct):
    """Points at which registers are short although the budget holds: tuples need consecutive ones.

    `before` has the units that are out of registers before a point reads its operands, `after` those that are
    when it writes its results, and `fewer` by how many registers the budget is lower at a point.
    """

    before: dict[Point, set[int]] = field(default_factory=dict)
    after: dict[Point, set[int]] = field(default_factory=dict)
    fewer: dict[Point, int] = field(default_factory=dict)


class Reload(NamedTuple):
    """`register`, a new virtual one, takes the values of `units` from memory, or as constants, or from
    `again`, which computes them anew."""

    register: Register
    units: tuple[int, ...]
    again: Instr | None = None


class Pass(NamedTuple):
    """A block parameter that lives in memory gets its value: the memory of `units` is written from
    `source`."""

    source: Register | Immediate
    units: tuple[int, ...]


Action = Reload | Pass


class ArgumentKey(NamedTuple):
    """An argument of an edge: of the block's linear or logical ones, by number and position."""

    is_logical: bool
    edge: int
    argument: int


OperandKey = int | ArgumentKey
"""What reads a register at a point: an instruction's operand by its index, or an edge's argument."""


class SpillPlan(Struct):
    """The decision for one register file.

    `stores` has where each unit is stored whose value is in memory; `actions` what the points do; `operands`
    the registers that take the place of operands and arguments; `in_memory` the block parameters that live in
    memory; `owners` the new virtual registers, in the order of their units.
    """

    stores: dict[int, Point] = field(default_factory=dict)
    actions: dict[Point, list[Action]] = field(default_factory=dict)
    operands: dict[Point, dict[OperandKey, Register]] = field(default_factory=dict)
    in_memory: set[Register] = field(default_factory=set)
    owners: list[VirtualRegister] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether everything stays in registers."""
        return not self.actions and not self.in_memory

    def brought(self) -> dict[int, int]:
        """The units that reloads fill, each with the unit whose value it takes."""
        return {
            new: unit
            for actions in self.actions.values()
            for action in actions
            if isinstance(action, Reload)
            for new, unit in zip(action.register.units, action.units, strict=True)
        }
