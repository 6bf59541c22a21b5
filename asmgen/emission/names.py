"""Names that reach assembly text."""

from __future__ import annotations

import os
import re

from isa.diagnostics import InputError, Place

_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*\Z")


def checked_symbol(name: str, place: Place | str) -> str:
    """`name`, if the assembler takes it as a symbol without quotes; `InputError` at `place` otherwise."""
    if not _SYMBOL.match(name):
        raise InputError(
            place,
            "EMIT001",
            f"{name!r} cannot be a symbol, wanted a letter or _, then letters, digits, _, . or $",
        )
    return name


def quoted(text: str) -> str:
    """`text` as a string of the assembler, which takes C's escapes; a byte outside ASCII is written in
    octal."""
    parts: list[str] = []
    for byte in os.fsencode(text):  # a file may have a name that is not UTF-8
        if byte in b'"\\':
            parts.append("\\" + chr(byte))
        elif 32 <= byte < 127:
            parts.append(chr(byte))
        else:
            parts.append(f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def comment_text(text: str) -> str:
    """`text` on one line, so that it cannot end the comment it is in."""
    return " ".join(text.split())
