"""The clock loop on small programs, of which the clocks follow by hand from published numbers: traces of
RDNA (tinygrad), LLVM's scheduling model and AMD's matrix instruction calculator."""

from __future__ import annotations

import numpy as np
import pytest

from isa.targets import TARGETS
from isa.timing.cached import CachedMemory
from isa.timing.machine import MACHINES
from isa.timing.steady import Steady
from isa.timing.timeline import CAUSES, Cause, Timeline
from isa.timing.trace import Access
from isa.timing.unit import Code, Placement, replay
from tests.unit.isa.timing_programs import straight, trace_of


def gaps(timeline: Timeline, wave: int = 0) -> list[int]:
    return np.diff(timeline.waves[wave].issue).tolist()


def assert_exact(timeline: Timeline) -> None:
    for wave in timeline.waves:
        assert wave.clocks.sum() == wave.end - wave.start
        assert (wave.clocks > 0).all()


def test_independent_vector_instructions_issue_once_a_clock_on_rdna() -> None:
    timeline = replay(straight("gfx1201", [f"v_mov_b32 v{i}, v9" for i in range(6)]))
    assert gaps(timeline) == [1] * 5


def test_vector_instructions_take_four_clocks_on_cdna() -> None:
    timeline = replay(straight("gfx942", ["v_mov_b32 v0, v1", "v_mov_b32 v2, v0", "v_mov_b32 v3, v4"]))
    assert gaps(timeline) == [4, 4]


@pytest.mark.parametrize(
    ("target", "instruction", "clocks"),
    [
        ("gfx942", "v_mfma_f32_16x16x16_f16 a[{a}:{b}], v[0:1], v[2:3], a[{a}:{b}]", 16),
        ("gfx950", "v_mfma_f32_16x16x32_f16 a[{a}:{b}], v[0:3], v[4:7], a[{a}:{b}]", 16),
        ("gfx90a", "v_mfma_f32_16x16x16f16 a[{a}:{b}], v[0:1], v[2:3], a[{a}:{b}]", 32),
    ],
)
def test_matrix_instructions_keep_their_pipe_busy(target: str, instruction: str, clocks: int) -> None:
    lines = [instruction.format(a=4 * i, b=4 * i + 3) for i in range(4)]
    assert gaps(replay(straight(target, lines))) == [clocks] * 3


def test_loop_of_ten_wmma_takes_160_clocks() -> None:
    """The traced loop of gfx1201 (custom_wmma_simple): the scalar tail and the branch cost nothing."""
    registers = [(f"v[{8 * i}:{8 * i + 7}]", "v[100:103]", "v[104:107]") for i in range(10)]
    lines = [f"v_wmma_f32_16x16x16_f16 {d}, {a}, {b}, {d}" for d, a, b in registers]
    lines += ["s_add_co_i32 s0, s0, 1", "s_cmp_lt_i32 s0, s1", "s_cbranch_scc1 65523"]
    timeline = replay(trace_of("gfx1201", lines, [list(range(13)) * 20]))
    heads = timeline.waves[0].issue[::13]
    assert set(np.diff(heads)[1:].tolist()) == {160}


def test_vector_instructions_wait_behind_matrix_instructions() -> None:
    """The traced loop of gfx1201 (custom_handwritten), of a wave that is alone: its issues in a trip, the
    next included."""
    matrix = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[8:11], 1"
    half = [matrix, matrix]
    for i in range(2):
        half += [f"v_mov_b32 v{20 + i}, 4.0", f"v_rcp_f32 v{22 + i}, v{20 + i}", f"s_mov_b32 s{20 + i}, {i}", f"s_mul_i32 s{14 + i}, s{12 + i}, 32"]
    tail = ["s_nop 1"] * 8 + ["s_add_co_u32 s1, s1, -1", "s_cmp_eq_i32 s1, 0", "s_cbranch_scc0 65501"]
    timeline = replay(trace_of("gfx1201", [*half, *half, *tail], [list(range(31)) * 20]))
    trip = timeline.waves[0].issue[31 * 15 : 31 * 16 + 1] - timeline.waves[0].issue[31 * 15]
    vectors = [trip[first + step] for first in (0, 10) for step in (0, 1, 2, 3, 6, 7)]
    assert [*vectors, trip[31]] == [0, 1, 2, 4, 7, 8, 38, 39, 40, 53, 56, 57, 98]


def test_a_wait_lets_go_when_the_data_are_there() -> None:
    lines = ["ds_load_b32 v0, v1", "s_wait_dscnt 0x0"]
    timeline = replay(straight("gfx1201", lines))
    assert gaps(timeline) == [32]
    assert timeline.by_cause()[Cause.COUNTER] == 31


def test_a_barrier_waits_for_the_last_wave() -> None:
    lines = ["s_barrier", "s_nop 0", "s_nop 0", "s_nop 0"]
    trace = trace_of("gfx1100", lines, [[0, 1], [1, 2, 3, 0, 1]])
    timeline = replay(trace)
    first, second = timeline.waves
    assert first.issue[1] == second.issue[4]
    waited = [(step, other) for step, cause, other in zip(first.step, first.cause, first.other, strict=True) if cause == 6]
    assert waited == [(0, 1)]
    assert_exact(timeline)


def test_waves_of_a_simd_share_the_vector_alu() -> None:
    lines = [f"v_mov_b32 v{i}, v99" for i in range(50)]
    alone = replay(straight("gfx1201", lines))
    shared = replay(straight("gfx1201", lines, 4), placement=[Placement(0)] * 4)
    apart = replay(straight("gfx1201", lines, 4))
    assert apart.clocks == alone.clocks
    assert shared.clocks - alone.clocks == 150
    assert_exact(shared)


def test_each_stretch_of_a_wait_is_charged_to_its_own_blocker() -> None:
    """A wave waits 32 clocks for the matrix pipe of the oldest wave, and then for the port, which 20 moves of
    another older wave keep busy. The moves start at clock 4 and take 4 clocks each."""
    products = [f"v_mfma_f32_16x16x4_f32 a[{a}:{a + 3}], v0, v1, a[{a}:{a + 3}]" for a in (0, 4)]
    moves = [f"v_mov_b32 v{i}, v99" for i in range(2, 22)]
    trace = trace_of("gfx942", [*products, *moves], [[0], range(2, 22), [1]])
    timeline = replay(trace, placement=[Placement(0)] * 3)
    waiting = timeline.waves[2]
    of_port = waiting.cause == CAUSES.index(Cause.PORT)
    product, move = waiting.culprit[of_port].tolist()
    assert waiting.clocks[of_port].tolist() == [32, 4 + 20 * 4 - 32]
    assert product == 0
    assert move in range(2, 22)
    assert_exact(timeline)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_has_a_machine(target: str) -> None:
    timeline = replay(straight(target, ["v_mov_b32 v0, v1", "s_mov_b32 s0, s1", "s_endpgm"], 2))
    assert_exact(timeline)


# Measured on the machines by thread traces (tinygrad's SQTT examples): the issue clocks of pairs and triples
MEASURED = [
    ("gfx1201", ["v_add_co_u32 v0, vcc_lo, v2, v3", "s_wait_alu 0xfffd", "v_add_co_ci_u32 v1, vcc_lo, v4, v5, vcc_lo"], [17]),
    ("gfx1201", ["s_add_co_u32 s1, s1, -1", "s_cmp_eq_i32 s1, 0", "s_cbranch_scc0 4"], [1, 10]),
    ("gfx1201", ["v_add_co_ci_u32 v1, vcc_lo, v4, v5, vcc_lo", "s_add_nc_u64 s[2:3], s[2:3], 16"], [7]),
    ("gfx1201", ["v_mov_b32 v1, v2", "s_mov_b32 s2, s3"], [1]),
    ("gfx1100", ["v_add_co_ci_u32 v1, vcc_lo, v4, v5, vcc_lo", "s_add_u32 s2, s2, 16", "s_addc_u32 s3, s3, 0"], [5, 1]),
    ("gfx1100", ["v_mov_b32 v1, v2", "global_load_b32 v3, v1, s[0:1]"], [17]),
    ("gfx1100", ["v_mov_b32 v1, v2", "s_nop 0", "s_nop 1", "s_nop 1"], [3, 2, 2]),
    ("gfx1201", ["s_mul_i32 s1, s2, s3", "s_nop 1"], [4]),
    ("gfx1201", ["v_rcp_f32 v0, v1", "v_rcp_f32 v2, v3", "v_mov_b32 v4, v5"], [4, 1]),
    ("gfx1201", ["v_lshlrev_b64 v[0:1], v2, v[4:5]", "v_mov_b32 v6, v7"], [2]),
    ("gfx1201", ["v_add_f64 v[0:1], v[2:3], v[4:5]", "v_mov_b32 v6, v7"], [32]),
    ("gfx1201", ["v_mul_lo_u32 v0, v2, v3", "v_mov_b32 v6, v7"], [4]),
    ("gfx1201", ["ds_load_b32 v0, v1", "s_wait_dscnt 0x1", "s_delay_alu instid0(VALU_DEP_1)", "v_mov_b32 v3, v4"], [3, 2]),
    ("gfx1201", ["v_lshlrev_b64 v[0:1], v2, v[4:5]", "global_load_b32 v6, v8, s[0:1]"], [18]),
    ("gfx1100", ["s_mov_b64 s[2:3], 0", "v_add_co_u32 v46, vcc_lo, v20, s2"], [9]),
    ("gfx1100", ["s_mov_b64 s[2:3], 0", "v_add_nc_u32 v46, v20, s2"], [7]),
    ("gfx1100", ["s_not_b32 s0, s0"] * 11, [1] * 7 + [2] * 3),
    ("gfx1201", [f"v_cmp_gt_u32 s{i}, v0, v{i}" for i in range(9)], [1] * 6 + [11, 1]),
    ("gfx1100", ["v_mov_b32 v1, v2", "s_delay_alu instid0(VALU_DEP_1)", "v_mov_b32 v3, v1"], [5]),
]


@pytest.mark.parametrize(("target", "lines", "expected"), MEASURED)
def test_issue_clocks_are_those_of_the_traces(target: str, lines: list[str], expected: list[int]) -> None:
    timeline = replay(straight(target, lines))
    issued = [i for i, line in enumerate(lines) if not line.startswith(("s_delay_alu", "s_wait_alu"))]
    assert np.diff(timeline.waves[0].issue[issued]).tolist() == expected
    assert_exact(timeline)


def test_code_that_the_cache_lacks_stops_a_wave_once() -> None:
    """Straight code stops every 256 bytes, while the rest of a fetch takes that began with the piece before; the
    second wave finds the code in the cache."""
    lines = [f"v_mov_b32 v{i % 200}, v201" for i in range(160)]  # 640 bytes
    fetch = MACHINES["gfx1201"].fetch.clocks
    timeline = replay(straight("gfx1201", lines, 2), placement=[Placement(0), Placement(1, 2000)], code=Code())
    first, second = timeline.waves
    assert [int(i) for i in np.flatnonzero(np.diff(first.issue) > 1) + 1] == [64, 128]
    assert int(first.issue[64] - first.issue[0]) == int(first.issue[128] - first.issue[64]) == fetch
    assert (np.diff(second.issue) == 1).all()
    assert timeline.by_cause()[Cause.FETCH] == 3 * fetch - 2 * 64 + 2 * MACHINES["gfx1201"].launch.clocks
    assert_exact(timeline)


def test_a_wave_that_is_slower_than_a_fetch_does_not_stop() -> None:
    lines = ["s_sleep 0x7f", *["v_mov_b32 v0, v1"] * 150]  # 64 clocks for each unit of the sleep
    issue = replay(straight("gfx1201", lines), code=Code()).waves[0].issue
    fetch = MACHINES["gfx1201"].fetch.clocks
    assert np.diff(issue[1:128]).max() == 1
    assert int(issue[128] - issue[64]) == fetch


def test_a_loop_is_skipped_only_after_its_queue_is_full() -> None:
    """Four dependent instructions take 20 clocks of execution, but a trip's issue takes 14 while the queue of
    the vector ALU has places."""
    lines = ["v_fma_f32 v0, v0, v1, v0"] * 4 + ["s_cbranch_scc1 65531"]
    timeline = replay(trace_of("gfx1201", lines, [list(range(5)) * 100]))
    trips = np.diff(timeline.waves[0].issue[::5])
    assert trips[0] < 16
    assert set(trips[10:].tolist()) == {20}
    assert_exact(timeline)


def test_a_loop_is_skipped_only_as_long_as_its_accesses_cost_the_same() -> None:
    """From trip 50 on, all lanes read words of the same bank."""
    lines = ["ds_read_b32 v0, v1", "s_waitcnt lgkmcnt(0)", "s_cbranch_scc1 65533"]
    trace = trace_of("gfx942", lines, [list(range(3)) * 100])
    lanes = np.arange(64)
    accesses = {3 * trip: Access(lanes, (lanes * (4 if trip < 50 else 256))[None], 4) for trip in range(100)}
    trace = trace._replace(waves=(trace.waves[0]._replace(accesses=accesses),))
    trips = np.diff(replay(trace, CachedMemory()).waves[0].issue[::3])
    assert len(set(trips[10:49].tolist())) == 1 and len(set(trips[60:].tolist())) == 1
    assert trips[60] >= trips[40] + 60


def test_a_loop_is_skipped_only_as_long_as_exec_has_lanes() -> None:
    """From trip 50 on, the dependent instructions run with EXEC = 0, and wait for nothing."""
    lines = ["v_fma_f32 v0, v0, v1, v0"] * 4 + ["s_cbranch_scc1 65531"]
    trace = trace_of("gfx1201", lines, [list(range(5)) * 100])
    idle = np.arange(500) >= 250
    trace = trace._replace(waves=(trace.waves[0]._replace(idle=idle),))
    trips = np.diff(replay(trace).waves[0].issue[::5])
    assert set(trips[10:49].tolist()) == {20} and max(trips[60:]) < 16


def test_an_instruction_without_lanes_waits_for_no_pipe() -> None:
    """The second wave has EXEC = 0: its v_exp_f32 issue as soon as v_mov_b32 would, beside those of the first."""
    lines = ["v_exp_f32 v0, v1"] * 4 + ["v_mov_b32 v0, v1"] * 4
    issued: list[list[int]] = []
    for first in (0, 4):
        trace = trace_of("gfx1201", lines, [range(4), range(first, first + 4)])
        second = trace.waves[1]._replace(idle=np.ones(4, np.bool_))
        waves = replay(trace._replace(waves=(trace.waves[0], second)), placement=[Placement(0), Placement(0)]).waves
        issued.append(waves[1].issue.tolist())
    assert issued[0] == issued[1]


@pytest.mark.parametrize(("period", "most"), [(1, 20), (2, 20), (4, 20), (10, 150), (23, 150)])
def test_trips_are_skipped_whatever_the_period_of_their_costs(period: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the last trip of a period lanes share a bank; the wave is always in the same state at the end of a trip. Costs that come again
    every fourth trip made the replay skip two trips at a time."""
    lines = ["ds_read_b32 v0, v1", "s_waitcnt lgkmcnt(0)", "s_sleep 5", "s_cbranch_scc1 65532"]
    trace = trace_of("gfx942", lines, [list(range(4)) * 400])
    lanes = np.arange(64)
    strides = [256 if trip % period == period - 1 else 4 for trip in range(400)]
    accesses = {4 * trip: Access(lanes, (lanes * stride)[None], 4) for trip, stride in enumerate(strides)}
    trace = trace._replace(waves=(trace.waves[0]._replace(accesses=accesses),))
    skip, trips = Steady.skip, list[int]()
    monkeypatch.setattr(Steady, "skip", lambda steady, clock: trips.append(skip(steady, clock)) or trips[-1])
    skipped = replay(trace, CachedMemory())
    assert len(trips) < most, len(trips)
    monkeypatch.setattr(Steady, "skip", lambda _steady, _clock: 0)
    assert np.array_equal(skipped.waves[0].issue, replay(trace, CachedMemory()).waves[0].issue)
    assert_exact(skipped)
