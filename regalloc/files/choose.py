"""The choice of the file, VGPRs or AGPRs, for each web before allocation and before anything is spilled.

VGPRs come first: only if more of them are live at once than there are, webs move to AGPRs, accumulators of
matrix instructions before others. Both files are parts of one file, so a kernel that fits in VGPRs would take
no fewer registers with AGPRs. A web moves only if it needs no copy between the files in a loop; outside of
loops `regalloc.files.crossings` inserts the copies.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import add, sub
from typing import TYPE_CHECKING

from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc.constraints import gather_constraints
from regalloc.intervals import build_intervals, from_results
from regalloc.liveness import Liveness, LivenessOf, compute_liveness
from regalloc.pools import Pool
from regalloc.slots import unit_class

if TYPE_CHECKING:
    from regalloc.files.webs import FileWeb

SPARE_PART = 8  # one VGPR in so many stays free for the scheduler and for gaps between tuples

_VGPRS = (RegisterClass.VGPR, RegisterClass.AV)


def choose_files(
    kernel: Kernel, pools: dict[RegisterClass, Pool], liveness_of: LivenessOf = compute_liveness,
    is_crowded: bool = False,
) -> Kernel:  # fmt: skip
    """An equivalent kernel in SSA without registers of class AV. The kernel itself if all is in VGPRs.

    With `is_crowded`, webs also move if the live VGPRs fit but leave no part of them free.
    """
    liveness = liveness_of(kernel)
    vgprs = pools[RegisterClass.VGPR].mask.bit_count()
    roomy = vgprs - vgprs // SPARE_PART
    pressure = liveness.pressure
    live = sum(pressure[file].units for file in _VGPRS if file in pressure)
    is_short = live > (roomy if is_crowded else vgprs)
    if not is_short and RegisterClass.AV not in pressure:
        return kernel
    from regalloc.checker.spills import check_files
    from regalloc.files.crossings import put_in_files
    from regalloc.files.webs import find_file_webs

    webs = find_file_webs(kernel, liveness)
    agprs = pools[RegisterClass.AGPR].mask.bit_count()
    moved = _moved(kernel, liveness, webs, roomy, agprs) if is_short and agprs else ()
    if not moved and RegisterClass.AV not in pressure:
        return kernel
    chosen = [*moved, *(web for web in webs if web.register_class is RegisterClass.AGPR)]
    filed = put_in_files(kernel, liveness, {owner.first for web in chosen for owner in web.members})
    check_files(kernel, filed)
    return filed


def carried_accumulators(kernel: Kernel, liveness: Liveness) -> int:
    """The most registers that a loop carries and that may be in AGPRs without a copy in it: accumulators of
    matrix instructions."""
    from regalloc.files.webs import find_file_webs

    movable = {
        owner.first
        for web in find_file_webs(kernel, liveness)
        if web.is_accumulator and _may_move(web)
        for owner in web.members
    }
    headers = [kernel.blocks[loop.header] for loop in liveness.flow.linear.loops]
    return max(
        (
            sum(register.count for register in header.vector_parameters if register.first in movable)
            for header in headers
        ),
        default=0,
    )


def _moved(
    kernel: Kernel, liveness: Liveness, webs: Sequence[FileWeb], vgprs: int, agprs: int
) -> Sequence[FileWeb]:
    """The webs to move to AGPRs: the fewest that leave at most `vgprs` VGPRs live, and fit in `agprs`."""
    profile = _Profile(kernel, liveness)
    crowded = profile.crowded(vgprs)
    candidates = sorted(
        (web for web in webs if _may_move(web) and profile.meets(web, crowded)),
        key=lambda web: (
            not web.is_accumulator,
            web.copies / sum(owner.count for owner in web.members),
            web.members[0].first,
        ),
    )
    low, high = 0, len(candidates)
    while low < high:  # the first number of webs that suffices or exceeds the AGPRs
        middle = (low + high) // 2
        after, taken = profile.peaks(candidates[:middle])
        if after <= vgprs or taken > agprs:
            high = middle
        else:
            low = middle + 1
    fits = profile.peaks(candidates[:low])[1] <= agprs
    return candidates[: low if fits else max(low - 1, 0)]


def _may_move(web: FileWeb) -> bool:
    """Whether a web may be in AGPRs without copies in loops. Other values than accumulators move only without
    any copy: spilling splits their live ranges at the points without a free register."""
    if web.is_pinned or web.copies_in_loops or web.register_class is RegisterClass.AGPR:
        return False
    return web.is_accumulator or web.register_class is RegisterClass.AV


_Ranges = dict[tuple[int, int], int]
"""Ranges of positions, each with the number of units that are live there."""


class _Profile:
    """How many registers of each vector file are live at each position (`regalloc.slots`)."""

    def __init__(self, kernel: Kernel, liveness: Liveness) -> None:
        constraints = gather_constraints(kernel, liveness.slots)
        intervals = build_intervals(liveness, constraints)
        self._segments = intervals.segments
        for unit in constraints.overlays:  # a result takes the register of its accumulator
            self._segments[unit] = from_results(intervals, unit)
        by_class: dict[RegisterClass, list[int]] = {}
        for unit in self._segments:
            by_class.setdefault(unit_class(kernel, unit), []).append(unit)
        self._positions = 2 * len(intervals.deaths) + 2
        self._of_webs: dict[int, _Ranges] = {}
        vgprs = [unit for file in _VGPRS for unit in by_class.get(file, ())]
        self._vgprs = self._changes((self._counted(vgprs),))
        self._agprs = self._changes((self._counted(by_class.get(RegisterClass.AGPR, ())),))
        self._live = list(accumulate(self._vgprs))

    def _counted(self, units: Iterable[int]) -> _Ranges:
        """The ranges in which some units are live, each with the number of units."""
        counted: _Ranges = {}
        for unit in units:
            for segment in self._segments.get(unit, ()):
                counted[segment] = counted.get(segment, 0) + 1
        return counted

    def _ranges(self, web: FileWeb) -> _Ranges:
        """The ranges of a web, counted once."""
        first = web.members[0].first
        if first not in self._of_webs:
            self._of_webs[first] = self._counted(
                owner.first + k for owner in web.members for k in range(owner.count)
            )
        return self._of_webs[first]

    def _changes(self, ranges: Iterable[_Ranges]) -> list[int]:
        """At each position, how many units begin to be live there less those that end."""
        changes = [0] * self._positions
        for counted in ranges:
            for (start, end), count in counted.items():
                changes[start] += count
                changes[end] -= count
        return changes

    def crowded(self, most: int) -> Sequence[int]:
        """The positions with more than `most` live VGPRs, ascending."""
        return [position for position, live in enumerate(self._live) if live > most]

    def meets(self, web: FileWeb, positions: Sequence[int]) -> bool:
        """Whether a web is live at any of some ascending positions."""
        return any(
            bisect_left(positions, start) < bisect_left(positions, end) for start, end in self._ranges(web)
        )

    def peaks(self, moved: Iterable[FileWeb]) -> tuple[int, int]:
        """The most live VGPRs and AGPRs if some webs are in AGPRs."""
        changes = self._changes(map(self._ranges, moved))
        vgprs = max(accumulate(map(sub, self._vgprs, changes)))
        return vgprs, max(accumulate(map(add, self._agprs, changes)))
