"""Column: memory is contiguous along a kept axis. Some of a wave's lanes lie along the columns, the others
along the rows.

    {1024,64,256} f32   axis 1: column[rows=1, columns=1, lanes=64, waves=1, teams=1, vector=4, repeat=4]
    {64,1024,64} f32    axis 1: column[rows=1, columns=1, lanes=4, waves=2, teams=1, vector=4, repeat=4]
    {1048576,3} f32     column[rows=4, columns=3, lanes=1, waves=4, teams=1, vector=1, repeat=1]

For three columns a lane has four rows, 12 adjacent numbers. Rows are combined in registers first. If other
lanes have rows of the same columns, either all go through LDS, so that a lane gets those of a single column
(`reduction.shared`), or they are combined between the lanes of a wave and then between the waves.
"""

from __future__ import annotations

from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Column
from asmgen.blockwise.schedules.deals import Deal, repeated
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.pieces import Tiling
from asmgen.blockwise.schedules.pages.reduction import Reduction
from isa.target import Target


def schedule(graph: Graph, choice: Column, target: Target) -> Kernel:
    """The kernel of a graph with reductions."""
    work = graph.work
    rank, wave, rows = len(work.dims), target.wave_size, work.reduced[-1]
    columns = (
        Deal(Part.REGISTERS, rank - 1, choice.vector),
        Deal(Part.LANES, rank - 1, choice.lanes),
        Deal(Part.WAVES, rank - 1, choice.teams),
    )
    of_lane = Deal(Part.REGISTERS, rows, choice.rows)
    shared = (Deal(Part.LANES, rows, wave // choice.lanes), Deal(Part.WAVES, rows, choice.waves))
    tiling = Tiling(
        wave,
        choice.waves * choice.teams,
        rows,
        choice.rows,
        choice.repeat,
        (*columns, of_lane, *shared),
        (*columns, *shared),
        repeated(rank, rank - 1, choice.columns),
        choice.pieces,
    )
    return Reduction(graph, work, tiling).kernel()
