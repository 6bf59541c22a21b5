"""The way of a product's factors from memory: bytes a clock of a unit, and the clocks until a load is there.

On a machine of a single die, workgroups spread evenly over the units. Those that use the same lines ask a
cache once, and find a line with the latency of the level that has it (`isa.timing.shares`):

    {1024,1024} by {1024,1024} of bf16 on gfx1201, tiles of 64 by 64: 16 workgroups use a line
    the first load takes 734 clocks, the others 290: 318 on average
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd

from isa.named_tuple import NamedTuple
from isa.target import Target

_WAYS = 64  # that are remembered: tiles of a product mostly share lines with as many others
_REQUEST_BYTES = 64


class Way(NamedTuple):
    """Bytes a clock of a unit from the slowest cache, and the latency of a load."""

    rate: float
    latency: float


def way_of(target: Target, buffer_bytes: int, groups: int, users: float, requests: int) -> Way:
    """The way if a launch of so many workgroups has buffers of so many bytes, `users` workgroups use a line,
    and a compute unit has so many `requests` a clock."""
    return _way_of(target, buffer_bytes, groups, round(max(1.0, users), 1), requests)


@lru_cache(_WAYS)
def _way_of(target: Target, buffer_bytes: int, groups: int, users: float, requests: int) -> Way:
    from isa.timing.caches import CACHES
    from isa.timing.shares import shares

    caches = CACHES[target.name].with_buffers(buffer_bytes)
    most = requests * _REQUEST_BYTES * target.compute_units / target.units
    *levels, memory = shares(caches, target, most, groups, users)
    return Way(min(level.rate for level in levels), memory.latency)


class Different(NamedTuple):
    """How many tiles of the first and of the second factor the workgroups of a unit read."""

    rows: int
    columns: int


@lru_cache(_WAYS)
def different(rows: int, columns: int, groups: int, units: int) -> Different:
    """The tiles that so many workgroups of a unit read, which has each `units`-th workgroup of rows and
    columns of tiles. Those that several of them read are in the unit's own cache."""
    tiles = [divmod(place, columns) for place in range(0, groups * units, units)]
    of_matrix = [(row, row // rows * columns + column) for row, column in tiles]
    return Different(len({row for row, _ in of_matrix}), len({column for _, column in of_matrix}))


@lru_cache(_WAYS)
def own_lines(target: Target, pitch: int) -> int:
    """How many lines that are `pitch` bytes apart a compute unit's own cache has room for."""
    from isa.timing.caches import CACHES, sets_of

    level = CACHES[target.name].vector[0]
    sets, ways = sets_of(level, 1)
    apart, rest = divmod(pitch, int(level.line.value))
    return ways * (sets if rest or level.spread.value else sets // gcd(apart, sets))
