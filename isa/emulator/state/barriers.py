"""The split barrier of workgroups: a wave says that it has arrived, and waits later until all have.

As RDNA4's manual has it (5.6): the barrier counts its members, the waves that have not ended, and those that
have signalled. When they are as many it is complete: each wave notes that, until it waits, and the count
begins anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class SplitBarrier:
    """The barriers of a chunk's workgroups, of `per_group` waves each. Each array has an entry for each wave.

    * `signalled`: the wave has signalled in the current phase
    * `complete`: the barrier is complete, and the wave has not waited since
    * `opened`: of those, the waves of workgroups with waves that have passed already
    * `ended`: the machine's array of ended waves
    """

    def __init__(self, count: int, per_group: int) -> None:
        self.per_group = per_group
        self.signalled = np.zeros(count, np.bool_)
        self.complete = np.zeros(count, np.bool_)
        self.opened = np.zeros(count, np.bool_)
        self.ended = np.zeros(count, np.bool_)

    def signal(self, waves: NDArray[np.intp]) -> NDArray[np.bool_]:
        """These waves, which ascend, arrive; whether each is the first of its workgroup to do so."""
        groups = waves // self.per_group
        any_before = np.logical_or.reduce(self.signalled.reshape(-1, self.per_group), axis=1)[groups]
        lowest = np.append(True, groups[1:] != groups[:-1])
        self.signalled[waves] = True
        self.settle()
        return ~any_before & lowest

    def settle(self) -> None:
        """Complete the barriers that all members have signalled."""
        there = np.logical_and.reduce((self.signalled | self.ended).reshape(-1, self.per_group), axis=1)
        done = np.repeat(there, self.per_group) & self.signalled
        self.complete |= done & ~self.ended
        self.signalled[done] = False

    def state(self, waves: NDArray[np.intp]) -> NDArray[np.uint32]:
        """The result of s_get_barrier_state for each wave: the signals from bit 16 on, the members from bit 4
        on, and that it is valid."""
        groups = waves // self.per_group
        counted = self.signalled, ~self.ended
        signals, members = (flags.reshape(-1, self.per_group).sum(axis=1)[groups] for flags in counted)
        return (signals << 16 | members << 4 | 1).astype(np.uint32)

    def may_wait(self, waves: NDArray[np.intp]) -> bool:
        """Whether each of these waves has signalled since it last waited."""
        return bool((self.signalled[waves] | self.complete[waves]).all())

    def pass_opened(self, waves: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether each of these waves need not wait, since others of its workgroup have gone on."""
        passing = self.opened[waves]
        self._pass(waves[passing])
        return passing

    def open_early(self, waiting: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Release the waiting waves of complete barriers, before other waves of their workgroup wait."""
        go = waiting & self.complete
        if go.any():
            groups = np.repeat(np.logical_or.reduce(go.reshape(-1, self.per_group), axis=1), self.per_group)
            self.opened |= groups & self.complete
            self._pass(np.flatnonzero(go))
        return go

    def release(self, go: NDArray[np.bool_]) -> None:
        """These waves have waited together, and go on."""
        self.complete &= ~go

    def _pass(self, waves: NDArray[np.intp]) -> None:
        self.opened[waves] = self.complete[waves] = False
