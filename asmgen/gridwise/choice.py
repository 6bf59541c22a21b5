"""The schedule that a launch is lowered by, with its choices: `row[lanes=64, waves=4]`."""

from __future__ import annotations

from typing import NamedTuple

from asmgen.frontends.text.cursor import Cursor
from asmgen.frontends.text.lexer import TokenKind
from asmgen.ir.numbers import read_number

Setting = int | str


class Choice(NamedTuple):
    """A schedule by its name, and its choices in the order of the text: whole numbers and words."""

    schedule: str
    settings: tuple[tuple[str, Setting], ...] = ()

    @property
    def text(self) -> str:
        shown = ", ".join([f"{name}={value}" for name, value in self.settings])
        return f"{self.schedule}[{shown}]" if shown else self.schedule


def read_choice(cursor: Cursor) -> Choice:
    """Reads `Choice.text`."""
    schedule = cursor.identifier("the name of a schedule")
    given: dict[str, Setting] = {}

    def one() -> None:
        name = cursor.identifier("the name of a choice")
        if name.text in given:
            cursor.fail(name, "GEN007", f"{name.text} is chosen twice, wanted it once")
        _ = cursor.expect("=")
        given[name.text] = _read_setting(cursor)

    if cursor.at("["):
        _ = cursor.listed("[", "]", one)
    return Choice(schedule.text, tuple(given.items()))


def _read_setting(cursor: Cursor) -> Setting:
    token = cursor.next()
    if token.kind is TokenKind.IDENTIFIER:
        return token.text
    number = read_number(token.text) if token.kind is TokenKind.NUMBER else None
    if not isinstance(number, int):
        cursor.fail(token, "GEN008", f"got {token}, wanted a whole number or a word")
    return number
