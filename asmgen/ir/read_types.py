"""Reads the types after an arrow: `f32, {2,3}, {3,1}`, `{2,3}`, `f32`, `f32x4`, `scalar`."""

from __future__ import annotations

import re

from asmgen.index.size import Dim
from asmgen.ir.numbers import read_number
from asmgen.ir.read_dims import NamedDims, has_names
from asmgen.ir.shapes import Dims, format_type, same_layout
from asmgen.ir.types import (
    ELEMENT_TYPES,
    F32,
    TYPE_NAMES,
    ElementType,
    LaneType,
    TensorType,
    ValueType,
    close_types,
    row_major,
)
from asmgen.text.cursor import Cursor, counted
from asmgen.text.lexer import Token, TokenKind
from isa.named_tuple import NamedTuple

_LANES = re.compile(r"(?P<element>.+)x(?P<lanes>[1-9][0-9]{0,3})\Z")
_LARGEST_DIM = (1 << 63) - 1


class Written(NamedTuple):
    """A type as written: a lane value without dims, and `scalar` is a lane value of any type."""

    token: Token
    element: ElementType
    dims: Dims | None = None
    strides: Dims | None = None
    lanes: int = 1
    is_scalar: bool = False

    @property
    def type(self) -> ValueType:
        if self.dims is None:
            return LaneType(self.element, self.lanes)
        return TensorType(
            self.element, self.dims, row_major(self.dims) if self.strides is None else self.strides
        )

    def agrees(self, inferred: ValueType) -> bool:
        """Strides may be left out, and those of a view may be written as if it were row-major."""
        if self.is_scalar:
            return isinstance(inferred, LaneType) and inferred.lanes == 1
        if not isinstance(inferred, TensorType) or self.dims is None:
            return self.type == inferred
        if (self.element, self.dims) != (inferred.element, inferred.dims):
            return False
        return self.strides is None or any(
            same_layout(self.dims, self.strides, layout)
            for layout in (inferred.strides, row_major(self.dims))
        )


def read_written_type(cursor: Cursor, names: NamedDims, defines: bool = False) -> Written:
    """The arrow and the type of @param and @literal, which must be there; that of a @param `defines` names of
    dims."""
    if cursor.peek().kind is not TokenKind.ARROW:
        cursor.fail(cursor.peek(), "GEN002", f"got {cursor.peek()}, wanted '->' and the type")
    _ = cursor.next()
    return _read_result(cursor, names, defines)


def read_agreed_results(cursor: Cursor, op: str, inferred: tuple[ValueType, ...], names: NamedDims) -> None:
    """The arrow and the results, if present; they must agree with the inferred types."""
    if cursor.peek().kind is not TokenKind.ARROW:
        return
    arrow = cursor.next()
    written = [_read_result(cursor, names)]
    while cursor.at(","):
        _ = cursor.next()
        written.append(_read_result(cursor, names))
    if len(written) != len(inferred):
        cursor.fail(
            arrow,
            "GEN011",
            f"got {counted(len(written), 'type')}, wanted {len(inferred)} for the results of {op}",
        )
    for have, want in zip(written, inferred, strict=True) if not names.is_provisional else ():
        if not have.agrees(want):
            help = "a result without a type is f32" if have.element is F32 and want.element is not F32 else ""
            cursor.fail(
                have.token,
                "GEN011",
                f"the result is written {format_type(have.type)}, wanted {format_type(want)} "
                f"as {op} gives it",
                help,
            )


def read_element(cursor: Cursor, token: Token) -> ElementType:
    element = ELEMENT_TYPES.get(token.text)
    if element is None:
        names = " ".join(TYPE_NAMES)
        cursor.fail(
            token,
            "GEN012",
            f"unknown type {token.text}, wanted one of {names}",
            close_types(token.text),
        )
    return element


def _read_result(cursor: Cursor, names: NamedDims, defines: bool = False) -> Written:
    token = cursor.peek()
    element = F32
    if not cursor.at("{"):
        _ = cursor.identifier("a type, 'scalar' or '{'")
        if not cursor.at(",", "{"):
            return _lane_value(cursor, token)
        element = read_element(cursor, token)
        _ = cursor.next()
    dims = read_dims(cursor, names, defines)
    return Written(token, element, dims, read_strides(cursor, dims, names))


def read_strides(cursor: Cursor, dims: Dims, names: NamedDims) -> Dims | None:
    """`, {8, 1}` after dims, a stride for each; None if there are none."""
    if not cursor.at(",", "{"):
        return None
    _ = cursor.next()
    opening = cursor.peek()
    strides = read_sizes(cursor, "stride", names)
    if len(strides) != len(dims):
        cursor.fail(
            opening,
            "GEN013",
            f"{counted(len(strides), 'stride')} for {counted(len(dims), 'dim')}, wanted a stride per dim",
        )
    return strides


def _lane_value(cursor: Cursor, token: Token) -> Written:
    if token.text == "scalar":
        return Written(token, F32, is_scalar=True)
    match = _LANES.match(token.text)
    if match is None or match["element"] not in ELEMENT_TYPES:
        return Written(token, read_element(cursor, token))
    return Written(token, ELEMENT_TYPES[match["element"]], lanes=int(match["lanes"]))


def read_dims(cursor: Cursor, names: NamedDims, defines: bool = False) -> Dims:
    """`{n,3}`."""
    return read_sizes(cursor, "dim", names, defines)


def read_sizes(cursor: Cursor, what: str, names: NamedDims, defines: bool = False) -> Dims:
    """`{2,3}`: dims or strides, named `what` in messages; `names` reads sizes with names in them."""
    if cursor.at("{") and has_names(cursor):
        return names.read(cursor, what, defines)
    return tuple(cursor.listed("{", "}", lambda: _read_size(cursor, what)))


def _read_size(cursor: Cursor, what: str) -> int:
    token = cursor.next()
    number = read_number(token.text) if token.kind is TokenKind.NUMBER else None
    if not isinstance(number, int) or not 0 <= number <= _LARGEST_DIM:
        cursor.fail(token, "GEN013", f"a {what} is {token}, wanted an integer from 0 to 2^63 - 1")
    return number


def read_shape(cursor: Cursor, names: NamedDims) -> tuple[str | Dim, ...]:
    """`{float, {4}}` or `{4}`: the name of an element type, f32 by default, and the dims; strides may
    follow them."""
    if cursor.peek(1).kind is not TokenKind.IDENTIFIER:
        return (F32.name, *read_sizes(cursor, "dim", names))
    _ = cursor.expect("{")
    token = cursor.next()
    long = token._replace(text=f"{token.text}_type")
    element = read_element(cursor, long if long.text in ELEMENT_TYPES else token)
    _ = cursor.expect(",")
    dims = read_sizes(cursor, "dim", names)
    if cursor.at(","):
        _ = cursor.next()
        _ = read_sizes(cursor, "stride", names)
    _ = cursor.expect("}")
    return (element.name, *dims)
