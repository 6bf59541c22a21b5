"""Code that is only slower: priority that stays raised, and matrix operands in one bank of VGPRs."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker, Found

END = "s_endpgm\n"


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s_setprio 1\nv_mov_b32 v0, v1\n", [(1, "CHK008")]),
        ("s_setprio 3\nv_mov_b32 v0, v1\ns_setprio 0\n", []),
        ("s_setprio 0\n", []),
        ("s_setprio 1\ns_setprio 2\n", [(2, "CHK008")]),
        # lowered on one path alone
        ("s_setprio 1\ns_cbranch_scc0 on\ns_setprio 0\non:\n", [(1, "CHK008")]),
        # lowered in each trip of a loop
        ("again:\ns_setprio 1\nv_mov_b32 v0, v1\ns_setprio 0\ns_cbranch_scc0 again\n", []),
        # raised at the exit of the loop
        ("again:\ns_setprio 0\nv_mov_b32 v0, v1\ns_setprio 1\ns_cbranch_scc0 again\n", [(4, "CHK008")]),
    ],
)
def test_priority_that_is_left_raised(checker: Checker, target: str, text: str, found: Found) -> None:
    outcome = checker.run(text + END, target)
    assert (outcome.status, outcome.found()) == (0, found)


def test_priority_at_a_return(checker: Checker) -> None:
    """A call goes on with it, a return hands it to the caller."""
    call = "s_setprio 1\ns_swappc_b64 s[30:31], s[4:5]\ns_setprio 0\n"
    assert (1, "CHK008") not in checker.found(call + END, "gfx942")
    assert (1, "CHK008") in checker.found("s_setprio 1\ns_setpc_b64 s[30:31]\n", "gfx942")


@pytest.mark.parametrize(
    ("target", "product", "noted"),
    [
        ("gfx1100", "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]", True),
        ("gfx1100", "v_wmma_f32_16x16x16_f16 v[18:25], v[0:7], v[9:16], v[18:25]", False),
        ("gfx1100", "v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[9:16], v[24:31]", False),  # two of three
        ("gfx1100", "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], 0", True),  # both of two
        ("gfx1100", "v_wmma_f16_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[25:32]", False),  # D is no operand
        ("gfx1201", "v_wmma_f32_16x16x16_f16 v[8:15], v[0:3], v[4:7], v[8:15]", True),
        ("gfx1201", "v_wmma_f32_16x16x16_f16 v[9:16], v[0:3], v[4:7], v[9:16]", False),
        ("gfx1201", "v_swmmac_f32_16x16x32_f16 v[16:23], v[0:3], v[4:11], v25", True),  # the index is no matrix
        ("gfx942", "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[4:5], v[8:11]", False),
    ],
)
def test_operands_in_one_bank(checker: Checker, target: str, product: str, noted: bool) -> None:
    outcome = checker.run(f"{product}\n{END}", target)
    assert (outcome.status, outcome.found()) == (0, [(1, "CHK009")] if noted else [])
    if noted:
        assert "bank 0 of 4" in outcome.err
