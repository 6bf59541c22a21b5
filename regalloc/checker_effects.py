"""What a rewritten instruction reads and writes, in values of the original: found once, however often it is
walked.

    v_add_u32_e32 v2, s5, v1    reads %i in s5 and %sum in v1, and v2 holds %next afterwards
"""

from __future__ import annotations

from typing import NamedTuple

from isa.instruction import ExecMode, Instr
from isa.registers import Register
from regalloc.checker_state import IN_ALL_LANES, Values


class Effects(NamedTuple):
    """`reads` are values and the physical units in which they have to be, in every lane where `everywhere`.

    `written` are physical units and what they hold afterwards, and `values` what is computed anew.
    """

    reads: tuple[tuple[int, int], ...]
    everywhere: bool
    values: tuple[int, ...]
    written: dict[int, Values]


NOTHING = Effects((), False, (), {})


def effects_of(original: Instr, rewritten: Instr | None) -> Effects:
    """The effects of an instruction that means `original`; nothing for a move that was left out."""
    if rewritten is None:
        return NOTHING
    row = original.row
    reads: list[tuple[int, int]] = []
    for index in row.uses:
        wanted, found = original.operands[index], rewritten.operands[index]
        if isinstance(wanted, Register) and isinstance(found, Register):
            reads += zip(wanted.units, found.units, strict=True)
    for register in row.reads:
        reads += ((unit, unit) for unit in register.units)
    written: dict[int, int] = {}
    for index in row.defines:
        result, place = original.operands[index], rewritten.operands[index]
        if isinstance(result, Register) and isinstance(place, Register):
            written.update(zip(place.units, result.units, strict=True))
    for register in row.writes:
        written.update((unit, unit) for unit in register.units)
    everywhere = row.exec_mode is ExecMode.IGNORED
    held = {
        place: frozenset((value, value + IN_ALL_LANES) if everywhere else (value,))
        for place, value in written.items()
    }
    return Effects(tuple(reads), everywhere, tuple(written.values()), held)
