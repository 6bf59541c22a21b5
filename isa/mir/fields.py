"""The lines of a `.mir` file, and the fields of which a line is made: words, numbers, arguments, JSON
literals and places.

`isa.mir` describes the form, and `parser.py` reads the statements. Nothing of the text is evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import cast

from msgspec import Struct

from isa.diagnostics import InputError, Place
from isa.instruction import Origin
from isa.program import Argument

WORD = re.compile(r"[A-Za-z_.$][\w.$@]*\Z", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z_]*\Z", re.ASCII)
_NUMBER = re.compile(r"\d{1,18}\Z", re.ASCII)


class Line(Struct):
    """A statement: its place, and its text from its first word on."""

    place: Place
    text: str

    def error(self, code: str, message: str, offset: int = 0) -> InputError:
        return InputError(Place(self.place.file, self.place.line, self.place.column + offset), code, message)

    def split(self) -> tuple[str, Line]:
        """The first word, and the rest."""
        word, _, rest = self.text.partition(" ")
        skipped = len(self.text) - len(rest.lstrip())
        return word, Line(Place(self.place.file, self.place.line, self.place.column + skipped), rest.strip())


def lines_of(text: str, file_name: str) -> Iterable[Line]:
    """The statements of a text, without comments and empty lines."""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield Line(Place(file_name, number, len(line) - len(line.lstrip()) + 1), stripped)


def listed(text: str) -> list[str]:
    """The parts of a list with commas between them."""
    return [part.strip() for part in text.split(",")] if text.strip() else []


def read_number(line: Line) -> int:
    """A whole line that is a number; else InputError MIR002."""
    if not _NUMBER.match(line.text):
        raise line.error("MIR002", f"got {line.text!r}, wanted a number")
    return int(line.text)


def read_word(line: Line, what: str) -> str:
    """A whole line that is a word; else InputError MIR002, which says `what` is wanted."""
    if not WORD.match(line.text):
        raise line.error("MIR002", f"got {line.text!r}, wanted {what}")
    return line.text


def read_argument(line: Line) -> Argument:
    """A kernel argument, `NAME offset=N size=N ...`; InputError MIR002 for other fields."""
    name, rest = line.split()
    given: dict[str, str] = {}
    for field in rest.text.split():
        key, equals, value = field.partition("=")
        if not equals or key not in ("offset", "size", "kind", "space", "access", "type") or key in given:
            raise rest.error(
                "MIR002", f"got {field!r}, wanted offset=, size=, kind=, space=, access= or type=, each once"
            )
        if key in ("kind", "space", "access") and not _PLAIN.match(value):
            raise rest.error("MIR002", f"got {field!r}, wanted a word of letters and _ after =")
        given[key] = value
    numbers = [read_number(Line(rest.place, given.get(key, ""))) for key in ("offset", "size")]
    kind, space = given.get("kind", ""), given.get("space", "")
    return Argument(name, numbers[0], numbers[1], kind, space, given.get("access", ""), given.get("type", ""))


def read_json(line: Line, position: int) -> tuple[object, int]:
    """A JSON literal at a position, and its end."""
    try:
        value, end = json.JSONDecoder().raw_decode(line.text, position)
    except (json.JSONDecodeError, RecursionError):
        raise line.error(
            "MIR005", f"got {line.text[position:]!r}, wanted a JSON string or list", position
        ) from None
    return cast("object", value), end


def read_origin(line: Line, fields: object) -> Origin:
    """The origin of an instruction from its JSON list; else InputError MIR005."""
    items = cast("list[object]", fields) if isinstance(fields, list) else []
    if not items or not isinstance(items[0], str):
        raise line.error("MIR005", "!origin wants [OP] or [OP, FILE, LINE, COLUMN]")
    return Origin(items[0], read_place(line, items[1:]) if len(items) > 1 else None)


def read_place(line: Line, fields: object) -> Place:
    """A place of the source from its JSON list; else InputError MIR005."""
    items = cast("list[object]", fields) if isinstance(fields, list) else []
    match items:
        case [str() as file, int() as row, int() as column]:
            return Place(file, row, column)
        case _:
            raise line.error("MIR005", "a place wants [FILE, LINE, COLUMN]")
