"""Reads sizes that the launch knows: `{n, 1024}`, `{4*n + 1}`, in dims, strides and attributes of sizes.

A name in the dims of a `@param` is a dim of the module; it is the same size wherever it is. Other places may
use the names that there are.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.index import Index
from asmgen.index.expression import dim_symbol
from asmgen.index.size import Dim, Size, Sizes, at_least, size_of, symbols_of
from asmgen.index.text import read_index
from asmgen.ir.named_dims import LEAST_RANGE, PROVISIONAL, why_reserved
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TILE_TOKENS, Token, TokenKind, tokenize
from isa.diagnostics import close_names

_MOST_PARTS = 1_000  # a search of as many takes about 20 ms
_WORDS = ("floordiv", "mod", "min")
_WAY_OUT = "a dim of a @param has a name: x = @param:x -> f32, {n, 1024}"


class NamedDims:
    """The named dims of a module. `ranges` has the known ranges; a dim with an unknown range begins at
    `low`. New names are allowed everywhere if `is_open`, else only in the dims of a `@param`."""

    def __init__(self, ranges: Mapping[str, Index], is_open: bool = False, low: int = 0) -> None:
        self.known = ranges
        self._is_open = is_open
        self._low = low
        self.names: dict[str, Index] = {}

    def read(self, cursor: Cursor, what: str, defines: bool = False) -> Sizes:
        """The sizes between braces, some of them with names. GEN014 for `?`, for an unknown name
        and for a name that no dim may have; BLK002 for an invalid expression."""
        inner = inner_cursor(cursor, "{", "}")
        is_after_operand = False
        for token, after in zip(inner.tokens, inner.tokens[1:], strict=False):
            if token.kind is TokenKind.NEWLINE:
                continue
            is_name = token.kind is TokenKind.IDENTIFIER and token.text not in _WORDS
            if is_after_operand and is_name:
                break  # the list has no closing brace before this name; `listed` refuses the name
            is_after_operand = is_name or token.kind is TokenKind.NUMBER or token.text == ")"
            if token.text == "?":
                inner.fail(
                    token,
                    "GEN014",
                    f"got '?' as a {what}, wanted a number or a name",
                    "a name says which sizes are the same: {n, 1024}",
                )
            if is_name:
                self._use(inner, token, what, (self._is_open or defines) and after.text != "(")
        sizes = tuple(inner.listed("{", "}", lambda: size_of(read_index(inner, self.names))))
        for size, token in zip(sizes, inner.tokens[1:], strict=False):
            if self._has_range(size) and _may_be_below_zero(size):
                below = "and may be below 0, wanted" if isinstance(size, Size) else "wanted"
                inner.fail(token, "GEN013", f"a {what} is {size}, {below} an integer from 0 to 2^63 - 1")
        return sizes

    @property
    def is_provisional(self) -> bool:
        """Whether a range is unknown yet, so that inferred types are not final."""
        return any(name not in self.known for name in self.names)

    def _has_range(self, size: Dim) -> bool:
        """Whether the ranges of all dims of a size are known."""
        return all(symbol.name in self.known for symbol in symbols_of((size,)))

    def _use(self, cursor: Cursor, token: Token, what: str, defines: bool) -> None:
        name = token.text
        if name in self.names:
            return
        reserved = why_reserved(name)
        if reserved:
            cursor.fail(token, "GEN014", f"{name} names a {what}, wanted another name: {reserved}", "n, say")
        if not defines and name not in self.known:
            known = ", ".join({**self.known, **self.names}) or "none"
            cursor.fail(
                token,
                "GEN014",
                f"{name} is not a dim here, wanted a number or one of the named dims, which are {known}",
                close_names(name, [*self.known, *self.names]) or _WAY_OUT,
            )
        self.names[name] = self.known.get(name) or dim_symbol(name, self._low, PROVISIONAL)


def _may_be_below_zero(size: Dim) -> bool:
    """Whether a size is below 0 for some values of its dims, if a short search finds them."""
    if at_least(size, 0).is_shown:
        return False
    if not isinstance(size, Size):
        return True
    from asmgen.index.search import Conditions, TooManyParts, first_values  # few sizes need it

    below = Conditions((), (-size.expression - 1,), ())
    try:
        return first_values(below, lambda _: True, _MOST_PARTS) is not None
    except TooManyParts:
        return False


def inner_cursor(cursor: Cursor, opening: str, closing: str) -> Cursor:
    """Takes the text between brackets, from `opening` to its `closing`, and gives a cursor on it with
    operators, which other lines lack."""
    first = last = cursor.expect(opening)
    depth = 1
    while depth and not cursor.at_end():
        last = cursor.next()
        depth += (last.text == opening) - (last.text == closing)
    end = last.offset + len(last.text)
    return Cursor(cursor.source, tokenize(cursor.source, first.offset, TILE_TOKENS, end))


def has_names(cursor: Cursor) -> bool:
    """Whether the list between braces that is next has more than plain numbers."""
    ahead = 1
    while (token := cursor.peek(ahead)).text != "}" and token.kind is not TokenKind.END:
        if token.kind not in (TokenKind.NUMBER, TokenKind.NEWLINE) and token.text != ",":
            return True
        ahead += 1
    return False


def check_range(cursor: Cursor, token: Token, low: int, high: int) -> None:
    """GEN014 if a named dim cannot go from `low` to `high`. `token` is the place of its end."""
    if not 0 <= low <= high or high < LEAST_RANGE:
        cursor.fail(
            token,
            "GEN014",
            f"a dim goes from {low} to {high}, wanted it from 0 or more to {LEAST_RANGE} or more",
        )
