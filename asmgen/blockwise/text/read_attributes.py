"""Reads the attributes of an op: a field of its record by its name, whatever the op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from asmgen.blockwise.actions import Action, Below, Combine, Number, fields_of, needed_fields
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Padding, Placement
from asmgen.blockwise.layout.text import REPEAT, numbered, read_layout, read_parts, read_size
from asmgen.blockwise.rules.access import data_symbols
from asmgen.blockwise.types import MAX_RANK, LdsType, TileType, Type
from asmgen.index import Index, symbol
from asmgen.index.size import Sizes
from asmgen.index.text import read_index
from asmgen.ir.numbers import read_number
from asmgen.ir.program import Scope
from asmgen.ir.read_dims import NamedDims
from asmgen.ir.read_types import read_dims, read_element, read_strides
from asmgen.ir.shapes import format_list
from asmgen.ir.types import ElementType, tensor
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token, TokenKind
from isa.diagnostics import close_names

T = TypeVar("T")
MOST_DATA = 8
_CONDITIONS = "of whole numbers a <= b is a < b + 1, and a > b is b < a"
# Coordinates as an access's attributes are read before the tile's type is; `settled` gives them its bounds.
OPEN_COORDINATES = tuple([symbol(f"c{axis}") for axis in range(MAX_RANK)])
OPEN_WAVE = symbol("wave")


class Scoped:
    """The indices and layouts that names in an attribute stand for."""

    def __init__(self, cursor: Cursor, indices: Mapping[str, Index], layouts: Mapping[str, Layout]) -> None:
        self.cursor = cursor
        self._layouts = layouts
        own = {f"c{axis}": index for axis, index in enumerate(OPEN_COORDINATES)}
        data = {f"v{number}": index for number, index in enumerate(data_symbols(MOST_DATA))}
        self._indices = {**indices, **own, **data, "wave": OPEN_WAVE}

    def index(self) -> Index:
        return read_index(self.cursor, self._indices)

    def condition(self) -> Below:
        left = self.index()
        if not self.cursor.at("<") or self.cursor.peek(1).text == "=":
            message = f"got {self.cursor.peek()}, wanted INDEX < INDEX, the only condition there is"
            self.cursor.fail(self.cursor.peek(), "GEN002", message, help=_CONDITIONS)
        _ = self.cursor.next()
        return Below(left, self.index())

    def indices(self) -> tuple[Index, ...]:
        return tuple(self.cursor.listed("{", "}", self.index))

    def conditions(self) -> tuple[Below, ...]:
        return tuple(self.cursor.listed("{", "}", self.condition))

    def integer(self) -> int:
        token = self.cursor.next()
        if token.kind is not TokenKind.NUMBER or not token.text.isdigit() or len(token.text) > 10:
            self.cursor.fail(token, "GEN008", f"got {token}, wanted a whole number")
        return int(token.text)

    def integers(self) -> tuple[int, ...]:
        return tuple(self.cursor.listed("{", "}", self.integer))

    def number(self) -> Number:
        sign = self.cursor.next().text if self.cursor.at("-") else ""
        token = self.cursor.next()
        if token.kind is not TokenKind.NUMBER:
            self.cursor.fail(token, "GEN008", f"got {token}, wanted a number")
        return read_number(sign + token.text)

    def truth(self) -> bool:
        return self._one_of({"true": True, "false": False})

    def combine(self) -> Combine:
        return self._one_of({combine.value: combine for combine in Combine})

    def scope(self) -> Scope:
        return self._one_of({scope.name.lower(): scope for scope in Scope})

    def element(self) -> ElementType:
        return read_element(self.cursor, self.cursor.identifier("an element type"))

    def word(self) -> str:
        return self.cursor.identifier("a name").text

    def layout(self) -> Layout:
        """A layout, or a layout's name."""
        token = self.cursor.peek()
        if token.text in self._layouts:
            return self._layouts[self.cursor.next().text]
        if token.kind is TokenKind.IDENTIFIER and self.cursor.peek(1).text != "(":
            names = ", ".join(self._layouts) or "none"
            help = close_names(token.text, self._layouts)
            self.cursor.fail(
                token, "GEN004", f"{token.text} is not a layout of the kernel, which has {names}", help
            )
        return read_layout(self.cursor)

    def _one_of(self, words: Mapping[str, T]) -> T:
        token = self.cursor.next()
        if token.text not in words:
            self.cursor.fail(
                token,
                "GEN008",
                f"got {token}, wanted one of {', '.join(words)}",
                close_names(token.text, words),
            )
        return words[token.text]


# By the name of a record's field.
_READERS: dict[str, Callable[[Scoped], object]] = {
    "at": Scoped.indices,
    "where": Scoped.conditions,
    "otherwise": Scoped.number,
    "loose": Scoped.truth,
    "masked": Scoped.truth,
    "adds": Scoped.truth,
    "value": Scoped.number,
    "origin": Scoped.indices,
    "slot": Scoped.index,
    "op": Scoped.combine,
    "axes": Scoped.integers,
    "axis": Scoped.integer,
    "first": Scoped.integer,
    "blocks": Scoped.integer,
    "within": Scoped.scope,
    "exclusive": Scoped.truth,
    "reverse": Scoped.truth,
    "diagonal": Scoped.truth,
    "to": Scoped.element,
    "bits": Scoped.integer,
    "by": Scoped.word,
    "over": Scoped.word,
    "layout": Scoped.layout,
    "pending": Scoped.integer,
    "level": Scoped.integer,
    "result": Scoped.integer,
}
_NOTHING: Mapping[str, object] = {}


def read_attributes(
    scope: Scoped, record: type[Action], opening: Token, before: Mapping[str, object] = _NOTHING
) -> Action:
    """The record of `[name=value, ...]` with the fields `before` the brackets; an attribute that has a
    default may be left out."""
    cursor = scope.cursor
    known = tuple([name for name in fields_of(record) if name not in before])
    given = dict(before)

    def one() -> None:
        name = cursor.attribute(opening.text, known, given)
        given[name] = _READERS[name](scope)

    if cursor.at("["):
        _ = cursor.listed("[", "]", one)
    for name in needed_fields(record):
        if name not in given:
            cursor.fail(
                opening,
                "GEN009",
                f"{opening.text} lacks the attribute {name}, wanted {opening.text}[{name}=...]",
            )
    return record(**given)


_OFFSET = "offset"


def read_type(cursor: Cursor, scope: Scoped, names: NamedDims) -> Type:
    """A type after an arrow. The shape of a tile is the shape of its layout."""
    element = read_element(cursor, cursor.identifier("an element type"))
    _ = cursor.expect(",")
    opening = cursor.peek()
    dims = read_dims(cursor, names)
    if len(dims) > MAX_RANK:
        cursor.fail(opening, "GEN013", f"got {len(dims)} dims, wanted at most {MAX_RANK}")
    if not cursor.at("@"):
        return tensor(element, dims, read_strides(cursor, dims, names))
    _ = cursor.next()
    if cursor.at(_OFFSET, "("):
        placement = read_placement(cursor)
        _check_shape(cursor, opening, dims, placement.shape)
        return LdsType(element, placement, _slots(cursor))
    layout = scope.layout()
    _check_shape(cursor, opening, dims, layout.shape)
    return TileType(element, layout)


def _check_shape(cursor: Cursor, place: Token, dims: Sizes, shape: tuple[int, ...]) -> None:
    if dims != shape:
        message = f"the shape is {format_list(dims)}, wanted {format_list(shape)}, as the layout has"
        cursor.fail(place, "BLK003", message)


def read_placement(cursor: Cursor) -> Placement:
    """`offset(...) repeat(...) pad(every:extra)`; the last two may be left out."""
    opening = cursor.peek()
    written = read_parts(cursor, (_OFFSET, REPEAT, "pad"))
    counts, padding = written.get(REPEAT, []), written.get("pad", [])
    sizes, (offsets,) = numbered(cursor, opening, [written.get(_OFFSET, [])], len(counts[0]) if counts else 0)
    if len(counts) > 1 or len(padding) > 1 or any(len(numbers) != 2 for numbers in padding):
        cursor.fail(
            opening,
            "BLK001",
            "wanted repeat(count:count...) and pad(every:extra), each with one group of numbers",
        )
    pads = Padding(padding[0][0], padding[0][1]) if padding else Padding()
    placement = Placement(sizes, offsets, counts[0] if counts else (), pads)
    if placement.fault or (padding and not pads.every):
        cursor.fail(
            opening, "BLK001", placement.fault or "padding after every 0 elements, wanted a positive number"
        )
    return placement


def _slots(cursor: Cursor) -> int:
    if not cursor.at("slots", "("):
        return 1
    _ = cursor.next(), cursor.next()
    place = cursor.peek()
    count = read_size(cursor)
    if not count:
        cursor.fail(place, "GEN008", "got 0 slots, wanted at least 1")
    _ = cursor.expect(")")
    return count
