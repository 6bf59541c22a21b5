"""The pieces in which a workgroup takes the elements of a row, and the rows of a workgroup.

    1,100 columns by 4 waves of 64 lanes, 4 columns an access: 1,024 columns, then 76 of which the first 19
    lanes have some
    66 columns by 16 lanes, 4 columns an access: 64 columns, then 2, an element a lane

Only the last pieces have lanes without elements. In such a piece each lane has all of its elements or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import along
from asmgen.blockwise.schedules.deals import Deal, dealt, repeated
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.elements.merged_dims import apart
from asmgen.blockwise.schedules.work import Work
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, constant, symbol
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Size, Sizes, at_least, divides
from isa.named_tuple import NamedTuple


class Tiling(NamedTuple):
    """How the elements of pieces are dealt to registers, lanes and waves. `deals` are those of a piece that
    is not repeated; `rest` are those of the elements that whole accesses of `vector` elements along `axis`
    leave over.
    """

    lanes: int
    waves: int
    axis: int  # of the work's dims: pieces go along it
    vector: int
    repeat: int
    deals: tuple[Deal, ...]
    rest: tuple[Deal, ...]
    repeats: tuple[int, ...]  # for each dim but `axis`, how often the piece is repeated along it
    pieces: int | None = None  # of a trip of a loop that only adds up
    covered: tuple[int, ...] = ()  # other reduced dims, with all of their elements in a piece

    @property
    def rank(self) -> int:
        return len(self.repeats)

    def piece(self, repeat: int) -> Layout:
        return self._dealt(self.deals, repeat)

    def left_over(self, count: int) -> Layout:
        """The layout of `count` elements along the axis, an element a lane."""
        return self._dealt(self.rest, -(-count // self._dealt(self.rest, 1).shape[self.axis]))

    def _dealt(self, deals: tuple[Deal, ...], repeat: int) -> Layout:
        times = repeated(self.rank, self.axis, repeat)
        return dealt(self.rank, deals, self.lanes, self.waves, tuple(map(max, times, self.repeats)))


def next_to_each_other(layout: Layout, axis: int) -> int:
    """How many elements along an axis a lane has, if they are adjacent and begin at a multiple of
    their number; else 0.
    """
    return 1 << len(along(layout, axis).registers) if layout.counts[axis] == 1 else 0


def within(first: Index, place: Index, step: int, limit: Dim) -> tuple[Index, Below]:
    """The index of the element at `place` after `first`, and the condition that it is before `limit`. A lane
    has `step` elements, from a multiple of `step` on. If these would be beyond `limit`, the index is that of
    the last `step` elements before it, so that a load is within the buffer.
    """
    own = first + place // step * step
    return own.at_most(limit - step) + place % step, Below(own, constant(limit))


class Reached(NamedTuple):
    """The elements of a piece along its axis: the index of each, and the condition under which it exists."""

    place: Index
    condition: tuple[Below, ...]


class Stretch(NamedTuple):
    """`trips` consecutive pieces from `first` on. A lane has `step` adjacent elements, and the elements end
    at `limit`, if it is given.
    """

    layout: Layout
    first: Dim
    trips: Dim
    step: int
    limit: Dim | None = None

    def reached(self, axis: int, first: Index) -> Reached:
        """The elements of the piece that begins at `first`. If the piece goes on after the row's end
        and each lane has all of its elements or none, lanes beyond the end repeat the row's last elements.
        """
        own = coordinates(self.layout.shape)[axis]
        if self.limit is None:
            return Reached(first + own, ())
        if self.is_whole(axis) and not self.may_be_empty:
            place, below = within(first, own, self.step, self.limit)
            return Reached(place, (below,))
        return Reached(first + own, (Below(first + own, constant(self.limit)),))

    @property
    def may_be_empty(self) -> bool:
        """Whether there may be no elements at all, so that nothing is within the buffer."""
        return self.limit is not None and not at_least(self.limit, 1).is_shown

    def is_whole(self, axis: int) -> bool:
        """Whether each lane has all of its elements or none."""
        return self.limit is None or (
            next_to_each_other(self.layout, axis) == self.step
            and divides(self.step, self.limit - self.first).is_shown
        )


def before_loops(size: Dim) -> Index:
    """A counter along a dim, for statements before the loops over it."""
    last = size - 1 if isinstance(size, Size) else max(size - 1, 1)
    return symbol("before_loops", 0, last)


def _of_launch(tiling: Tiling, count: Size, longest: int | None) -> list[Stretch]:
    """The stretches of a number of elements that only the launch knows: whole pieces in a loop, then a piece
    with the remaining whole accesses, then the remaining elements, an element per lane. There is no loop if
    all elements are a piece: at most `longest`.
    """
    main, step = tiling.piece(tiling.repeat), tiling.vector
    size = main.shape[tiling.axis]
    trips = 0 if longest is not None and longest <= size else count // size
    done, whole = trips * size, count // step * step
    made = [Stretch(main, 0, trips, step)] if trips != 0 else []
    made.append(Stretch(main, done, 1, step, whole))
    if not divides(step, count).is_shown:
        made.append(Stretch(tiling.left_over(step - 1), whole, 1, 1, count))
    return made


def stretches(tiling: Tiling, count: Dim, longest: int | None = None) -> list[Stretch]:
    """The stretches of `count` elements along the axis, at most `longest`: equal pieces in a loop, then the
    remainder.

    No piece has more accesses than `tiling.repeat` says.
    """
    if isinstance(count, Size):
        return _of_launch(tiling, count, longest)
    axis, step = tiling.axis, tiling.vector
    main, chunk = tiling.piece(tiling.repeat), tiling.piece(1).shape[axis]
    whole = count - count % step
    made: list[Stretch] = []
    done = 0
    if whole > main.shape[axis]:
        trips = whole // main.shape[axis]
        made.append(Stretch(main, 0, trips, step))
        done = trips * main.shape[axis]
    if whole - done >= chunk:
        layout = tiling.piece((whole - done) // chunk)
        made.append(Stretch(layout, done, 1, step))
        done += layout.shape[axis]
    if done < whole:
        made.append(Stretch(tiling.piece(1), done, 1, step, whole))
    if whole < count:
        layout = tiling.left_over(count - whole)
        limit = count if whole + layout.shape[axis] > count else None
        made.append(Stretch(layout, whole, 1, 1, limit))
    return made


def grid_of(work: Work, layout: Layout) -> dict[str, Dim]:
    """The workgroups along each axis of the grid, for pieces of `layout`: the innermost kept dim, then the
    others.
    """
    counts = _counts(work, layout)
    grid: dict[str, Dim] = {"row": counts[-1] if counts else 1}
    if len(counts) > 1:
        grid["other"] = prod(counts[:-1])
    return grid


def _counts(work: Work, layout: Layout) -> list[Dim]:
    return [-(-_places_of(work, layout, axis) // layout.shape[axis]) for axis in work.kept]


def _places_of(work: Work, layout: Layout, axis: int) -> Dim:
    """The places that lanes have along a kept axis. If it is joined of dims, and the innermost of them is not
    a multiple of the adjacent elements of a lane, the last lane of each stretch has some elements again.
    """
    size, stretch, step = work.dims[axis], work.stretch, next_to_each_other(layout, axis)
    if axis != work.kept[-1] or step < 2 or stretch == size or divides(step, stretch).is_shown:
        return size
    return size // stretch * _rounded(stretch, step)


def _rounded(size: Dim, step: int) -> Dim:
    return -(-size // step) * step


class Places:
    """The rows of a workgroup. If tiles go beyond the rows, `stored` are the conditions of stores, and
    `loaded` those of loads. Loads without a condition read the last rows instead.
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
            size, step = _places_of(work, layout, axis), next_to_each_other(layout, axis)
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
        last = kept[-1] if kept else 0
        if kept and _places_of(work, layout, last) != work.dims[last]:
            self._kept[last] = self._in_stretch(self._kept[last], next_to_each_other(layout, last))
        self.stored: Conditions = tuple(stored)
        self.loaded: Conditions = tuple(loaded)

    def _in_stretch(self, place: Index, step: int) -> Index:
        """The number of the element at a place, of stretches that are rounded up to whole steps: in place of
        the last step of a stretch, its last elements."""
        stretch = self._work.stretch
        of_stretch = place % _rounded(stretch, step)
        own = (of_stretch // step * step).at_most(stretch - step) + place % step
        return place // _rounded(stretch, step) * stretch + own

    def of_rows(self) -> Indices:
        """The element of the results."""
        return self.at(dict.fromkeys(self._work.reduced, constant(0)))

    def at(self, reduced: Mapping[int, Index]) -> Indices:
        """The element of the graph's dims at coordinates of the work's that are reduced."""
        places = {**self._kept, **reduced}
        numbers = [places[position] for position in range(len(self._work.groups))]
        return apart(self._dims, self._work.groups, numbers)
