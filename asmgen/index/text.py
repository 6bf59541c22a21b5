"""Reads index expressions: `1024*row + c1 - 3`, `(row + 1) floordiv 4`, `c1 mod 64`, `min(4*c1, 997)`;
`Index.text` prints them.

`floordiv` and `mod` round down as in Python, and bind like `*`. Codes: BLK002 for an invalid index, GEN004
for an unknown name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from asmgen.index.expression import constant, symbol
from asmgen.index.nodes import Index
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TILE_TOKENS, SourceText, TokenKind, tokenize
from isa.diagnostics import InputError, close_names, nearest_names

LARGEST = 1 << 62
_DEEPEST = 32


class AnyName(dict[str, Index]):
    """The names of an index of unknown symbols: each name is a symbol without bounds."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __missing__(self, name: str) -> Index:
        return symbol(name)


@cache
def index_of(text: str) -> Index:
    """The index that a text is, of symbols without bounds. `InputError` if it is none."""
    source = SourceText(text, "index")
    cursor = Cursor(source, tokenize(source, language=TILE_TOKENS))
    index = read_index(cursor, AnyName())
    if not cursor.at_end():
        cursor.fail(cursor.peek(), "BLK002", f"got {cursor.peek()}, wanted the end of the index")
    return index


def is_index(text: str) -> bool:
    """Whether a text is an index."""
    try:
        _ = index_of(text)
    except InputError:
        return False
    return True


def read_index(cursor: Cursor, names: Mapping[str, Index], depth: int = 0) -> Index:
    """A sum. `names` are the symbols that may be in it."""
    if depth == _DEEPEST:
        cursor.fail(cursor.peek(), "BLK002", f"brackets are nested more than {_DEEPEST} deep, wanted fewer")
    total = -_product(cursor, names, depth) if _take(cursor, "-") else _product(cursor, names, depth)
    while cursor.at("+") or cursor.at("-"):
        sign = -1 if cursor.next().text == "-" else 1
        total += _product(cursor, names, depth) * sign
    has_bounds = not isinstance(names, AnyName)
    if has_bounds and max(abs(total.low), abs(total.high)) > LARGEST:
        cursor.fail(cursor.peek(), "BLK002", f"the index reaches {total.high}, wanted at most 2^62")
    return total


def _product(cursor: Cursor, names: Mapping[str, Index], depth: int) -> Index:
    value = _factor(cursor, names, depth)
    while cursor.at("*") or cursor.at("floordiv") or cursor.at("mod"):
        operator = cursor.next()
        place = cursor.peek()
        other = _factor(cursor, names, depth)
        if operator.text == "*":
            value = value.times(other)
        elif other.low < 0 or not other.high:
            cursor.fail(place, "BLK002", f"got {other.text} after {operator.text}, wanted a positive number")
        else:
            value = value.divided(other) if operator.text == "floordiv" else value.remaining(other)
    return value


def _factor(cursor: Cursor, names: Mapping[str, Index], depth: int) -> Index:
    token = cursor.next()
    if token.text == "(":
        inner = read_index(cursor, names, depth + 1)
        _ = cursor.expect(")")
        return inner
    if token.kind is TokenKind.NUMBER and token.text.removeprefix("-").isdigit() and len(token.text) < 20:
        return constant(int(token.text))  # gen text has the sign in the number
    if token.kind is not TokenKind.IDENTIFIER:
        cursor.fail(token, "BLK002", f"got {token}, wanted a name, a whole number or '(' of an index")
    if token.text == "min" and cursor.at("("):
        return _minimum(cursor, names, depth + 1)
    if token.text not in names:
        some = nearest_names(token.text, names)
        wanted = f"wanted one of {some}" if names else "wanted a number: no names are known here"
        cursor.fail(
            token, "GEN004", f"{token.text} is not an index here, {wanted}", close_names(token.text, names)
        )
    return names[token.text]


def _minimum(cursor: Cursor, names: Mapping[str, Index], depth: int) -> Index:
    _ = cursor.expect("(")
    inner = read_index(cursor, names, depth)
    _ = cursor.expect(",")
    limit = read_index(cursor, names, depth)
    _ = cursor.expect(")")
    return inner.smaller(limit)


def _take(cursor: Cursor, text: str) -> bool:
    if not cursor.at(text):
        return False
    _ = cursor.next()
    return True
