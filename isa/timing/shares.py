"""A compute unit's share of the caches and of memory, which other units use at the same time.

Rates are for a machine on which all units ask. If a launch has fewer workgroups than the machine has units,
these share what the others leave, up to the rate of the first cache.

Workgroups on different units may use the same lines. A level is asked once for the workgroups of those units
that share the level before: the others find the line there. So a unit pays for its part of a line, and waits
for the level before as often as others have asked already. Workgroups are spread evenly over the units.
"""

from __future__ import annotations

from math import ceil

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.caches import Caches


class Share(NamedTuple):
    """What a level after the first, or memory, gives the units of a trace: bytes a clock, and the clocks from
    the issue of a load to its data, on average over those that use a line."""

    rate: float
    latency: int


def shares(caches: Caches, target: Target, most: float, groups: int, together: float) -> list[Share]:
    """The shares of a launch of `groups` workgroups. `together` is the number of workgroups that use a line
    which one of them touches, on average over the launch; `most` bytes go through the first caches a
    clock."""
    levels = caches.vector
    units = target.compute_units / target.units
    left = units / min(1.0, groups / target.units)
    sharers = [level.sharers.value / target.compute_units for level in levels[:-1]] + [1.0]
    users = [max(1.0, together * share) for share in sharers]
    rates = [level.rate.value for level in levels[1:]] + [caches.memory_rate.value]
    latencies = [level.latency.clocks for level in levels] + [caches.memory.clocks]
    return [
        Share(min(most, rates[place] * left * users[place]), ceil(_latency(latencies, users, place + 1)))
        for place in range(len(rates))
    ]


def _latency(latencies: list[int], users: list[float], level: int) -> float:
    """The mean latency of a line of a level for those that use it. Of the users that share a cache, one goes
    on to the next level, and the others find the line in the cache. The first level has a single user."""
    mean = float(latencies[level])
    for before in range(level - 1, 0, -1):
        passing = users[before - 1] / users[before]
        mean = passing * mean + (1 - passing) * latencies[before]
    return mean
