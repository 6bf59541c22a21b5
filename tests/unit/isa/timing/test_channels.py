"""Stores of all workgroups to the same lines: the clocks of the few channels that have these lines."""

from __future__ import annotations

import numpy as np
import pytest

from isa.targets import TARGETS
from isa.timing.cached import CachedMemory
from isa.timing.channels import CHANNELS, L2_CHANNELS, Stored, request_clocks, stored_by_all
from isa.timing.machine import MACHINES
from isa.timing.memory import NO_COST
from isa.timing.state import Placement
from isa.timing.trace import Access, Trace
from isa.timing.unit import replay
from tests.unit.isa.timing_programs import trace_of

STORE = {"gfx1201": "global_store_b64 v0, v[2:3], s[0:1]", "gfx942": "global_store_dwordx2 v0, v[2:3], s[0:1]"}


def stores(target: str, apart: int, waves: int = 4, groups: int = 256, count: int = 1) -> Trace:
    """A workgroup for each wave, which stores 8 bytes a lane `count` times. Workgroups are `apart` bytes apart."""
    trace = trace_of(target, [*[STORE[target]] * count, "v_mov_b32 v0, 0", "s_endpgm"], [range(count + 2)] * waves, range(waves))
    lanes = np.arange(trace.target.wave_size)
    accesses = [Access(lanes, (apart * number + 8 * lanes)[None], 8) for number in range(waves)]
    known = [wave._replace(accesses=dict.fromkeys(range(count), own)) for wave, own in zip(trace.waves, accesses, strict=True)]
    return trace._replace(waves=tuple(known), groups=groups, waves_a_group=1)


def clocks_of_channels(trace: Trace) -> set[int]:
    costs = CachedMemory().costs(trace, MACHINES[trace.target.name])
    numbers: list[int] = np.unique(np.concatenate(costs.of_steps)).tolist()
    used = [costs.table[number] for number in numbers if number != NO_COST]
    return {service.clocks for cost in used for service in cost.services if costs.units[service.unit].name == L2_CHANNELS}


def test_a_store_of_all_compute_units_to_the_same_lines() -> None:
    """The thread trace `custom_handwritten` 62bafac9 of gfx1201: 256 workgroups of four waves store the same 1,024
    bytes. The stores of a SIMD, one of two of a compute unit, are 128 clocks apart: 64 for each."""
    lines = np.arange(8) * 128
    stored = Stored(np.zeros(8, np.intp), np.zeros(8, np.intp), lines)
    requests = 256 // 64
    assert requests * request_clocks(CHANNELS["gfx1201"], stored, TARGETS["gfx1201"].compute_units) == 64


@pytest.mark.parametrize(
    ("target", "groups", "clocks"),
    [
        ("gfx1201", 256, 4 * 64),  # a wave stores 256 bytes, of one channel, and 64 compute units do
        ("gfx1201", 10, 4 * 10),
        ("gfx942", 10_000, 8 // 2 * 304),  # 512 bytes, of two channels
    ],
)
def test_workgroups_that_store_the_same_lines(target: str, groups: int, clocks: int) -> None:
    assert clocks_of_channels(stores(target, 0, groups=groups)) == {clocks}


def test_workgroups_with_lines_of_their_own() -> None:
    assert clocks_of_channels(stores("gfx1201", 256)) == set()
    assert clocks_of_channels(stores("gfx1201", 128)) == set(), "each workgroup shares a line with the next"
    assert clocks_of_channels(stores("gfx1201", 0, waves=1)) == set(), "another workgroup is not known"


def test_the_same_lowest_line_is_not_enough() -> None:
    instructions, groups = np.array([5, 5, 5, 6, 6, 6]), np.array([0, 1, 1, 0, 1, 1])
    stored = Stored(instructions, groups, np.array([0, 0, 128, 0, 0, 0]))
    assert stored_by_all(stored, 2) == [6]
    assert stored_by_all(stored, 3) == []


def test_the_oldest_wave_stores_first() -> None:
    """As in the trace: eight stores issue at once, and a wave issues all of its stores before the next does."""
    trace = stores("gfx1201", 0, count=16)
    timeline = replay(trace, CachedMemory(), [Placement(0, number) for number in range(4)])
    clocks = 256  # of a store, see above
    first, *others = [wave.issue[:16] for wave in timeline.waves]
    waiting = 2 * int(CHANNELS["gfx1201"].waiting.value)
    assert int(first[-1] - first[0]) < clocks, "the queue of two SIMDs takes 16 stores of one"
    for before, own in zip([first, *others], others, strict=False):
        assert int(own[0]) >= int(before[-1])
        assert set(np.diff(own[1:]).tolist()) == {clocks}
    assert waiting == 16
    overwritten = [int(wave.issue[16] - wave.issue[15]) for wave in timeline.waves]
    assert min(overwritten) > 15 * clocks, "v0 is not overwritten before the last store has read it"
