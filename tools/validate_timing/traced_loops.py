"""Loops of thread traces: the clocks from a trip's first instruction to the next trip's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from isa.named_tuple import NamedTuple
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.traces import Compared, TraceResults

_WITHIN = 0.10


class TracedLoop(NamedTuple):
    """The median clocks of a trip of a loop of a trace, over its trips and waves."""

    name: str
    measured: float
    modelled: float

    @property
    def error(self) -> float:
        return self.modelled / self.measured - 1


def traced_loops(results: TraceResults, data: Path) -> list[TracedLoop]:
    """The rows of loops.json that are loops of traces."""
    if not data.exists():
        return []
    traces = {one.thread.name: one for one in results.compared}
    found: list[TracedLoop] = []
    for row in json.loads(data.read_text())["loops"]:
        one = traces.get(row.get("trace", ""))
        if one is not None:
            trips = list(_trips(one, int(row["head"], 16)))
            found.append(TracedLoop(row["id"], row["cycles_a_trip"]["median"], median(trips)))
    return found


def _trips(one: Compared, head: int) -> Iterator[int]:
    """The modelled clocks of each trip."""
    trace = one.thread.trace
    first = trace.addresses.index(head)
    for wave in one.thread.traced:
        clocks = one.timeline.waves[wave].issue[trace.waves[wave].steps == first].tolist()
        yield from (after - before for before, after in pairwise(clocks))


def traced_loop_goals(loops: Sequence[TracedLoop]) -> Iterator[Goal]:
    for loop in loops:
        yield Goal(f"{loop.name}, clocks a trip: relative error", abs(loop.error), _WITHIN)


def traced_loop_table(loops: Sequence[TracedLoop]) -> str:
    rows = [
        (loop.name, "clocks a trip", "measured", loop.measured, loop.modelled, f"{100 * loop.error:+.1f} %")
        for loop in loops
    ]
    return table(("loop", "figure", "trust", "measured", "modelled", "error"), rows)
