"""Schedules that users write, and the parts that they are written with (docs/by-hand.md, "Schedules by
hand").

asmgen.schedules.register("halves", Halves, write)
asmgen.compile(graph, schedules=("halves[waves=2]",))
"""

from asmgen.blockwise.schedules.choices import Body
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.registered import register
from asmgen.blockwise.schedules.tiles.body import Body as Tiles
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from isa.target import Target

__all__ = ["Body", "Buffers", "Graph", "Target", "Tiles", "output_buffers", "register"]
