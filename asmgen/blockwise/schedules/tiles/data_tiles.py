"""The tiles of indices that are data, and the names that an access has for them.

    x_1 = tile_load[at={v0, c1}](x, n_1)    the first index of the element, v0, is the tile n_1

In the tile all indices count from the start, and none is below 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.blockwise.actions import Below, BitCast
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.access import data_symbols
from asmgen.blockwise.schedules.elements.indices import Conditions, Datum, Indices
from asmgen.blockwise.schedules.tiles.forms import Forms, Made, element_of
from asmgen.blockwise.schedules.tiles.needs import Key, Needs
from asmgen.blockwise.types import TileType
from asmgen.graph import ops
from asmgen.index import Index, Symbol
from asmgen.index.size import Dim, Size, most
from asmgen.ir.types import I32, I64, U32, ElementType
from isa.named_tuple import NamedTuple

_FAR = 1 << 30  # an i32 that is no index of a dim of so many elements


class Named(NamedTuple):
    """Indices as an access has them. `axes` are those along which they differ, `names` has the name of each
    datum, `v0`, `v1`, ..., and `tiles` are the data in the layout of these axes.
    """

    axes: tuple[int, ...]
    names: Mapping[Symbol, Index]
    tiles: tuple[TileValue, ...]

    def indices(self, at: Indices) -> Indices:
        """Indices with the names of the data."""
        return tuple([index.substitute(self.names) for index in at])

    def conditions(self, where: Conditions) -> Conditions:
        """Conditions with the names of the data."""
        names = self.names
        return tuple([Below(left.substitute(names), right.substitute(names)) for left, right in where])


class DataTiles:
    """Makes the tiles of data, each once. `made` are the values that exist already."""

    def __init__(self, builder: TileBuilder, needs: Needs, forms: Forms, made: Mapping[Key, Made]) -> None:
        self._builder = builder
        self._needs = needs
        self._forms = forms
        self._made = made
        self._indices: dict[Datum, Made] = {}

    def named(self, indices: Sequence[Index], axes: Sequence[int] = ()) -> Named:
        """The names of the data in indices. Its axes are those along which the indices differ, and `axes`."""
        data = self._needs.data_of(*indices)
        used = {symbol for index in indices for symbol in index.symbols}
        made = [self._index_of(datum) for datum in data.values()]
        whole = {*axes, *(axis for symbol, axis in self._forms.axis_of.items() if symbol in used)}
        whole.update(*[index.axes for index in made])
        spanned = tuple(sorted(whole))
        names = {
            symbol: named.at_most(datum.size - 1)
            for (symbol, datum), named in zip(data.items(), data_symbols(len(data)), strict=True)
        }
        return Named(spanned, names, tuple([self._forms.spread(index, spanned) for index in made]))

    def _index_of(self, datum: Datum) -> Made:
        """A datum as an i32 that counts from the start. A datum beyond the last element stays as it is: the
        index of the access has the bounds of the elements and clamps it.
        """
        if datum not in self._indices:
            made = self._made[Key(*datum[:3])]
            self._indices[datum] = Made(self._inside(datum, made.tile, made.axes), made.axes)
        return self._indices[datum]

    def _inside(self, datum: Datum, value: TileValue, axes: tuple[int, ...]) -> TileValue:
        from asmgen.graph.rewritings.integer_bounds import bounds_of

        builder, layout = self._builder, self._forms.layout_of(axes)

        def number(of: Dim, element: ElementType) -> TileValue:
            if isinstance(of, Size):
                return builder.convert(builder.positions(of.expression, TileType(U32, layout)), element)
            return builder.fill(of, TileType(element, layout))

        bounds = bounds_of(datum.value, self._needs.definition)
        if bounds.within(I32) and element_of(value) is not I32:
            value = builder.convert(value, I32)
        elif element_of(value) is I64 and most(datum.size) <= _FAR:
            value = self._near(value, layout)
        element = element_of(value)
        if bounds.low < 0:
            whole = self._from_start(value, number(datum.size, element), number(0, element))
            value = builder.pointwise(ops.MAX, whole, number(0, element))
        if element is I32:
            return value
        return builder.convert(builder.pointwise(ops.MIN, value, number(datum.size - 1, element)), I32)

    def _near(self, value: TileValue, layout: Layout) -> TileValue:
        """An i64 as an i32, if the dim has at most 2^30 elements. A number that an i32 does not have becomes
        2^30 or -2^30, which is beyond the same end of the dim.
        """
        builder = self._builder

        def number(of: int, like: ElementType = I32) -> TileValue:
            return builder.fill(of, TileType(like, layout))

        low = builder.convert(value, I32)
        high = builder.convert(builder.pointwise(ops.RIGHT_SHIFT, value, number(32, I64)), I32)
        sign = builder.pointwise(ops.RIGHT_SHIFT, low, number(31))
        far = builder.pointwise(ops.BITWISE_AND, high, number(-1 << 31))
        far = builder.pointwise(ops.BITWISE_OR, far, number(_FAR))
        return builder.pointwise(ops.WHERE, builder.pointwise(ops.EQUAL, high, sign), low, far)

    def _from_start(self, value: TileValue, size: TileValue, zero: TileValue) -> TileValue:
        """A number that counts from the start."""
        if element_of(value) is I32:
            return self._word_from_start(value, size)
        is_negative = self._builder.pointwise(ops.LESS, value, zero)
        from_end = self._builder.pointwise(ops.ADD, value, size)
        return self._builder.pointwise(ops.WHERE, is_negative, from_end, value)

    def _word_from_start(self, value: TileValue, size: TileValue) -> TileValue:
        """An i32 that counts from the start: the minimum, as u32, of the number and its sum with the size.

        A negative number is a large u32. Its sum with the size is smaller if it names an element. A number
        before the first element stays negative.
        """
        builder = self._builder
        candidates = [
            builder.value(BitCast(U32), number) for number in (value, builder.pointwise(ops.ADD, value, size))
        ]
        return builder.value(BitCast(I32), builder.pointwise(ops.MIN, *candidates))
