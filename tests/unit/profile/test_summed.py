"""Charges, uses and advice of a timeline that is made by hand: two waves that load a number, wait for it and end."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.profile.advice import Measured, advice_for
from asmgen.profile.charged import Charge, charges_of
from asmgen.profile.limits import bound_of, uses_of
from asmgen.profile.model import Bound
from asmgen.report.model import Occupancy
from isa.table import table_named
from isa.targets import TARGETS
from isa.text.parsing import parse_instr
from isa.timing.busy import VECTOR_ALU, Busy
from isa.timing.caches import CACHES
from isa.timing.chip import LaunchClocks, Residence
from isa.timing.machine import MACHINES
from isa.timing.timeline import CAUSES, Cause, Timeline, WaveClocks
from isa.timing.trace import Trace, TracedWave

NAME = "gfx942"
TARGET = TARGETS[NAME]
CODE = ("global_load_dword v1, v0, s[2:3]", "v_add_u32_e32 v2, v2, v2", "s_waitcnt vmcnt(0)", "s_endpgm")
LOAD, WAIT = 0, 2


def timeline(*charged: tuple[Cause, int, int, int], wave: int = 0, lines: tuple[str, ...] = CODE) -> Timeline:
    """A timeline of a workgroup of two waves, with charges of one of them at its wait: the cause, the clocks, the culprit and the
    wave of the culprit."""
    code = tuple([parse_instr(text, table_named(NAME), text) for text in lines])
    steps, idle = np.arange(len(CODE), dtype=np.int32), np.zeros(len(CODE), np.bool_)
    waves = tuple([TracedWave(0, number, steps, idle, {}) for number in range(2)])
    trace = Trace(TARGET, code, tuple(range(0, 4 * len(CODE), 4)), waves, 1, 2)
    causes, clocks, culprits, others = [[each[part] for each in charged] for part in range(4)]
    clocked = WaveClocks(
        wave, 0, 0, 1000, np.zeros(len(CODE), np.int64), np.full(len(charged), WAIT, np.int32),
        np.array([CAUSES.index(cause) for cause in causes], np.int8), np.array(clocks, np.int64),
        np.array(culprits, np.int32), np.array(others, np.int32),
    )  # fmt: skip
    return Timeline(trace, (clocked,), 1000)


def test_a_charge_names_its_culprit_and_whether_another_wave_has_it() -> None:
    made = timeline((Cause.ISSUED, 4, -1, -1), (Cause.COUNTER, 300, LOAD, 1), (Cause.PORT, 8, LOAD, 0), (Cause.FETCH, 16, -1, -1), wave=1)
    assert charges_of(made) == (
        Charge(WAIT, Cause.ISSUED, 4, -1, False),
        Charge(WAIT, Cause.COUNTER, 300, LOAD, False),
        Charge(WAIT, Cause.PORT, 8, LOAD, True),
        Charge(WAIT, Cause.FETCH, 16, -1, False),
    )


def clocks_of(made: Timeline, memory: float = 0.0) -> LaunchClocks:
    return LaunchClocks(made, 1000.0, 1000.0, 0.0, 4096.0, memory)


def test_a_unit_is_busy_for_all_of_its_workgroups() -> None:
    (first, *_) = uses_of([Busy(VECTOR_ALU, 100.0)], clocks_of(timeline()), 3, MACHINES[NAME], CACHES[NAME])
    assert (first.unit, first.at_least, first.share) == (VECTOR_ALU, 300.0, 0.3)


@pytest.mark.parametrize(
    ("culprit", "name"),
    [
        ("global_load_dword v1, v0, s[2:3]", "vector memory"),
        ("global_store_dword v0, v1, s[2:3]", "stores to memory"),
        ("ds_read_b32 v1, v0", "LDS"),
        ("s_load_dword s4, s[2:3], 0x0", "scalar memory"),
    ],
)
def test_a_launch_that_waits_is_limited_by_the_latency_of_its_memory(culprit: str, name: str) -> None:
    charges = [Charge(WAIT, Cause.ISSUED, 100, -1, False), Charge(WAIT, Cause.COUNTER, 300, LOAD, False)]
    made = timeline(lines=(culprit, *CODE[1:]))
    assert bound_of((), charges, made.trace) == Bound("latency", name, 0.75)


def advice(made: Timeline, where: Residence, memory: float = 0.0) -> list[str]:
    waves = Occupancy(4, 8, (), (), "")
    return [each.text for each in advice_for(Measured(charges_of(made), clocks_of(made, memory), waves, where, 1000))]


FULL = Residence(TARGET, 304, 304, 1, 1)


@pytest.mark.parametrize(("memory", "waits"), [(500.0, True), (900.0, False)])
def test_a_load_is_issued_earlier_unless_memory_bounds_the_launch(memory: float, waits: bool) -> None:
    """A single instruction is between the load and the wait."""
    found = advice(timeline((Cause.COUNTER, 700, LOAD, 0)), FULL, memory)
    text = "issue line 0 (global_load_dword) earlier, or run more waves: 1 instruction before line 2 waits"
    assert (text in found) is waits


@pytest.mark.parametrize(("groups", "is_uneven"), [(608, False), (456, True)])
def test_a_grid_that_ends_within_a_round_leaves_units_empty(groups: int, is_uneven: bool) -> None:
    found = advice(timeline((Cause.ISSUED, 700, -1, -1)), Residence(TARGET, groups, 304, 1, 2))
    assert any(text.startswith("another grid: the last round") for text in found) is is_uneven
