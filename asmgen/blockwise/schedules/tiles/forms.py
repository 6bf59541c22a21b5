"""The forms of the tiles of a body: the axes along which they differ, and their types.

A value that is uniform along some axes is a tile without these axes, and is broadcast to other operands. A
float of 16 bits stays as it is until an op computes with it; then it is widened to f32, and narrowing gives
the original tile. An integer of 8 bits is computed in 32 bits, and cut to its own bits if an op needs all of
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.actions import Number
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.deals import without
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index.expression import as_symbol
from asmgen.ir.types import BF16, F16, F32, ElementType, NumberKind, computed
from isa.named_tuple import NamedTuple


class Made(NamedTuple):
    """A tile that is made, and the axes along which it differs. `is_cut` says that its numbers are in the
    range of the value's type, and not only their lower bits right.
    """

    tile: TileValue
    axes: tuple[int, ...]
    is_cut: bool = True


def element_of(tile: TileValue) -> ElementType:
    """The type of a tile's elements."""
    return tile.type.element


class Forms:
    """Brings tiles into other forms. `layout` is that of the whole tile, and `axis_of` has the axis of each
    of its coordinates.
    """

    def __init__(self, builder: TileBuilder, layout: Layout) -> None:
        self._builder = builder
        self.layout = layout
        self.axis_of = {
            as_symbol(index): axis for axis, index in enumerate(coordinates(layout.shape)) if index.terms
        }
        self._narrow: dict[TileValue, TileValue] = {}  # a widened tile -> the tile before
        self._wide: dict[TileValue, TileValue] = {}  # a tile -> the widened tile
        self._exact: dict[TileValue, TileValue] = {}  # a converted tile -> a tile of the same numbers
        self._fills: dict[TileValue, Number] = {}

    def adopt(self, tile: TileValue, of: Forms) -> None:
        """Copy the cached tiles of another body."""
        if tile in of._wide:
            self._wide[tile] = wide = of._wide[tile]
            self._narrow[wide] = tile
        if tile in of._narrow:
            self._narrow[tile] = of._narrow[tile]
        if tile in of._exact:
            self._exact[tile] = of._exact[tile]
        if tile in of._fills:
            self._fills[tile] = of._fills[tile]

    def fill(self, number: Number, element: ElementType) -> Made:
        """A tile of a number, uniform along all axes."""
        tile = self._builder.fill(number, TileType(computed(element), self.layout_of(())))
        self._fills[tile] = number
        return Made(tile, ())

    def narrowed(self, tile: TileValue, element: ElementType) -> TileValue:
        """A tile as another type; a widened tile gives the original tile."""
        before = self._narrow.get(tile)
        if before is not None and element_of(before) is element:
            return before
        return tile if element_of(tile) is element else self._builder.convert(tile, element)

    def widened(self, tile: TileValue) -> TileValue:
        """A tile in the type in which its elements are computed."""
        wide = computed(element_of(tile))
        if wide is element_of(tile):
            return tile
        if tile not in self._wide:
            self._wide[tile] = result = self._builder.convert(self._exact.get(tile, tile), wide)
            self._narrow[result] = tile
        return self._wide[tile]

    def converted(self, tile: TileValue, element: ElementType) -> TileValue:
        """A tile as another type, in which its numbers may be rounded."""
        result = self.narrowed(tile, element)
        if result is not tile and is_exact(element_of(tile), element):
            self._exact[result] = tile
        return result

    def alike(self, operands: Sequence[Made], element: ElementType) -> list[Made]:
        """Operands of an op that only chooses elements: as they are if all can be tiles of the narrow
        `element`, else in the type in which elements are computed.
        """
        narrow = [self._as(operand, element) for operand in operands]
        if all(operand.tile in self._fills for operand in operands) or None in narrow:
            return [operand._replace(tile=self.widened(operand.tile)) for operand in operands]
        return [operand for operand in narrow if operand is not None]

    def _as(self, made: Made, element: ElementType) -> Made | None:
        """A value as a tile of a type that needs no conversion; None if it needs a conversion."""
        number = self._fills.get(made.tile)
        if number is not None and element_of(made.tile) is not element:
            filled = self._builder.fill(number, TileType(element, self.layout_of(made.axes)))
            self._fills[filled] = number
            return Made(filled, made.axes)
        before = self._narrow.get(made.tile, made.tile)
        return Made(before, made.axes) if element_of(before) is element else None

    def cut(self, made: Made, element: ElementType) -> Made:
        """A value with all of its bits right: cut to those of its type, and extended again."""
        if made.is_cut:
            return made
        return Made(self.widened(self._builder.convert(made.tile, element)), made.axes)

    def spread(self, made: Made, axes: tuple[int, ...]) -> TileValue:
        """A tile in the layout of more axes."""
        layout = self.layout_of(axes)
        if made.tile.type == TileType(element_of(made.tile), layout):
            return made.tile
        type_ = TileType(element_of(made.tile), layout)
        number = self._fills.get(made.tile)
        return (
            self._builder.broadcast(made.tile, type_) if number is None else self._builder.fill(number, type_)
        )

    def layout_of(self, axes: tuple[int, ...]) -> Layout:
        """The layout in which only `axes` differ."""
        return without(self.layout, tuple([axis for axis in range(self.layout.rank) if axis not in axes]))


def is_exact(source: ElementType, target: ElementType) -> bool:
    """Whether every number of an integer type is a number of a float type."""
    is_signed = source.kind is NumberKind.SIGNED
    is_integer = is_signed or source.kind is NumberKind.UNSIGNED
    return is_integer and target.is_float and source.bits - is_signed <= _DIGITS.get(target, 0)


_DIGITS = {F16: 11, BF16: 8, F32: 24}  # of a significand
