"""Waits for everything that a wave has under way."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

LOADED = "global_load_b32 v2, v0, s[0:1]\ns_load_b32 s8, s[0:1], 0x0\n{}v_add_nc_u32_e32 v2, s8, v2\ns_endpgm\n"
TRANSCENDENTAL = "v_rcp_f32_e32 v3, v1\n{}v_add_f32_e32 v2, v3, v3\ns_endpgm\n"


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_a_wait_until_the_wave_is_idle_covers_every_load(checker: Checker, target: str) -> None:
    assert not checker.run(LOADED.format("s_wait_idle\n"), target).found()
    assert {code for _, code in checker.run(LOADED.format(""), target).found()} == {"CHK001"}


def test_a_wait_until_the_wave_is_idle_covers_results_of_the_alus(checker: Checker) -> None:
    assert not checker.run(TRANSCENDENTAL.format("s_wait_idle\n"), "gfx1100").found()
    assert {code for _, code in checker.run(TRANSCENDENTAL.format(""), "gfx1100").found()} == {"CHK002"}
