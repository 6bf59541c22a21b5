"""Whether workgroups share the rows of a linear recurrence. Its parts are four launches: the factor of each
part, its last state, the states before the parts, and the states of the elements.

    {65536,16} f32 along axis 0     gfx942: a workgroup takes 178 us, and 128 parts take 17
    {64,32768} f32 along axis 1     gfx942: a workgroup a row takes 20 us, and parts take 25
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.choosing.joint import clocks_to_move, launch_clocks
from asmgen.blockwise.schedules.choosing.kernel_clocks import waits
from asmgen.blockwise.schedules.work import Work
from isa.target import Target

# Instructions in the time in which a workgroup alone scans an element, along memory and across it. On gfx942
# and gfx1201 a row of {4,32768} f32 takes 32 or more, and a column of {4096,64} 16 to 19.
_ALONG, _ACROSS = 32, 16
_LAUNCHES, _MOVED = 3, 7 / 3  # of parts: the launches besides, and the bytes for each byte of a launch


def is_slow_alone(work: Work, groups: int, target: Target) -> bool:
    """Whether `groups` workgroups take longer alone for their rows than the launches of parts."""
    from isa.timing.machine import MACHINES

    elements = prod(work.planned)
    lanes = target.simds * target.wave_size / MACHINES[target.name].issue.clocks
    alone = elements / groups * (_ALONG if work.reduces_fast else _ACROSS) / lanes
    moved = clocks_to_move(elements * work.element * (work.streams + 1), target)
    return alone > _LAUNCHES * (launch_clocks(target) + waits(target)) + _MOVED * moved
