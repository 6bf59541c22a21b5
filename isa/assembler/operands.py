"""The operands of a directive as text: what commas part, and the bytes of strings in quotes."""

from __future__ import annotations

import re

_COMMA = re.compile(r"""\s*((?:"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|[^,"(])*)\s*(?:,|\Z)""")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"\Z')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|.)")
_ESCAPED = {"n": 10, "t": 9, "r": 13, "b": 8, "f": 12, '"': 34, "\\": 92}


def operands(rest: str) -> list[str]:
    """The parts of a text between commas outside of strings and brackets."""
    rest = rest.strip()
    if '"' not in rest and "(" not in rest:
        return [part.strip() for part in rest.split(",")] if rest else []
    parts: list[str] = []
    at = 0
    while at <= len(rest):
        match = _COMMA.match(rest, at)
        if match is None:
            return [*parts, rest[at:]]
        parts.append(match[1].strip())
        if match.end() >= len(rest):
            break
        at = match.end()
    return parts


def string_bytes(text: str) -> bytes | None:
    """The bytes of a string in quotes, with its escapes; None if the text is not a string."""
    match = _STRING.match(text)
    if match is None:
        return None
    data, at = bytearray(), 0
    for escape in _ESCAPE.finditer(match[1]):
        data += match[1][at : escape.start()].encode()
        data.append(_escaped(escape[1]))
        at = escape.end()
    return bytes(data + match[1][at:].encode())


def _escaped(text: str) -> int:
    if text[0] == "x":
        return int(text[1:], 16) & 0xFF
    if text[0] in "01234567":
        return int(text, 8) & 0xFF
    return _ESCAPED.get(text, ord(text) & 0xFF)
