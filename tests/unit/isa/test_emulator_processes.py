"""A large grid in several processes: the result, and every failure, are those of a single process."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import isa.emulator.launching.launch
from isa.diagnostics import InputError
from isa.emulator.launching.launch import Settings
from isa.emulator.launching.processes import are_apart, shares
from tests.unit.isa.programs import code_of, launch

GROUPS = 1000
CHUNK_WAVES = 64
# each workgroup stores 3 n + (the buffer's old value) at word n
TRIPLE = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_lshl_b32 s3, s2, 2
v_mov_b32_e32 v1, s3
s_waitcnt lgkmcnt(0)
global_load_dword v2, v1, s[6:7]
s_mul_i32 s8, s2, 3
s_waitcnt vmcnt(0)
v_add_u32_e32 v2, s8, v2
{more}
global_store_dword v1, v2, s[6:7]
s_endpgm
"""
OUT_OF_BOUNDS_AT_THE_END = "s_cmp_eq_u32 s2, 900\ns_cselect_b32 s9, 0x10000000, 0\nv_add_u32_e32 v1, s9, v1"


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started. Every grid of several chunks is worth them."""
    started: list[int] = []
    fork = os.fork

    def spy() -> int:
        process = fork()
        if process:
            started.append(process)
        return process

    monkeypatch.setattr(os, "fork", spy)
    monkeypatch.setattr(isa.emulator.launching.launch, "WORTH", 0)
    return started


def run(more: str, **settings: Any) -> list[int]:
    words = [np.zeros(1, np.uint32), np.arange(GROUPS, dtype=np.uint32)]
    told = Settings(chunk_waves=CHUNK_WAVES, **settings)
    return launch(TRIPLE.format(more=more), words, grid=GROUPS, settings=told, undefined=())[1].tolist()


def assert_ended(processes: list[int]) -> None:
    """None of them is left. The test's own process may have others."""
    for process in processes:
        with pytest.raises(ChildProcessError):
            _ = os.waitpid(process, os.WNOHANG)


@pytest.mark.parametrize("processes", [1, 2, 3, 40])
def test_all_processes_store_their_shares(processes: int, forks: list[int]) -> None:
    told: list[tuple[int, int]] = []
    assert run("", processes=processes, progress=lambda *counts: told.append(counts)) == [4 * n for n in range(GROUPS)]
    assert len(forks) == min(processes, GROUPS // CHUNK_WAVES) - 1
    assert told[-1] == (GROUPS, GROUPS)
    assert told == sorted(told)
    assert_ended(forks)


def test_an_error_is_that_of_a_single_process(forks: list[int]) -> None:
    errors: list[str] = []
    for processes in (1, 2):
        with pytest.raises(InputError) as raised:
            _ = run(OUT_OF_BOUNDS_AT_THE_END, processes=processes)
        errors.append(str(raised.value))
    assert errors[0] == errors[1]
    assert "EMU020" in errors[0]
    assert len(forks) == 1


def test_a_killed_process_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch, forks: list[int]) -> None:
    real = os.waitpid
    monkeypatch.setattr(os, "waitpid", lambda process, options: (real(process, options)[0], 9))
    assert run("", processes=2) == [4 * n for n in range(GROUPS)]
    assert len(forks) == 1


@pytest.mark.parametrize("processes", [1, 2])
def test_a_small_grid_stays_in_one_process(processes: int, forks: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was started"))
    assert run("", processes=processes) == [4 * n for n in range(GROUPS)]
    assert not forks


@pytest.mark.parametrize(
    ("operation", "apart"),
    [
        ("global_store_dword v1, v2, s[6:7]", True),
        ("global_load_dword v1, v2, s[6:7] nt", True),
        ("ds_add_u32 v1, v2", True),
        ("global_atomic_add v1, v2, s[6:7]", False),
        ("flat_atomic_add v[2:3], v1", False),
        ("global_load_dword v1, v2, s[6:7] sc1", False),
        ("global_store_dword v1, v2, s[6:7] sc0 sc1", False),
        ("loop:\nglobal_load_dword v1, v2, s[6:7]\ns_waitcnt vmcnt(0)\nv_cmp_eq_u32_e32 vcc, 0, v1\ns_cbranch_vccnz loop", False),
    ],
)
def test_kernels_with_workgroups_that_may_meet(operation: str, apart: bool) -> None:
    assert are_apart(code_of(f"{operation}\ns_endpgm", "gfx942")) == apart


@pytest.mark.parametrize("groups", [range(64, 65), range(64, 128), range(64, 1000), range(3, 12345)])
@pytest.mark.parametrize("processes", [1, 2, 3, 7])
def test_shares_are_whole_chunks_in_order(groups: range, processes: int) -> None:
    parts = shares(groups, 64, processes)
    assert [group for part in parts for group in part] == list(groups)
    assert all(len(part) % 64 == 0 for part in parts[:-1])
    assert max(map(len, parts)) <= 64 * (-(-len(groups) // (64 * processes)))
