"""The element of LDS that two accesses have in common in different waves.

lds_store(t, lds)              t @ reg(8:0) lane(0:1 0:2 0:4) wave(1:0)
lds_load(lds) -> u @ reg(0:1) lane(1:0 2:0 4:0) wave(0:2)      element 0:2: wave 0 wrote it, wave 1 reads it

The wave of an element is an F2-linear map of the bits of its number in the tile. Two tiles are aligned to
their sizes, so the waves of two tiles are equal in each common element if they are equal in the first and in
those that are a power of two away from it along an axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.algebra import invert
from asmgen.blockwise.layout.layout import Layout, Sizes, join


class Tile(NamedTuple):
    """The elements that an access touches, apart from their origin. If several waves have a copy of an
    element, all of them read it, and the first writes it."""

    layout: Layout
    writes: bool


class Meeting(NamedTuple):
    """An element of a slot, and the waves that access it: `first` by the first access, `second` by the
    second."""

    element: Sizes
    first: int
    second: int


Placed = tuple[Tile, Sizes]  # with its origin


def meeting(one: Placed, other: Placed, apart: bool = True) -> Meeting | None:
    """An element of both tiles that different waves access; if not `apart`, that any waves access."""
    for element in _elements(one, other):
        first, second = _wave(*one, element), _wave(*other, element)
        if first != second or not apart:
            return Meeting(element, first, second)
        for tile, is_first in ((one[0], True), (other[0], False)):
            copy = 0 if tile.writes else _lowest_copy(tile.layout)
            if copy and is_first:
                return Meeting(element, first ^ copy, second)
            if copy:
                return Meeting(element, first, second ^ copy)
    return None


def _elements(one: Placed, other: Placed) -> Iterator[Sizes]:
    """The first common element, and those that are a power of two away from it along an axis."""
    lows = tuple(map(max, one[1], other[1]))
    highs = tuple(map(min, _ends(one), _ends(other)))
    if any(map(int.__ge__, lows, highs)):
        return
    yield lows
    for axis, (low, high) in enumerate(zip(lows, highs, strict=True)):
        step = 1
        while step < high - low:
            yield (*lows[:axis], low + step, *lows[axis + 1 :])
            step *= 2


def _ends(of: Placed) -> Sizes:
    return tuple(map(int.__add__, of[1], of[0].layout.shape))


def _wave(tile: Tile, origin: Sizes, element: Sequence[int]) -> int:
    """The first wave that accesses an element."""
    layout = tile.layout
    inside = [(at - first) % size for at, first, size in zip(element, origin, layout.sizes, strict=True)]
    return f2.apply(_waves(layout), join(tuple(inside), layout.sizes))


@cache
def _waves(layout: Layout) -> f2.Columns:
    """For each bit of an element's number the bits of its wave; bits of copies are 0."""
    below = len(layout.registers) + len(layout.lanes)
    return tuple([number >> below for number in invert(layout)])


@cache
def _lowest_copy(layout: Layout) -> int:
    """The lowest bit of the wave in which waves with copies differ; 0 without copies."""
    return 1 << layout.waves.index(0) if 0 in layout.waves else 0
