"""Facts about an operation that matter for a wave's path: registers read for their value, registers written,
events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from isa.emulator.operands.indexing import operands_indexed
from isa.emulator.operands.modifiers import merged_source
from isa.emulator.program.code import Jump, Operation, ParallelCopies
from isa.hazards.ruleset import units_mask
from isa.instruction import Event, Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_AGPR, FIRST_VGPR, FLAT_SCRATCH, M0, MODE, TRAPSTS, VCC, Register
from isa.semantics import resolve
from isa.semantics.control import IndexMode, RelativeMove


class PathFacts(NamedTuple):
    """The facts of an operation; `read` and `written` are the units of its registers as bits."""

    uses: tuple[Register, ...]
    defines: tuple[Register, ...]
    events: tuple[Event, ...]
    read: int = 0
    written: int = 0
    indexes: bool | None = None  # whether VGPR indexing goes on, or off, here


def facts_of(operation: Operation, indexing: Instr | None = None) -> PathFacts:
    """The facts of an operation; `indexing` is the operation that turned on the VGPR indexing in force, if
    any."""
    facts = _registers(operation)
    written = bits_of(facts.defines) | (_reached(operation, indexing) if isinstance(operation, Instr) else 0)
    meaning = meaning_of(operation) if isinstance(operation, Instr) else None
    indexes = meaning.on if isinstance(meaning, IndexMode) else None
    return facts._replace(read=bits_of(facts.uses), written=written, indexes=indexes)


def _reached(instr: Instr, indexing: Instr | None) -> int:
    """The units that a result with a computed register number may go to: any from the named unit on."""
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
    """The semantics of an instruction; None if it has none, in which case running it is refused."""
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
    )  # a flat access checks itself if a lane accesses scratch
    messages = (M0,) if Event.MESSAGE in row.events else ()
    implicit = [register for register in row.reads if register not in unread and register not in messages]
    return PathFacts((*uses, *implicit), operation.defined(), row.events)


@cache
def _merely_kept(row: Row) -> frozenset[int]:
    """The sources that a destination preserves in part, unchanged."""
    if Trait.LANE_WRITE in row.traits:
        return frozenset(use for use, _ in row.ties)
    return frozenset({merged_source(row)})


def bits_of(registers: Iterable[Register]) -> int:
    bits = 0
    for register in registers:
        bits |= units_mask(register)
    return bits


def units_of(bits: int) -> tuple[int, ...]:
    """The units of a bit set, lowest first."""
    units: list[int] = []
    while bits:
        units.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(units)
