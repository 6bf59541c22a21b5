"""Whether two images run alike: the same setup, and from each entry the same instructions in the same order.

A run is a function of these, of its arguments and, if the code reads the program counter, of addresses. So a
code object needs no run of its own if its text has run: assembly fills the space before an aligned entry, but
no wave gets there.
"""

from __future__ import annotations

from isa.emulator.program.code import Code
from isa.emulator.program.image import Image
from isa.instruction import Immediate, Instr, Label, Operand, Role, Trait
from isa.registers import NULL
from isa.semantics.control import CONTROLS, Control

_OF_THE_COUNTER = frozenset({Control.GET_PC, Control.SET_PC, Control.SWAP_PC, Control.CALL})


def run_alike(one: Image, other: Image) -> bool:
    """True if every launch of the two images has the same outcome; False if it may differ."""
    if _setup(one) != _setup(other) or one.sections or other.sections:
        return False
    first, second = one.code, other.code
    entries = [(first.entry, second.entry)]
    if first.preload_entry is not None and second.preload_entry is not None:
        entries.append((first.preload_entry, second.preload_entry))
    elif first.preload_entry is not second.preload_entry:
        return False
    seen: set[tuple[int, int]] = set()
    while entries:
        pair = entries.pop()
        if pair not in seen:
            seen.add(pair)
            following = _following(first, second, *pair)
            if following is None:
                return False
            entries += following
    return True


def _setup(image: Image) -> tuple[object, ...]:
    return (
        image.name, image.target, image.descriptor, image.arguments, image.kernarg_size,
        image.largest_workgroup, image.required,
    )  # fmt: skip


def _following(one: Code, other: Code, i: int, j: int) -> list[tuple[int, int]] | None:
    """The operations that may follow a pair of operations; None if these are not known to be the same."""
    if i >= len(one.operations) or j >= len(other.operations):
        return None
    first, second = one.operations[i], other.operations[j]
    if not (isinstance(first, Instr) and isinstance(second, Instr) and _are_same(first, second)):
        return None
    if CONTROLS.get(first.row.semantics) in _OF_THE_COUNTER:
        return None
    goals = [
        (one.labels[mine.name], other.labels[theirs.name])
        for mine, theirs in zip(first.operands, second.operands, strict=True)
        if isinstance(mine, Label) and isinstance(theirs, Label)
    ]
    return [*goals, (i + 1, j + 1)] if _goes_on(first) else goals


def _goes_on(instr: Instr) -> bool:
    """Whether the next instruction may follow."""
    traits = instr.row.traits
    return Trait.END not in traits and (Trait.BRANCH not in traits or Trait.CONDITIONAL_BRANCH in traits)


def _are_same(one: Instr, other: Instr) -> bool:
    """Whether two instructions do the same, wherever their labels are."""
    if one.row is not other.row:
        named, same = (one.row.mnemonic, one.row.semantics), (other.row.mnemonic, other.row.semantics)
        if named != same or not one.row.semantics or len(one.operands) != len(other.operands):
            return False
    if one.modifiers != other.modifiers:
        return False
    specs = zip(one.row.operands, one.operands, other.operands, strict=True)
    return all(_reads_same(mine, theirs, spec.role) for spec, mine, theirs in specs)


def _reads_same(one: Operand, other: Operand, role: Role) -> bool:
    """Whether two operands are the same: a null register reads as 0."""
    if type(one) is type(other):
        return isinstance(one, Label) or one == other
    return role is Role.USE and {one, other} == {NULL, Immediate(0)}
