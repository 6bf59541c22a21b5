"""Rows of a sort that share a workgroup. The launch knows their length, and so how many lanes each needs. A
lane has 16 elements of a row.

    {m,n}, n up to 4,096, gfx942    n = 3: a lane has a row, a workgroup 256 rows
                                    n = 100: 8 lanes, 32 rows
                                    n = 4,096: 256 lanes, a row

The lanes of a row are the least power of two that suffices. The number of a lane in the launch, divided by
the lanes of a row, is the number of its row. All lengths share the network of compares. It merges blocks of
16, 32, ... elements in branches, each in the branch of the merge before it. A merge runs only if the rows are
longer than its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.sorting import first_of
from asmgen.blockwise.schedules.choices import Sort
from asmgen.blockwise.schedules.choosing.room import ceil_power
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import Conditions, unflattened
from asmgen.blockwise.schedules.elements.merged_dims import apart
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import within
from asmgen.blockwise.schedules.pages.sorted_rows import Elements
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import Index, constant
from asmgen.index.size import Dim, at_least, size_of
from isa.target import Target

_ELEMENTS = 1  # the axis of a tile for the elements of a lane; axis 0 is for the lanes of the workgroup


class SharedRows:
    """A tile has the elements of a lane along its last axis."""

    axis = _ELEMENTS

    def __init__(self, graph: Graph, choice: Sort, target: Target) -> None:
        self._graph, work = graph, graph.work
        self._work, self._of_lane = work, choice.elements
        deals = (
            Deal(Part.REGISTERS, _ELEMENTS, choice.elements),
            Deal(Part.LANES, 0, choice.lanes),
            Deal(Part.WAVES, 0, choice.waves),
        )
        self.layout = dealt(2, deals, target.wave_size, choice.waves)
        self._columns = work.dims[work.reduced[-1]]
        self._rows = tuple([work.dims[axis] for axis in work.kept])
        self._most = ceil_power(work.planned[work.reduced[-1]])
        lanes, of_group = constant(prod(self._rows)).times(self._lanes_of_row()), self.layout.shape[0]
        self.grid: dict[str, Dim] = {"row": size_of((lanes + of_group - 1) // of_group)}

    def _lanes_of_row(self) -> Index:
        """1, 2, 4, ... lanes: twice as many for each power of two places that a row is longer than."""
        lanes, places = constant(1), self._of_lane
        while places < self._most:
            lanes += self._is_longer(places) * (places // self._of_lane)
            places *= 2
        return lanes

    def _is_longer(self, places: int) -> Index:
        """1 if a row has more elements than so many places, else 0."""
        return (constant(self._columns) // (places + 1)).at_most(1)

    def first(self, count: int) -> Layout:
        """The layout of the first elements of each row. The first lanes of the row have them."""
        return first_of(self.layout, _ELEMENTS, min(count, self._of_lane))

    def unsorted(self, ids: Sequence[Index]) -> Elements:
        """The elements in an order in which lanes next to each other have adjacent elements. Sorts of 4,096
        rows of 512 f32 take 25 thousand clocks on gfx942, 37 if a lane loads adjacent elements."""
        lanes = self._lanes_of_row()
        return self._elements(ids, self.layout, self._columns, lambda lane, place: lanes.times(place) + lane)

    def elements(self, ids: Sequence[Index], layout: Layout, count: Dim) -> Elements:
        """The elements of rows of `count` elements in their order."""
        return self._elements(ids, layout, count, lambda lane, place: lane * self._of_lane + place)

    def _elements(
        self, ids: Sequence[Index], layout: Layout, count: Dim, column_of: Callable[[Index, Index], Index]
    ) -> Elements:
        """The elements of a tile, if a lane of a row has the columns `column_of` that lane and a place."""
        own, place = coordinates(layout.shape)
        number, lanes, rows = ids[0] * layout.shape[0] + own, self._lanes_of_row(), prod(self._rows)
        column = column_of(number.remaining(lanes), place)
        row = number.divided(lanes)
        stored: Conditions = (Below(row, constant(rows)),)
        has_rows = at_least(rows, 1).is_shown
        at, exists = within(constant(0), column, 1, count)
        of_row = iter(unflattened(row.at_most(rows - 1) if has_rows else row, self._rows))
        places = [at if axis in self._work.reduced else next(of_row) for axis in range(len(self._work.dims))]
        whole = apart(self._graph.dims, self._work.groups, places)
        return Elements(whole, column, (exists,), stored, () if has_rows else stored)

    def sorted(self, builder: TileBuilder, tiles: Sequence[TileValue], first: int) -> Sequence[TileValue]:
        """The rows in order, or the `first` elements of each; 0 is all."""
        of_lane = builder.sort(_ELEMENTS, first if first < self._of_lane else 0, *tiles)
        return self._merged(builder, of_lane, self._of_lane, first or self._most)

    def _merged(
        self, builder: TileBuilder, tiles: Sequence[TileValue], places: int, most: int
    ) -> Sequence[TileValue]:
        """The tiles with blocks of so many places merged, if rows are longer. At most `most` elements of a
        merged block are kept."""
        if places >= self._most:
            return tiles

        def longer(_: Index, blocks: Sequence[TileValue]) -> Sequence[TileValue]:
            count, length = _shape(blocks[0])
            pairs = [builder.reshape(block, (count // 2, 2 * length)) for block in blocks]
            made = builder.sort(_ELEMENTS, most if length == most else 0, *pairs, blocks=length)
            merged = self._merged(builder, made, 2 * places, most)
            return [_as_blocks(builder, each, before) for each, before in zip(merged, blocks, strict=True)]

        return builder.for_("longer", 0, self._is_longer(places), 1, tiles, longer)


def _shape(tile: TileValue) -> tuple[int, int]:
    assert isinstance(tile.type, TileType), tile
    count, length = tile.type.shape
    return count, length


def _as_blocks(builder: TileBuilder, tile: TileValue, before: TileValue) -> TileValue:
    """A tile of merged blocks in the type of the blocks before. If a merge kept one block of two, the holders
    of both have it."""
    count, length = _shape(before)
    assert isinstance(before.type, TileType)
    if _shape(tile)[_ELEMENTS] == length:
        layout = before.type.layout._replace(sizes=(count // 2, 2, length))
        kept = builder.reshape(tile, (count // 2, 1, length))
        tile = builder.broadcast(kept, TileType(before.type.element, layout))
    return builder.reshape(tile, (count, length))
