"""The registers that no order of a loop undercuts while an instruction issues, by least cuts.

    %a and %b, then %c from both       at a later instruction that reads %c: %c is live, or %a and %b are

An instruction without a distance to another may issue before it or after it. If it has issued, so have the
instructions that it needs. Each set of issued instructions keeps those values live that it has made and not
read for the last time. The set with the fewest registers is a least cut of a network with the values as its
capacities. Trips nearby count too.

    gfx1201, the product by hand, 172 instructions: 194 VGPRs in 1 s; the solver proved 179 in 313 s
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np

from asmgen.passes.schedule.modulo.least_lives import furthest_distances
from asmgen.passes.schedule.modulo.merged import Lives
from asmgen.passes.schedule.modulo.windows import NONE

_TRIPS = (-1, 0, 1)  # of the network, counted from that of the instruction that issues
_CLOCKS = (-1, 0)  # just before the issue, at which its operands are live, and at the issue
_NO_LIMIT = 1 << 30


def least_by_cuts(
    distances: Mapping[tuple[int, int], int], lives: Lives, interval: int, seconds: float
) -> int:
    """The registers of lives that are live at once at least in each order that keeps the distances: the most
    for any instruction that so many seconds reach. `interval` has the unit of the distances. It needs
    OR-tools."""
    if not lives.lives:
        return lives.always
    furthest, end, most = furthest_distances(distances, lives), monotonic() + seconds, 0
    network = _Network(furthest, lives, interval)
    for number in range(len(furthest)):
        for clock in _CLOCKS:
            if monotonic() > end:
                break
            most = max(most, network.least(number, clock))
    return lives.always + most


class _Network:
    """A node for each instruction in each trip, and for the end of each life. Nodes on the side of the source
    have issued or ended."""

    def __init__(self, furthest: Any, lives: Lives, interval: int) -> None:
        self._flow: Any = importlib.import_module("ortools.graph.python.max_flow")
        self._furthest, self._interval = furthest, interval
        self._source = (len(furthest) + len(lives.lives)) * len(_TRIPS)
        self._arcs = [*self._needs(), *self._of_lives(lives, len(furthest))]

    def least(self, number: int, clock: int) -> int:
        """The fewest registers that are live at a clock, counted from the issue of an instruction."""
        arcs = list(self._arcs)
        before, after = self._furthest[:, number], self._furthest[number, :]
        for trip in _TRIPS:
            shift = trip * self._interval
            issued = np.nonzero((before > NONE) & (shift - before <= clock))[0]
            not_yet = np.nonzero((after > NONE) & (shift + after > clock))[0]
            source, sink = np.full_like(issued, self._source), np.full_like(not_yet, self._source + 1)
            arcs.append(_arcs(source, _node(issued, trip)))
            arcs.append(_arcs(_node(not_yet, trip), sink))
        tails, heads, capacities = (np.concatenate(each) for each in zip(*arcs, strict=True))
        flow = self._flow.SimpleMaxFlow()
        flow.add_arcs_with_capacity(tails, heads, capacities)
        flow.solve(self._source, self._source + 1)
        return int(flow.optimal_flow())

    def _needs(self) -> list[tuple[Any, Any, Any]]:
        """If an instruction has issued, so have those that are never later."""
        earlier, later = np.nonzero(self._furthest > NONE)
        whole = self._furthest[earlier, later] // self._interval
        whole[earlier == later] = -1  # the trip before
        arcs: list[tuple[Any, Any, Any]] = []
        for trip in _TRIPS:
            until = np.minimum(trip + whole, _TRIPS[-1])
            near = until >= _TRIPS[0]
            arcs.append(_arcs(_node(later[near], trip), _node(earlier[near], until[near])))
        return arcs

    def _of_lives(self, lives: Lives, first: int) -> list[tuple[Any, Any, Any]]:
        """A life that has begun and not ended takes its registers. It ends if all its readers have issued. A
        life with a reader in a further trip does not count."""
        arcs: list[tuple[Any, Any, Any]] = []
        for at, life in enumerate(lives.lives):
            for trip in _TRIPS:
                reads = [(number, trip + trips) for number, trips in life.readers]
                if not reads or max(last for _, last in reads) > _TRIPS[-1]:
                    continue
                end = _node(first + at, trip)
                arcs.append(_arcs([_node(life.maker, trip)], [end], life.units))
                arcs.append(_arcs([end] * len(reads), [_node(*read) for read in reads]))
        return arcs


def _node(number: Any, trip: Any) -> Any:
    return number * len(_TRIPS) + trip - _TRIPS[0]


def _arcs(tails: Any, heads: Any, capacity: int = _NO_LIMIT) -> tuple[Any, Any, Any]:
    tails = np.asarray(tails, dtype=np.int64)
    return tails, np.asarray(heads, dtype=np.int64), np.full(len(tails), capacity, dtype=np.int64)
