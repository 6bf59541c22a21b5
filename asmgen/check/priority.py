"""Priority that a wave raises and does not lower again before it ends: a note, since the results are right.

A wave of higher priority issues before the others of its SIMD (CDNA3 ISA, S_SETPRIO). What is meant for a
loop of matrix instructions then holds for the code after it too, which mostly waits for memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.check.analyses import FixedPoint
from asmgen.check.listing import ListedFunction
from asmgen.check.mistakes import Mistake
from isa.instruction import Immediate, Instr, Label, Trait
from isa.program import Block, Kernel

_BITS = 3


class Raised:
    """The instructions that raised the priority which the wave has here, on some path."""

    __slots__ = ("by",)

    def __init__(self) -> None:
        self.by: dict[int, Instr] = {}  # by identity

    def copy(self) -> Raised:
        other = Raised()
        other.by = dict(self.by)
        return other

    def merge(self, other: Raised) -> bool:
        before = len(self.by)
        self.by |= other.by
        return len(self.by) > before


class Priority:
    """The wave's priority, as an analysis: what is lacking at an end is the lowering of what was raised."""

    def empty(self) -> Raised:
        return Raised()

    def step(self, state: Raised, instr: Instr) -> list[Instr]:
        if Trait.PRIORITY in instr.row.traits:
            state.by = {id(instr): instr} if priority_of(instr) else {}
        return list(state.by.values()) if _ends(instr) else []

    def leave(self, state: Raised, block: Block) -> tuple[()]:
        return ()

    def alike(self, one: Raised, other: Raised) -> bool:
        return one.by.keys() == other.by.keys()


def priority_of(instr: Instr) -> int:
    """What an instruction of `Trait.PRIORITY` sets: 0, which a wave begins with, to 3."""
    (operand,) = instr.operands
    assert isinstance(operand, Immediate)
    return operand.bits & _BITS


def raised_priorities(function: ListedFunction, kernel: Kernel) -> Iterator[Mistake]:
    """The instructions whose raised priority a function ends with, each once."""
    if not any(Trait.PRIORITY in instr.row.traits and priority_of(instr) for instr in function.instructions):
        return
    flow = FixedPoint(kernel, Priority())
    left = {id(instr) for lacks in flow.lacks.values() for _, instr in lacks}
    for index, instr in enumerate(function.instructions):
        if id(instr) in left:
            text = (
                f"the priority {priority_of(instr)} is left raised where the function ends, wanted "
                "s_setprio 0 after what it is for"
            )
            yield Mistake(index, "CHK008", text, is_note=True)


def _ends(instr: Instr) -> bool:
    """Whether a function ends here: the wave ends, or goes back to a caller."""
    traits = instr.row.traits
    returns = Trait.BRANCH in traits and not instr.row.defines and not isinstance(instr.operands[-1], Label)
    return Trait.END in traits or returns
