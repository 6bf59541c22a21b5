"""Expressions of assembly text: integers, symbols, the current place, and LLVM's operators and functions on
them.

An expression becomes a tree when its line is read, and a number when everything that it names is known. A
value is a number, or an offset in a section: the difference of two offsets in the same section is a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple
from isa.target import round_up

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+|[A-Za-z_.$][\w.$]*(?:@\w+)*|'(?:[^'\\]|\\.)'"
    r"|<<|>>|&&|\|\||[=!<>]=|<>|[-+*/%&|^!~<>(),])"
)
_NUMBER = re.compile(r"[0-9]")
_PRECEDENCES = (
    ("||",), ("&&",), ("==", "!=", "<>", "<", "<=", ">", ">="), ("+", "-"), ("|", "^", "&", "!"),
    ("*", "/", "%", "<<", ">>"),
)  # fmt: skip
_DEEPEST = 40  # levels of brackets and signs
_MOST_STEPS = 100_000  # to find the value of an expression, through the symbols that it names
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "b": 8, "f": 12}
_WORD = (1 << 64) - 1


class ConstantValue(NamedTuple):
    """A number, or so many bytes after the beginning of a section."""

    number: int
    section: str = ""


class SymbolName(NamedTuple):
    """A symbol in an expression, and the `@...` that asks for a distance to it; empty for its value."""

    name: str
    relocation: str = ""


class Compound(NamedTuple):
    """An operator or a function of LLVM's, and its operands."""

    name: str
    operands: tuple[Expression, ...]


Expression = ConstantValue | SymbolName | Compound
Lookup = Callable[[str], Expression | None]


def parse_expression(text: str, here: ConstantValue, place: Place) -> Expression:
    """The tree of an expression; `here` is the meaning of `.`. Raises InputError OBJ030 for any other
    text."""
    return _Parser(text, here, place).whole()


def evaluate(expression: Expression, lookup: Lookup, place: Place) -> ConstantValue:
    """The value of an expression; `lookup` returns a symbol's definition, None if it is not defined.

    Raises InputError OBJ031 for an undefined symbol, OBJ032 for offsets that cannot be combined, a division
    by zero or a symbol that is defined by itself.
    """
    return _Evaluation(lookup, place).value(expression, 0)


def names_in(expression: Expression) -> Iterator[str]:
    """The symbols of an expression, in their order."""
    if isinstance(expression, SymbolName):
        yield expression.name
    elif isinstance(expression, Compound):
        for operand in expression.operands:
            yield from names_in(operand)


class _Parser:
    def __init__(self, text: str, here: ConstantValue, place: Place) -> None:
        self._text = text
        self._here = here
        self._place = place
        self._tokens = self._split(text)
        self._at = 0
        self._depth = 0

    def _split(self, text: str) -> list[str]:
        tokens: list[str] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error()
            tokens.append(match.group(1))
            at = match.end()
        return tokens

    def _error(self) -> InputError:
        return InputError(
            self._place, "OBJ030",
            f"{self._text.strip()!r} cannot be read, wanted an expression of numbers and symbols",
            help="--assembler clang reads what LLVM reads",
        )  # fmt: skip

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def whole(self) -> Expression:
        tree = self._level(0)
        if self._next():
            raise self._error()
        return tree

    def _level(self, level: int) -> Expression:
        if level == len(_PRECEDENCES):
            return self._unary()
        left = self._level(level + 1)
        while (operator := self._next()) in _PRECEDENCES[level] and operator:
            self._at += 1
            left = Compound(operator, (left, self._level(level + 1)))
        return left

    def _unary(self) -> Expression:
        token = self._next()
        self._at += 1
        self._depth += 1
        if self._depth > _DEEPEST or not token:
            raise self._error()
        if token in ("-", "+", "~", "!"):
            tree: Expression = Compound(f"unary {token}", (self._unary(),))
        elif token == "(":
            tree = self._level(0)
            self._close()
        else:
            tree = self._leaf(token)
        self._depth -= 1
        return tree

    def _close(self) -> None:
        if self._next() != ")":
            raise self._error()
        self._at += 1

    def _leaf(self, token: str) -> Expression:
        if _NUMBER.match(token):
            return ConstantValue(_number(token))
        if token.startswith("'"):
            return ConstantValue(_ESCAPES.get(token[2], ord(token[2])) if token[1] == "\\" else ord(token[1]))
        if token == ".":
            return self._here
        if not re.match(r"[A-Za-z_.$]", token):
            raise self._error()
        if self._next() == "(":
            return self._call(token)
        name, _, relocation = token.partition("@")
        return SymbolName(name, relocation)

    def _call(self, name: str) -> Expression:
        if name not in _FUNCTIONS:
            raise self._error()
        operands: list[Expression] = []
        while self._next() in ("(", ","):
            self._at += 1
            operands.append(self._level(0))
        self._close()
        return Compound(name, tuple(operands))


def _number(token: str) -> int:
    if len(token) > 1 and token[0] == "0" and token.isdigit():
        return int(token, 8) if not set(token) & {"8", "9"} else int(token)
    return int(token, 0)


class _Evaluation:
    """The value of an expression, found in a bounded number of steps."""

    def __init__(self, lookup: Lookup, place: Place) -> None:
        self._lookup = lookup
        self._place = place
        self._steps = 0

    def value(self, expression: Expression, depth: int) -> ConstantValue:
        self._steps += 1
        if depth > 4 * _DEEPEST or self._steps > _MOST_STEPS:
            raise InputError(
                self._place,
                "OBJ032",
                "the expression leads back to itself, or through too many symbols, wanted a number",
            )
        if isinstance(expression, ConstantValue):
            return expression
        if isinstance(expression, SymbolName):
            assigned = self._lookup(expression.name)
            if assigned is None:
                raise InputError(
                    self._place,
                    "OBJ031",
                    f"{expression.name} is defined nowhere, wanted a definition in the file",
                )
            return self.value(assigned, depth + 1)
        operands = [self.value(operand, depth + 1) for operand in expression.operands]
        return self._applied(expression.name, operands)

    def _applied(self, name: str, operands: list[ConstantValue]) -> ConstantValue:
        if name == "-" and operands[0].section == operands[1].section:
            return ConstantValue(operands[0].number - operands[1].number)
        sections = [operand.section for operand in operands if operand.section]
        if sections:
            left = operands[0]
            if name == "+" and len(sections) == 1:
                return ConstantValue(left.number + operands[1].number, sections[0])
            if name == "-" and left.section and not operands[1].section:
                return ConstantValue(left.number - operands[1].number, left.section)
            raise InputError(self._place, "OBJ032", f"{name} of offsets in sections, wanted numbers")
        numbers = [operand.number for operand in operands]
        try:
            return ConstantValue(_signed(_APPLY[name](*numbers)))
        except (ZeroDivisionError, TypeError, ValueError) as error:
            raise InputError(
                self._place,
                "OBJ032",
                f"{name} of {', '.join(map(str, numbers))}, wanted numbers for which it is defined",
            ) from error


def _signed(number: int) -> int:
    number &= _WORD
    return number - (1 << 64) if number >> 63 else number


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _or(*numbers: int) -> int:
    result = 0
    for number in numbers:
        result |= number
    return result


def _total_vgprs(agprs: int, vgprs: int) -> int:
    return round_up(vgprs, 4) + agprs if agprs else vgprs


def _truth(condition: bool) -> int:
    """LLVM's comparisons give all bits or none."""
    return -1 if condition else 0


_FUNCTIONS: dict[str, Callable[..., int]] = {
    "max": lambda *numbers: max(numbers), "min": lambda *numbers: min(numbers), "or": _or,
    "totalnumvgprs": _total_vgprs, "alignto": round_up,
}  # fmt: skip
_UNARY: dict[str, Callable[[int], int]] = {
    "unary -": lambda a: -a, "unary +": lambda a: a, "unary ~": lambda a: ~a, "unary !": lambda a: int(not a),
}  # fmt: skip
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b), "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b, "!": lambda a, b: a | ~b, "<<": lambda a, b: a << b if 0 <= b < 64 else 0,
    ">>": lambda a, b: (a & _WORD) >> b if 0 <= b < 64 else 0, "&&": lambda a, b: int(bool(a and b)),
    "||": lambda a, b: int(bool(a or b)), "==": lambda a, b: _truth(a == b),
    "!=": lambda a, b: _truth(a != b), "<>": lambda a, b: _truth(a != b), "<": lambda a, b: _truth(a < b),
    "<=": lambda a, b: _truth(a <= b), ">": lambda a, b: _truth(a > b), ">=": lambda a, b: _truth(a >= b),
}  # fmt: skip
_APPLY: dict[str, Callable[..., int]] = {**_FUNCTIONS, **_UNARY, **_BINARY}
