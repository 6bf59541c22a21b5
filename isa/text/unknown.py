"""Messages about a mnemonic that a target lacks: the targets that have it, and similar instructions."""

from __future__ import annotations

from isa.diagnostics import InputError, Place
from isa.instruction import Row, Unit
from isa.table import Table, table_named, table_of, targets_with
from isa.targets import TargetId, with_wave_size

_MOST = 6  # instructions that are named


def unknown_instruction(name: str, table: Table, place: Place | str) -> InputError:
    """The error for an instruction that is not in the table; its note names what does the same, or comes
    close."""
    target = str(TargetId(table.target))
    lanes = _other_waves(name, table)
    if lanes:
        note = f"{table.target.name} has it in waves of {lanes} lanes alone"
        return InputError(
            place, "ASM001", f"{name} needs waves of {lanes} lanes, wanted one of {target}'s", (note,)
        )
    elsewhere = [other for other in targets_with(name) if other != table.target.name]
    if not elsewhere:
        from difflib import get_close_matches

        near = get_close_matches(name, {row.name for row in table.rows}, _MOST, 0.8)
        return InputError(
            place, "ASM001", f"unknown instruction {name!r}, wanted one of {target}'s",
            tuple(_listed(target, near)),
        )  # fmt: skip
    row = table_named(elsewhere[0]).named(name)[0]
    own = sorted({other.name for other in table.doing(row.operation)}) or _matrix_like(row, table)
    notes = tuple(_listed(target, own)) or (f"{target} has nothing that does the same",)
    return InputError(
        place, "ASM001", f"{name} is an instruction of {', '.join(elsewhere)}, wanted one of {target}'s",
        notes,
    )  # fmt: skip


def _other_waves(name: str, table: Table) -> int:
    """The wave size at which the same target knows the mnemonic; 0 if there is none."""
    sizes = (lanes for lanes in table.target.wave_sizes if lanes != table.target.wave_size)
    return next((lanes for lanes in sizes if table_of(with_wave_size(table.target, lanes)).named(name)), 0)


def _listed(target: str, names: list[str]) -> list[str]:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return [f"{target} has {', '.join(names[:_MOST])}{more}"] if names else []


def _matrix_like(row: Row, table: Table) -> list[str]:
    """The target's matrix instructions of any shape with factors of the same format; all if there is none."""
    if row.unit is not Unit.MATRIX:
        return []
    matrices = [other for other in table.rows if other.unit is Unit.MATRIX]
    same = [other for other in matrices if _factor(other) == _factor(row)]
    return sorted({other.name for other in same or matrices})


def _factor(row: Row) -> str:
    """The format of A's elements, as the row's semantics name it."""
    from isa.semantics import resolve

    return resolve(row.semantics).first
