"""Stores of many workgroups to the same lines: the channels of L2 that have these lines bound them.

L2 consists of channels, which work independently. A channel has all lines of 256 bytes of addresses. If the
workgroups of a launch store to lines of their own, they use all channels. If they store to the same lines,
all compute units wait for the few channels of these lines:

    256 workgroups of gfx1201 store the same 1,024 bytes, each wave 256 bytes
    4 channels take 64 bytes a clock each, from 64 compute units: a store takes each of these 64 clocks

Stores that wait for the channels fill a queue. Then the oldest wave stores first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.coalescing import REQUEST
from isa.trust import Figure, Trust

L2_CHANNELS = "channels of L2"  # the name of the unit


class Channels(NamedTuple):
    """The channels of a target's L2.

    * `bytes`: of addresses that belong to the same channel
    * `stored`: bytes that a channel takes in a clock
    * `waiting`: stores of a SIMD that may wait for the channels; 0 if no limit is known
    """

    bytes: Figure
    stored: Figure
    waiting: Figure


_PROFILER = "rocprofiler-compute, L2 cache: 256 bytes of addresses a channel"
_TRACES = "tinygrad SQTT traces, custom_handwritten 62bafac9: 128 clocks a store, eight stores at once"

_RDNA4 = Channels(
    bytes=Figure(256, _PROFILER, Trust.ASSUMED),
    stored=Figure(64, _TRACES, Trust.DERIVED),
    waiting=Figure(8, _TRACES, Trust.DERIVED),
)
_RDNA3 = _RDNA4._replace(
    stored=Figure(64, "as gfx1201", Trust.ASSUMED), waiting=Figure(8, "as gfx1201", Trust.ASSUMED)
)
_CDNA = _RDNA3._replace(
    bytes=Figure(256, _PROFILER, Trust.DOCUMENTED), waiting=Figure(0, "not known", Trust.ASSUMED)
)

CHANNELS: dict[str, Channels] = {
    "gfx90a": _CDNA,
    "gfx942": _CDNA,
    "gfx950": _CDNA,
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA4,
}


class Stored(NamedTuple):
    """Lines that stores touch: for each touch the instruction, the workgroup, and the address of the line."""

    instructions: NDArray[np.intp]
    groups: NDArray[np.intp]
    addresses: NDArray[np.int64]

    def of(self, places: NDArray[np.bool_]) -> Stored:
        """Some of them."""
        return Stored(self.instructions[places], self.groups[places], self.addresses[places])


def stored_by_all(stored: Stored, groups: int) -> list[int]:
    """The instructions by which each of `groups` workgroups stores the same lines."""
    if groups < 2 or not len(stored.addresses):
        return []
    alike = _with_the_same_first(stored, groups)
    lines = np.unique(np.stack(stored.of(np.isin(stored.instructions, alike))), axis=1)
    _, of, users = np.unique(lines[[0, 2]], axis=1, return_index=True, return_counts=True)
    others = set(lines[0, of[users < groups]].tolist())
    return [number for number in alike if number not in others]


def _with_the_same_first(stored: Stored, groups: int) -> list[int]:
    """The instructions with the same lowest line in each workgroup. Few are."""
    order = np.lexsort((stored.groups, stored.instructions))
    instructions, group = stored.instructions[order], stored.groups[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (instructions[1:] != instructions[:-1]) | (group[1:] != group[:-1])
    begins = np.flatnonzero(is_first)
    lowest = np.minimum.reduceat(stored.addresses[order], begins)
    found: dict[int, list[int]] = {}
    for number, line in zip(instructions[begins].tolist(), lowest.tolist(), strict=True):
        found.setdefault(number, []).append(line)
    return [number for number, each in found.items() if len(each) == groups and len(set(each)) == 1]


def request_clocks(channels: Channels, stored: Stored, units: int) -> float:
    """The clocks for which a request of one of `units` compute units keeps its part of the channels that have
    some lines, if all units store to these lines."""
    used = len(np.unique(stored.addresses // int(channels.bytes.value)))
    return units * REQUEST / channels.stored.value / used
