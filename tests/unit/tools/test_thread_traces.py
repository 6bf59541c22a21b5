"""The reader of thread traces, on small traces made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isa.diagnostics import InputError
from isa.table import table_of
from isa.targets import TARGETS, with_wave_size
from isa.text.printing import format_instr
from tools.validate_timing.code_lines import read_line
from tools.validate_timing.thread_traces import (
    BRANCHES,
    ThreadTrace,
    read_thread_trace,
    read_thread_traces,
)

KINDS = ["SALU", "VALU", "JUMP", "JUMP_NO", "EXEC0", "BARRIER"]
CODE = [
    [0, "s_mov_b32 s0, 2"],
    [4, "s_add_u32 s0, s0, -1"],
    [8, "s_delay_alu instid0(SALU_CYCLE_1)"],
    [12, "s_cmp_lg_u32 s0, 0"],
    [16, "v_add_f32_e32 v0, v1, v2"],
    [20, "s_cbranch_scc1 65531"],
    [24, "s_barrier"],
    [28, "s_endpgm"],
]
LOOP = [[10, 0, 0], [11, 4, 0], [12, 12, 0], [14, 16, 1], [15, 20, 2], [30, 4, 0], [31, 12, 0], [32, 16, 4],
        [33, 20, 3], [40, 24, 5]]  # fmt: skip


def trace_of(tmp_path: Path, **changes: object) -> ThreadTrace:
    wave = {"slot": 0, "simd": 0, "cu": 0, "start": 3, "end": 50, "ev": LOOP}
    data = {
        "target": "gfx1151", "wave_size": 32, "launch": {"block": [64, 1, 1]}, "kinds": KINDS, "code": CODE,
        "runs": [{"waves": [wave]}],
    }  # fmt: skip
    path = tmp_path / "loop.json"
    path.write_text(json.dumps(data | changes))
    return read_thread_trace(path)


def test_instructions_without_an_event_are_steps(tmp_path: Path) -> None:
    thread = trace_of(tmp_path)
    wave = thread.trace.waves[thread.traced[0]]
    addresses: list[int] = [thread.trace.addresses[step] for step in wave.steps.tolist()]
    assert addresses == [0, 4, 8, 12, 16, 20, 4, 8, 12, 16, 20, 24, 28]
    assert [addresses[event] for event in thread.events[0]] == [event[1] for event in LOOP]
    assert list(thread.measured[0]) == [event[0] for event in LOOP]
    assert [int(step) for step in wave.idle.nonzero()[0]] == [9]


def test_another_gpu_is_modelled_as_its_sibling(tmp_path: Path) -> None:
    thread = trace_of(tmp_path)
    assert (thread.gpu, thread.trace.target.name, thread.trace.target.wave_size) == ("gfx1151", "gfx1100", 32)
    sibling = trace_of(tmp_path, target="gfx1100").machine
    assert thread.machine == sibling._replace(branch=BRANCHES["gfx1151"])
    assert sibling.branch.clocks == 27


def test_untraced_waves_of_a_workgroup_are_copies_on_the_other_simd(tmp_path: Path) -> None:
    thread = trace_of(tmp_path)
    assert thread.trace.waves_a_group == 2
    assert [(place.simd, place.start) for place in thread.placements] == [(0, 3), (1, 3)]
    assert [wave.number for wave in thread.trace.waves] == [0, 1]
    assert thread.trace.groups == 1


@pytest.mark.parametrize(("apart", "groups"), [(64, 2 * 96), (6, 2)])
def test_a_launch_of_unknown_size(tmp_path: Path, apart: int, groups: int) -> None:
    """Workgroups of a compute unit that start 64 clocks apart: the other 95 got as many in between."""
    waves = [{"slot": 0, "simd": 0, "cu": 0, "start": start, "end": 99, "ev": LOOP} for start in (0, apart)]
    trace = trace_of(tmp_path, runs=[{"waves": waves}]).trace
    assert trace.groups == groups
    assert {wave.group for wave in trace.waves} == {0, groups // 2}


@pytest.mark.parametrize(
    ("gpu", "line", "instr"),
    [
        ("gfx1100", "ds_add_u32(v[32], v[0], v[48], v[64]) ;?", "ds_add_u32 v0, v48"),
        ("gfx1100", "ds_load_b64(v[32:33], v[0], v[48], v[64]) ;?", "ds_load_b64 v[32:33], v0"),
        ("gfx1100", "s_add_f32(VCC_LO, VCC_LO, S3) ;?", "s_and_b32 vcc_lo, vcc_lo, s3"),
        ("gfx1100", "v_interp_p2_f16_f32 v0.l, v16.l, v32, v48 wait_exp:0", "v_fma_f32 v0, v16, v32, v48"),
        ("gfx1201", "v_s_exp_f32 vcc_lo, v16/*Invalid register, operand has 'SReg_32' register class*/",
         "v_s_exp_f32 vcc_lo, vcc_lo"),
    ],
)  # fmt: skip
def test_a_line_without_a_row_has_a_stand_in(gpu: str, line: str, instr: str) -> None:
    table = table_of(with_wave_size(TARGETS[gpu], 32))
    read = read_line(line, table, "here")
    assert read.stand_in
    assert format_instr(read.instr) == instr


def test_files_that_cannot_be_read_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text(json.dumps({"target": "gfx803", "wave_size": 64, "runs": [{}]}))
    traces, refused = read_thread_traces(tmp_path)
    assert not traces
    assert [fault.code for fault in refused] == ["TIM001", "TIM002"]


def test_an_event_without_a_way_to_it_is_refused(tmp_path: Path) -> None:
    wave = {"slot": 0, "simd": 0, "cu": 0, "start": 0, "end": 9, "ev": [[0, 12, 0], [1, 4, 0]]}
    with pytest.raises(InputError, match="0xc to 0x4") as caught:
        trace_of(tmp_path, runs=[{"waves": [wave]}])
    assert caught.value.code == "TIM003"
