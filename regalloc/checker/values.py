"""The state of the check of an allocation at a point: the values that each register certainly contains.

    {v3: {%sum, %sum in all lanes}, s4: {constant 7}}

means that v3 contains the virtual register `sum`, in lanes that are off too, and s4 the number 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from isa.instruction import ExecMode, Immediate, Instr, Row
from isa.lane_masks import lane_masks
from isa.registers import Register

Values = frozenset[int]
State = dict[int, Values]
"""The values of a physical unit; a missing unit has no known value. Constants are `-1 - bits`.

A value that is present in lanes that are off as well is listed a second time, with `IN_ALL_LANES` added.
"""

IN_ALL_LANES = 1 << 32


def constant(immediate: Immediate, k: int) -> int:
    """The value of the 32 bits of an immediate from bit `32 * k` on."""
    return -1 - (immediate.bits >> 32 * k & 0xFFFFFFFF)


def is_full(state: State, wave_size: int) -> bool:
    """Whether a copy has set EXEC to all lanes. Waves of 32 lanes have only its lower half."""
    every = frozenset((constant(Immediate(0xFFFFFFFF), 0),))
    return all(state.get(unit) == every for unit in lane_masks(wave_size).exec.units)


def meet(left: State, right: State) -> State:
    """The certain contents at the join of two edges."""
    if left == right:
        return left
    met: State = {}
    for unit, values in left.items():
        if unit in right:
            both = values if values == right[unit] else values & right[unit]
            if both:
                met[unit] = both
    return met


class Effects(Struct, frozen=True):
    """`reads` are values and the physical units in which they have to be, in every lane if `everywhere`.

    `written` are physical units and their contents afterwards, and `values` the newly computed values.
    """

    reads: Sequence[tuple[int, int]]
    everywhere: bool
    values: Sequence[int]
    written: dict[int, Values]


NOTHING = Effects((), False, (), {})


def effects_of(original: Instr, rewritten: Instr | None) -> Effects:
    """The effects of an instruction that means `original`; nothing for a move that was left out."""
    if rewritten is None:
        return NOTHING
    row = original.row
    implicit_reads, implicit_writes = _implicit(row)
    reads = _side_by_side(original, rewritten, row.uses)
    reads += implicit_reads
    written = _side_by_side(original, rewritten, row.defines)
    written += implicit_writes
    everywhere = row.exec_mode is ExecMode.IGNORED
    values: list[int] = []
    held: dict[int, Values] = {}
    for value, place in written:
        values.append(value)
        held[place] = frozenset((value, value + IN_ALL_LANES) if everywhere else (value,))
    return Effects(reads, everywhere, values, held)


@cache
def _implicit(row: Row) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The registers that a row reads and writes without spelling them, which are the same in both
    programs."""
    reads, writes = (
        [(unit, unit) for register in registers for unit in register.units]
        for registers in (row.reads, row.writes)
    )
    return reads, writes


def _side_by_side(original: Instr, rewritten: Instr, places: Sequence[int]) -> list[tuple[int, int]]:
    """The units that two instructions name in the same operands."""
    pairs: list[tuple[int, int]] = []
    operands, others = original.operands, rewritten.operands
    for index in places:
        left, right = operands[index], others[index]
        if isinstance(left, Register) and isinstance(right, Register):
            first, count = left
            place, other_count = right
            if count == other_count == 1:
                pairs.append((first, place))
            elif count == other_count == 2:
                pairs += (first, place), (first + 1, place + 1)
            else:
                pairs += zip(range(first, first + count), range(place, place + other_count), strict=True)
    return pairs
