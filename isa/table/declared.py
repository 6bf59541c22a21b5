"""Declared instructions, with rows made on demand: a target has thousands of rows, and a program uses a few
dozen instructions.

A table file's helper that makes every row of an instruction is decorated with `instruction`. A call of it is
then a `Declaration`, which knows the instruction's name and makes its rows once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, wraps
from threading import RLock
from typing import Concatenate, ParamSpec, cast

from isa.diagnostics import InternalError
from isa.instruction import Encoding, Row

P = ParamSpec("P")
RowChange = Callable[[Row], Row]
_MAKING = RLock()  # rows are compared by identity, so two threads must not make them twice


class Declaration:
    """An instruction: its name, the compiler's name of its operation, and its rows.

    `targets` are the targets that may have a row, None if only the rows know. `first` is the mnemonic of a
    dual instruction's first operation, by which it is found too.
    """

    __slots__ = ("_make", "_rows", "first", "name", "operation", "targets")

    def __init__(
        self, name: str, make: Callable[[], Iterable[Row]], targets: frozenset[str] | None = None,
        operation: str = "", first: str = "",
    ) -> None:  # fmt: skip
        self.name = name
        self.operation = operation or name
        self.targets = targets
        self.first = first
        self._make = make
        self._rows: tuple[Row, ...] | None = None

    @property
    def encoding(self) -> Encoding | None:
        """DUAL, or None if the rows have several encodings."""
        return Encoding.DUAL if self.first else None

    def rows(self) -> tuple[Row, ...]:
        """The rows, on all targets. Raises InternalError if a row has another name or operation than
        declared."""
        if self._rows is None:
            with _MAKING:
                if self._rows is None:
                    self._rows = self._made()
        return self._rows

    def changed(self, change: RowChange, targets: frozenset[str] | None = None) -> Declaration:
        """The same instruction with each row changed; `targets` if only those are left."""
        return Declaration(
            self.name, lambda: map(change, self.rows()), targets or self.targets, self.operation, self.first
        )

    def chosen(self, is_wanted: Callable[[Row], bool]) -> Declaration:
        """The same instruction with fewer rows."""
        return Declaration(
            self.name, lambda: filter(is_wanted, self.rows()), self.targets, self.operation, self.first
        )

    def _made(self) -> tuple[Row, ...]:
        rows = tuple(self._make())
        for row in rows:
            if (row.name, row.operation) != (self.name, self.operation):
                raise InternalError(
                    "isa.table",
                    self.name,
                    f"declared with the operation {self.operation}, made {row.name}, {row.operation}",
                )
        return rows


Declared = Row | Declaration


def instruction(
    make: Callable[Concatenate[str, P], Iterable[Row]],
) -> Callable[Concatenate[str, P], tuple[Declaration]]:
    """A helper with the name of all its rows as first argument; `operation` and `targets` apply to all rows
    if given."""

    @wraps(make)
    def declare(name: str, /, *args: P.args, **kwargs: P.kwargs) -> tuple[Declaration]:
        targets, operation = kwargs.get("targets"), kwargs.get("operation")
        return (
            Declaration(
                name, partial(make, name, *args, **kwargs),
                cast("frozenset[str]", targets) if isinstance(targets, frozenset) else None,
                operation if isinstance(operation, str) else "",
            ),
        )  # fmt: skip

    return declare


def single(make: Callable[Concatenate[str, P], Row]) -> Callable[Concatenate[str, P], Declaration]:
    """The same for a helper that makes a single row."""

    @wraps(make)
    def declare(name: str, /, *args: P.args, **kwargs: P.kwargs) -> Declaration:
        targets, operation = kwargs.get("targets"), kwargs.get("operation")
        return Declaration(
            name, lambda: (make(name, *args, **kwargs),),
            cast("frozenset[str]", targets) if isinstance(targets, frozenset) else None,
            operation if isinstance(operation, str) else "",
        )  # fmt: skip

    return declare


def changed(
    declared: Iterable[Declared], change: RowChange, targets: frozenset[str] | None = None
) -> tuple[Declared, ...]:
    """Every row changed; `targets` if only those are left."""
    return tuple(
        change(declaration) if isinstance(declaration, Row) else declaration.changed(change, targets)
        for declaration in declared
    )
