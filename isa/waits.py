"""Waits by the row: which counters an instruction waits for and to what count, and the instructions that wait for given counts.

A row that waits (`Trait.WAIT`) names its counters: s_waitcnt has a modifier for each, `s_waitcnt_vscnt` and `s_wait_loadcnt`
have an operand named like the counter, and `s_wait_loadcnt_dscnt` packs two into one operand (RDNA3.5 ISA and RDNA4 ISA,
the section on SOPP).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from isa.diagnostics import InternalError
from isa.instruction import Immediate, Instr, Kind, Operand, OperandSpec, Origin, Row, Trait
from isa.registers import NULL

if TYPE_CHECKING:
    from isa.table import Table


class PackedCount(NamedTuple):
    """One counter's bits in an operand that holds the counts of several."""

    counter: str
    shift: int
    bits: int


# Operands that hold two counts, by name (RDNA4 ISA: S_WAIT_LOADCNT_DSCNT, S_WAIT_STORECNT_DSCNT); six bits each.
PACKED: dict[str, tuple[PackedCount, ...]] = {
    "loadcnt_dscnt": (PackedCount("loadcnt", 8, 6), PackedCount("dscnt", 0, 6)),
    "storecnt_dscnt": (PackedCount("storecnt", 8, 6), PackedCount("dscnt", 0, 6)),
}
_WHOLE = 16  # an operand of one count is the instruction's 16-bit immediate


class Wait(NamedTuple):
    """One instruction that waits, and the counters that it was made for."""

    instr: Instr
    counters: tuple[str, ...]


def waited(instr: Instr) -> dict[str, int]:
    """How many accesses of each counter may still be under way behind `instr`; counters that it does not name are left out."""
    row = instr.row
    if Trait.WAIT not in row.traits:
        return {}
    counts = {name: value for name, value in instr.modifiers if isinstance(value, int)}
    for index, fields in _count_operands(row):
        value = instr.operands[index]
        if isinstance(value, Immediate):
            counts |= {field.counter: value.bits >> field.shift & ((1 << field.bits) - 1) for field in fields}
    return counts


@cache
def counters_of(row: Row) -> tuple[str, ...]:
    """The names of the counters that a row can wait for, in the order in which text spells them."""
    named = tuple(spec.name for spec in row.modifiers if spec.syntax == "counter")
    return named + tuple(field.counter for _, fields in _count_operands(row) for field in fields)


def waits_for(table: Table, counts: Mapping[str, int], origin: Origin | None = None) -> tuple[Wait, ...]:
    """The fewest instructions that wait for all of `counts`: those of the target that wait for several counters come first.

    InternalError for a counter that the target does not have.
    """
    waits: list[Wait] = []
    left = dict(counts)
    for operation in table.target.combined_waits:
        row = table.row(operation)
        if left.keys() >= set(counters_of(row)):
            waits.append(_wait(row, counters_of(row), left, origin))
    operations = {counter.name: counter.wait for counter in table.target.counters}
    while left:
        name = next(iter(left))
        if name not in operations:
            raise InternalError("waits", name, f"{table.target.name} has no such counter")
        row = table.row(operations[name])
        waits.append(_wait(row, tuple(name for name in counters_of(row) if name in left), left, origin))
    return tuple(waits)


def _wait(row: Row, names: tuple[str, ...], left: dict[str, int], origin: Origin | None) -> Wait:
    """The wait of one row for those counters, which are then no longer left."""
    counts = {name: left.pop(name) for name in names}
    packed = dict(_count_operands(row))
    operands = tuple(_operand(spec, packed.get(index, ()), counts) for index, spec in enumerate(row.operands))
    modifiers = tuple((spec.name, counts[spec.name]) for spec in row.modifiers if spec.name in counts)
    return Wait(Instr(row, operands, modifiers, origin), names)


def _operand(spec: OperandSpec, fields: Iterable[PackedCount], counts: Mapping[str, int]) -> Operand:
    """The counts that an operand holds; a row's other operand is the register that is added to the count, and that is none."""
    bits = [counts[field.counter] << field.shift for field in fields]
    return Immediate(sum(bits)) if bits else spec.fixed or NULL


@cache
def _count_operands(row: Row) -> tuple[tuple[int, tuple[PackedCount, ...]], ...]:
    """The operands that hold counts, by index, with what they hold."""
    immediates = ((index, row.operands[index]) for index in row.uses if row.operands[index].kinds & (Kind.SIMM | Kind.FIELDS))
    return tuple((index, PACKED.get(spec.name, (PackedCount(spec.name, 0, _WHOLE),))) for index, spec in immediates)
