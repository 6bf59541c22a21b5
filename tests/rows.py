"""The rows and the text of gfx942, for tests that need some machine and no other one."""

from __future__ import annotations

from isa import text
from isa.diagnostics import Place
from isa.instruction import Instr, Row
from isa.table import table_named

TABLE = table_named("gfx942")


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
