"""The forms of the tiles of a body: the axes along which they differ, and their types.

A value that is uniform along some axes is a tile without these axes, and is broadcast to other operands. A
float of 16 bits is widened to f32, and narrowing gives the original tile. An integer of 8 bits is computed in
32 bits, and cut to its own bits if an op needs all of them.
"""

from __future__ import annotations

from asmgen.blockwise.actions import Number
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.deals import without
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index.expression import as_symbol
from asmgen.ir.types import ElementType, computed
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
        self._fills: dict[TileValue, Number] = {}

    def adopt(self, tile: TileValue, of: Forms) -> None:
        """Copy the cached tiles of another body."""
        if tile in of._narrow:
            self._narrow[tile] = of._narrow[tile]
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
        result = self._builder.convert(tile, wide)
        self._narrow[result] = tile
        return result

    def cut(self, made: Made, element: ElementType) -> Made:
        """A value of which all bits are right: cut to those of its type, and extended again."""
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
