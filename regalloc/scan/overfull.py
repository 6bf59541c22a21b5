"""A linear scan that goes on above its pool."""

from __future__ import annotations

from regalloc.pools import Pool
from regalloc.scan.linear_scan import Failure, LinearScan, OutOfRegisters, Problem


class OverfullScan(LinearScan):
    """A scan in which what finds no register gets numbers above the pool, which nothing else has.

    `failed` says where that was for the first time; None where the pool sufficed.
    """

    def __init__(self, problem: Problem, pool: Pool) -> None:
        super().__init__(problem, pool)
        self.failed: OutOfRegisters | None = None
        self._above = pool.mask.bit_length()

    def _without_room(self, failure: Failure, blocked: int) -> int:
        self.failed = self.failed or OutOfRegisters(failure.owner, failure.block, failure.slot)
        base = self._above
        self._above += failure.owner.count
        return base
