"""Whether workgroups of a compute unit wait for the cache that units share, more than for the matrix pipe.

    {4096,8192} by {8192,1000} of bf16 in two parts, gfx942
    a unit has two workgroups at once, and no others follow. L2 is busy for 93 % of the launch. If their trips
    overlap, one runs ahead and ends at 115,000 clocks. The other ends at 163,000, and L2 waits meanwhile.
    Without, both end at 151,000.

So such a product gains little by overlapping trips. It loses up to a tenth if both end together without.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod

from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.modulo.bound import busy_clocks
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from isa.footprint import Bytes
from isa.instruction import Instr
from isa.program import Kernel
from isa.timing.caches import CACHES

# Clocks of the shared cache for a trip, by those of its matrix instructions, from which on the cache limits
# the launch. It is 0.82 for products of f16 on gfx942 if the rows of both factors begin at lines, 0.99 and
# more if not. 22 products of f16 and bf16 with more take 0.92 to 1.10 times the clocks with overlapping
# trips, 1.005 in the geometric mean; five with less take 0.72 to 0.89, and one 1.07
_LIMITS = 0.95


def waits_for_shared_cache(kernel: Kernel, problem: LoopProblem, vgprs: int) -> bool:
    """Whether a launch has several workgroups for a unit, all at once, and the cache limits them. A wave has
    `vgprs` VGPRs. False if only the launch knows how many workgroups it has."""
    target, threads = kernel.target.target, prod(kernel.workgroup)
    resident = target.resident_groups(vgprs, 0, kernel.lds_bytes, threads)
    if not target.units < kernel.groups <= resident:
        return False
    return _clocks_of_cache(kernel, problem.instructions) >= _LIMITS * busy_clocks(problem)[Resource.MATRIX]


def _clocks_of_cache(kernel: Kernel, code: Sequence[Instr]) -> float:
    """The clocks in which the shared cache sends a workgroup the lines that its code loads; of loads of known
    bytes only."""
    first, second = CACHES[kernel.target.target.name].vector[:2]
    line = int(first.line.value)
    touched = [each.bytes for instr in code if is_global_load(instr) for each in instr.touches]
    return sum(_lines(each, line) for each in touched if each) * line / second.rate.value


def _lines(touched: Bytes, line: int) -> float:
    """The lines that the rows of a load touch, in the mean over the places in a line at which rows begin."""
    first, last, step, width = touched.first, touched.last, touched.step, touched.width
    more = line - gcd(line, first, step)
    rows = (last - first) // step + 1 if step else 1
    return min(rows * (width + more), last - first + width + more) / line
