"""What to say of a mnemonic that a target lacks: whose it is, and what the target has instead."""

from __future__ import annotations

import re
from difflib import get_close_matches

from isa.diagnostics import InputError, Place
from isa.instruction import Role, Row, Unit
from isa.table import Table, table_named, targets_with

_MOST = 6  # instructions that are named


def unknown_instruction(name: str, table: Table, place: Place | str) -> InputError:
    """The error for an instruction that is not in the table; its note names what does the same, or comes close."""
    target = table.target.name
    elsewhere = [other for other in targets_with(name) if other != target]
    if not elsewhere:
        near = get_close_matches(name, {row.name for row in table.rows}, _MOST, 0.8)
        return InputError(place, "ASM001", f"unknown instruction {name!r}, wanted one of {target}'s", tuple(_listed(target, near)))
    row = table_named(elsewhere[0]).named(name)[0]
    own = sorted({other.name for other in table.doing(row.operation)}) or _matrix_like(row, table)
    notes = tuple(_listed(target, own)) or (f"{target} has nothing that does the same",)
    return InputError(place, "ASM001", f"{name} is an instruction of {', '.join(elsewhere)}, wanted one of {target}'s", notes)


def _listed(target: str, names: list[str]) -> list[str]:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return [f"{target} has {', '.join(names[:_MOST])}{more}"] if names else []


def _matrix_like(row: Row, table: Table) -> list[str]:
    """For a matrix instruction those of the target with factors of the same type, whatever their shape; all where there is none."""
    if row.unit is not Unit.MATRIX:
        return []
    matrices = [other for other in table.rows if other.unit is Unit.MATRIX]
    same = [other for other in matrices if _factor(other) == _factor(row)]
    return sorted({other.name for other in same or matrices})


def _factor(row: Row) -> str:
    """The element type of A: `f16` of an `f16x8`."""
    first = next(spec for spec in row.operands if spec.role is Role.USE)
    return re.sub(r"x\d+$", "", first.type)
