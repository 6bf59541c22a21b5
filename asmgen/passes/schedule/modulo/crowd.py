"""The clocks that the waves of a compute unit take together for a trip of a loop, at the least.

    row_sum {4096,n} on gfx942     a trip of a lone wave takes 854 clocks, or 417 if its trips overlap
                                   a trip of the 32 waves of a unit keeps its first cache busy for 2,569
    gemm {1000,1000}, f64, gfx1201   a trip of a lone wave takes 1,220 clocks, or 517 if its trips overlap
                                   a trip of the 16 waves of a SIMD keeps its vector ALU busy for 4,112

All data pass the first cache, whatever cache has them. If the loads of all workgroups keep it busy for longer
than a lone wave takes for a trip, no order of the trip makes the launch faster: the waves hide each other's
waits. Lanes of a workgroup that share data, as in a product of matrices, load it once: a load counts as the
bytes that the workgroup touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.modulo.problem import Resource, demand_of
from asmgen.passes.schedule.timing import rates_of
from isa.instruction import Instr, Trait, Unit
from isa.program import Kernel
from isa.target import Target
from isa.timing.caches import CACHES

# A launch of unknown size is taken to have workgroups for this part of the compute units at least. So trips
# of row_sum {?,?} overlap on gfx942 and gfx950, with 0.63 of the clocks for 64 rows, and stay on gfx1100 and
# gfx1201, which overlapping trips took 1.00 of the clocks for 64 rows and more.
FILLED = 1 / 6


def clocks_of_crowd(kernel: Kernel, code: Sequence[Instr], vgprs: int) -> int:
    """The clocks for which the workgroups that a compute unit has at once keep its first cache or a vector
    ALU busy, each with its `code` of a trip. A wave has `vgprs` VGPRs. If only the launch knows the
    workgroups, the clocks for which a few of them keep memory busy. The cache does not count if the code has
    a barrier, at which the waves of a workgroup wait for each other."""
    target, threads = kernel.target.target, prod(kernel.workgroup)
    groups = min(kernel.groups, target.resident_groups(vgprs, 0, kernel.lds_bytes, threads))
    if not groups:
        return _clocks_of_few(target, code, threads)
    waves = groups * -(-threads // target.wave_size) // (target.units * target.simds)
    vector = waves * _vector_clocks(kernel, code)
    if any(Trait.BARRIER in instr.row.traits for instr in code):
        return vector
    moved = sum(_bytes(instr, threads) for instr in code if is_global_load(instr))
    rate = CACHES[target.name].vector[0].rate.value
    return max(vector, int(moved * groups / target.compute_units / rate))


def _clocks_of_few(target: Target, code: Sequence[Instr], threads: int) -> int:
    """The clocks for which a workgroup keeps its share of the memory busy if `FILLED` of the compute units
    each have a workgroup. 0 if the code has a barrier, or matrix instructions, as workgroups of a product
    load the same memory."""
    if any(Trait.BARRIER in instr.row.traits or instr.row.unit is Unit.MATRIX for instr in code):
        return 0
    moved = sum(_bytes(instr, threads) for instr in code if is_global_load(instr))
    return int(moved * FILLED / CACHES[target.name].memory_rate.value)


def _vector_clocks(kernel: Kernel, code: Sequence[Instr]) -> int:
    """The clocks for which a wave keeps the vector ALU busy. 0 for products by matrix instructions: eight
    products of 4096x1000x8192, bf16, take 0.68 of their clocks on gfx942 if their trips overlap, although a
    SIMD has two waves."""
    uses = [use for some in demand_of(kernel, code).uses for use in some]
    if any(use.resource is Resource.MATRIX for use in uses):
        return 0
    return sum(use.halves for use in uses if use.resource is Resource.VECTOR) // 2


def _bytes(load: Instr, threads: int) -> int:
    """The bytes that a workgroup loads: those of all lanes, or fewer if the lanes are known to share them."""
    lanes = load.row.memory_bytes * threads
    if not load.touches or not all(footprint.bytes for footprint in load.touches):
        return lanes
    return min(lanes, sum(each.bytes.extent for each in load.touches if each.bytes))


def most_clocks(target: str, code: Sequence[Instr]) -> int:
    """The clocks of the longest chain through registers, with loads that no cache has, and those of the issue
    of all instructions. A lone wave that never waits in vain takes no more for a trip."""
    rates, memory = rates_of(target), CACHES[target].memory.clocks
    ready: dict[int, int] = {}
    last = issue = 0
    for instr in code:
        hold, latency = rates.of(instr.row)
        clocks = max(latency, memory) if is_global_load(instr) else latency
        units = instr.units
        end = max([ready.get(unit, 0) for unit in units.read], default=0) + clocks
        ready.update(dict.fromkeys(units.written, end))
        last, issue = max(last, end), issue + hold
    return last + issue
