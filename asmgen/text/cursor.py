"""A position in the tokens of a gen file, and how the parser takes tokens from there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NoReturn, TypeVar

from asmgen.text.lexer import SourceText, Token, TokenKind
from isa.diagnostics import InputError, Place, close_names

T = TypeVar("T")
_PAGE = "docs/gen-text.md describes the language"


class Cursor:
    """Takes tokens from first to last. An unexpected token is an `InputError` GEN002 at its place."""

    def __init__(self, source: SourceText, tokens: list[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self._index = 0

    def place(self, token: Token) -> Place:
        return self.source.place(token.offset)

    def fail(self, token: Token, code: str, message: str, help: str = "") -> NoReturn:
        raise InputError(self.place(token), code, message, help=help)

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[min(self._index + ahead, len(self.tokens) - 1)]

    def next(self) -> Token:
        token = self.tokens[self._index]
        if token.kind is not TokenKind.END:
            self._index += 1
        return token

    def at(self, text: str, *following: str) -> bool:
        """Whether the next tokens have these texts."""
        if self.tokens[self._index].text != text:
            return False
        return not following or all(self.peek(ahead).text == word for ahead, word in enumerate(following, 1))

    def names_ahead(self) -> set[str]:
        """The identifiers from here to the end of the braces that this is inside of, or of the file."""
        names: set[str] = set()
        depth = 0
        for token in self.tokens[self._index :]:
            depth += (token.text == "{") - (token.text == "}")
            if depth < 0:
                break
            if token.kind is TokenKind.IDENTIFIER:
                names.add(token.text)
        return names

    def at_end(self) -> bool:
        return self.peek().kind is TokenKind.END

    def expect(self, text: str, wanted: str = "") -> Token:
        if not self.at(text):
            self.fail(self.peek(), "GEN002", f"got {self.peek()}, wanted {wanted or repr(text)}", _PAGE)
        return self.next()

    def identifier(self, wanted: str) -> Token:
        if self.peek().kind is not TokenKind.IDENTIFIER:
            self.fail(self.peek(), "GEN002", f"got {self.peek()}, wanted {wanted}", _PAGE)
        return self.next()

    def attribute(self, of: str, known: Collection[str], given: Collection[str]) -> str:
        """The name in `name=value` of the op `of`. InputError GEN006 if it is none of `known`,
        GEN007 if it was `given` already."""
        name = self.identifier("an attribute's name")
        if name.text not in known:
            wanted = f"one of {', '.join(known)}" if known else "none"
            message = f"{of} has no attribute {name.text}, wanted {wanted}"
            self.fail(name, "GEN006", message, close_names(name.text, known))
        if name.text in given:
            self.fail(name, "GEN007", f"the attribute {name.text} is given twice, wanted it once")
        _ = self.expect("=")
        return name.text

    def skip_newlines(self) -> None:
        while self.tokens[self._index].kind is TokenKind.NEWLINE:
            self._index += 1

    def end_of_statement(self) -> None:
        """A newline, the end of the file, or the brace that closes the region of the statement."""
        token = self.peek()
        if token.kind is not TokenKind.END and token.kind is not TokenKind.NEWLINE and token.text != "}":
            self.fail(token, "GEN002", f"got {token}, wanted the end of the statement", _PAGE)
        self.skip_newlines()

    def listed(self, opening: str, closing: str, item: Callable[[], T]) -> list[T]:
        """`opening item, item, ... closing`; newlines between are white space."""
        _ = self.expect(opening)
        items: list[T] = []
        self.skip_newlines()
        while not self.at(closing):
            if items:
                _ = self.expect(",", f"',' or {closing!r}")
                self.skip_newlines()
            items.append(item())
            self.skip_newlines()
        _ = self.next()
        return items


def counted(count: int, noun: str) -> str:
    """`no dims`, `1 dim`, `2 dims`."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
