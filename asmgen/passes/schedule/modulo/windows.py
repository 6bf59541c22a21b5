"""The slots between which each instruction of a loop starts, counted from the start of an anchor.

    anchor: v_mfma      ds_read -> v_mfma 13 slots       ds_read starts at -13 at the latest

If instructions keep each other at fixed distances, such as matrix instructions that fill their pipe, each has
a single slot. Values that may not live long keep their loads near them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isa.named_tuple import NamedTuple

NONE = -(1 << 60)


class Window(NamedTuple):
    """The first and the last slot at which an instruction may start."""

    first: int
    last: int


def windows(count: int, distances: Mapping[tuple[int, int], int], anchor: int) -> list[Window] | None:
    """The windows of `count` instructions by the least distance of pairs of instructions, each of which has a
    distance from and to the anchor, over others at least. None if the distances contradict each other."""
    after = _longest(count, distances, anchor)
    before = _longest(count, {(later, earlier): far for (earlier, later), far in distances.items()}, anchor)
    if after is None or before is None:
        return None
    return [Window(first, -last) for first, last in zip(after, before, strict=True)]


def _longest(count: int, distances: Mapping[tuple[int, int], int], anchor: int) -> list[int] | None:
    """The longest path from the anchor to each instruction; None if a circuit has a positive length."""
    first = [NONE] * count
    first[anchor] = 0
    longest = settled(first, distances)
    return None if longest is None else [0 if at == NONE else at for at in longest]


def settled(first: Sequence[int], distances: Mapping[tuple[int, int], int]) -> list[int] | None:
    """The least numbers of which none is below its first value, nor below another number and the distance
    from there; None if there are none. `NONE` is a number without a first value and without a path to it."""
    count = len(first)
    between = matrix_of(count, distances)
    at = np.array(first, dtype=np.int64)
    for _ in range(count + 1):
        further = np.maximum(at, (at[:, None] + between).max(axis=0))
        further[further < NONE // 2] = NONE
        if (further == at).all():
            return at.tolist()
        at = further
    return None


def matrix_of(count: int, distances: Mapping[tuple[int, int], int]) -> Any:
    """The distances of `count` instructions as a matrix of integers, earlier by later. `NONE` is no
    distance."""
    between = np.full((count, count), NONE, dtype=np.int64)
    for (earlier, later), far in distances.items():
        between[earlier, later] = far
    return between


def add_around(totals: Any, first: int, length: int, units: int) -> None:
    """Add so many units to the totals of `length` slots from the slot `first` on, around the interval."""
    slots = len(totals)
    whole, rest = divmod(length, slots)
    begin = first % slots
    totals += whole * units
    totals[begin : begin + rest] += units
    totals[: max(0, begin + rest - slots)] += units
