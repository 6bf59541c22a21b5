"""The rows of a target, and how to find one.

Assembly finds rows by mnemonic (`Table.named`). The compiler asks for what an instruction does: `Table.row` takes the
operation's name, which is the same on every target, with an encoding's suffix and a form where it matters. So a pass
that wants `v_add_u32_e32` gets the row that gfx1100 spells `v_add_nc_u32_e32`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module

from isa.diagnostics import InternalError
from isa.instruction import Encoding, Row
from isa.targets import TARGETS, Target, parse_target

_PREFERENCE = {
    Encoding.PLAIN: 0, Encoding.E32: 0, Encoding.E64: 1, Encoding.SDWA: 2, Encoding.DPP: 3, Encoding.E64_DPP: 4, Encoding.DUAL: 5,
}  # fmt: skip


class Table:
    """The rows of one target at one wave size."""

    def __init__(self, target: Target, rows: Iterable[Row]) -> None:
        self.target = target
        self.rows = tuple(rows)
        self._named = _by_spelling(self.rows, lambda row: row.name)
        self._operations = _by_spelling(self.rows, lambda row: row.operation)

    def named(self, name: str) -> tuple[Row, ...]:
        """The rows that assembly may mean by a mnemonic, suffixed or not, in the order in which an assembler tries them."""
        return self._named.get(name, ())

    def spelt(self, mnemonic: str, form: str = "") -> Row:
        """The row that is printed as `mnemonic`, in the given form; InternalError if there is none."""
        found = next((row for row in self.named(mnemonic) if row.mnemonic == mnemonic and row.form == form), None)
        return found if found is not None else self._lacks(mnemonic, form)

    def doing(self, operation: str) -> tuple[Row, ...]:
        """The rows that do an operation, its name suffixed or not, the shortest encoding first; empty where there is none."""
        return self._operations.get(operation, ())

    def find(self, operation: str, form: str = "") -> Row | None:
        """The row that does an operation in the given form, in its shortest encoding; None where the target lacks it."""
        return next((row for row in self.doing(operation) if row.form == form), None)

    def row(self, operation: str, form: str = "") -> Row:
        """As `find`, where the target is known to have it; InternalError if there is none."""
        found = self.find(operation, form)
        return found if found is not None else self._lacks(operation, form)

    def _lacks(self, name: str, form: str) -> Row:
        raise InternalError("isa.table", name, f"{self.target.name} has no row of this name in the form {form!r}")


def _by_spelling(rows: Iterable[Row], name_of: Callable[[Row], str]) -> dict[str, tuple[Row, ...]]:
    """Rows by a name with the suffix of their encoding, and without it; those of two operations by the first one's too."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        name = name_of(row)
        keys = {name, name + row.mnemonic.removeprefix(row.name)}
        if row.encoding is not Encoding.DUAL:
            keys.add(name + row.encoding.value)
        keys.update(part.mnemonic for part in row.components[:1])
        for key in keys:
            found.setdefault(key, []).append(row)
    return {name: tuple(sorted(named, key=lambda row: _PREFERENCE[row.encoding])) for name, named in found.items()}


@cache
def table_of(target: Target) -> Table:
    """The table of a target as it runs waves of its `wave_size`; a family's rows are loaded when one of its targets is asked for."""
    rows: tuple[Row, ...] = import_module(f"isa.table.{target.family}").ROWS
    return Table(target, (row for row in rows if target.name in row.targets and target.wave_size in row.waves))


@cache
def table_named(target: str) -> Table:
    """The table for the text of a target id, as kernels and files hold it."""
    return table_of(parse_target(target).target)


@cache
def targets_with(name: str) -> tuple[str, ...]:
    """The targets whose tables know a mnemonic."""
    return tuple(target.name for target in TARGETS.values() if table_of(target).named(name))
