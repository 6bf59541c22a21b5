"""Runs tile programs in numpy, so that a schedule can be tested apart from its lowering.

    interpret(kernel, {"x": x, "z": z}, Tiles.WHOLE)     writes z

`Tiles.WHOLE` keeps a tile as an array of its shape, and uses layouts only in ops that depend on them.
`Tiles.HOLDERS` keeps an array by wave, lane and register. There each holder has only the elements that its
layout gives it: a reduction exchanges between lanes and waves, LDS is memory with offsets, and a store is
made by one of the holders that have copies. A schedule is right if both ways agree with the graph's
reference.
"""

from asmgen.blockwise.interpret.run import Tiles, interpret

__all__ = ["Tiles", "interpret"]
