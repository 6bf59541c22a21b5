"""How the elements of scanned rows are dealt to registers, lanes and waves.

{m,n} along n    n up to 64: 32 lanes have two elements each, a workgroup 8 rows
                 otherwise the choice says it: a workgroup a row
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.schedules.choices import Scan
from asmgen.blockwise.schedules.deals import Deal
from asmgen.blockwise.schedules.pages.pieces import Tiling
from asmgen.blockwise.schedules.pages.versions import Version
from asmgen.blockwise.schedules.work import Work
from asmgen.index.size import Size
from isa.target import Target

# Lanes of a row that the launch finds short. cumsum {100000,n} takes 26,264 clocks for n = 64 on gfx942, and
# 25,171 with 16 lanes; {1000003,3} takes 65,863 and 41,920, and 1,006,580 by workgroups. 16 lanes make 1.5
# times the compile, 32 lanes 1.25.
_OF_SHORT = 32


def tiling(work: Work, choice: Scan, target: Target) -> Tiling:
    """The tiling of rows by a choice."""
    rank, wave = len(work.dims), target.wave_size
    axis = work.reduced[-1]
    shared = (Deal(Part.LANES, axis, choice.lanes), Deal(Part.WAVES, axis, choice.waves))
    others: tuple[Deal, ...] = ()
    if work.kept:
        kept = work.kept[-1]
        others = (Deal(Part.LANES, kept, wave // choice.lanes), Deal(Part.WAVES, kept, choice.teams))
    waves, once = choice.waves * choice.teams, (1,) * rank
    if axis == rank - 1:
        of_lane = Deal(Part.REGISTERS, axis, choice.vector * choice.repeat)
        deals, rest = (of_lane, *shared, *others), (*shared, *others)
        return Tiling(wave, waves, axis, choice.vector * choice.repeat, 1, deals, rest, once)
    of_lane = Deal(Part.REGISTERS, rank - 1, choice.vector)
    rows = Deal(Part.REGISTERS, axis, choice.repeat)
    deals, rest = (of_lane, *others, rows, *shared), (of_lane, *others, *shared)
    step = 1 if isinstance(work.dims[axis], Size) else choice.repeat
    return Tiling(wave, waves, axis, step, 1, deals, rest, once)


def short_rows(work: Work, choice: Scan, most: int, target: Target) -> Version:
    """The version of a choice for rows of up to `most` elements. A lane has accesses of an element, since the
    row may end between its elements."""
    waves = choice.waves * choice.teams
    few = replace(choice, lanes=_OF_SHORT, waves=1, teams=waves, vector=1, repeat=max(1, most // _OF_SHORT))
    rows = target.wave_size // _OF_SHORT * waves
    return Version("short", work, tiling(work, few, target)._replace(vector=1), rows, most, most)
