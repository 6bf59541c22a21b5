"""Costs of accesses in a trace: LDS, lines, caches and shares of rates."""

from __future__ import annotations

import numpy as np
import pytest

from isa.table import table_of
from isa.targets import TARGETS
from isa.text.parsing import parse_instr
from isa.timing.cached import CachedMemory
from isa.timing.caches import CACHES
from isa.timing.machine import MACHINES
from isa.timing.memory import NO_COST, Cost, Costs
from isa.timing.shares import Users
from isa.timing.trace import Access, Trace, TracedWave
from isa.timing.unit import Placement, replay

LANES = np.arange(64)


def _trace(target: str, texts: list[str], waves: list[list[Access | None]], groups: int = 1 << 20, of_group: int = 99) -> Trace:
    """Waves that execute some instructions, with the accesses that are known; `of_group` of them are a workgroup."""
    machine = TARGETS[target]
    instructions = tuple(parse_instr(text, table_of(machine), "a test") for text in texts)
    steps, idle = np.arange(len(texts), dtype=np.int32), np.zeros(len(texts), np.bool_)
    traced = tuple(
        TracedWave(*divmod(number, of_group), steps, idle, {step: access for step, access in enumerate(known) if access})
        for number, known in enumerate(waves)
    )
    return Trace(machine, instructions, tuple(range(len(texts))), traced, groups, min(of_group, len(waves)))


def _costs(trace: Trace, together: float = 1.0) -> tuple[Costs, list[list[Cost]]]:
    costs = CachedMemory(Users(together)).costs(trace, MACHINES[trace.target.name])
    return costs, [[costs.table[number] for number in steps if number != NO_COST] for steps in costs.of_steps]


def _served(costs: Costs, cost: Cost) -> dict[str, int]:
    return {costs.units[service.unit].name: service.clocks for service in cost.services}


def _rows(first: int, stride: int, size: int) -> Access:
    return Access(LANES, first + stride * LANES[None], size)


def test_lds_conflicts_are_part_of_the_service() -> None:
    trace = _trace(
        "gfx942", ["ds_read_b128 v[0:3], v4", "ds_read_b128 v[0:3], v4", "ds_write_b128 v4, v[0:3]", "s_nop 0"],
        [[_rows(0, 16, 16), _rows(0, 128, 16), None, None]],
    )  # fmt: skip
    costs, [(free, conflicting, written)] = _costs(trace)
    assert _served(costs, free) == {"LDS": 8, "way back from LDS": 16}
    assert _served(costs, written) == {"way to LDS": 16, "LDS": 8}
    assert _served(costs, conflicting)["LDS"] == 64
    assert [cost.services[0].conflict for cost in (free, conflicting)] == [0, 56]
    assert (free.port, written.port) == (4, 20), "a write sends an address and four registers"


def test_lines_come_from_the_level_that_has_them() -> None:
    load = "global_load_dwordx4 v[0:3], v[4:5], off"
    access = _rows(1 << 32, 16, 16)
    trace = _trace("gfx942", [load, "s_waitcnt vmcnt(0)", load], [[access, None, access]] * 2)
    costs, [(first, again), (other, _)] = _costs(trace)
    near = {"way to memory": 4, "address unit": 16}
    assert _served(costs, first) == near | {"L2": 27, "Infinity Cache": 39, "memory": 174}
    assert _served(costs, again) == _served(costs, other) == near
    assert first.latency == other.latency > again.latency, "the line is on its way to the other wave"


def test_registers_of_scalars_are_not_sent() -> None:
    """The resource of a buffer and the base of an address."""
    texts = ["buffer_load_dwordx4 v1, s[16:19], s3 offen lds", "global_load_dwordx4 v[0:3], v4, s[2:3]", "global_store_dwordx4 v4, v[0:3], s[2:3]"]
    costs, [found] = _costs(_trace("gfx950", texts, [[_rows(1 << 32, 16, 16)] * 3]))
    assert [_served(costs, cost)["way to memory"] for cost in found] == [4, 4, 16]


def test_few_workgroups_share_the_rates_that_others_leave() -> None:
    load = "global_load_dwordx4 v[0:3], v[4:5], off"
    clocks = [
        _served(*(costs := _costs(_trace("gfx942", [load], [[_rows(0, 16, 16)]], groups), together))[:1], costs[1][0][0])["memory"]
        for groups, together in ((1 << 20, 1.0), (152, 1.0), (1, 1.0), (1 << 20, 4.0))
    ]
    assert clocks == [174, 87, 16, 44]


def test_a_store_reaches_memory_and_leaves_nothing_behind() -> None:
    texts = ["global_store_dword v[4:5], v0, off", "global_load_dword v0, v[4:5], off"]
    costs, [(store, load)] = _costs(_trace("gfx950", texts, [[_rows(0, 4, 4)] * 2]))
    assert set(_served(costs, store)) == {"way to memory", "address unit", "L2", "Infinity Cache", "memory"}
    assert set(_served(costs, load)) == {"way to memory", "address unit", "L2"}


def test_scalar_loads_hit_their_cache_after_the_first() -> None:
    scalar = Access(np.zeros(1, np.intp), np.array([[4096]]), 8)
    texts = ["s_load_dwordx2 s[0:1], s[2:3], 0x0", "s_waitcnt lgkmcnt(0)", "s_load_dwordx2 s[0:1], s[2:3], 0x0"]
    _, [(first, again)] = _costs(_trace("gfx950", texts, [[scalar, None, scalar]]))
    assert (first.latency, again.latency) == (1500, 20)
    assert first.line == again.line == -1


def test_waves_that_load_the_same_scalar_line_go_on_together() -> None:
    """Thread traces of gfx1200 (E_32_32_4): 16 waves that start 60 clocks apart pass the wait for their arguments within
    78 clocks. A wave that comes after that hits."""
    scalar = Access(np.zeros(1, np.intp), np.array([[4096]]), 8)
    trace = _trace("gfx1201", ["s_load_b64 s[0:1], s[2:3], 0x0", "s_wait_kmcnt 0x0", "s_endpgm"], [[scalar, None, None]] * 3)
    waves = replay(trace, CachedMemory(), [Placement(0), Placement(1, 60), Placement(2, 9000)]).waves
    passed = [int(wave.issue[1]) for wave in waves]
    assert passed[0] == passed[1]
    assert passed[0] - int(waves[0].issue[0]) == pytest.approx(CACHES["gfx1201"].scalar_memory.clocks, abs=2)
    assert passed[2] - int(waves[2].issue[0]) == pytest.approx(CACHES["gfx1201"].scalar.latency.clocks, abs=2)


def test_later_workgroups_find_the_lines_that_all_load() -> None:
    """The arguments of a launch are a line of every workgroup; the other line is of a single workgroup, which
    comes once."""
    arguments, own = (Access(np.zeros(1, np.intp), np.array([[address]]), 8) for address in (4096, 1 << 20))
    texts = ["s_load_dwordx2 s[0:1], s[2:3], 0x0", "s_load_dwordx2 s[4:5], s[6:7], 0x0"]
    trace = _trace("gfx942", texts, [[arguments, own], [arguments, own], [arguments, None], [arguments, None]], of_group=2)
    costs, first = _costs(trace)
    later = costs.of_later_groups()
    caches = CACHES["gfx942"]
    assert {cost.latency for wave in first for cost in wave[:2]} >= {caches.scalar_memory.clocks}
    for steps in later.of_steps[:2]:
        common, alone = later.table[int(steps[0])], later.table[int(steps[1])]
        assert (common.latency, common.line) == (caches.scalar.latency.clocks, -1)
        assert (alone.latency, alone.line >= 0) == (caches.scalar_memory.clocks, True)


def test_unknown_accesses_are_of_consecutive_lanes_nearby() -> None:
    texts = ["global_load_dwordx4 v[0:3], v[4:5], off", "ds_read_b64 v[0:1], v4"]
    costs, [(load, read)] = _costs(_trace("gfx942", texts, [[None, None]]))
    assert _served(costs, load) == {"way to memory": 4, "address unit": 16}
    assert load.latency + 20 == MACHINES["gfx942"].vector_memory.clocks
    assert _served(costs, read) == {"LDS": 4, "way back from LDS": 8}


def test_loads_of_lds_return_as_in_the_traces() -> None:
    """gfx1200: a ds_load_b32 lets its wait go after 32 clocks, a ds_load_b128 after 37 to 41 (n = 33)."""
    costs, [reads] = _costs(_trace("gfx1201", ["ds_load_b32 v0, v4", "ds_load_b128 v[0:3], v4"], [[None, None]]))
    (narrow, wide) = (cost.latency + sum(_served(costs, cost).values()) for cost in reads)
    assert narrow == 32
    assert 37 <= wide <= 41


def test_compute_units_of_a_workgroup_processor_have_their_own_first_cache() -> None:
    """Waves 0, 1, 4 and 5 of a workgroup run on its first compute unit, the others on its second."""
    lanes = np.arange(32)
    access = Access(lanes, 4 * lanes[None], 4)
    trace = _trace("gfx1100", ["global_load_b32 v0, v[4:5], off"], [[access]] * 4)
    costs, waves = _costs(trace)
    assert [len(_served(costs, cost)) for (cost,) in waves] == [6, 2, 3, 2]
    assert "L1" in _served(costs, waves[2][0])
