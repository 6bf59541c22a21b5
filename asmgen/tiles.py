"""Tile programs by hand: the builder that schedules use, and layouts as values (docs/tiles.md).

tiles = Builder("scaled", {"block": 4}, waves=2, lanes=64)
rows = tiles.layout("rows", dealt(1, (Deal(Part.REGISTERS, 0, 4), Deal(Part.LANES, 0, 64)), 64, 2))
"""

from asmgen.blockwise.builder import TileBuilder as Builder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.deals import Deal, dealt
from asmgen.blockwise.types import coordinates

__all__ = ["Builder", "Deal", "Kernel", "Layout", "Part", "coordinates", "dealt"]
