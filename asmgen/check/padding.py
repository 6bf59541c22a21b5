"""The padding of code objects: NOPs that fill up to an alignment, and those after a kernel's end, which the
machine only fetches."""

from __future__ import annotations

from asmgen.check.listing import ListedFunction
from isa.instruction import Instr, Trait
from isa.registers import Register


def without_padding(function: ListedFunction) -> ListedFunction:
    """The function without the NOPs that nothing runs into: after an instruction that leaves, up to the next
    label or other code."""
    entered = {*function.code.labels.values(), function.code.entry, function.code.preload_entry}
    padding: set[int] = set()
    left = False
    for index, instr in enumerate(function.instructions):
        if left and index not in entered and Trait.NOP in instr.row.traits:
            padding.add(index)
        else:
            left = _leaves(instr)
    return function.without(frozenset(padding)) if padding else function


def _leaves(instr: Instr) -> bool:
    """Whether what follows is reached only by a label: after the end, and after a jump that is no call."""
    traits = instr.row.traits
    return Trait.END in traits or (
        Trait.BRANCH in traits and Trait.CONDITIONAL_BRANCH not in traits and not instr.row.defines
    )


def returns(instr: Instr) -> bool:
    """Whether an instruction jumps to a register's value, as a return does, and is no call."""
    return _leaves(instr) and Trait.BRANCH in instr.row.traits and isinstance(instr.operands[-1], Register)
