"""The bytes that each level of memory moves in the model are at least those that the launch needs of it."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

import numpy as np
import pytest

import asmgen
from asmgen.profile.build import placed, profile_launch
from asmgen.profile.launches import Launch
from asmgen.profile.programs import launches_of_program
from asmgen.profile.recorded import recorded_launch
from isa.emulator.launching.arguments import KernelCall
from isa.target import Target
from isa.targets import TARGETS
from isa.timing.busy import busy_units
from isa.timing.cached import CachedMemory
from isa.timing.caches import CACHES, MEMORY
from isa.timing.machine import MACHINES
from isa.timing.operation import operations_of
from tests.unit.isa.programs import image_of

# each workgroup loads the first KB of a, and a KB of its own of b
JOINED = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 4, v0
s_lshl_b32 s8, s2, 10
v_add_u32_e32 v11, s8, v10
s_waitcnt lgkmcnt(0)
global_load_dwordx4 v[0:3], v10, s[4:5]
global_load_dwordx4 v[4:7], v11, s[6:7]
s_waitcnt vmcnt(0)
s_endpgm
"""
KB = 1 << 10
# a few rows by the weights of a layer, as a decoder multiplies them for each token
DECODE = """
x = @param:x -> f16, {{{m},{k}}}
w = @param:w -> f16, {{{n},{k}}}
t = transpose[permutation={{1,0}}](w)
y = dot(x, t)
@return(y)
"""


def clocks_of_levels(launch: Launch) -> Mapping[str, float]:
    """For how many clocks each level of memory is busy for a workgroup of the launch, on average."""
    where = placed(launch).where
    recorded = recorded_launch(launch, where, None)
    trace = recorded.replayed()._replace(target=where.target)
    machine = MACHINES[where.target.name]
    costs = CachedMemory(recorded.users, launch.buffer_bytes).costs(trace, machine)
    operations = operations_of(trace.instructions, trace.target, machine).operations
    busy = busy_units(trace, operations, costs, where.target.simds)
    return {each.unit: each.clocks / len(recorded.groups) for each in busy}


def moving(launch: Launch, target: Target) -> float:
    """The clocks in which memory, or the last cache if it has the buffers, moves all of them."""
    caches = CACHES[target.name].with_buffers(launch.buffer_bytes)
    return launch.buffer_bytes / (caches.memory_rate.value * target.compute_units)


@pytest.mark.parametrize("of_unit", (1, 4, 12))
def test_workgroups_of_a_unit_that_share_lines_pay_for_all_others(of_unit: int) -> None:
    """A unit of gfx942 asks L2 for a line that its workgroups share once, and for the lines of each. A die of 38 units
    asks the Infinity Cache for the shared line once, and so does the machine memory."""
    groups = 304 * of_unit
    arrays = np.zeros(KB, np.uint8), np.zeros(groups * KB, np.uint8)
    launch = Launch(image_of(JOINED), KernelCall((groups, 1, 1), (64, 1, 1), arrays), "a test")
    levels = {level.name: level.rate.value for level in CACHES["gfx942"].vector}
    least = {"L2": KB * (of_unit + 1), "Infinity Cache": KB * (of_unit + 1 / 38), MEMORY: KB * (of_unit + 1 / 304)}
    rates = levels | {MEMORY: CACHES["gfx942"].with_buffers(launch.buffer_bytes).memory_rate.value}
    busy = clocks_of_levels(launch)
    for level, moved in least.items():
        clocks = of_unit * busy[level]
        assert moved / rates[level] <= clocks <= 1.01 * moved / rates[level] + of_unit + 1, level


@pytest.mark.parametrize(("target", "m", "n"), (
    ("gfx942", 1, 8192), ("gfx950", 8, 4096), ("gfx1100", 1, 2048), ("gfx1201", 8, 1024),
))  # fmt: skip
def test_products_of_few_rows_pay_for_their_weights(target: str, m: int, n: int) -> None:
    """The rows are of all workgroups, and the weights of one each. The launch takes at least as long as memory moves
    them, and no level lets units have more."""
    program = asmgen.compile(DECODE.format(m=m, n=n, k=512), target=target)
    (launch,) = launches_of_program(program, "a test", (), {})
    chip = TARGETS[target]
    busy = clocks_of_levels(launch)[MEMORY]
    of_unit = launch.groups / min(launch.groups, placed(launch).where.units)
    assert busy * of_unit >= moving(launch, chip)
    profile = profile_launch(launch).profile
    assert profile.launch_clocks >= busy * ceil(of_unit)


def test_memory_moves_what_all_units_share_once() -> None:
    """All workgroups load the same 64 KB. They ask for 304 times as much."""
    loads = [f"global_load_dwordx4 v[0:3], v10, s[4:5] offset:{KB * i}\n" for i in range(4)]
    more = "".join([*loads, f"v_add_u32_e32 v10, {4 * KB:#x}, v10\n"]) * 16
    text = f"s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32_e32 v10, 4, v0\ns_waitcnt lgkmcnt(0)\n{more}s_waitcnt vmcnt(0)\ns_endpgm\n"
    arrays = np.zeros(64 * KB, np.uint8), np.zeros(4, np.uint8)
    profile = profile_launch(Launch(image_of(text), KernelCall((608, 1, 1), (64, 1, 1), arrays), "a test")).profile
    assert profile.launch_clocks < 64 * KB / CACHES["gfx942"].resident_rate.value, "all units ask memory"
