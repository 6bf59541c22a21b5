"""Runs tile programs in numpy, to test a schedule apart from its lowering.

`Tiles.WHOLE` takes a tile as an array of its shape and knows nothing of layouts, where an op does not ask for
them. `Tiles.HOLDERS` keeps an array by wave, lane and register: each holder has what its layout gives it, and
nothing else: a reduction exchanges by bits of lanes and waves, LDS is memory with offsets, and a store is
made by one of the holders with copies. What both give for one program agrees with the graph's reference
before anything is lowered.
"""

from asmgen.blockwise.interpret.run import Tiles, interpret

__all__ = ["Tiles", "interpret"]
