"""Chooses a schedule for a kernel on a target.

A choice follows three rules, in this order:

1. A launch has at least as many workgroups as four for each compute unit of the target, or one for each 16
KiB that it reads, if that is less (`Work.workgroups`). 2. The elements of a row stay in registers from one
reduction to the next and to the outputs, if that is at most
   `MOST_HELD` elements a lane.
3. Accesses have 16 bytes a lane; without reductions, those of the widest type. Where elements are reduced
   that are too few for half of the lanes of the target to have such an access (`Work.share`), each lane has
   one, or as many as the lanes that share a row leave it: lanes that idle would save nothing.

Where a compile asks for few registers (`--max-vgprs`, `--waves-per-eu`), a lane has no more elements at once
than there is room for in them (`room`). Nor does it have more than a budget of code allows (`budget`).
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.column import choose_column
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, ceil_power, widest_access
from asmgen.blockwise.schedules.choosing.row import choose_row
from asmgen.blockwise.schedules.work import Work
from isa.target import Target


def choose(work: Work, target: Target) -> Pointwise | Row | Column:
    """The choice for a kernel without matrix products."""
    if not work.reduced:
        return choose_pointwise(work, target)
    return choose_row(work, target) if work.reduces_fast else choose_column(work, target)


def choose_pointwise(work: Work, target: Target) -> Pointwise:
    """Where there is no room for an access of each buffer, a lane has its elements in several."""
    vector, roomy = widest_access(work), widest_access(work._replace(room=None))
    lanes = -(-work.planned[-1] // roomy)
    waves = min(GROUP_LANES // target.wave_size, ceil_power(-(-lanes // target.wave_size)))
    return Pointwise(vector, waves, roomy // vector)
