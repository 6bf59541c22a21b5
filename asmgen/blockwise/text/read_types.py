"""Reads the types of tile programs: `f32, {4,256} @ reg(...) lane(...)`, `f16, {64,32} @ offset(...)
slots(2)`, `f32, {4096}`.
"""

from __future__ import annotations

from asmgen.blockwise.layout.placement import Padding, Placement
from asmgen.blockwise.layout.text import REPEAT, numbered, read_parts, read_size
from asmgen.blockwise.text.read_attributes import Scoped
from asmgen.blockwise.types import MAX_RANK, LdsType, TileType, Type
from asmgen.index.size import Sizes
from asmgen.ir.read_dims import NamedDims
from asmgen.ir.read_types import read_dims, read_element, read_strides
from asmgen.ir.shapes import format_list
from asmgen.ir.types import tensor
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import Token

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
        cursor.fail(
            place,
            "BLK003",
            f"the shape is {format_list(dims)}, and the layout has {format_list(shape)}; change one of them",
        )


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
