"""Which elements a workgroup of a reduction has: its rows, from the ids of the workgroup and the coordinates
of the tile, and the indices of the graph's dims for coordinates in the merged dims of `work`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.elements.merged_dims import apart
from asmgen.blockwise.schedules.pages.pieces import next_to_each_other, within
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Sizes, at_least


def grid_of(work: Work, layout: Layout) -> dict[str, Dim]:
    """The workgroups along each axis of the grid, where a piece has `layout`: the innermost dim that is kept,
    then the others.
    """
    counts = _counts(work, layout)
    grid: dict[str, Dim] = {"row": counts[-1] if counts else 1}
    if len(counts) > 1:
        grid["other"] = prod(counts[:-1])
    return grid


def _counts(work: Work, layout: Layout) -> list[Dim]:
    return [-(-work.dims[axis] // layout.shape[axis]) for axis in work.kept]


class Places:
    """The rows of one workgroup. Where tiles go beyond them, `stored` are the conditions of those that there
    are, and `loaded` that of the loads; what other loads read there is of the last rows.
    """

    def __init__(self, dims: Sizes, work: Work, layout: Layout, ids: Sequence[Index]) -> None:
        self._dims, self._work = dims, work
        counts, kept = tuple(_counts(work, layout)), work.kept
        numbers: Indices = ()
        if kept:
            numbers = (*(unflattened(ids[1], counts[:-1]) if len(kept) > 1 else ()), ids[0])
        tile = coordinates(layout.shape)
        stored: list[Below] = []
        loaded: list[Below] = []
        self._kept: dict[int, Index] = {}
        for axis, number in zip(kept, numbers, strict=True):
            size, step = work.dims[axis], next_to_each_other(layout, axis)
            first = number * layout.shape[axis]
            self._kept[axis] = first + tile[axis]
            if is_within(self._kept[axis], size):
                continue
            if step and at_least(size, step).is_shown:
                self._kept[axis], condition = within(first, tile[axis], step, size)
            else:
                condition = Below(self._kept[axis], constant(size))
                loaded.append(condition)
            stored.append(condition)
        self.stored: Conditions = tuple(stored)
        self.loaded: Conditions = tuple(loaded)

    def of_rows(self) -> Indices:
        """The element of the results."""
        return self.at(dict.fromkeys(self._work.reduced, constant(0)))

    def at(self, reduced: Mapping[int, Index]) -> Indices:
        """The element of the graph's dims at coordinates of the work's that are reduced."""
        places = {**self._kept, **reduced}
        numbers = [places[position] for position in range(len(self._work.groups))]
        return apart(self._dims, self._work.groups, numbers)
