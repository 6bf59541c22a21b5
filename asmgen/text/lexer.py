"""Tokens of gen text, with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from functools import cache
from typing import NoReturn

from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple


class TokenKind(Enum):
    """The kind of a token; the value is its name in messages."""

    NEWLINE = "the end of the line"
    NUMBER = "a number"
    STRING = "a string"
    OP_NAME = "an op name"  # an identifier with the gpu::gen:: prefix, which the text of the token lacks
    IDENTIFIER = "a name"
    ARROW = "'->'"
    PUNCTUATION = "punctuation"
    END = "the end of the file"


class Token(NamedTuple):
    kind: TokenKind
    text: str
    offset: int

    def __str__(self) -> str:
        """The token as a message quotes it."""
        if self.kind in (TokenKind.NEWLINE, TokenKind.END):
            return self.kind.value
        return f"'{self.text}'"


_COMMENTS = "comments start with # or //"
_HELP = dict.fromkeys("+-*/%<>&|^~!", "gen text has ops in place of operators: mul(a, b)") | {
    '"': "a string is in double quotes on one line",
    ";": "a statement ends with its line, without a ;",
}
# Beginnings of comments and the like in other languages.
_FOREIGN = (
    (r"/\*|--|;;", _COMMENTS),
    (r"%\w", "names have no %, as in y = relu(x); MLIR has the suffix .mlir"),
    (r"\.[A-Za-z]", "assembly has the suffix .s"),
    (r"[^\W\d_]", "names have the letters a to z and A to Z, digits and _"),
)


class Language(NamedTuple):
    """What numbers may begin with, as a regular expression, and the characters of punctuation."""

    sign: str
    punctuation: str


@cache
def _tokens(language: Language) -> re.Pattern[str]:
    """The tokens of a language, compiled on first use: most kernels need a single language."""
    sign, punctuation = language
    number = r"0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf\b"
    return re.compile(
        rf"""
    (?P<space>(?:[ \t\r\f]|\#[^\n]*|//[^\n]*)+)
  | (?P<NEWLINE>\n)
  | (?P<NUMBER>{sign}(?:{number})|nan\b)(?P<rest>[A-Za-z0-9_.]*)
  | gpu::gen::(?P<OP_NAME>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<IDENTIFIER>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<ARROW>->)
  | (?P<STRING>"[^"\n]*")
  | (?P<PUNCTUATION>[{punctuation}])
    """,
        re.VERBOSE | re.ASCII,
    )


GEN_TOKENS = Language(r"[+-]?", r"@:=,?()\[\]{}+*-")  # operators between braces alone, in sizes
TILE_TOKENS = Language("", r"@:=,?()\[\]{}+*<>-")  # in index expressions a sign is an operator
GRID_TOKENS = GEN_TOKENS
_OPERATORS = ("+", "*", "-")
NUMBER_WORDS = ("inf", "nan")  # numbers, and so not names
_KINDS = {kind.name: kind for kind in TokenKind}
_LONGEST_NUMBER = 200  # characters


class SourceText:
    """A gen text and the places of its characters."""

    def __init__(self, text: str, file_name: str) -> None:
        self.text = text
        self.file_name = file_name
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> Place:
        line = bisect_right(self._line_starts, offset)
        return Place(self.file_name, line, offset - self._line_starts[line - 1] + 1)


def refuse_operators(source: SourceText, tokens: list[Token]) -> None:
    """`InputError` GEN001 for an operator outside braces: gen text has operators only inside."""
    depth = 0
    for token in tokens:
        depth += (token.text == "{") - (token.text == "}")
        if not depth and token.text in _OPERATORS and token.kind is TokenKind.PUNCTUATION:
            _refuse_character(source, token.offset)


def _refuse_character(source: SourceText, offset: int) -> NoReturn:
    character = source.text[offset]
    foreign = (way for pattern, way in _FOREIGN if re.compile(pattern).match(source.text, offset))
    raise InputError(
        source.place(offset), "GEN001",
        f"got the character {character!r}, wanted a name, a number or punctuation",
        help=next(foreign, _HELP.get(character, _COMMENTS)),
    )  # fmt: skip


def tokenize(
    source: SourceText, start: int = 0, language: Language = GEN_TOKENS, stop: int | None = None
) -> list[Token]:
    """The tokens of `language` in the text from the offset `start` to `stop` or the end; the last token is
    END.

    Raises `InputError` GEN001 at a character that starts no token, and at an invalid number.
    """
    text = source.text
    match_at = _tokens(language).match
    tokens: list[Token] = []
    position, end = start, len(text) if stop is None else stop
    while position < end:
        match = match_at(text, position, end)
        if match is None:
            _refuse_character(source, position)
        kind = match.lastgroup
        if kind == "rest":
            if match["rest"] or match.end() - position > _LONGEST_NUMBER:
                shown = match[0] if len(match[0]) <= 40 else f"{match[0][:40]}..."
                wanted = f"a number such as 2, -0x1f, 0.5 or 1e-3, of at most {_LONGEST_NUMBER} characters"
                raise InputError(source.place(position), "GEN001", f"got {shown!r}, wanted {wanted}")
            tokens.append(Token(TokenKind.NUMBER, match[0], position))
        elif kind == "OP_NAME":
            tokens.append(Token(TokenKind.OP_NAME, match["OP_NAME"], position))
        elif kind is not None and kind != "space":
            tokens.append(Token(_KINDS[kind], match[0], position))
        position = match.end()
    tokens.append(Token(TokenKind.END, "", end))
    return tokens
