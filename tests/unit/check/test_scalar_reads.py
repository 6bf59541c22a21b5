"""On gfx1201 SALU that reads an SGPR waits until VALU has written all of them (llvm-project 131111, 145728)."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

WRITTEN = "s_mov_b32 s8, 1\nv_mov_b32_e32 v3, s8\nv_readfirstlane_b32 s8, v1\n{}v_mov_b32_e32 v2, s8\ns_endpgm\n"


@pytest.mark.parametrize(
    ("between", "missing"),
    [("", True), ("s_mov_b32 s9, 1\n", True), ("s_mov_b32 s9, s10\n", False), ("s_wait_alu depctr_va_sdst(0)\n", False)],
)
def test_a_scalar_read_of_any_sgpr_waits_for_what_valu_writes(checker: Checker, between: str, missing: bool) -> None:
    codes = [code for _, code in checker.run(WRITTEN.format(between), "gfx1201").found()]
    assert codes == (["CHK002"] if missing else [])
