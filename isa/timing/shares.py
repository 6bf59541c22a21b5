"""A compute unit's share of the caches and of memory, which other units use at the same time.

Rates are for a machine on which all units ask. If a launch has fewer workgroups than the machine has units,
these share the bandwidth that the others leave, up to the rate of the first cache.

Workgroups on different units may use the same lines. A level is asked once for the workgroups of those units
that share the level before: the others find the line there. So a unit pays for its part of a line, and waits
for the level before as often as others have asked already. Workgroups are spread evenly over the units. If it
is known which of them use the same lines on a die (`isa.timing.users`), these ask once.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType

from isa.named_tuple import NamedTuple
from isa.target import Target
from isa.timing.caches import Caches


class Users(NamedTuple):
    """How many workgroups use a line, on average: of the launch; and for some instructions, of those that run
    on a die at the same time. Those of others are spread evenly."""

    launch: float = 1.0
    die: Mapping[int, float] = MappingProxyType({})


class Share(NamedTuple):
    """The service of a level after the first, or of memory, to the units of a trace: bytes a clock, and the
    clocks from the issue of a load to its data, on average over the workgroups that use a line."""

    rate: float
    latency: int


def shares(
    caches: Caches, target: Target, most: float, groups: int, together: float, on_die: float | None = None
) -> list[Share]:
    """The shares of a launch of `groups` workgroups. `together` workgroups use a line, and `on_die` of those
    that run on a die at the same time, if that is known; `most` bytes go through the first caches a clock.

    Latencies are those of workgroups that are spread evenly: which of the workgroups of a die fetches a line,
    and how long others wait for it, depends on how far they are apart."""
    levels = caches.vector
    units = target.compute_units / target.units
    left = units / min(1.0, groups / target.units)
    sharers = [level.sharers.value / target.compute_units for level in levels[:-1]] + [1.0]
    users = [max(1.0, together * share) for share in sharers]
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
    """The mean latency of a line of a level, over the workgroups that use the line. The first workgroup that
    asks a cache goes on to the next level, and the others find the line in the cache. The first level has a
    single user."""
    mean = float(latencies[level])
    for before in range(level - 1, 0, -1):
        passing = users[before - 1] / users[before]
        mean = passing * mean + (1 - passing) * latencies[before]
    return mean
