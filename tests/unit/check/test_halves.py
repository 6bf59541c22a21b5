"""Two loads under way that fill the halves of one VGPR (docs/semantics.md)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.check.files import Checker
from tests.unit.isa.programs import out_on

LOADS = "global_load_d16_b16 v2, v10, s[4:5]\n{}global_load_d16_hi_b16 v2, v10, s[4:5]\n"
WAIT = {"gfx1100": "s_waitcnt vmcnt(0)\n", "gfx1201": "s_wait_loadcnt 0x0\n"}


@pytest.mark.parametrize(("target", "between"), [("gfx1100", False), ("gfx1201", True)])
def test_check_asks_for_the_wait_that_clang_puts_between(checker: Checker, target: str, between: bool) -> None:
    rest = WAIT[target] + "v_mov_b32_e32 v3, v2\ns_endpgm\n"
    assert checker.run(LOADS.format(WAIT[target]) + rest, target).status == 0
    assert [code for _, code in checker.run(LOADS.format("") + rest, target).found()] == ["CHK001"] * between


@pytest.mark.parametrize("target", WAIT)
def test_the_emulator_fills_both_halves(target: str) -> None:
    words = np.arange(64, dtype=np.uint32)
    got = out_on(target, LOADS.format("") + WAIT[target], words, sanitize=True)
    np.testing.assert_array_equal(got, words | words << 16)
