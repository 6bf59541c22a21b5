"""The slots between which each instruction of a loop starts, counted from the start of an anchor.

    anchor: v_mfma      ds_read -> v_mfma 13 slots       ds_read starts at -13 at the latest

If instructions keep each other at fixed distances, such as matrix instructions that fill their pipe, each has
a single slot. Values that may not live long keep their loads near them.
"""

from __future__ import annotations

from collections.abc import Mapping

from isa.named_tuple import NamedTuple


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
    longest: list[int | None] = [None] * count
    longest[anchor] = 0
    for _ in range(count + 1):
        is_longer = False
        for (earlier, later), far in distances.items():
            at, known = longest[earlier], longest[later]
            if at is not None and (known is None or at + far > known):
                longest[later], is_longer = at + far, True
        if not is_longer:
            return [0 if at is None else at for at in longest]
    return None
