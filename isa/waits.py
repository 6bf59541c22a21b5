"""Waits by the row: which counters an instruction waits for and to what count, and the instructions that wait
for given counts.

A row that waits (`Trait.WAIT`) names its counters: s_waitcnt has a modifier for each, `s_waitcnt_vscnt` and
`s_wait_loadcnt` have an operand named like the counter, and the operand of `s_wait_loadcnt_dscnt` has a field
for each (RDNA3 ISA and RDNA4 ISA, the sections on data dependencies). `s_wait_idle` names none and waits for
all (`Trait.IDLE`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from isa.diagnostics import InternalError
from isa.fields import field_values, pack_fields
from isa.instruction import Immediate, Instr, Kind, Operand, OperandSpec, Origin, Row, Trait
from isa.named_tuple import NamedTuple
from isa.registers import NULL
from isa.targets import TARGETS

if TYPE_CHECKING:
    from isa.table import Table

_COUNT_KINDS = Kind.SIMM | Kind.FIELDS
STATED_WAIT = "wait"  # the source op of a wait that a person states


class Wait(NamedTuple):
    """A waiting instruction, and the counters that it was made for."""

    instr: Instr
    counters: tuple[str, ...]


def waited(instr: Instr) -> dict[str, int]:
    """How many accesses of each counter may still be under way after `instr`; counters that it does not name
    are left out."""
    row = instr.row
    if Trait.WAIT not in row.traits:
        return {}
    if Trait.IDLE in row.traits:
        return dict.fromkeys(counters_of(row), 0)
    counts = {name: value for name, value in instr.modifiers if isinstance(value, int)}
    for spec, value in zip(row.operands, instr.operands, strict=True):
        if isinstance(value, Immediate) and spec.kinds & _COUNT_KINDS:
            counts |= field_values(spec, value.bits)
    return counts


def is_stated(instr: Instr) -> bool:
    """Whether a person states this wait, in a kernel by hand."""
    return instr.origin is not None and instr.origin.op == STATED_WAIT and Trait.WAIT in instr.row.traits


def with_count(instr: Instr, counter: str, count: int) -> Instr:
    """A wait with another count for a counter."""
    counts = waited(instr) | {counter: count}
    operands = tuple(
        Immediate(pack_fields(spec, {name: counts[name] for name in field_values(spec, 0)}))
        if spec.kinds & _COUNT_KINDS and isinstance(value, Immediate)
        else value
        for spec, value in zip(instr.row.operands, instr.operands, strict=True)
    )
    modifiers = tuple((name, counts.get(name, value)) for name, value in instr.modifiers)
    return instr.as_row(instr.row, operands, modifiers)


@cache
def counters_of(row: Row) -> tuple[str, ...]:
    """The names of the counters that a row can wait for."""
    if Trait.IDLE in row.traits:
        counters = (counter.name for target in sorted(row.targets) for counter in TARGETS[target].counters)
        return tuple(dict.fromkeys(counters))
    named = tuple(spec.name for spec in row.modifiers if spec.syntax == "counter")
    return named + tuple(
        name for spec in row.operands if spec.kinds & _COUNT_KINDS for name in field_values(spec, 0)
    )


def waits_for(table: Table, counts: Mapping[str, int], origin: Origin | None = None) -> tuple[Wait, ...]:
    """The fewest instructions that wait for all of `counts`: those of the target that wait for several
    counters come first.

    InternalError for a counter that the target does not have.
    """
    waits: list[Wait] = []
    left = dict(counts)
    for operation in table.target.combined_waits:
        row = table.row(operation)
        if left.keys() >= set(counters_of(row)):
            waits.append(_wait(row, left, origin))
    operations = {counter.name: counter.wait for counter in table.target.counters}
    while left:
        name = next(iter(left))
        if name not in operations:
            raise InternalError("waits", name, f"{table.target.name} has no such counter")
        waits.append(_wait(table.row(operations[name]), left, origin))
    return tuple(waits)


def _wait(row: Row, left: dict[str, int], origin: Origin | None) -> Wait:
    """The wait of a row for those of the remaining counters that it covers. They no longer remain
    afterwards."""
    counts = {name: left.pop(name) for name in counters_of(row) if name in left}
    operands = tuple(_operand(spec, counts) for spec in row.operands)
    modifiers = tuple((spec.name, counts[spec.name]) for spec in row.modifiers if spec.name in counts)
    return Wait(Instr(row, operands, modifiers, origin), tuple(counts))


def _operand(spec: OperandSpec, counts: Mapping[str, int]) -> Operand:
    """The counts in an operand. A row's other operand, the register that is added to the count, is NULL
    unless the row fixes it."""
    return Immediate(pack_fields(spec, counts)) if spec.kinds & _COUNT_KINDS else spec.fixed or NULL
