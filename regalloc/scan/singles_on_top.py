"""A linear scan that leaves the low registers to tuples."""

from __future__ import annotations

from isa.program import VirtualRegister
from regalloc.pools import Pool
from regalloc.scan.linear_scan import LinearScan, Problem


class SinglesOnTop(LinearScan):
    """A scan that takes single registers from `singles_below` downwards while there are any, so that tuples
    find room below them."""

    def __init__(self, problem: Problem, pool: Pool, singles_below: int) -> None:
        super().__init__(problem, pool)
        self._low = (1 << singles_below) - 1

    def _first_fit(self, owner: VirtualRegister, group: list[int], candidates: int) -> int | None:
        preferred = candidates & self._low if owner.count == 1 else 0
        while preferred:
            base = preferred.bit_length() - 1
            if self._fits(owner, group, base):
                return base
            preferred ^= 1 << base
        return super()._first_fit(owner, group, candidates)
