"""Collects statements: the part that the builders of all levels have in common.

A builder appends statements to the region that is open, gives each result a unique name, and marks each
statement with its origin, that is the place in the source and a hint for names. The builders of the levels
(`asmgen.graph.builder`, `asmgen.blockwise.builder`, `asmgen.lanewise.builder`) add a method for each op.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Generic, TypeVar

from asmgen.ir.program import Attribute, Region, Statement, Value
from isa.diagnostics import Place

What = TypeVar("What")
Type = TypeVar("Type")


def fresh_name(hint: str, taken: set[str], first: int = 0) -> str:
    """`hint` if it is free, else `hint` with the first free number from `first` on, 1 at least. Adds the name
    to `taken`."""
    name, number = hint, max(1, first)
    while name in taken:
        name = f"{hint}_{number}"
        number += 1
    taken.add(name)
    return name


class StatementBuilder(Generic[What, Type]):
    """The statements of a module or kernel, region by region. `taken` are names that results must not get;
    `place` is the place of statements outside of any `origin`.
    """

    def __init__(self, taken: Iterable[str] = (), place: Place | None = None) -> None:
        self._taken = set(taken)
        self._asked: dict[str, int] = {}  # how often each hint became a name: so many numbers are taken
        self._regions: list[list[Statement[What, Type]]] = [[]]
        self._place = place
        self._hint = ""

    @property
    def statements(self) -> list[Statement[What, Type]]:
        """The statements of the region that is open."""
        return self._regions[-1]

    @property
    def place(self) -> Place | None:
        """The place of the statements that are made now."""
        return self._place

    @contextmanager
    def origin(self, place: Place | None, hint: str) -> Generator[None]:
        """Statements made inside come from `place`, and their results are named after `hint`."""
        before = self._place, self._hint
        self._place, self._hint = place, hint
        try:
            yield
        finally:
            self._place, self._hint = before

    @contextmanager
    def nested(
        self, begun: list[Statement[What, Type]] | None = None
    ) -> Generator[list[Statement[What, Type]]]:
        """Statements made inside go into the list that it yields, after those of `begun`."""
        statements: list[Statement[What, Type]] = [] if begun is None else begun
        self._regions.append(statements)
        try:
            yield statements
        finally:
            _ = self._regions.pop()

    def fresh(self, hint: str) -> str:
        """A new name: `hint` if it is free, else `hint` with the first free number."""
        asked = self._asked.get(hint, 0)
        self._asked[hint] = asked + 1
        return fresh_name(hint, self._taken, asked)

    def _append(
        self,
        op: What,
        operands: tuple[Value[Type], ...],
        types: tuple[Type, ...],
        attributes: dict[str, Attribute],
        regions: tuple[Region[What, Type], ...],
        hint: str,
    ) -> tuple[Value[Type], ...]:
        """Append a statement with results of these types, named after `hint`."""
        results = tuple([Value(self.fresh(hint), type_) for type_ in types])
        self._regions[-1].append(Statement(op, operands, results, attributes, regions, self._place))
        return results
