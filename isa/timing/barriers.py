"""The barriers of workgroups: a wave at a barrier goes on when all waves of its workgroup have arrived.

The methods return the waves that go on, which the clock loop asks for their next instruction.
"""

from __future__ import annotations

from collections.abc import Sequence

from isa.timing.machine import Machine
from isa.timing.state import AT_BARRIER, Group, Wave


class Barriers:
    """The workgroups of a trace by their numbers."""

    def __init__(self, waves: Sequence[Wave], machine: Machine) -> None:
        self._clocks = machine.barrier.clocks
        self.groups: dict[int, Group] = {}
        for wave in waves:
            self.groups.setdefault(wave.group, Group()).members += 1

    def arrive(self, wave: Wave, instruction: int, clock: int) -> list[Wave]:
        """Let a wave arrive by an instruction."""
        group = self.groups[wave.group]
        group.arrived += 1
        group.last = (instruction, wave.index)
        return self._open(group, clock)

    def wait(self, wave: Wave) -> bool:
        """Whether a wave waits at its next barrier, because that has not opened."""
        group = self.groups[wave.group]
        phase = wave.phase
        wave.phase += 1
        if phase < len(group.released):
            self._release(wave, *group.released[phase])
            return False
        group.waiting.append(wave)
        return True

    def leave(self, wave: Wave) -> list[Wave]:
        """Let a wave end: the barriers of its workgroup no longer wait for it."""
        group = self.groups[wave.group]
        group.members -= 1
        return self._open(group, wave.next)

    def unlock(self) -> list[Wave]:
        """Open the earliest barrier at which waves wait, though others never reach it: the trace was cut,
        and what opens the barrier is not in it. Returns no wave if none waits."""
        groups = [group for group in self.groups.values() if group.waiting]
        if not groups:
            return []
        group = min(groups, key=lambda group: min(wave.clock for wave in group.waiting))
        group.arrived = group.members
        return self._open(group, max(wave.clock for wave in group.waiting))

    def _open(self, group: Group, clock: int) -> list[Wave]:
        """Open the barrier if every wave that is left has arrived."""
        if not group.arrived or group.arrived < group.members:
            return []
        group.arrived = 0
        group.released.append((clock, group.last))
        waiting, group.waiting = group.waiting, []
        for wave in waiting:
            self._release(wave, clock, group.last)
        return waiting

    def _release(self, wave: Wave, clock: int, last: tuple[int, int]) -> None:
        """Let a wave go on after its barrier, which opened at `clock` by the last arrival."""
        if clock + self._clocks > wave.next:
            wave.next, wave.next_cause, wave.next_culprit = clock + self._clocks, AT_BARRIER, last
