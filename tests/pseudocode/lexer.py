"""Pseudocode text to tokens."""

from __future__ import annotations

import re
from typing import NamedTuple


class Token(NamedTuple):
    """`kind` is `type` (64'U), `number`, `name`, `operator` or `end`."""

    kind: str
    text: str


_PATTERN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
    |(?P<type>\d+'(?:BF|[UIFB])(?![0-9a-zA-Z]))
    |(?P<number>(?:\d+')?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)(?:ULL|LL|U|F)?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>\+:|\+=|-=|\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||[-+*/&|^~!<>=?:;,.(){}\[\]])""",
    re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """The tokens of a text, then an `end`; ValueError if a character begins none."""
    result: list[Token] = []
    position = 0
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            raise ValueError(f"no token begins at {text[position : position + 20]!r}")
        kind = match.lastgroup or "skip"
        if kind != "skip":
            result.append(Token(kind, match.group()))
        position = match.end()
    result.append(Token("end", ""))
    return result
