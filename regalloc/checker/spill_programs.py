"""The two programs that the check of spill code compares: whose a register is, and what it may hold."""

from __future__ import annotations

from isa.diagnostics import InternalError
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.checker.spill_state import ACCUMULATORS, Place, State, Value

STAGE = "spill check"


class Programs:
    """`before` is the program, `after` the one with spill code. Virtual units from `new` on are spill code's
    own, `lanes` are the VGPRs set apart for spilled SGPRs, and `point` is where the check is.
    """

    def __init__(self, before: Kernel, after: Kernel) -> None:
        self.before = before
        self.after = after
        self.new = FIRST_VIRTUAL + len(before.owners)
        self.lanes = {register.first for register in after.spill_lanes}
        self.point = ""

    def fail(self, message: str) -> InternalError:
        """What to raise at the point where the check is."""
        return InternalError(STAGE, f"{self.after.name}:{self.point}", message)

    def name(self, unit: int) -> str:
        """How a unit is named in messages."""
        if unit < FIRST_VIRTUAL:
            return str(Register(unit))
        return f"%{self.after.owner(Register(unit)).name}"

    def is_vector(self, unit: Place | int) -> bool:
        """Whether each lane has a value of its own in a unit; a place of memory is none."""
        return isinstance(unit, int) and self.after.register_class(Register(unit)).value != "s"

    def is_new_agpr(self, register: Register) -> bool:
        """Whether spill code has a register for its own in the file of accumulators."""
        return register.first >= self.new and self.after.register_class(register) is RegisterClass.AGPR

    def must_be_new(self, register: Register) -> None:
        """InternalError where spill code writes a register of the program."""
        if register.first < self.new:
            raise self.fail(f"{self.name(register.first)} is the program's, and spill code writes it")

    def values(self, unit: int, state: State) -> frozenset[Value]:
        """What a register holds: itself where it is the program's, or what brought it."""
        if unit < self.new:
            return frozenset((unit,))
        if self.is_new_agpr(Register(unit)):
            return state.memory.get((ACCUMULATORS, unit), frozenset())
        return state.brought.get(unit, frozenset())

    def same(self, wanted: Register, found: Register, state: State) -> None:
        """InternalError where `found` may not hold what `wanted` has in the program."""
        if wanted.count != found.count:
            raise self.fail(f"{found.count} registers for {wanted.count}")
        for one, other in zip(wanted.units, found.units, strict=True):
            if one != other and (other < self.new or one not in self.values(other, state)):
                raise self.fail(f"{self.name(other)} is read for {self.name(one)}, which it may not hold")
