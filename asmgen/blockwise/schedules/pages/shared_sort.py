"""Rows of a sort that share a workgroup. The launch knows their length, and so how many lanes each needs. A
lane has 16 elements of a row, or 32 of a row across memory.

    {m,n} along n, up to 4,096, gfx942    n = 3: a lane has a row, a workgroup 256 rows
                                          n = 100: 8 lanes, 32 rows
                                          n = 4,096: 256 lanes, a row
    {n,m} along n                         four rows next to each other take four lanes next to each other

The lanes of a row are the least power of two that suffices. The number of a lane in the launch, divided by
the lanes of a row, is the number of its row, or of its four rows. All lengths share the network of compares.
It merges blocks of 32, 64, ... elements in branches, each in the branch of the merge before it. A merge runs
only if the rows are longer than its blocks.
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
from asmgen.index.size import Dim, Sizes, at_least, size_of
from isa.target import Target

_ELEMENTS = 2  # the axis of a tile for the elements of a lane


class SharedRows:
    """The axes of a tile are rows next to each other in memory, the lanes of a workgroup for each of them,
    and the elements of a lane. A tile of rows along memory has a single row for each lane."""

    axis = _ELEMENTS

    def __init__(self, graph: Graph, choice: Sort, target: Target) -> None:
        self._graph, work = graph, graph.work
        self._work, self._of_lane = work, choice.elements
        deals = (
            Deal(Part.REGISTERS, _ELEMENTS, choice.elements),
            Deal(Part.LANES, 0, target.wave_size // choice.lanes),
            Deal(Part.LANES, 1, choice.lanes),
            Deal(Part.WAVES, 1, choice.waves),
        )
        self.layout = dealt(3, deals, target.wave_size, choice.waves)
        self._size = work.dims[work.reduced[-1]]
        self._most = ceil_power(work.planned[work.reduced[-1]])
        *others, last = (1, *[work.dims[axis] for axis in work.kept])
        self._tiles: Sizes = (*others, -(-last // self.layout.shape[0]))
        lanes, of_group = constant(prod(self._tiles)).times(self._lanes_of_row()), self.layout.shape[1]
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
        return (constant(self._size) // (places + 1)).at_most(1)

    def first(self, count: int) -> Layout:
        """The layout of the first elements of each row. The first lanes of the row have them."""
        return first_of(self.layout, _ELEMENTS, min(count, self._of_lane))

    def unsorted(self, ids: Sequence[Index]) -> Elements:
        """The elements in any order. If memory is contiguous along the rows, lanes next to each other have
        adjacent elements: sorts of 4,096 rows of 512 f32 take 25 thousand clocks on gfx942, 37 if each lane
        loads adjacent elements."""
        if not self._work.reduces_fast:
            return self.elements(ids, self.layout, self._size)
        lanes = self._lanes_of_row()
        return self._elements(ids, self.layout, self._size, lambda lane, place: lanes.times(place) + lane)

    def elements(self, ids: Sequence[Index], layout: Layout, count: Dim) -> Elements:
        """The elements of rows of `count` elements in their order."""
        return self._elements(ids, layout, count, lambda lane, place: lane * self._of_lane + place)

    def _elements(
        self, ids: Sequence[Index], layout: Layout, count: Dim, place_of: Callable[[Index, Index], Index]
    ) -> Elements:
        """The elements of a tile, if a lane of a row has the places `place_of` that lane and a register."""
        work, lanes, (next_to, own, register) = self._work, self._lanes_of_row(), coordinates(layout.shape)
        number, count_of_tiles = ids[0] * layout.shape[1] + own, prod(self._tiles)
        place, tile = place_of(number.remaining(lanes), register), number.divided(lanes)
        conditions = [Below(tile, constant(count_of_tiles))]
        has_rows = at_least(count_of_tiles, 1).is_shown
        if has_rows:
            tile = tile.at_most(count_of_tiles - 1)
        rows = list(unflattened(tile, self._tiles))
        if layout.shape[0] > 1:
            last, end = rows[-1] * layout.shape[0] + next_to, work.dims[work.kept[-1]]
            conditions.append(Below(last, constant(end)))
            rows[-1] = last.at_most(end - 1) if has_rows else last
        at, exists = within(constant(0), place, 1, count)
        of_row = iter(rows[1 if not work.kept else -len(work.kept) :])
        places = [at if axis in work.reduced else next(of_row) for axis in range(len(work.dims))]
        stored: Conditions = tuple(conditions)
        whole = apart(self._graph.dims, work.groups, places)
        return Elements(whole, place, (exists,), stored, () if has_rows else stored)

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
            rows, count, length = _shape(blocks[0])
            pairs = [builder.reshape(block, (rows, count // 2, 2 * length)) for block in blocks]
            made = builder.sort(_ELEMENTS, most if length == most else 0, *pairs, blocks=length)
            merged = self._merged(builder, made, 2 * places, most)
            return [_as_blocks(builder, each, before) for each, before in zip(merged, blocks, strict=True)]

        return builder.for_("longer", 0, self._is_longer(places), 1, tiles, longer)


def _shape(tile: TileValue) -> tuple[int, int, int]:
    assert isinstance(tile.type, TileType), tile
    rows, count, length = tile.type.shape
    return rows, count, length


def _as_blocks(builder: TileBuilder, tile: TileValue, before: TileValue) -> TileValue:
    """A tile of merged blocks in the type of the blocks before. If a merge kept one block of two, the holders
    of both have it."""
    rows, count, length = _shape(before)
    assert isinstance(before.type, TileType)
    if _shape(tile)[_ELEMENTS] == length:
        layout = before.type.layout._replace(sizes=(rows, count // 2, 2, length))
        kept = builder.reshape(tile, (rows, count // 2, 1, length))
        tile = builder.broadcast(kept, TileType(before.type.element, layout))
    return builder.reshape(tile, (rows, count, length))
