"""`unpack`: numbers of a few bits from the elements of a tile.

If a register's number is at a known place of its element, as in a lane that has eight adjacent numbers, all
numbers of a vector are taken at once. If the place differs between lanes, it is the count of a shift.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.lowering.addresses.access import by_register
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, scalar
from asmgen.blockwise.types import TileType
from asmgen.index import Index
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import I32, U32, NumberKind
from asmgen.lanewise.result_types import MAX_LANES

_WORD = I32.bits


def unpacked(context: Context, action: ops.Unpack, tile: Tile, type_: TileType, data: Sequence[Tile]) -> Tile:
    known = context.data_of(tile.layout, data) if data else ()
    places = by_register(context.places, tile.layout, known)(action.at[0])
    splits = _Splits(context, action)
    made: dict[tuple[Element, Index], Element] = {}
    for element, place in zip(tile.elements, places, strict=True):
        if (element, place) not in made:
            made[element, place] = (
                splits.number(element, place.constant)
                if place.is_constant
                else _shifted(context, action, element, place)
            )
    return Tile(type_, tuple([made[key] for key in zip(tile.elements, places, strict=True)]), tile.in_last)


class _Splits:
    """Vectors with all of their numbers taken, a part of a vector at a time."""

    def __init__(self, context: Context, action: ops.Unpack) -> None:
        self._builder, self._action = context.builder, action
        self._made: dict[tuple[Value, int], Value] = {}

    def number(self, element: Element, place: int) -> Element:
        """The number at a place of an element."""
        value, lane = element
        packed = lane_type(value)
        count = packed.element.bits // self._action.bits
        size = min(packed.lanes, MAX_LANES // count)
        part, within = divmod(lane, size)
        if (value, part) not in self._made:
            whole = value if size == packed.lanes else self._builder.extract(value, part * size, size)
            self._made[value, part] = self._builder.split_bits(whole, self._action.bits, self._action.to)
        return Element(self._made[value, part], within * count + place)


def _shifted(context: Context, action: ops.Unpack, element: Element, place: Index) -> Element:
    """The number at a place that the lane knows: shifted to the upper end of a word, and down again."""
    builder, bits = context.builder, action.bits
    word = I32 if action.to.kind is NumberKind.SIGNED else U32
    whole = builder.convert(scalar(builder, element), word)
    count = context.indices.value(place * -bits + (_WORD - bits))
    raised = builder.shift_left(whole, count)
    number = builder.shift_right(raised, context.literal(_WORD - bits, U32))
    return Element(builder.convert(number, action.to))
