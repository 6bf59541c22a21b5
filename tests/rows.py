"""The tables: of every machine by its target id, and of gfx942 for tests that need some machine and no other one."""

from __future__ import annotations

from functools import cache

from isa import text
from isa.diagnostics import Place
from isa.instruction import Instr, Row
from isa.table import table_named
from isa.targets import TARGETS, TargetId, with_wave_size

MACHINES = tuple(str(TargetId(with_wave_size(target, lanes))) for target in TARGETS.values() for lanes in target.wave_sizes)
TABLE = table_named("gfx942")


@cache
def every_row() -> tuple[Row, ...]:
    """The rows of all machines, each once."""
    return tuple(dict.fromkeys(found for machine in MACHINES for found in table_named(machine).rows))


def row(mnemonic: str, form: str = "") -> Row:
    return TABLE.spelt(mnemonic, form)


def rows_named(name: str) -> tuple[Row, ...]:
    return TABLE.named(name)


def all_rows() -> tuple[Row, ...]:
    return TABLE.rows


def parse_instr(spelt: str, place: Place | str) -> Instr:
    return text.parse_instr(spelt, TABLE, place)


def parse_machine_instr(spelt: str, place: Place | str) -> Instr:
    return text.parse_machine_instr(spelt, TABLE, place)
