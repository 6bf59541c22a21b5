"""Counters at their maximum: an instruction that would be too many waits by itself."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

END = "s_endpgm\n"
READS = {"gfx942": "ds_read_b32", "gfx1100": "ds_load_b32", "gfx1201": "ds_load_b32"}
LOADS = {"gfx942": "global_load_dword", "gfx1100": "global_load_b32", "gfx1201": "global_load_b32"}
HELD = {"gfx942": 15, "gfx1100": 63, "gfx1201": 63}


def reads(target: str, count: int) -> str:
    return "".join(f"{READS[target]} v{number}, v200\n" for number in range(count))


def loads(target: str, count: int) -> str:
    return "".join(f"{LOADS[target]} v{number}, v200, s[0:1]\n" for number in range(count))


@pytest.mark.parametrize("target", READS)
def test_what_a_full_counter_has_let_through_is_there(checker: Checker, target: str) -> None:
    """rocm-systems issue 11202: fifteen younger LDS operations on CDNA, or 63 loads, cannot issue before the oldest is done."""
    held = HELD[target]
    use = "v_mov_b32 v201, v0\n"
    assert checker.found(reads(target, held + 1) + use + END, target) == []
    assert checker.found(reads(target, held) + use + END, target) == [(held + 1, "CHK001")]
    assert checker.found(loads(target, 64) + use + END, target) == []
    assert checker.found(loads(target, 63) + use + END, target) == [(64, "CHK001")]


def test_a_wait_for_a_full_counter_says_nothing(checker: Checker) -> None:
    """All bits set is no wait, so a reader that needs a wait gets the largest count that is a wait."""
    outcome = checker.run(reads("gfx942", 15) + "s_waitcnt lgkmcnt(15)\nv_mov_b32 v201, v0\n" + END, "gfx942", "--notes")
    assert outcome.found() == [(16, "CHK003"), (17, "CHK001")]
    assert "s_waitcnt lgkmcnt(14)" in outcome.err


@pytest.mark.parametrize("unordered", ["s_load_dword s8, s[0:1], 0x0\n", "flat_load_dword v190, v[198:199]\n"])
def test_what_may_overtake_tells_nothing_of_the_others(checker: Checker, unordered: str) -> None:
    text = "ds_read_b32 v150, v200\n" + unordered + "".join(f"ds_read_b32 v{number}, v200\n" for number in range(20))
    assert (23, "CHK001") in checker.found(text + "v_mov_b32 v201, v150\n" + END, "gfx942")


def test_the_shorter_path_decides(checker: Checker) -> None:
    text = f"ds_read_b32 v150, v200\ns_cbranch_scc0 on\n{reads('gfx942', 15)}on:\nv_mov_b32 v201, v150\n"
    assert checker.found(text + END, "gfx942") == [(19, "CHK001")]
