"""From a compute unit to a launch: the workgroups of a unit, how many run at once, and their clocks.

A launch's workgroups go to the units in turn, and a unit starts another when one of its own ends. The model
replays some of the workgroups of a single unit, spread over the grid, and continues their pace to all of the
unit's. On RDNA a unit is a workgroup processor, or a compute unit if the waves of a workgroup stay on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.caches import CACHES
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.unit import Placement
from isa.trust import Figure, Trust

_ROUNDS = 2  # times the workgroups at once that are replayed: the second shows the pace


class Chip(NamedTuple):
    """The largest product of a target: its clock in MHz, and the nanoseconds of a launch from the queue to
    the first wave and from the last wave to the queue. `isa.timing.caches` has its memory."""

    megahertz: Figure
    launch_ns: Figure


_PRODUCT = "AMD's product page"
# what the public times of kernels of a few microseconds have above their clocks
_ROWS = "FlyDSL pull request 848, rmsnorm of 1 to 1024 rows"
_TRACES = "tinygrad SQTT traces, time of a launch less its clocks"


def _chip(megahertz: float, launch: Figure) -> Chip:
    return Chip(Figure(megahertz, _PRODUCT, Trust.DOCUMENTED), launch)


CHIPS: dict[str, Chip] = {
    "gfx90a": _chip(1700, Figure(2300, _ROWS + ", of gfx942", Trust.ASSUMED)),
    "gfx942": _chip(2100, Figure(2300, _ROWS, Trust.DERIVED)),
    "gfx950": _chip(2400, Figure(2000, _ROWS, Trust.DERIVED)),
    "gfx1100": _chip(2500, Figure(1900, _TRACES, Trust.DERIVED)),
    "gfx1201": _chip(2970, Figure(1900, _TRACES, Trust.DERIVED)),
}


class Taken(NamedTuple):
    """What a workgroup takes of a unit; `spreads` says whether its waves may run on several compute units."""

    threads: int
    vgprs: int
    sgprs: int
    lds_bytes: int
    spreads: bool


class Residence(NamedTuple):
    """The workgroups of a launch on the machine.

    * `target`: with the SIMDs and the LDS of a unit
    * `groups`: of the launch
    * `units`: of the machine
    * `at_once`: the most workgroups of a unit at once
    * `of_unit`: the workgroups of the unit with the most
    """

    target: Target
    groups: int
    units: int
    at_once: int
    of_unit: int

    @property
    def rounds(self) -> float:
        """How often a unit fills with workgroups; below 1 if it does not fill."""
        return self.groups / (self.units * self.at_once)


def residence(target: Target, taken: Taken, groups: int) -> Residence:
    """Where the workgroups of a launch run."""
    target = target if taken.spreads else target.on_compute_units()
    resident = target.resident_groups(taken.vgprs, taken.sgprs, taken.lds_bytes, taken.threads)
    return Residence(target, groups, target.units, resident // target.units, -(-groups // target.units))


def replayed_groups(where: Residence, most: int | None = None) -> tuple[int, ...]:
    """The places in the grid of the workgroups to replay: some of those of the first unit, from its first to
    its last, at most `most`."""
    own = range(0, where.groups, where.units)
    count = min(len(own), _ROUNDS * where.at_once, most or len(own))
    if count < 2:
        return tuple(own[:count])
    return tuple([own[i * (len(own) - 1) // (count - 1)] for i in range(count)])


class LaunchClocks(NamedTuple):
    """The clocks of a launch.

    * `timeline`: of the replayed workgroups of a unit
    * `group`: of a workgroup, from its first wave's start to its last wave's end, the mean of those
    * `unit`: from the start of a unit's first workgroup to the end of its last
    * `bytes`: that the launch moves from and to memory; `memory`: the clocks that these take at the rate of
      the machine
    """

    timeline: Timeline
    group: float
    unit: float
    bytes: float
    memory: float

    @property
    def launch(self) -> float:
        """The clocks of the launch: those of its units, or of memory if that takes longer."""
        return max(self.unit, self.memory)


Replay = Callable[[Trace, Sequence[Placement]], Timeline]


def launch_clocks(trace: Trace, where: Residence, replay: Replay, moved: float) -> LaunchClocks:
    """The clocks of a launch of which `trace` has the replayed workgroups, and which moves so many bytes from
    and to memory.

    Workgroups beyond those at once start when others end, as those at once take alone. Those beyond the trace
    follow at the pace of its last.
    """
    groups = len(trace.waves) // trace.waves_a_group
    starts = np.zeros(groups, np.int64)
    if groups > where.at_once:
        first = trace._replace(waves=trace.waves[: where.at_once * trace.waves_a_group])
        ends = group_ends(replay(first, placements(first, where, starts)))
        starts = _starts(np.resize(ends, groups), where.at_once)
    timeline = replay(trace, placements(trace, where, starts))
    ends = group_ends(timeline)
    if groups < min(where.at_once, where.of_unit):
        rounds = -(-where.of_unit // where.at_once)
        unit = _of_more(trace, where, replay, timeline.clocks) * rounds
    else:
        unit = _continued(np.sort(ends), where, lambda: _alone(trace, where, replay))
    memory = moved / (CACHES[where.target.name].memory_rate.value * where.target.compute_units)
    return LaunchClocks(timeline, float((ends - starts).mean()), unit, moved, memory)


def microseconds(clocks: LaunchClocks, chip: Chip) -> float:
    """The time of a launch."""
    return clocks.launch / chip.megahertz.value + chip.launch_ns.value / 1000


def placements(trace: Trace, where: Residence, starts: NDArray[np.int64]) -> list[Placement]:
    """The waves of a trace on the SIMDs of a unit in turn, from the starts of their workgroups on."""
    simds, size = where.target.simds, trace.waves_a_group
    return [Placement(place % simds, int(starts[place // size])) for place in range(len(trace.waves))]


def group_ends(timeline: Timeline) -> NDArray[np.int64]:
    """The clock at which each workgroup of a timeline ends."""
    ends = np.array([wave.end for wave in timeline.waves], np.int64)
    return ends.reshape(-1, timeline.trace.waves_a_group).max(axis=1)


def _starts(durations: NDArray[np.int64], at_once: int) -> NDArray[np.int64]:
    """The starts of workgroups that follow each other, if they take so long."""
    running: list[int] = []
    starts = np.zeros_like(durations)
    for place, duration in enumerate(durations.tolist()):
        starts[place] = heappop(running) if place >= at_once else 0
        heappush(running, int(starts[place]) + duration)
    return starts


def _of_more(trace: Trace, where: Residence, replay: Replay, clocks: int) -> float:
    """The clocks of as many workgroups as run at once, of which fewer are replayed: a line through the clocks
    of these and of half of them."""
    groups = len(trace.waves) // trace.waves_a_group
    half = groups // 2
    if not half:
        return float(clocks)
    part = trace._replace(waves=trace.waves[: half * trace.waves_a_group])
    few = replay(part, placements(part, where, np.zeros(half, np.int64))).clocks
    slope = max(0.0, (clocks - few) / (groups - half))
    return clocks + slope * (min(where.at_once, where.of_unit) - groups)


def _alone(trace: Trace, where: Residence, replay: Replay) -> float:
    """The clocks of a trace's last workgroup without others."""
    last = trace._replace(waves=trace.waves[-trace.waves_a_group :])
    return float(replay(last, placements(last, where, np.zeros(1, np.int64))).clocks)


def _continued(ends: NDArray[np.int64], where: Residence, alone: Callable[[], float]) -> float:
    """The end of a unit's last workgroup, from the ends of the replayed workgroups in order. The last round
    takes at least as long as a workgroup alone."""
    more = where.of_unit - len(ends)
    if more <= 0:
        return float(ends[-1])
    first = where.at_once - 1
    pace = float(ends[-1] - ends[first]) / (len(ends) - 1 - first)
    rounds, rest = divmod(more, where.at_once)
    return float(ends[-1]) + rounds * where.at_once * pace + (max(rest * pace, alone()) if rest else 0)
