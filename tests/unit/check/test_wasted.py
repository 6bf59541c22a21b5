"""Waits that nothing needs: a wait at a time, along every path."""

from __future__ import annotations

import pytest

from tests.unit.check.files import Checker

LOAD, WAIT, USE, END = "global_load_dword v1, v0, s[0:1]\n", "s_waitcnt vmcnt(0)\n", "v_add_u32 v2, v1, v1\n", "s_endpgm\n"
AGAIN = "s_cbranch_scc1 again\n"
SCALARS = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_nop 0\n"
LDS = "ds_read_b32 v1, v3\nds_read_b32 v2, v3 offset:4\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LOAD + WAIT + WAIT + USE, [2, 3]),  # each without the other
        (LOAD + "again:\n" + WAIT + USE + AGAIN, []),
        (WAIT + "again:\n" + USE + LOAD + WAIT + AGAIN, []),  # needed around the loop alone
        ("v_mov_b32 v0, 0\n" + WAIT + "again:\n" + USE + WAIT + AGAIN, [2, 5]),
        (LOAD + WAIT + "s_cbranch_scc1 other\n" + WAIT + USE + END + "other:\n" + USE, [4]),  # needed on the other path
        (LOAD + WAIT + "s_cbranch_scc1 other\n" + WAIT + USE + END + "other:\n" + WAIT + USE, [2, 4, 8]),
        (LOAD + "s_waitcnt vmcnt(1)\n" + WAIT + USE, [2]),
        # scalar loads may overtake, so that a wait for one access says nothing while they are under way
        (SCALARS + "s_waitcnt lgkmcnt(0)\n" + LDS + "s_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v1\n", [2]),
        (SCALARS + "s_waitcnt lgkmcnt(0)\n" + LDS + "s_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\n", [2, 3]),
        ("v_readfirstlane_b32 s2, v0\ns_nop 3\nv_readlane_b32 s3, v1, s2\n", []),
        ("v_readfirstlane_b32 s2, v0\ns_nop 3\ns_nop 3\nv_readlane_b32 s3, v1, s2\n", [2, 3]),
        ("v_readfirstlane_b32 s2, v0\ns_cbranch_scc1 on\non:\ns_nop 3\nv_readlane_b32 s3, v1, s2\n", []),
    ],
)
def test_waits_that_nothing_needs(checker: Checker, text: str, lines: list[int]) -> None:
    assert checker.found(text + END, "gfx942") == [(line, "CHK003") for line in lines]


def test_a_wait_for_scratch_before_the_vgprs_are_given_back_is_needed(checker: Checker) -> None:
    text = "v_mov_b32 v1, 0\nscratch_store_b32 off, v0, off\ns_waitcnt_vscnt null, 0x0\nv_mov_b32 v1, 0\ns_nop 0\n"
    assert checker.found(text + "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n" + END, "gfx1100") == []
    assert checker.found(text + END, "gfx1100") == [(3, "CHK003"), (5, "CHK003")]
