"""Reads the values of `@literal`: row-major, as many as the type has elements or lanes, each rounded to the
type."""

from __future__ import annotations

import math

from asmgen.ir.numbers import FLOAT_FORMATS, integer_range, read_as, read_number
from asmgen.ir.shapes import format_list, format_type, same_layout
from asmgen.ir.types import BOOL, ElementType, TensorType, ValueType, row_major
from asmgen.text.cursor import Cursor, counted
from asmgen.text.lexer import Token, TokenKind

_TRUTH = {"true": True, "false": False}


def read_numbers(cursor: Cursor) -> list[Token]:
    """`{number, ...}`: the tokens; their values follow from the type after them."""
    return cursor.listed("{", "}", lambda: _number(cursor))


def literal_values(
    cursor: Cursor, opening: Token, tokens: list[Token], type_: ValueType
) -> tuple[int | float | bool, ...]:
    """The values of the tokens in the written type; `opening` is the place of the list."""
    if isinstance(type_, TensorType) and not same_layout(type_.dims, type_.strides, row_major(type_.dims)):
        cursor.fail(
            opening,
            "GEN013",
            f"the literal has strides {format_list(type_.strides)}, wanted none: its values are row-major",
        )
    if type_.element.is_code:
        cursor.fail(
            opening, "GEN015",
            f"a literal of {type_.element}, wanted one of numbers",
            f"bit_cast[target_type={type_.element}] of a literal of u8, the bits",
        )  # fmt: skip
    count = type_.elements if isinstance(type_, TensorType) else type_.lanes
    if len(tokens) != count:
        cursor.fail(
            opening, "GEN015", f"{counted(len(tokens), 'value')}, wanted {count} for {format_type(type_)}"
        )
    return tuple([_value(cursor, token, type_.element) for token in tokens])


def _number(cursor: Cursor) -> Token:
    """A number; in a language with separate signs, the sign and the number as a single token."""
    sign = cursor.next() if cursor.at("-") else None
    token = cursor.next()
    if sign is not None and token.kind is TokenKind.NUMBER and token.text[0] not in "+-":
        return Token(TokenKind.NUMBER, sign.text + token.text, sign.offset)
    if sign is not None or (token.kind is not TokenKind.NUMBER and token.text not in _TRUTH):
        cursor.fail(token, "GEN002", f"got {token}, wanted a number")
    return token


def _require_meant(cursor: Cursor, token: Token, value: float, element: ElementType) -> None:
    """Refuse a value that is not finite unless the text says it, and a value with another meaning than the
    text."""
    written = read_number(token.text)
    if token.text.lstrip("+-").isalpha() and math.isnan(written) == math.isnan(value):
        return
    form = FLOAT_FORMATS[element.name]
    wanted = f"a number from {-form.largest:g} to {form.largest:g}, or {'inf' if form.infinities else 'nan'}"
    cursor.fail(token, "GEN015", f"{element} cannot express {token.text}, wanted {wanted}")


def _value(cursor: Cursor, token: Token, element: ElementType) -> int | float | bool:
    truth = _TRUTH.get(token.text)
    if truth is not None:
        if element is not BOOL:
            cursor.fail(token, "GEN015", f"got {token.text}, wanted a number for {element}")
        return truth
    value = read_as(token.text, element)
    if value is not None and isinstance(value, float) and not math.isfinite(value):
        _require_meant(cursor, token, value, element)
    if value is None:
        low, high = integer_range(element)
        wanted = "true or false" if element is BOOL else f"an integer from {low} to {high}"
        cursor.fail(token, "GEN015", f"{element} cannot express {token.text}, wanted {wanted}")
    return value
