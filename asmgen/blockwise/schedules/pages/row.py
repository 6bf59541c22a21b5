"""Row: lanes lie along the reduced axis. A row belongs to a lane, to some lanes, to a wave or to several
waves.

    {1000000,3} f32   row[rows=4, lanes=1, waves=1, teams=4, vector=1, repeat=3]    four rows a lane
    {4096,64} f32     row[rows=1, lanes=16, waves=1, teams=4, vector=4, repeat=1]    four rows a wave
    {4096,1024} f32   row[rows=1, lanes=64, waves=1, teams=4, vector=4, repeat=4]    a row a wave
    {4096,1024} f32   row[rows=2, lanes=64, waves=1, teams=2, vector=4, repeat=4]    two rows a wave: argmax
    {64,1024} f32     row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=1]    a row a workgroup

    {3,4,2,2} f32     axis 1: row[rows=1, lanes=4, waves=1, teams=1, vector=1, repeat=1]

The last example is for few elements in rows across memory. The remaining columns after whole accesses, up to
three of f32, are an element a lane.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.room import covers_outer_axes, widest_access
from asmgen.blockwise.schedules.deals import Deal
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Tiling
from asmgen.blockwise.schedules.pages.reduction import Reduction
from asmgen.blockwise.schedules.work import Work
from isa.target import Target

# Lanes of a row that the launch finds short, and their accesses at a time: 512 bytes. On gfx942 argmin
# {131072,n} takes 17,098 clocks for n = 2, 20,807 with 32 lanes of an access and 11,832 with 8 lanes; softmax
# {65536,n} takes 19,621 for 64, 21,416 and 24,521, and 39,213 for 128, 39,178 and 39,805.
OF_SHORT, ACCESSES_OF_SHORT = 16, 2
# The same of rows of up to 16 elements, with accesses of an element: softmax {1000003,n} takes 32,408 clocks
# on gfx942 for n = 3, 163,404 by 16 lanes, and {100000,16} 13,958, 25,076 by 16 lanes.
OF_TINY, ACCESSES_OF_TINY = 4, 4
# Accesses at a time of a lane of a wave that has a row to itself. softmax {16384,n} takes 22,408 clocks for
# n = 257 on gfx942, 32,120 with four accesses; 65,559 and 70,760 for 1,024; 405,058 and 387,869 for 4,096.
ACCESSES_OF_WAVE = 2
# The most elements of a row that a wave takes if there are few rows and a reduction needs the result of
# another, or elements are stored. softmax {1000,n} takes 11,122 clocks for n = 500 on gfx942, 29,000 by
# workgroups, and {300,n} 16,026 for 1,000, 13,316 by workgroups. Sums take 1.2 times the clocks on gfx1100.
MIDDLE_OF_FEW = 512


def schedule(graph: Graph, choice: Row, target: Target) -> Kernel:
    """The kernel of a graph with reductions."""
    if choice.short is None and choice.joined is None:
        return Reduction(graph, graph.work, tiling(graph.work, choice, target)).kernel()
    from asmgen.blockwise.schedules.pages.versions import Version, versions

    work, apart = graph.work, None
    if choice.joined is not None:
        apart = Version("apart", work, tiling(work, choice, target), most=choice.joined)
        work = graph.work_of_one_row
        choice = replace(choice, vector=min(choice.vector, widest_access(work)))
    waves = choice.waves * choice.teams
    of_few = 0 if work.is_sum else MIDDLE_OF_FEW
    shorter: list[Version] = []
    if choice.short is not None:
        tiny = Row(1, OF_TINY, 1, waves, 1, ACCESSES_OF_TINY)
        rows, most = waves * target.wave_size // OF_TINY, OF_TINY * ACCESSES_OF_TINY
        if most < choice.short:
            shorter.append(Version("tiny", work, tiling(work, tiny, target), rows, most, of_few))
        few = Row(1, OF_SHORT, 1, waves, choice.vector, ACCESSES_OF_SHORT)
        rows = waves * target.wave_size // OF_SHORT
        shorter.append(Version("short", work, tiling(work, few, target), rows, choice.short, of_few))
    if choice.middle is not None:
        of_wave = Row(1, target.wave_size, 1, waves, choice.vector, ACCESSES_OF_WAVE)
        shorter.append(Version("middle", work, tiling(work, of_wave, target), waves, choice.middle, of_few))
    of_long = Version("long", work, tiling(work, choice, target))
    return versions(graph, of_long, shorter, choice.many or 1, apart)


def tiling(work: Work, choice: Row, target: Target) -> Tiling:
    """How rows are dealt out to registers, lanes and waves."""
    last, wave = work.reduced[-1], target.wave_size
    lanes = (Deal(Part.LANES, last, choice.lanes),)
    waves = (Deal(Part.WAVES, last, choice.waves),)
    rows: tuple[Deal, ...] = ()
    if work.kept:
        axis = work.kept[-1]
        rows = (
            Deal(Part.REGISTERS, axis, choice.rows),
            Deal(Part.LANES, axis, wave // choice.lanes),
            Deal(Part.WAVES, axis, choice.teams),
        )
    deals = (Deal(Part.REGISTERS, last, choice.vector), *lanes, *waves, *rows)
    outer = work.reduced[:-1] if covers_outer_axes(work, choice) else ()
    return Tiling(
        wave,
        choice.waves * choice.teams,
        last,
        choice.vector,
        choice.repeat,
        deals,
        (*lanes, *waves, *rows),
        tuple([work.planned[axis] if axis in outer else 1 for axis in range(len(work.dims))]),
        choice.pieces,
        outer,
    )
