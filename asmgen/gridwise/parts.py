"""Reductions and scans in parts, and the kernels that combine the results of the parts.

    s = reduce_max[axes={1}](x)                   x is {1,131072}; a launch finds the maxima of 16 parts,
    b = multibroadcast[out_lens={1,131072}](s)    and each lane of the next finds the greatest of these,
    y = div(x, b)                                 before it divides its elements

The reader of few parts combines them if that takes less time than a launch of its own
(`asmgen.graph.fusion.short_reductions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.short_reductions import MOST_PARTS, InReaders, in_readers
from asmgen.graph.ops import REDUCTIONS
from asmgen.gridwise.choose import verdict_of_sums
from asmgen.gridwise.split import combined, split
from asmgen.ir.program import Module, Value
from isa.target import Target


def in_parts(
    module: Module,
    shares: Mapping[Value, Share],
    cut: Callable[[Module], list[FusedKernel]],
    target: Target,
    propagates_nan: bool = False,
) -> InReaders:
    """The graph with reductions and scans in parts, and its kernels. `cut` gives the kernels of a graph, and
    `propagates_nan` is the rule of max and min."""
    divided = split(module, shares, propagates_nan)
    reductions = {each.result for each in divided.statements if each.op in REDUCTIONS}
    others = reductions - combined(divided, shares)
    is_shorter = partial(verdict_of_sums, target=target)
    return in_readers(divided, cut(divided), cut, is_shorter, MOST_PARTS, others)
