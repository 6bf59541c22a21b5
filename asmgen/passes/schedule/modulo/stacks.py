"""The registers that no order of a loop undercuts, by stacks of lives that may begin anywhere.

    fragments of v_mfma      272 registers, then 276, 280, 276: the pipe is full, so each v_mfma has its slot
    16 global_load_dwordx4   4 registers each, for 198 of 512 slots, until ds_write_b128 reads them

Windows of starts say how many registers are certain in each slot of the interval. Other lives have a length,
but no place. For so many registers, each slot has room for so many of these lives. If until slot t so many
begin, X(t), those of the last 198 slots are live: X(t) - X(t - 198) fits into the room of slot t, X does not
fall, and X(t + 512) is X(t) + 16. These are differences, which have a solution if no circuit of them is
negative (Bellman and Ford). The mean knows neither that lives take 4 registers at once nor that those of some
slots have to be above each other.

    gfx950, a product of f16, 256 by 256 by 64, 4 waves: 315 VGPRs in 0.02 s, 311 in the mean

This needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.least_lives import furthest_distances
from asmgen.passes.schedule.modulo.merged import Lives
from asmgen.passes.schedule.modulo.windows import Window, add_around
from isa.named_tuple import NamedTuple


class _Stack(NamedTuple):
    """So many lives of so many `units` that begin anywhere and last for at least `length` slots."""

    units: int
    length: int
    lives: int


def least_by_stacks(
    windows: Sequence[Window], distances: Mapping[tuple[int, int], int], lives: Lives, slots: int, most: int
) -> int:
    """The registers of lives that are live at once at least, `most` at most, in each order of so many slots
    that keeps the windows and the distances."""
    if not lives.lives:
        return min(lives.always, most)
    certain, loose = _placed(windows, furthest_distances(distances, lives), lives, slots)
    least = min(most, int(certain.max()))
    for stack in _stacks(loose):
        below, above = least - 1, most  # a number that does not suffice, and a number that may
        while below + 1 < above:
            middle = (below + above) // 2
            if _fits((middle - certain) // stack.units, stack):
                above = middle
            else:
                below = middle
        least = above
    return least


def _placed(
    windows: Sequence[Window], furthest: Any, lives: Lives, slots: int
) -> tuple[Any, list[tuple[int, int]]]:
    """The registers that are live in each slot in any order; the units and the length of each other life."""
    certain, loose = np.full(slots, lives.always, dtype=np.int64), list[tuple[int, int]]()
    for life in lives.lives:
        begin = windows[life.maker].last
        ends = [windows[number].first + trips * slots for number, trips in life.readers]
        if max(ends, default=begin) > begin:
            add_around(certain, begin, max(ends) - begin, life.units)
            continue
        lengths = [int(furthest[life.maker, number]) + trips * slots for number, trips in life.readers]
        whole, rest = divmod(max([1, *lengths]), slots)
        certain += whole * life.units
        if rest:
            loose.append((life.units, rest))
    return certain, loose


def _stacks(loose: Sequence[tuple[int, int]]) -> Iterator[_Stack]:
    """The lives of the same units that are at least so long, for each length."""
    for units, length in sorted(set(loose)):
        yield _Stack(units, length, sum(each == units and other >= length for each, other in loose))


def _fits(room: Any, stack: _Stack) -> bool:
    """Whether the lives of a stack fit into the slots, each of which has room for so many."""
    if room.min() < 0:
        return False
    slots, lives = len(room), stack.lives
    earlier = np.arange(slots) - stack.length
    before, room = earlier % slots, room + earlier // slots * lives
    begun = np.zeros(slots, dtype=np.int64)
    for _ in range(slots + 1):
        limit = np.minimum(begun, begun[before] + room)
        around = np.concatenate((limit, limit + lives))  # not more begin until a slot than until a later slot
        limit = np.minimum.accumulate(around[::-1])[::-1][:slots]
        if (limit == begun).all():
            return True
        begun = limit
    return False
