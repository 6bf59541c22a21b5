"""Decides if products that share a factor are a single kernel (`asmgen.graph.siblings`).

    g = dot(x, gate); u = dot(x, up); h = mul(g, u)    64 by 256 by 256 of f16, gfx942: 6,678 clocks in
                                                       one launch, 15,619 apart

Together, the products take one launch, load the shared factor once, and store a single result if they meet in
a pointwise op. But a lane has the sums of all of them, so a tile has fewer rows or columns. The kernel is
estimated as a single product with the rows or columns of all of them; each product by itself is estimated in
its best parts along k. The numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.blockwise.schedules.choosing.contract import best_parts, takes
from asmgen.graph.packed_factors import packed_bytes
from asmgen.graph.siblings import Joint, Siblings
from asmgen.index.size import most
from asmgen.ir.program import Statement, Value, tensor_type
from isa.target import Target


def verdict(
    group: Siblings, defined: Mapping[Value, Statement], target: Target, rounds: bool, cuts: bool
) -> Joint:
    """Whether the products of a group are a single kernel. `cuts` says whether they may be cut into parts
    along k."""
    if not all(takes(dot, target) for dot in group.dots):
        return Joint(False, "the schedule contract does not take them")
    if any(packed_bytes(defined, dot) for dot in group.dots):
        return Joint(False, "waves compute the second factor of each from fewer bytes")
    results = 1 if group.meet else len(group.dots)
    together = best_parts(group.dots, defined, target, rounds, results, cuts)
    if not together.fits:
        return Joint(False, "the sums of all do not fit in the registers of a lane")
    apart = sum(best_parts((dot,), defined, target, rounds, 1, cuts).clocks for dot in group.dots)
    apart += (len(group.dots) - 1) * launch_clocks(target)
    if group.meet:  # in a launch of their own, or in the loads of the next product
        apart += launch_clocks(target) + len(group.dots) * clocks_to_read(group.dots[0].result, target)
    why = f"together {together.clocks:.0f} clocks, apart {apart:.0f}"
    return Joint(together.clocks < apart, why)


def launch_clocks(target: Target) -> float:
    """The clocks of the start of a launch."""
    from isa.timing.chips import CHIPS

    return CHIPS[target.name].launch_clocks


def clocks_to_read(value: Value, target: Target) -> float:
    """The clocks in which all units read a value from memory."""
    type_ = tensor_type(value)
    return clocks_to_move(most(type_.elements) * type_.element.bytes, target)


def clocks_to_move(moved: int, target: Target) -> float:
    """The clocks in which all units read or write so many bytes of memory."""
    from isa.timing.caches import CACHES

    return moved / (CACHES[target.name].with_buffers(moved).memory_rate.value * target.compute_units)
