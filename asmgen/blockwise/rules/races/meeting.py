"""The element of LDS that two accesses have in common in different waves.

lds_store(t, lds)              t @ reg(8:0) lane(0:1 0:2 0:4) wave(1:0)
lds_load(lds) -> u @ reg(0:1) lane(1:0 2:0 4:0) wave(0:2)      element 0:2: wave 0 wrote it, wave 1 reads it

The wave of an element is an F2-linear map of the bits of its number in the tile. Two tiles are aligned to
their sizes, so the waves of all common elements follow from those of the first, and of the elements that are
a power of two away from it along an axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.algebra import invert
from asmgen.blockwise.layout.layout import Layout, Sizes, join
from isa.named_tuple import NamedTuple


class Tile(NamedTuple):
    """The elements that an access touches, apart from their origin. If several waves have a copy of an
    element, all of them read it, and the first writes it. In a region of some waves the layout is of those
    from `first` on."""

    layout: Layout
    writes: bool
    first: int = 0


class Meeting(NamedTuple):
    """An element of a slot, and the waves that access it: `first` by the first access, `second` by the
    second."""

    element: Sizes
    first: int
    second: int


Placed = tuple[Tile, Sizes]  # with its origin
Pair = tuple[int, int]


class Order(NamedTuple):
    """The pairs of waves that access LDS without an order between them. `halves` has an entry for each pair
    of halves of the workgroup, the half of the earlier access first: both first, first and second, second
    and first, both second. `half` is the first wave of the second half. A wave has an order with itself,
    unless the earlier access is a copy that `may_go_on`."""

    halves: tuple[bool, bool, bool, bool]
    half: int
    may_go_on: bool

    def are_together(self, pair: Pair) -> bool:
        first, second = [wave >= self.half for wave in pair]
        return self.may_go_on or (pair[0] != pair[1] and self.halves[2 * first + second])


def meeting(one: Placed, other: Placed, order: Order) -> Meeting | None:
    """An element that two waves without an order access, each in its tile; None if there is none."""
    return next((met for met in _meetings(one, other) if order.are_together(met[1:])), None)


def _meetings(one: Placed, other: Placed) -> Iterator[Meeting]:
    """A meeting of each two waves that meet."""
    lows = tuple(map(max, one[1], other[1]))
    highs = tuple(map(min, _ends(one), _ends(other)))
    if any(map(int.__ge__, lows, highs)):
        return
    start = _wave(*one, lows), _wave(*other, lows)
    yield Meeting(lows, *start)
    elements = {start: lows}
    for moves, (first, second) in _steps(one, other, lows, highs):
        for pair, element in list(elements.items()):
            moved = pair[0] ^ first, pair[1] ^ second
            if moved not in elements:
                elements[moved] = tuple(map(int.__add__, element, moves))
                yield Meeting(elements[moved], *moved)


def _steps(one: Placed, other: Placed, lows: Sizes, highs: Sizes) -> Iterator[tuple[Sizes, Pair]]:
    """The powers of two along each axis that lead to other common elements, each with the bits in which the
    waves of that element differ from those of the first; and the bits of copies, which stay at an element."""
    still = (0,) * len(lows)
    first, second = _wave(*one, lows), _wave(*other, lows)
    for axis, (low, high) in enumerate(zip(lows, highs, strict=True)):
        for bit in range((high - low - 1).bit_length()):
            moves = (*still[:axis], 1 << bit, *still[axis + 1 :])
            element = tuple(map(int.__add__, lows, moves))
            yield moves, (_wave(*one, element) ^ first, _wave(*other, element) ^ second)
    yield from [(still, (copy, 0)) for copy in _copies(one[0])]
    yield from [(still, (0, copy)) for copy in _copies(other[0])]


def _ends(of: Placed) -> Sizes:
    return tuple(map(int.__add__, of[1], of[0].layout.shape))


def _wave(tile: Tile, origin: Sizes, element: Sequence[int]) -> int:
    """The first wave that accesses an element."""
    layout = tile.layout
    inside = [(at - first) % size for at, first, size in zip(element, origin, layout.sizes, strict=True)]
    return tile.first | f2.apply(_waves(layout), join(tuple(inside), layout.sizes))


@cache
def _waves(layout: Layout) -> f2.Columns:
    """For each bit of an element's number the bits of its wave; bits of copies are 0."""
    below = len(layout.registers) + len(layout.lanes)
    return tuple([number >> below for number in invert(layout)])


def _copies(tile: Tile) -> list[int]:
    """The bits of the wave in which waves that read copies of an element differ."""
    return [] if tile.writes else [1 << bit for bit, basis in enumerate(tile.layout.waves) if not basis]
