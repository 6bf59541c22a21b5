"""The points at which a value finds no register although enough are free, with the values in its way.

A tuple needs consecutive registers, and single values may lie between the free registers. The scan in this
file continues after such a point as if the values in the way had left their registers, so a single scan finds
many such points.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from isa.named_tuple import NamedTuple
from isa.program import VirtualRegister
from regalloc.pools import Pool
from regalloc.scan.linear_scan import Failure, OutOfRegisters, Problem, SinglesOnTop

TRIES = 4  # scans; each after the first places a further register before it begins


class Crowd(NamedTuple):
    """The virtual units `occupants` are in the registers that would solve `failure`."""

    failure: Failure
    occupants: tuple[int, ...]


def find_crowds(problem: Problem, pool: Pool, staying: Set[int]) -> Iterator[list[Crowd]]:
    """The points of a class without room, in the order of a scan. `staying` are units that cannot leave.

    A list ends at the first point that cannot be solved: units that are read there, and stay, may lie between
    the free registers. Each further list comes from another scan, which places the register that failed last
    before everything else.
    """
    pressure = problem.liveness.pressure[pool.register_class].units
    first: list[VirtualRegister] = []
    for _ in range(TRIES):
        scan = _CrowdedScan(problem, pool, pressure, staying)
        failed = None
        try:
            scan.place_first(first)
            _ = scan.run()
        except OutOfRegisters as out:
            failed = out.owner
        yield scan.crowds
        if failed is None:
            if not scan.crowds:
                return
            failed = scan.crowds[-1].failure.owner
        first = [failed, *(owner for owner in first if owner.first != failed.first)]


class _CrowdedScan(SinglesOnTop):
    def __init__(self, problem: Problem, pool: Pool, singles_below: int, staying: Set[int]) -> None:
        super().__init__(problem, pool, singles_below)
        self.crowds: list[Crowd] = []
        self._staying = staying

    def _without_room(self, failure: Failure, blocked: int) -> int:
        owner, group = failure.owner, list(failure.group)
        occupied, free = self.occupied, blocked & ~self._movable()
        self.occupied &= free
        candidates = self._candidates(owner, group, free)
        pinned = self.problem.constraints.pinned.get(owner.first)
        if pinned is not None:
            candidates &= 1 << (pinned - self.pool.first)
        bases = [base for base in _bits(candidates) if self._fits(owner, group, base)]
        self.occupied = occupied
        if not bases:
            return super()._without_room(failure, blocked)
        in_the_way = {base: self._in_the_way(failure, base) for base in bases}
        base = min(bases, key=lambda base: len(in_the_way[base]))
        self.crowds.append(Crowd(failure, tuple(self.holders[place] for place in in_the_way[base])))
        for place in in_the_way[base]:
            self.occupied &= ~(1 << place)
        return base

    def _movable(self) -> int:
        """A bit for every register with a value that can leave it."""
        return sum(1 << place for place in _bits(self.occupied) if self.holders[place] not in self._staying)

    def _in_the_way(self, failure: Failure, base: int) -> list[int]:
        """The register numbers from `base` on that are in use while the failing tuple needs them."""
        first = failure.owner.first
        return [
            base + k
            for k in range(failure.owner.count)
            if self.occupied >> (base + k) & 1
            and (first + k in failure.group or self._meet(first + k, self.holders[base + k]))
        ]


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
