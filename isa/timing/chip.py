"""From a compute unit to a launch: the workgroups of a unit, how many run at once, and their clocks.

A launch's workgroups go to the units in turn, and a unit starts another when one of its own ends. The model
replays as many workgroups of a single unit as run at once, spread over the grid. The others of the unit
follow at their pace, and find the code and the arguments of the launch in the caches. On RDNA a unit is a
workgroup processor, or a compute unit if the waves of a workgroup stay on a single compute unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.chips import Chip
from isa.timing.timeline import Timeline
from isa.timing.trace import Trace
from isa.timing.unit import Placement

_BETWEEN = 0.618  # of the units that have most workgroups: not the first or the last, nor the middle


class Taken(NamedTuple):
    """The part of a unit that a workgroup takes; `spreads` says whether its waves may run on several compute
    units."""

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


def residence(target: Target, taken: Taken, groups: int) -> Residence:
    """The units that run the workgroups of a launch."""
    target = target if taken.spreads else target.on_compute_units()
    resident = target.resident_groups(taken.vgprs, taken.sgprs, taken.lds_bytes, taken.threads)
    return Residence(target, groups, target.units, resident // target.units, -(-groups // target.units))


def replayed_groups(where: Residence, most: int | None = None) -> tuple[int, ...]:
    """The places in the grid of the workgroups to replay: at most `most` of those of a unit, from its first
    to its last.

    A unit has each `units`-th workgroup, as long as all take about as long. Those of the first unit are often
    the border of an image or of a matrix, which loads more or less than other parts, so the unit is one
    between.
    """
    units_of_last = where.groups - (where.of_unit - 1) * where.units
    own = range(int(units_of_last * _BETWEEN), where.groups, where.units)
    count = min(len(own), where.at_once, most or len(own))
    if count < 2:
        return tuple(own[:count])
    return tuple([own[i * (len(own) - 1) // (count - 1)] for i in range(count)])


class LaunchClocks(NamedTuple):
    """The clocks of a launch.

    * `timeline`: of the replayed workgroups of a unit
    * `group`: of a workgroup, from its first wave's start to its last wave's end, the mean of those
    * `unit`: from the start of a unit's first workgroup to the end of its last
    * `busiest`: for which the busiest part of the unit works, stores under way included
    * `bytes`: that the launch moves from and to memory; `memory`: the clocks that these take at the rate of
      the machine
    """

    timeline: Timeline
    group: float
    unit: float
    busiest: float
    bytes: float
    memory: float

    @property
    def launch(self) -> float:
        """The clocks of the launch: those of its units, of their busiest part, or of memory, whichever takes
        longest."""
        return max(self.unit, self.busiest, self.memory)


class Traffic(NamedTuple):
    """The bytes that a launch moves from and to memory, and at how many bytes a clock for a compute unit."""

    bytes: float
    rate: float


class Replay(Protocol):
    """The clocks of some waves of a launch. With `is_later`, these start when others end: caches have the
    code, and the scalar lines that several workgroups load."""

    def timeline(self, trace: Trace, placement: Sequence[Placement]) -> Timeline: ...

    def last_end(self, trace: Trace, placement: Sequence[Placement], is_later: bool = False) -> int:
        """The last clock of a timeline, in less time than the timeline takes."""
        ...


def launch_clocks(
    trace: Trace,
    where: Residence,
    replay: Replay,
    traffic: Traffic,
    busiest: float = 0.0,
    served: float = 0.0,
) -> LaunchClocks:
    """The clocks of a launch from the replayed workgroups in `trace`. `busiest` are the clocks for which
    these keep a part of their unit busy, `served` those for which memory moves their lines."""
    timeline = replay.timeline(trace, placements(trace, where))
    ends = _group_ends(timeline)
    unit = float(timeline.clocks)
    if len(ends) < min(where.at_once, where.of_unit):
        unit += _slope(trace, where, replay, unit) * (min(where.at_once, where.of_unit) - len(ends))
    if where.of_unit > where.at_once:
        unit += _following(trace, where, replay, unit, max(busiest, served) / len(ends))
    memory = traffic.bytes / (traffic.rate * where.target.compute_units)
    busiest *= where.of_unit / len(ends)
    return LaunchClocks(timeline, float(ends.mean()), unit, busiest, traffic.bytes, memory)


def microseconds(clocks: LaunchClocks, chip: Chip) -> float:
    """The time of a launch."""
    return clocks.launch / chip.megahertz.value + chip.launch_ns.value / 1000


def placements(trace: Trace, where: Residence) -> list[Placement]:
    """The waves of a trace on the SIMDs of a unit in turn."""
    return [Placement(place % where.target.simds) for place in range(len(trace.waves))]


def _group_ends(timeline: Timeline) -> NDArray[np.int64]:
    """The clock at which each workgroup of a timeline ends."""
    ends = np.array([wave.end for wave in timeline.waves], np.int64)
    return ends.reshape(-1, timeline.trace.waves_a_group).max(axis=1)


def _clocks_of(trace: Trace, where: Residence, replay: Replay, groups: int, is_later: bool = False) -> float:
    """The clocks of the first workgroups of a trace."""
    part = trace._replace(waves=trace.waves[: groups * trace.waves_a_group])
    return float(replay.last_end(part, placements(part, where), is_later))


def _slope(trace: Trace, where: Residence, replay: Replay, clocks: float) -> float:
    """The clocks that another workgroup adds to those of the trace, which take `clocks`: as many as each of
    their second half."""
    groups = len(trace.waves) // trace.waves_a_group
    half = groups // 2
    return max(0.0, (clocks - _clocks_of(trace, where, replay, half)) / (groups - half)) if half else 0.0


def _following(trace: Trace, where: Residence, replay: Replay, clocks: float, least: float) -> float:
    """The clocks of the workgroups that start when others end, if those at once take `clocks`.

    In the steady state a workgroup ends as often as the busiest resource serves a workgroup, which is the
    time that each of those at once adds to the first; or, if none is busy, as often as a workgroup alone
    takes, divided by those at once. The last round takes at least as long as a workgroup alone. `least` are
    the clocks for which a resource is busy for a workgroup, on average: the first loads lines for those that
    run with it, and those that follow load them again.
    """
    later = _clocks_of(trace, where, replay, 1, is_later=True)
    added = 0.0
    if where.at_once > 1 and len(trace.waves) > trace.waves_a_group:
        added = (clocks - _clocks_of(trace, where, replay, 1)) / (where.at_once - 1)
    pace = max(added, later / where.at_once, least)
    rounds, rest = divmod(where.of_unit - where.at_once, where.at_once)
    return rounds * where.at_once * pace + (max(rest * pace, later) if rest else 0.0)
