"""Decides if products that share a factor are a single kernel (`asmgen.graph.fusion.siblings`).

    g = dot(x, gate); u = dot(x, up); h = mul(g, u)    64 by 256 by 256 of f16, gfx942: 6,678 clocks in
                                                       one launch, 15,619 apart

Together, the products take one launch, load the shared factor once, and store a single result if they meet in
a pointwise op. But a lane has the sums of all of them, so a tile has fewer rows or columns. The kernel is
estimated as a single product with the rows or columns of all of them; each product by itself is estimated in
its best parts along k. The numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from asmgen.blockwise.schedules.choosing.contract import best_parts, takes
from asmgen.graph.fusion.packed_factors import packed_bytes
from asmgen.graph.fusion.siblings import Joint, Siblings
from asmgen.index.size import Sizes, most
from asmgen.ir.program import Statement, Value, tensor_type
from isa.target import Target

# The most of the clocks apart, by estimates of 62 kernels of products of different dims. On gfx942 and gfx950
# those of at most 0.92 take 0.37 to 0.95 of the clocks apart. On gfx90a, a single die, those of less than 0.8
# take 0.50 to 0.83, and those of 0.81 to 0.97 take up to 1.8.
_GAIN, _GAIN_OF_DIE = 0.92, 0.8


def verdict(
    group: Siblings, defined: Mapping[Value, Statement], target: Target, rounds: bool, cuts: bool
) -> Joint:
    """Whether the products of a group are a single kernel. `cuts` says whether they may be cut into parts
    along k, which products of different dims in a kernel never are."""
    if not all(takes(dot, target) for dot in group.dots):
        return Joint(False, "the schedule contract does not take them")
    if any(packed_bytes(defined, dot) for dot in group.dots):
        return Joint(False, "waves compute the second factor of each from fewer bytes")

    def clocks_of(dots: Sequence[Statement], results: int, cuts: bool) -> float:
        planned = best_parts(dots, defined, target, rounds, results, cuts)
        return planned.clocks if planned.fits else inf

    def clocks_apart(dots: Sequence[Statement]) -> float:
        return sum([clocks_of((dot,), 1, cuts) + launch_clocks(target) for dot in dots])

    together = clocks_of(group.dots, 1 if group.meet else len(group.dots), cuts and group.is_even)
    if together == inf:
        return Joint(False, "the sums of all do not fit in the registers of a lane")
    apart = clocks_apart(group.dots) - launch_clocks(target)
    if group.meet:  # in a launch of their own, or in the loads of the next product
        apart += launch_clocks(target) + len(group.dots) * clocks_to_read(group.dots[0].result, target)
    if not group.is_even:  # those of the same dims may be a kernel without the others
        even: dict[Sizes, list[Statement]] = {}
        for dot in group.dots:
            even.setdefault(tensor_type(dot.result).dims, []).append(dot)
        own = [
            min(clocks_apart(dots), clocks_of(dots, len(dots), cuts) + launch_clocks(target))
            for dots in even.values()
        ]
        apart = sum(own) - launch_clocks(target)
    why = f"together {together:.0f} clocks, apart {apart:.0f}"
    return Joint(together < apart * (1.0 if group.is_even else _gain(target)), why)


def _gain(target: Target) -> float:
    """The most of the clocks apart that products of different dims may take in a kernel."""
    from isa.timing.caches import CACHES

    return _GAIN_OF_DIE if CACHES[target.name].of_die is None else _GAIN


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
