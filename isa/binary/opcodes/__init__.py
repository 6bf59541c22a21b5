"""Opcodes by list and name, of the targets of a family; the tables are made by `python -m tools.opcodes` from
llvm-mc.

A table is a sequence of (targets, list, entries): the targets of a list of names with blanks between, the
list that formats name in `Format.opcodes`, and `name number` with commas between. Names are those of rows
(`Row.name`); a number may have several names.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

Table = tuple[tuple[str, str, str], ...]


class Opcodes:
    """The opcodes of a target."""

    def __init__(self, table: Table, target: str) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._names: dict[tuple[str, int], list[str]] = {}
        for targets, listed, entries in table:
            if target in targets.split():
                self._add(listed, entries)

    def number(self, listed: str, name: str) -> int | None:
        """The opcode of a name in a list; None if the list does not have it."""
        return self._numbers.get((listed, name))

    def names(self, listed: str, number: int) -> tuple[str, ...]:
        """The names that have an opcode in a list."""
        return tuple(self._names.get((listed, number), ()))

    def _add(self, listed: str, entries: str) -> None:
        for entry in entries.split(","):
            name, _, number = entry.strip().rpartition(" ")
            self._numbers[listed, name] = int(number)
            self._names.setdefault((listed, int(number)), []).append(name)


@cache
def opcodes_of(family: str, target: str) -> Opcodes:
    """The opcodes of a target, loaded when they are asked for."""
    table: Table = import_module(f"isa.binary.opcodes.{family}").TABLE
    return Opcodes(table, target)
