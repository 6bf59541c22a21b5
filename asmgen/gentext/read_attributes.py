"""Reads the attributes of a statement, by the specifications of its op's row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from asmgen.index.text import AnyName, read_index
from asmgen.ir.numbers import read_number
from asmgen.ir.program import Attribute, AttributeKind, Attributes, AttributeSpec, Op
from asmgen.ir.read_dims import NamedDims, has_names
from asmgen.ir.read_types import read_element, read_shape
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token, TokenKind
from isa.diagnostics import close_names

_WANTED = {
    AttributeKind.INTEGER: "an integer",
    AttributeKind.FLOAT: "a number",
    AttributeKind.BOOL: "true or false",
    AttributeKind.WORD: "a word",
    AttributeKind.TYPE: "a type",
    AttributeKind.LIST: "integers: {1, 2}",
    AttributeKind.SHAPE: "a shape: {4} or {float, {4}}",
    AttributeKind.INDEX: "an index expression",
}


def read_attributes(cursor: Cursor, op: Op, names: NamedDims) -> Attributes:
    """Every attribute of the op in the row's order, defaults included."""
    opening = cursor.peek()
    given = read_settings(cursor, op.name, op.attributes, names)
    whole: Attributes = {}
    for spec in op.attributes:
        value = given.get(spec.name, spec.default)
        if value is None:
            cursor.fail(
                opening,
                "GEN009",
                f"{op.name} lacks the attribute {spec.name}, wanted {op.name}[{spec.name}=...]",
            )
        whole[spec.name] = value
    return whole


def read_settings(cursor: Cursor, of: str, specs: Sequence[AttributeSpec], names: NamedDims) -> Attributes:
    """The attributes that the text states in brackets, for an op or a form with the name `of`."""
    given: Attributes = {}
    known = {spec.name: spec for spec in specs}
    if cursor.at("["):
        _ = cursor.listed("[", "]", lambda: _read_attribute(cursor, of, known, given, names))
    return given


def _read_attribute(
    cursor: Cursor, of: str, specs: Mapping[str, AttributeSpec], given: Attributes, names: NamedDims
) -> None:
    name = cursor.attribute(of, specs, given)
    spec = specs[name]
    if spec.holds_sizes and cursor.at("{") and has_names(cursor):
        given[name] = names.read(cursor, f"size of {name}")
    elif spec.kind is AttributeKind.LIST and cursor.at("{"):
        given[name] = tuple(cursor.listed("{", "}", lambda: _read_integer(cursor, spec)))
    elif spec.kind is AttributeKind.LIST:
        given[name] = (_read_integer(cursor, spec),)
    elif spec.kind is AttributeKind.SHAPE:
        given[name] = read_shape(cursor, names)
    elif spec.kind is AttributeKind.INDEX:
        given[name] = read_index(cursor, AnyName())
    elif spec.kind is AttributeKind.INTEGER:
        given[name] = _read_integer(cursor, spec)
    else:
        given[name] = _read_single(cursor, spec)


def _read_integer(cursor: Cursor, spec: AttributeSpec) -> int:
    token = cursor.next()
    number = read_number(token.text) if token.kind is TokenKind.NUMBER else None
    if not isinstance(number, int):
        cursor.fail(token, "GEN008", f"{spec.name} is {token}, wanted {_WANTED[spec.kind]}")
    return number


def _read_single(cursor: Cursor, spec: AttributeSpec) -> Attribute:
    """A number, a truth value, a type or a word."""
    token = cursor.next()
    value: Attribute | None = None
    if token.kind is TokenKind.IDENTIFIER:
        value = _named_value(cursor, spec, token)
    elif token.kind is TokenKind.STRING and spec.kind is AttributeKind.WORD:
        value = token.text[1:-1]
    elif token.kind is TokenKind.NUMBER and spec.kind is AttributeKind.FLOAT:
        value = _exact_number(token.text)
        if value is None:
            cursor.fail(
                token,
                "GEN008",
                f"{spec.name} is {token}, which is beyond every type, wanted a smaller number or inf",
            )
    if value is None or (spec.words and value not in spec.words):
        wanted = " or ".join(spec.words) or _WANTED[spec.kind]
        cursor.fail(
            token, "GEN008", f"{spec.name} is {token}, wanted {wanted}", close_names(token.text, spec.words)
        )
    return value


def _exact_number(text: str) -> float | int | None:
    """A number as a float, or as an int if it has 64 bits and no float equals it; None if no type has it."""
    number = read_number(text)
    if isinstance(number, float):
        return None if math.isinf(number) and not text.lstrip("+-").isalpha() else number
    if abs(number) < 1 << 64 and float(number) != number:
        return number
    return math.copysign(float(number), -1 if text[0] == "-" else 1)


def _named_value(cursor: Cursor, spec: AttributeSpec, token: Token) -> Attribute | None:
    match spec.kind:
        case AttributeKind.WORD:
            return token.text
        case AttributeKind.TYPE:
            return read_element(cursor, token).name
        case AttributeKind.BOOL:
            return {"true": True, "false": False}.get(token.text)
        case _:
            return None
