"""Whether the waves of a compute unit hide each other's waits in a loop.

    row_sum {4096,n} on gfx942     a trip of a lone wave takes 854 clocks, or 417 if its trips overlap
                                   a trip of the 32 waves of a unit keeps its first cache busy for 2,569

    gemm of 1000 cubed, f64, on gfx1201   a trip of a lone wave takes 1,220 clocks, or 517 if its trips overlap
                                   the trips of the 4 workgroups of a unit keep its vector ALU busy for 2,056

All data pass the first cache, whatever cache has them. If the loads of all workgroups keep it busy for longer
than a lone wave takes for a trip, no order of the trip makes the launch faster. Lanes of a workgroup that
share data, as in a product of matrices, load it once: a load counts as the bytes that the workgroup touches.

The same is true of the other parts of the machine, unless matrix instructions bind: 4096x1000 by 1000x8192,
eight of bf16 on gfx942, takes 0.68 of its clocks with overlapping trips, and has two workgroups in a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.modulo.bound import busy_clocks
from asmgen.passes.schedule.modulo.problem import Resource, demand_of
from asmgen.passes.schedule.timing import rates_of
from isa.instruction import Instr, Trait
from isa.program import Kernel
from isa.timing.caches import CACHES


def hide_waits(kernel: Kernel, code: Sequence[Instr], vgprs: int) -> bool:
    """Whether the workgroups that a compute unit has at once keep its first cache, or another part of it, busy
    for longer than a lone wave takes for the code. A wave has `vgprs` VGPRs. False if only the launch knows
    its workgroups. The cache does not count if the code has a barrier, at which the waves of a workgroup wait
    for each other."""
    target = kernel.target.target
    resident = target.resident_groups(vgprs, 0, kernel.lds_bytes, prod(kernel.workgroup))
    groups = min(kernel.groups, resident) / target.compute_units
    if not groups:
        return False
    most, busy = _most_clocks(target.name, code), busy_clocks(demand_of(kernel, code))
    if not busy[Resource.MATRIX] and max(busy.values()) * int(groups) > most:
        return True
    if any(Trait.BARRIER in instr.row.traits for instr in code):
        return False
    loads = [instr for instr in code if is_global_load(instr)]
    moved = sum(_bytes(load, prod(kernel.workgroup)) for load in loads) * groups
    return moved / CACHES[target.name].vector[0].rate.value > most


def _bytes(load: Instr, threads: int) -> int:
    """The bytes that a workgroup loads: those of all lanes, or fewer if the lanes are known to share them."""
    lanes = load.row.memory_bytes * threads
    if not load.touches or not all(footprint.bytes for footprint in load.touches):
        return lanes
    return min(lanes, sum(each.bytes.extent for each in load.touches if each.bytes))


def _most_clocks(target: str, code: Sequence[Instr]) -> int:
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
