"""The names of a module of gen text: the values that they name, and the reason for an unknown name."""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise

from asmgen.ir.program import Value
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token, TokenKind
from isa.diagnostics import InputError, Place, close_names


class Names:
    """`scope` are the values that a statement may use here; `arguments` the places of the module's arguments.
    `ops` are the names of ops, which are not values."""

    def __init__(self, cursor: Cursor, ops: Container[str]) -> None:
        self._cursor = cursor
        self._ops = ops
        self.scope: dict[str, Value] = {}
        self.arguments: dict[str, Place] = {}
        self._defined: dict[str, Place] = {}  # also the values of regions that have ended

    def define(self, names: list[Token], values: tuple[Value, ...]) -> None:
        """Give values their names. GEN005 for a name that exists."""
        for name, value in zip(names, values, strict=True):
            define_once(self._cursor, self._defined, name, "value")
            self.scope[name.text] = value

    def define_argument(self, name: Token) -> None:
        define_once(self._cursor, self.arguments, name, "argument")

    def value(self) -> Value:
        """The value that the next token names. GEN020 for a number or an op, GEN004 for an unknown name."""
        cursor = self._cursor
        if cursor.peek().kind is TokenKind.NUMBER:
            number = cursor.peek()
            help = (
                f"give it a name in a statement of its own: NAME = @literal{{{number.text}}} -> "
                f"f32, {{}}, then write NAME here"
            )
            message = f"got the number {number.text} as an operand, wanted the name of a value"
            cursor.fail(number, "GEN020", message, help)
        name = cursor.identifier("the name of a value")
        value = self.scope.get(name.text)
        if value is None:
            self._refuse_nested(name)
            message = f"{name.text} is not defined here, wanted a name defined before"
            cursor.fail(name, "GEN004", message, self._why_undefined(name.text))
        return value

    def _refuse_nested(self, name: Token) -> None:
        """Refuse an op in the place of an operand: an operand is the name of a value."""
        is_called = self._cursor.at("(") or self._cursor.at("[")
        if is_called and (name.text in self._ops or name.text not in self._defined):
            help = f"give it a name in a statement of its own: NAME = {name.text}(...), then write NAME here"
            message = f"got the op {name.text} as an operand, wanted a name: a statement has one op"
            self._cursor.fail(name, "GEN020", message, help)

    def _why_undefined(self, name: str) -> str:
        if name in self._defined:
            return f"{name} is defined in a region that has ended; a region gives its values by yield"
        if any(token.text == name and after.text == "=" for token, after in pairwise(self._cursor.tokens)):
            return f"{name} is defined after its use or in another module"
        return close_names(name, self.scope)


def define_once(cursor: Cursor, defined: dict[str, Place], name: Token, what: str) -> None:
    """Note the place of a definition. GEN005 if the name is defined already."""
    place = cursor.place(name)
    if name.text in defined:
        message = f"{what} {name.text} is defined a second time, wanted a name of its own"
        raise InputError(place, "GEN005", message, (f"{name.text} is defined at {defined[name.text]}",))
    defined[name.text] = place
