"""What the path of a wave cares about in one operation: registers read for their value, registers written,
events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from isa.emulator.code import Jump, Operation, ParallelCopies
from isa.emulator.indexing import operands_indexed
from isa.emulator.modifiers import merged_source
from isa.instruction import Event, Instr, Row, Trait, Unit
from isa.registers import FIRST_AGPR, FIRST_VGPR, FLAT_SCRATCH, M0, MODE, TRAPSTS, VCC, Register
from isa.semantics import resolve
from isa.semantics.control import IndexMode, RelativeMove


class PathFacts(NamedTuple):
    """What a path cares about in one operation; `read` and `written` are the units of its registers as
    bits."""

    uses: tuple[Register, ...]
    defines: tuple[Register, ...]
    events: tuple[Event, ...]
    read: int = 0
    written: int = 0
    indexes: bool | None = None  # whether VGPR indexing goes on, or off, here


def facts_of(operation: Operation, indexing: Instr | None = None) -> PathFacts:
    """What a path cares about in an operation; `indexing` turned on the mode in which it runs, where one
    did."""
    facts = _registers(operation)
    written = bits_of(facts.defines) | (_reached(operation, indexing) if isinstance(operation, Instr) else 0)
    meaning = meaning_of(operation) if isinstance(operation, Instr) else None
    indexes = meaning.on if isinstance(meaning, IndexMode) else None
    return facts._replace(read=bits_of(facts.uses), written=written, indexes=indexes)


def _reached(instr: Instr, indexing: Instr | None) -> int:
    """The units that a result may go to whose place a register says: any from the one named on."""
    meaning = meaning_of(instr)
    moved = isinstance(meaning, RelativeMove) and meaning.destination
    if indexing is not None and instr.row.unit is Unit.VALU:
        moved = not operands_indexed(indexing, instr).isdisjoint(instr.row.defines)
    first = instr.operands[0] if moved else None
    if not isinstance(first, Register):
        return 0
    end = FIRST_AGPR if first.first >= FIRST_VGPR else VCC.first
    return ((1 << end) - 1) & ~((1 << first.first) - 1)


def meaning_of(instr: Instr) -> object:
    """What an instruction means to the emulator; None where it has no semantics, which is refused when it
    runs."""
    try:
        return resolve(instr.row.semantics)
    except KeyError:
        return None


def _registers(operation: Operation) -> PathFacts:
    """Registers read for their value and written. An unspelt source that the destination merely keeps does
    not count as read, nor the M0 of a message, most of which say nothing by it."""
    if isinstance(operation, Jump):
        return PathFacts((), (), ())
    if isinstance(operation, ParallelCopies):
        sources = tuple(source for _, source in operation.pairs if isinstance(source, Register))
        return PathFacts(sources, tuple(target for target, _ in operation.pairs), ())
    row = operation.row
    uses = [
        operand for i in row.uses if isinstance(operand := operation.operands[i],
            Register) and i not in _merely_kept(row)
    ]  # fmt: skip
    unread = (
        (MODE, TRAPSTS, FLAT_SCRATCH) if row.unit is Unit.FLAT else (MODE, TRAPSTS)
    )  # flat access looks itself where a lane reaches scratch
    messages = (M0,) if Event.MESSAGE in row.events else ()
    implicit = [register for register in row.reads if register not in unread and register not in messages]
    return PathFacts((*uses, *implicit), operation.defined(), row.events)


@cache
def _merely_kept(row: Row) -> frozenset[int]:
    """The sources whose value a destination keeps in part, without anything being made of it."""
    if Trait.LANE_WRITE in row.traits:
        return frozenset(use for use, _ in row.ties)
    return frozenset({merged_source(row)})


def mask_of(register: Register) -> int:
    return ((1 << register.count) - 1) << register.first


def bits_of(registers: Iterable[Register]) -> int:
    bits = 0
    for register in registers:
        bits |= mask_of(register)
    return bits


def units_of(bits: int) -> tuple[int, ...]:
    """The units of a bit set, lowest first."""
    units: list[int] = []
    while bits:
        units.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(units)
