"""The rows of a target, and how to find a row.

Assembly finds rows by mnemonic (`Table.named`). The compiler asks for an operation: `Table.row` takes the
operation's name, which is the same on every target, with an encoding's suffix and a form if they matter. So a
pass that wants `v_add_u32_e32` gets the row that gfx1100 spells `v_add_nc_u32_e32`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib import import_module

from isa.diagnostics import InternalError
from isa.instruction import Encoding, Row, Unit
from isa.table.declared import Declaration, Declared
from isa.target import Target
from isa.targets import TARGETS, parse_target

_PREFERENCE = {
    Encoding.PLAIN: 0, Encoding.E32: 0, Encoding.E64: 1, Encoding.SDWA: 2, Encoding.DPP: 3,
    Encoding.E64_DPP: 4, Encoding.DUAL: 5,
}  # fmt: skip


_SUFFIXES = tuple(encoding.value for encoding in Encoding)  # the empty set among them


class Table:
    """The rows of a target at a wave size, made on demand."""

    def __init__(self, target: Target, declared: Iterable[Declared]) -> None:
        self.target = target
        name = target.name
        self._declared = tuple([row for row in declared if row.targets is None or name in row.targets])
        self._by_name = _by([row.name for row in self._declared], self._declared)
        self._by_operation = _by([row.operation for row in self._declared], self._declared)
        self._named: dict[str, tuple[Row, ...]] = {}
        self._doing: dict[str, tuple[Row, ...]] = {}

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every row there is. A pass of the compiler asks for those it wants by name instead: a table has
        thousands."""
        return tuple(self._made(self._declared))

    @cached_property
    def duals(self) -> tuple[Row, ...]:
        """The rows of two operations."""
        return tuple(self._made(row for row in self._declared if row.encoding is Encoding.DUAL))

    @cached_property
    def matrices(self) -> tuple[Row, ...]:
        """The rows of the matrix instructions, a row for each operation."""
        declared: tuple[Declared, ...] = import_module(f"isa.table.{self.target.family}.matrix").ROWS
        found = [self.find(operation) for operation in dict.fromkeys([row.operation for row in declared])]
        return tuple([row for row in found if row is not None and row.unit is Unit.MATRIX])

    @cached_property
    def rounds_to_bf16(self) -> Row | None:
        """The row that rounds two f32 to the nearest bf16; None if the target has none."""
        return self.find("v_cvt_pk_bf16_f32")

    @cached_property
    def components(self) -> dict[str, Row]:
        """The components of the rows of two operations, by their operation."""
        return {component.operation: component for row in self.duals for component in row.components}

    @cached_property
    def halves(self) -> Table | None:
        """The rows of the target's second spelling, which names halves of VGPRs; None if it has a single
        spelling. They are for reading; no pass makes them."""
        family = import_module(f"isa.table.{self.target.family}")
        rows: tuple[Row, ...] = family.rows_with_halves(self.target.name, self.rows)
        return _TableOfHalves(self.target, rows) if rows else None

    def named(self, name: str) -> tuple[Row, ...]:
        """The rows that assembly may mean by a mnemonic, suffixed or not, in the order in which an assembler
        tries them."""
        rows = self._named.get(name)
        if rows is None:
            rows = self._named[name] = self._spelt_as(name, self._by_name, lambda row: row.name)
        return rows

    def spelt(self, mnemonic: str, form: str = "") -> Row:
        """The row that is printed as `mnemonic`, in the given form; InternalError if there is none."""
        match = next(
            (row for row in self.named(mnemonic) if row.mnemonic == mnemonic and row.form == form), None
        )
        return match if match is not None else self._lacks(mnemonic, form)

    def doing(self, operation: str) -> tuple[Row, ...]:
        """The rows of an operation, its name suffixed or not, the shortest encoding first; empty if there is
        none."""
        rows = self._doing.get(operation)
        if rows is None:
            rows = self._doing[operation] = self._spelt_as(
                operation, self._by_operation, lambda row: row.operation
            )
        return rows

    def find(self, operation: str, form: str = "") -> Row | None:
        """The row of an operation in the given form, in its shortest encoding; None if the target lacks
        it."""
        return next((row for row in self.doing(operation) if row.form == form), None)

    def row(self, operation: str, form: str = "") -> Row:
        """As `find`, for an operation that the target has; InternalError if there is none."""
        match = self.find(operation, form)
        return match if match is not None else self._lacks(operation, form)

    def _spelt_as(
        self, key: str, index: dict[str, list[int]], name_of: Callable[[Row], str]
    ) -> tuple[Row, ...]:
        """The rows that a key means, a name or an operation, suffixed or not; the shortest encoding first."""
        bare = {key.removesuffix(suffix) for suffix in _SUFFIXES}
        places = sorted({place for name in bare for place in index.get(name, ())})
        rows = [
            row
            for row in self._made(self._declared[place] for place in places)
            if key in _spellings(row, name_of(row))
        ]
        return tuple(sorted(rows, key=lambda row: _PREFERENCE[row.encoding]))

    def _made(self, declared: Iterable[Declared]) -> Iterator[Row]:
        """The declared rows that this target has at this wave size."""
        for declaration in declared:
            for row in (declaration,) if isinstance(declaration, Row) else declaration.rows():
                if self.target.name in row.targets and self.target.wave_size in row.waves:
                    yield row

    def _lacks(self, name: str, form: str) -> Row:
        raise InternalError(
            "isa.table", name, f"{self.target.name} has no row of this name in the form {form!r}"
        )


class _TableOfHalves(Table):
    """The rows that name halves, which have no further spelling."""

    @cached_property
    def components(self) -> dict[str, Row]:
        """The components of the rows of two operations, by their operation."""
        return {component.operation: component for row in self.duals for component in row.components}

    @cached_property
    def halves(self) -> Table | None:
        return None


def _by(names: Sequence[str], declared: Sequence[Declared]) -> dict[str, list[int]]:
    """The indexes of declarations by their bare names; dual instructions also by the name of their first
    operation."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    for place, row in enumerate(declared):
        if isinstance(row, Declaration) and row.first:
            places.setdefault(row.first, []).append(place)
    return places


def _spellings(row: Row, name: str) -> set[str]:
    """A name with the suffix of the row's encoding, and without it; for a row of two operations also the name
    of the first."""
    spelt = {name, name + row.mnemonic.removeprefix(row.name)}
    if row.encoding is not Encoding.DUAL:
        spelt.add(name + row.encoding.value)
    spelt.update(part.mnemonic for part in row.components[:1])
    return spelt


@cache
def table_of(target: Target) -> Table:
    """The table of a target at its `wave_size`; a family's rows are loaded on the first request for a
    target."""
    declared: tuple[Declared, ...] = import_module(f"isa.table.{target.family}").ROWS
    return Table(target, declared)


@cache
def table_named(target: str) -> Table:
    """The table for the text of a target id, as in kernels and files."""
    return table_of(parse_target(target).target)


@cache
def targets_with(name: str) -> tuple[str, ...]:
    """The targets with a mnemonic in their tables."""
    return tuple(target.name for target in TARGETS.values() if table_of(target).named(name))
