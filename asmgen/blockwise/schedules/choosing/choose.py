"""Chooses a schedule for a kernel on a target.

A choice follows three rules, in this order:

1. A launch has at least four workgroups for each compute unit of the target, or a workgroup for each 16 KiB
   that it reads, if that is less (`Work.workgroups`).
2. The elements of a row stay in registers between reductions and outputs, if a lane then has at most
   `MOST_HELD` elements.
3. Accesses have 16 bytes a lane, also those of the narrowest type. If too few elements
   are reduced for half of the target's lanes to have such an access (`Work.share`), each lane has an element,
   or as few as the lanes of a row allow: idle lanes would save nothing.

If a compile asks for few registers (`--max-vgprs`, `--waves-per-eu`), a lane has only as many elements at a
time as fit in them (`room`). A budget of code bounds them as well (`budget`).
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.column import choose_column
from asmgen.blockwise.schedules.choosing.lane import choose_lane
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, ceil_power, widest_access
from asmgen.blockwise.schedules.choosing.row import choose_row
from asmgen.blockwise.schedules.elements.sections import ACCESS_BYTES
from asmgen.blockwise.schedules.work import Work
from isa.target import Target


def choose(work: Work, target: Target) -> Pointwise | Row | Column:
    """The choice for a kernel without matrix products."""
    if not work.reduced:
        return choose_pointwise(work, target)
    of_lane = choose_lane(work, target)
    if of_lane is not None:
        return of_lane
    return choose_row(work, target) if work.reduces_fast else choose_column(work, target)


def choose_pointwise(work: Work, target: Target) -> Pointwise:
    """If an access of each buffer does not fit in registers, a lane has its elements in several accesses.

    If few elements leave lanes idle, an access has 16 bytes of the widest buffer instead of the narrowest.
    """
    if work.share(target) < ACCESS_BYTES // work.element:
        work = work._replace(
            widest_access=min(work.widest_access, max(1, ACCESS_BYTES // work.widest_element))
        )
    vector, roomy = widest_access(work), widest_access(work._replace(room=None))
    lanes = -(-work.planned[-1] // roomy)
    waves = min(GROUP_LANES // target.wave_size, ceil_power(-(-lanes // target.wave_size)))
    return Pointwise(vector, waves, roomy // vector)
