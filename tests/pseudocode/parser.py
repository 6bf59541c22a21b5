"""Tokens to a syntax tree. Operators bind as in C, `**` tighter than the signs."""

from __future__ import annotations

from functools import cache

from tests.pseudocode.lexer import Token, tokens
from tests.pseudocode.syntax import (
    Assign,
    Binary,
    Break,
    Call,
    Choice,
    Concat,
    Convert,
    Declare,
    For,
    If,
    Index,
    Lambda,
    Member,
    Name,
    Node,
    Number,
    Return,
    Slice,
    Unary,
)  # fmt: skip
from tests.pseudocode.values import number

_LEVELS: tuple[frozenset[str], ...] = (
    frozenset({"||"}), frozenset({"&&"}), frozenset({"|"}), frozenset({"^"}), frozenset({"&"}), frozenset({"==", "!=", "<>"}),
    frozenset({"<", ">", "<=", ">="}), frozenset({"<<", ">>"}), frozenset({"+", "-"}), frozenset({"*", "/"}),
)  # fmt: skip
_STATEMENTS = frozenset({"if", "for", "declare", "return"})


@cache
def parse(text: str) -> tuple[Node, ...]:
    """The statements of an instruction's pseudocode; ValueError if the text is none."""
    parser = _Parser(tokens(text))
    result = parser.statements(frozenset({""}))
    return result


class _Parser:
    def __init__(self, source: list[Token]) -> None:
        self.source = source
        self.position = 0

    @property
    def text(self) -> str:
        return self.source[self.position].text

    def take(self) -> Token:
        token = self.source[self.position]
        self.position += 1
        return token

    def accept(self, text: str) -> bool:
        if self.source[self.position].kind != "end" and self.text == text:
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise ValueError(f"got {self.text!r}, wanted {text!r}, after {[t.text for t in self.source[max(0, self.position - 6) : self.position]]}")

    def statements(self, ends: frozenset[str]) -> tuple[Node, ...]:
        """Up to a token of `ends`, which is left; "" is the end of the text."""
        result: list[Node] = []
        while True:
            while self.accept(";"):
                pass
            if self.text in ends:
                return tuple(result)
            result.append(self.statement())

    def statement(self) -> Node:
        if self.accept("if"):
            return self.conditional()
        if self.accept("for"):
            return self.loop()
        if self.accept("declare"):
            return self.declaration()
        if self.accept("return"):
            return Return(self.expression())
        if self.accept("break"):
            return Break()
        return self.assignment()

    def conditional(self) -> Node:
        branches: list[tuple[Node, tuple[Node, ...]]] = []
        while True:
            condition = self.expression()
            self.expect("then")
            branches.append((condition, self.statements(frozenset({"elsif", "else", "endif"}))))
            if not self.accept("elsif"):
                break
        otherwise = self.statements(frozenset({"endif"})) if self.accept("else") else ()
        self.expect("endif")
        return If(tuple(branches), otherwise)

    def loop(self) -> Node:
        variable = self.take().text
        self.expect("in")
        first = self.expression()
        self.expect(":")
        last = self.expression()
        self.expect("do")
        body = self.statements(frozenset({"endfor"}))
        self.expect("endfor")
        return For(variable, first, last, body)

    def declaration(self) -> Node:
        name = self.take().text
        self.expect(":")
        width, kind = self.take().text.split("'")
        count = 0
        if self.accept("["):
            count = int(self.take().text)
            self.expect("]")
        return Declare(name, kind.lower(), int(width), count)

    def assignment(self) -> Node:
        targets = [self.postfix()]
        if isinstance(targets[0], Call) and self.text != "=":  # for its effect: s_nop
            return Assign((), targets[0])
        for operator in ("+=", "-="):
            if self.accept(operator):
                return Assign(tuple(targets), self.expression(), operator[0])
        self.expect("=")
        value = self.expression()
        while self.accept("="):
            targets.append(value)
            value = self.expression()
        return Assign(tuple(targets), value)

    def expression(self) -> Node:
        if self.accept("lambda"):
            return self.function()
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        chosen = self.expression()
        self.expect(":")
        return Choice(condition, chosen, self.expression())

    def function(self) -> Node:
        self.expect("(")
        parameters: list[str] = [self.take().text]
        while self.accept(","):
            parameters.append(self.take().text)
        self.expect(")")
        self.expect("(")
        body = self.statements(frozenset({")"})) if self.text in _STATEMENTS else (Return(self.expression()),)
        self.expect(")")
        return Lambda(tuple(parameters), body)

    def binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.source[self.position].kind == "operator" and self.text in _LEVELS[level]:
            operator = self.take().text
            left = Binary(operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Node:
        if self.text in ("-", "+", "~", "!"):
            operator = self.take().text
            return Unary(operator, self.unary())
        base = self.postfix()
        return Binary("**", base, self.unary()) if self.accept("**") else base

    def postfix(self) -> Node:
        node = self.primary()
        while True:
            if self.accept("."):
                node = Member(node, self.take().text)
            elif self.accept("["):
                node = self.subscript(node)
            else:
                return node

    def subscript(self, base: Node) -> Node:
        first = self.expression()
        if self.accept("+:"):
            result: Node = Slice(base, first, width=self.expression())
        elif self.accept(":"):
            result = Slice(base, self.expression(), high=first)
        else:
            result = Index(base, first)
        self.expect("]")
        return result

    def primary(self) -> Node:
        token = self.take()
        if token.kind == "number":
            return Number(number(token.text), "0x" in token.text)
        if token.kind == "type":
            width, kind = token.text.split("'")
            return Convert(int(width), "e" if kind == "BF" else kind.lower(), self.parenthesised())
        if token.text == "(":
            self.position -= 1
            return self.parenthesised()
        if token.text == "{":
            return Concat(self.list_until("}"))
        if token.kind == "name":
            return Call(token.text, self.list_until(")")) if self.accept("(") else Name(token.text)
        raise ValueError(f"{token.text!r} begins no expression")

    def parenthesised(self) -> Node:
        self.expect("(")
        result = self.expression()
        self.expect(")")
        return result

    def list_until(self, end: str) -> tuple[Node, ...]:
        result: list[Node] = []
        while not self.accept(end):
            result.append(self.expression())
            self.accept(",")
        return tuple(result)
