"""Addresses of thread traces, which have none: their kernels run on the emulator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.validate_timing.emulated import with_accesses
from tools.validate_timing.thread_traces import ThreadTrace, read_thread_trace

# A loop of two trips, in which lane i of workgroup g loads from 256 * g + 64 * i, and 4 further in the second
# trip. The workgroup's number comes after the other SGPRs that a kernel may ask for.
CODE = [
    [0, "s_load_b64 s[4:5], s[0:1], 0x0"],
    [8, "s_lshl_b32 s2, s15, 8"],
    [12, "v_lshlrev_b32_e32 v1, 6, v0"],
    [16, "v_add_nc_u32_e32 v1, s2, v1"],
    [20, "s_mov_b32 s3, 2"],
    [24, "s_waitcnt lgkmcnt(0)"],
    [28, "global_load_b32 v2, v1, s[4:5]"],
    [36, "v_add_nc_u32_e32 v1, 4, v1"],
    [40, "s_add_i32 s3, s3, -1"],
    [44, "s_cmp_lg_u32 s3, 0"],
    [48, "s_cbranch_scc1 65530"],
    [52, "s_endpgm"],
]
TRIP = [28, 36, 40, 44, 48]
ONCE = [0, 8, 12, 16, 20, 24]


def thread_of(tmp_path: Path, offsets: list[int]) -> ThreadTrace:
    waves = [{"slot": n, "simd": 0, "cu": 0, "start": n, "end": 99, "ev": [[10 * i, at, 0] for i, at in enumerate(offsets)]} for n in range(2)]
    data = {
        "target": "gfx1100", "wave_size": 32, "launch": {"block": [32, 1, 1], "grid_dims": [4]}, "kinds": ["X"],
        "code": CODE, "runs": [{"waves": waves}],
    }  # fmt: skip
    path = tmp_path / "loop.json"
    path.write_text(json.dumps(data))
    return read_thread_trace(path)


def test_a_trace_gets_the_addresses_of_its_kernel(tmp_path: Path) -> None:
    thread = thread_of(tmp_path, [*ONCE, *TRIP, *TRIP])
    trace = with_accesses(thread.trace, thread.grid, thread.block)
    base = trace.waves[0].accesses[6].addresses[0, 0]
    for wave in trace.waves:
        assert sorted(wave.accesses) == [0, 6, 11]
        for step, trip in ((6, 0), (11, 1)):
            offsets = (wave.accesses[step].addresses[0] - base).tolist()
            assert offsets == [256 * wave.group + 64 * lane + 4 * trip for lane in range(32)]


@pytest.mark.parametrize(
    ("offsets", "steps"),
    [([*ONCE, *TRIP], [0, 6]), ([*ONCE, *TRIP, *TRIP, *TRIP], [])],  # a trace that was cut, and another way
)
def test_only_steps_that_the_kernel_takes_have_addresses(tmp_path: Path, offsets: list[int], steps: list[int]) -> None:
    thread = thread_of(tmp_path, offsets)
    trace = with_accesses(thread.trace, thread.grid, thread.block)
    assert [sorted(wave.accesses) for wave in trace.waves] == [steps, steps]
