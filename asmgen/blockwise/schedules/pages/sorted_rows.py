"""The places of the elements of sorted rows in the tile of a workgroup that has whole rows."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.sorting import first_of
from asmgen.blockwise.schedules.choices import Sort
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Places, grid_of, within
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import coordinates
from asmgen.index import Index
from asmgen.index.size import Dim, factor
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS, Target


class Elements(NamedTuple):
    """The elements of a tile: their indices in the graph's dims, and their numbers in their rows.

    `exist` are the conditions of elements within rows, `stored` those of rows, and `loaded` those of rows for
    loads.
    """

    at: Indices
    column: Index
    exist: Conditions
    stored: Conditions
    loaded: Conditions


class WholeRows:
    """A tile has the elements of each row along the sorted axis."""

    def __init__(self, graph: Graph, choice: Sort, target: Target) -> None:
        self._graph, self._work = graph, graph.work
        self.layout, self.axis = _layout(graph.work, choice, target), graph.work.reduced[-1]
        self.grid: dict[str, Dim] = grid_of(graph.work, self.layout)

    def first(self, count: int) -> Layout:
        """The layout of the first elements of each row."""
        return first_of(self.layout, self.axis, count)

    def unsorted(self, ids: Sequence[Index]) -> Elements:
        """The elements of the tile, in any order."""
        return self.elements(ids, self.layout, self._work.dims[self._work.reduced[-1]])

    def elements(self, ids: Sequence[Index], layout: Layout, count: Dim) -> Elements:
        """The elements of a tile of rows of `count` elements."""
        work = self._work
        places = Places(self._graph.dims, work, self.layout, ids)
        column = coordinates(layout.shape)[self.axis]
        place, below = within(column * 0, column, _step(count, work.element), count)
        exist = (below,) if count != layout.shape[self.axis] else ()
        return Elements(places.at({self.axis: place}), column, exist, places.stored, places.loaded)

    def sorted(self, builder: TileBuilder, tiles: Sequence[TileValue], first: int) -> Sequence[TileValue]:
        """The rows in order, or the `first` elements of each; 0 is all."""
        return builder.sort(self.axis, first, *tiles)


def _layout(work: Work, choice: Sort, target: Target) -> Layout:
    rank, wave, axis = len(work.dims), target.wave_size, work.reduced[-1]
    of_lane = Deal(Part.REGISTERS, axis, choice.elements)
    shared = (Deal(Part.LANES, axis, choice.lanes), Deal(Part.WAVES, axis, choice.waves))
    others: tuple[Deal, ...] = ()
    if work.kept:
        kept = work.kept[-1]
        others = (Deal(Part.LANES, kept, wave // choice.lanes), Deal(Part.WAVES, kept, choice.teams))
    waves = choice.waves * choice.teams
    if work.reduces_fast:
        return dealt(rank, (of_lane, *shared, *others), wave, waves)
    columns = Deal(Part.REGISTERS, rank - 1, choice.vector)
    return dealt(rank, (columns, *others, of_lane, *shared), wave, waves)


def _step(size: Dim, bytes_: int) -> int:
    """The elements of the accesses that a row consists of."""
    whole = factor(size)
    return min(whole & -whole, max(1, WIDEST_ACCESS // bytes_))
