"""A compute unit's share of the caches and of memory, which other units use at the same time.

Rates are for a machine on which all units ask. If a launch has fewer workgroups than the machine has units,
these share the bandwidth that the others leave, up to the rate of the first cache.

Units may use the same lines. A level is asked once for those units that share the level before: the others
find the line there. So a unit pays for its part of a line, and waits for the level before as often as others
have asked already. The units that use a line are spread evenly over the machine. If it is known how many of
them are on a die (`isa.timing.users`), these ask once.

Workgroups that run at once on a unit are a single user of a line: a trace has the workgroups of a unit, and
only the first of them asks for a line that the unit's own cache keeps. Counted as several users, they would
pay for a part of the line that none of them pays for:

    gfx942, two workgroups a unit, which all load the same 64 KB, and 64 KB of their own each
    counted by workgroup, two use a line, and a unit pays for 64 + 64 + 64 KB / 2 = 96 KB
    counted by unit, 1.5 use a line, and a unit pays for 128 KB: all that memory moves for it
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.caches import Caches


class Users(NamedTuple):
    """How many units use a line, on average: of the launch; and for some instructions, of those of a die at
    the same time. Those of others are spread evenly. A unit that asks for a line again for
    later workgroups counts as often as it asks."""

    launch: float = 1.0
    die: Mapping[int, float] = MappingProxyType({})


class Share(NamedTuple):
    """The service of a level after the first, or of memory, to the units of a trace: bytes a clock, and the
    clocks from the issue of a load to its data, on average over the units that use a line."""

    rate: float
    latency: int


def shares(
    caches: Caches, target: Target, most: float, groups: int, together: float, on_die: float | None = None
) -> list[Share]:
    """The shares of a launch of `groups` workgroups. `together` units use a line, and `on_die` of those of a
    die at the same time, if that is known; `most` bytes go through the first caches a clock.

    Latencies are those of units that are spread evenly: which of the units of a die fetches a line, and how
    long others wait for it, depends on how far they are apart."""
    levels = caches.vector
    units = target.compute_units / target.units
    left = units / min(1.0, groups / target.units)
    sharers = [level.sharers.value / target.compute_units for level in levels[1:-1]]
    # each compute unit has a first level of its own
    users = [1.0, *[max(1.0, together * share) for share in (*sharers, 1.0)]]
    asking = list(users)
    if on_die is not None and caches.of_die is not None:
        asking[levels.index(caches.of_die)] = on_die
    rates = [level.rate.value for level in levels[1:]] + [caches.memory_rate.value]
    latencies = [level.latency.clocks for level in levels] + [caches.memory.clocks]
    return [
        Share(min(most, rates[place] * left) * asking[place], ceil(_latency(latencies, users, place + 1)))
        for place in range(len(rates))
    ]


def _latency(latencies: list[int], users: list[float], level: int) -> float:
    """The mean latency of a line of a level, over the units that use the line. The first unit that asks a
    cache goes on to the next level, and the others find the line in the cache. The first level has a single
    user."""
    mean = float(latencies[level])
    for before in range(level - 1, 0, -1):
        passing = users[before - 1] / users[before]
        mean = passing * mean + (1 - passing) * latencies[before]
    return mean
