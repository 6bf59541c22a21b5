"""The registers that no order of a loop with an interval undercuts, by the distances of its instructions.

    global_load_dwordx4 %x     0     4 registers for 800 clocks at least, until ds_write_b128 reads them
    ds_write_b128 %at, %x      1     with an interval of 1,000, 3.2 registers in the mean

In the mean: a life is as long as the longest chain of dependences from its maker to a reader. At some clock
at least as many registers are live as in the mean of the interval.

At an issue: while an instruction issues, each life is sure of which the instruction needs the maker and a
reader needs the instruction. Lives at the clocks nearby are as sure, as far as distances say.

    softmax, 190 instructions: a maximum issues while all elements are live, since a later instruction reads
    each of them again: 30 VGPRs, 15 in the mean

Neither needs a solver. No order with these distances undercuts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.merged import Lives, merged
from asmgen.passes.schedule.modulo.problem import DependenceEdge
from asmgen.passes.schedule.modulo.values import LoopValue
from asmgen.passes.schedule.modulo.windows import NONE


def least_vectors(edges: Iterable[DependenceEdge], values: Iterable[LoopValue], interval: int) -> int:
    """The VGPRs that are live at once at least in each order with the interval. No circuit of the edges needs
    a longer interval."""
    distances: dict[tuple[int, int], int] = {}
    for earlier, later, clocks, trips in edges:
        distance = clocks - interval * trips
        distances[earlier, later] = max(distance, distances.get((earlier, later), distance))
    return least_of_distances(distances, merged(values), interval)


def least_of_distances(distances: Mapping[tuple[int, int], int], lives: Lives, interval: int) -> int:
    """The registers of lives that are live at once at least in each order that keeps the distances between
    the starts of two instructions. `interval` has the unit of the distances."""
    if not lives.lives:
        return lives.always
    furthest = furthest_distances(distances, lives)
    of_lives = _Lives(lives, furthest, interval)
    return lives.always + max(
        of_lives.in_the_mean(), *(of_lives.at_issue(each) for each in range(len(furthest)))
    )


def furthest_distances(distances: Mapping[tuple[int, int], int], lives: Lives) -> Any:
    """The least distance of each pair of instructions, over others too: a matrix of integers, earlier by
    later. `NONE` is no distance."""
    named = [number for pair in distances for number in pair]
    for life in lives.lives:
        named += [life.maker, *(number for number, _ in life.readers)]
    count = max(named) + 1
    furthest = np.full((count, count), NONE, dtype=np.int64)
    for (earlier, later), distance in distances.items():
        furthest[earlier, later] = distance
    np.fill_diagonal(furthest, 0)
    for by in range(count):
        np.maximum(furthest, furthest[:, by, None] + furthest[None, by, :], out=furthest)
    furthest[furthest < NONE // 2] = NONE
    return furthest


class _Lives:
    def __init__(self, lives: Lives, furthest: Any, interval: int) -> None:
        self._furthest, self._interval = furthest, interval
        self._units = np.array([life.units for life in lives.lives])
        self._makers = np.array([life.maker for life in lives.lives])
        reads = [(at, number, trips) for at, life in enumerate(lives.lives) for number, trips in life.readers]
        self._read = np.array([at for at, _, _ in reads], dtype=np.int64)
        self._readers = np.array([number for _, number, _ in reads], dtype=np.int64)
        self._trips = np.array([trips for _, _, trips in reads], dtype=np.int64)

    def in_the_mean(self) -> int:
        """The registers that are live in the mean of the interval, if each life is as short as possible."""
        ends = np.ones(len(self._units), dtype=np.int64)
        distances = self._furthest[self._makers[self._read], self._readers]
        np.maximum.at(ends, self._read, distances + self._trips * self._interval)
        return -(-int((self._units * ends).sum()) // self._interval)

    def at_issue(self, number: int) -> int:
        """The most registers that are live at a clock, counted from the issue of an instruction."""
        furthest, interval = self._furthest, self._interval
        begins = furthest[self._makers, number]
        ends = furthest[number, self._makers] + 1
        np.maximum.at(ends, self._read, furthest[number, self._readers] + self._trips * interval)
        is_sure = (begins > NONE) & (ends > NONE // 2) & (begins + ends > 0)
        begin, units = -begins[is_sure], self._units[is_sure]
        whole, rest = np.divmod(ends[is_sure] - begin, interval)
        begin %= interval
        last = begin + rest
        at_zero = int((whole * units).sum() + units[last >= interval].sum())
        changes = np.concatenate((-units, units))  # at a clock, lives end before others begin
        clocks = np.concatenate((last % interval, begin))
        live = changes[np.lexsort((changes, clocks))].cumsum()
        return at_zero + int(live.max(initial=0))
