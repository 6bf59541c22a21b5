"""The plan of the spills of a register file: the decision, before any code is written for it.

A point is the number of a block and of a slot (`regalloc.slots`); `PARAMETERS` is the start of the block. The
code of a point comes before its instruction: first the stores, then the actions in their order.
"""

from __future__ import annotations

from msgspec import Struct, field

from isa.instruction import Immediate, Instr
from isa.named_tuple import NamedTuple
from isa.program import VirtualRegister
from isa.registers import Register

Point = tuple[int, int]


class Crowded(Struct):
    """Points at which registers are short although the budget is kept: tuples need consecutive registers.

    `before` has the units that are not in registers before a point reads its operands, `after` those that are
    not when it writes its results, and `fewer` how much lower the budget is at a point.
    """

    before: dict[Point, set[int]] = field(default_factory=dict)
    after: dict[Point, set[int]] = field(default_factory=dict)
    fewer: dict[Point, int] = field(default_factory=dict)


class Reload(NamedTuple):
    """`register`, a new virtual register, takes the values of `units` from memory, or as constants, or from
    `again`, which computes them again."""

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
    """An argument of an edge: of the block's linear or logical edges, by number and position."""

    is_logical: bool
    edge: int
    argument: int


OperandKey = int | ArgumentKey
"""A reader of a register at a point: an instruction's operand by its index, or an edge's argument."""


class SpillPlan(Struct):
    """The decision for a register file.

    `stores` has the point at which each unit in memory is stored; `actions` the actions of the points;
    `operands` the registers that replace operands and arguments; `in_memory` the block parameters that live
    in memory; `owners` the new virtual registers, in the order of their units.
    """

    stores: dict[int, Point] = field(default_factory=dict)
    actions: dict[Point, list[Action]] = field(default_factory=dict)
    operands: dict[Point, dict[OperandKey, Register]] = field(default_factory=dict)
    in_memory: set[Register] = field(default_factory=set)
    owners: list[VirtualRegister] = field(default_factory=list)

    def brought(self) -> dict[int, int]:
        """The units that reloads fill, each with the unit of the same value."""
        return {
            new: unit
            for actions in self.actions.values()
            for action in actions
            if isinstance(action, Reload)
            for new, unit in zip(action.register.units, action.units, strict=True)
        }
