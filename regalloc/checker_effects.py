"""What a rewritten instruction reads and writes, in values of the original: found once, however often it is
walked.

    v_add_u32_e32 v2, s5, v1    reads %i in s5 and %sum in v1, and v2 holds %next afterwards
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from isa.instruction import ExecMode, Instr, Row
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
    reads = _side_by_side(original, rewritten, row.uses)
    reads += _implicit_reads(row)
    written = {place: value for value, place in _side_by_side(original, rewritten, row.defines)}
    if row.writes:
        written.update([(unit, unit) for register in row.writes for unit in register.units])
    everywhere = row.exec_mode is ExecMode.IGNORED
    held = {
        place: frozenset((value, value + IN_ALL_LANES) if everywhere else (value,))
        for place, value in written.items()
    }
    return Effects(tuple(reads), everywhere, tuple(written.values()), held)


@cache
def _implicit_reads(row: Row) -> tuple[tuple[int, int], ...]:
    """The registers that a row reads without spelling them, which are the same in both programs."""
    return tuple((unit, unit) for register in row.reads for unit in register.units)


def _side_by_side(original: Instr, rewritten: Instr, places: Sequence[int]) -> list[tuple[int, int]]:
    """The units that two instructions name in the same operands."""
    pairs: list[tuple[int, int]] = []
    operands, others = original.operands, rewritten.operands
    for index in places:
        one, other = operands[index], others[index]
        if isinstance(one, Register) and isinstance(other, Register):
            if one.count == other.count == 1:
                pairs.append((one.first, other.first))
            else:
                pairs += zip(one.units, other.units, strict=True)
    return pairs
