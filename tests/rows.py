"""The tables: of every machine by its target id, and of gfx942 for tests that need a single machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product

import pytest

from isa.diagnostics import Place
from isa.instruction import Instr, Row
from isa.table import table_named
from isa.targets import TARGETS, TargetId, with_wave_size
from isa.text import parsing

MACHINES = tuple(str(TargetId(with_wave_size(target, lanes))) for target in TARGETS.values() for lanes in target.wave_sizes)
TABLE = table_named("gfx942")


@cache
def every_row() -> tuple[Row, ...]:
    """The rows of all machines, each once."""
    return tuple(dict.fromkeys(found for machine in MACHINES for found in table_named(machine).rows))


def spread(pairs: Sequence[tuple[str, str]], each: int, source: Callable[[str], str] = str, turn: int = 0) -> list[object]:
    """(machine, name) pairs as parameters: each name on `each` machines in the ordinary suite, the remaining pairs slow.

    The machines go round from one source of names to the next, so that all of them take part and a source is compiled for few.
    Tests of another `turn` have the names on other machines.
    """
    machines: dict[str, list[str]] = {}
    for machine, name in pairs:
        machines.setdefault(name, []).append(machine)
    sources = list(dict.fromkeys(source(name) for name in machines))
    kept: set[tuple[str, str]] = set()
    for name, has in machines.items():
        first = sources.index(source(name)) * each + turn
        kept.update((has[(first + i) % len(has)], name) for i in range(each))
    return [pytest.param(*pair, marks=() if pair in kept else pytest.mark.slow) for pair in pairs]


def in_turn(*axes: Iterable[object], of: int) -> list[object]:
    """The product of some axes as parameters: one in `of` combinations is ordinary, the others are slow.

    Each value of an axis is in an ordinary test, and the values of the other axes take turns beside it.
    """
    numbered = product(*map(enumerate, axes))
    return [pytest.param(*values, marks=() if sum(places) % of == 0 else pytest.mark.slow) for places, values in map(_apart, numbered)]


def _apart(numbered: tuple[tuple[int, object], ...]) -> tuple[list[int], list[object]]:
    return [place for place, _ in numbered], [value for _, value in numbered]


@cache
def rows_in_turn(machine: str) -> tuple[Row, ...]:
    """The rows of a machine if each row is looked at on one machine, which they take in turn."""
    tables = {other: frozenset(table_named(other).rows) for other in MACHINES}
    found: list[Row] = []
    for i, one in enumerate(every_row()):
        has = [other for other, rows in tables.items() if one in rows]
        if has[i % len(has)] == machine:
            found.append(one)
    return tuple(found)


def row(mnemonic: str, form: str = "") -> Row:
    return TABLE.spelt(mnemonic, form)


def rows_named(name: str) -> tuple[Row, ...]:
    return TABLE.named(name)


def all_rows() -> tuple[Row, ...]:
    return TABLE.rows


def parse_instr(spelt: str, place: Place | str) -> Instr:
    return parsing.parse_instr(spelt, TABLE, place)


def parse_machine_instr(spelt: str, place: Place | str) -> Instr:
    return parsing.parse_machine_instr(spelt, TABLE, place)
