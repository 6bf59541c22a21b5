"""Filled gaps: each case states the code and the code that is wanted, with the reason above."""

from __future__ import annotations

import pytest

from asmgen.passes.waits.fill import fill
from asmgen.passes.waits.hazards import insert_nops
from tests.unit.passes.assembly import code_of, kernel_of

STEP = "v_add_f32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf"
TWO_MOVES = "v_mov_b32_e32 v4, 0 | v_mov_b32_e32 v5, 0"
SELECT_AND_ADD = "s_cselect_b32 s2, s8, s4 | s_add_u32 s5, s6, s7"

# (reason, code, code wanted once NOPs are in)
CASES: tuple[tuple[str, str, str], ...] = (
    (
        "two independent instructions stand in for two states",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v4, 0 | s_mov_b32 s0, 1",
        f"v_add_f32_e32 v1, v2, v3 | v_mov_b32_e32 v4, 0 | s_mov_b32 s0, 1 | {STEP}",
    ),
    (
        "one is all there is: the other state stays a nop",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v4, 0",
        f"v_add_f32_e32 v1, v2, v3 | v_mov_b32_e32 v4, 0 | s_nop 0 | {STEP}",
    ),
    (
        "not moved because it reads the step's result",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v4, v1",
        f"v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | v_mov_b32_e32 v4, v1",
    ),
    (
        "not moved because the step still reads what it would overwrite",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v1, v5",
        f"v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | v_mov_b32_e32 v1, v5",
    ),
    (
        "not moved past an instruction that reads its result's register",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_add_f32_e32 v6, v1, v4 | v_mov_b32_e32 v4, 0",
        f"v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | v_add_f32_e32 v6, v1, v4 | v_mov_b32_e32 v4, 0",
    ),
    (
        "not moved because a load fills its source: the wait would come earlier",
        f"global_load_dword v7, v8, s[2:3] | v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v4, v7",
        f"global_load_dword v7, v8, s[2:3] | v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | v_mov_b32_e32 v4, v7",
    ),
    (
        "not moved over a change of EXEC, which masks it",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | s_mov_b64 exec, s[4:5] | v_mov_b32_e32 v4, 0",
        f"v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | s_mov_b64 exec, s[4:5] | v_mov_b32_e32 v4, 0",
    ),
    (
        "a compare and the reader of its SCC move in their order",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | s_cmp_eq_u32 s0, s1 | s_cselect_b32 s2, s3, s4 | s_add_u32 s5, s6, s7",
        f"v_add_f32_e32 v1, v2, v3 | s_cmp_eq_u32 s0, s1 | s_cselect_b32 s2, s3, s4 | {STEP} | s_add_u32 s5, s6, s7",
    ),
    (
        "not moved because the SCC it writes is still to be read",
        f"s_cmp_eq_u32 s0, s1 | v_add_f32_e32 v1, v2, v3 | {STEP} | v_readlane_b32 s8, v1, 0 | {SELECT_AND_ADD}",
        f"s_cmp_eq_u32 s0, s1 | v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | s_nop 0 | v_readlane_b32 s8, v1, 0 | {SELECT_AND_ADD}",
    ),
    (
        "moved because the register that a load filled is written again before the gap",
        f"global_load_dword v7, v8, s[2:3] | v_mov_b32_e32 v7, 0 | v_add_f32_e32 v1, v2, v3 | {STEP} | v_mov_b32_e32 v4, v7",
        f"global_load_dword v7, v8, s[2:3] | v_mov_b32_e32 v7, 0 | v_add_f32_e32 v1, v2, v3 | v_mov_b32_e32 v4, v7 | s_nop 0 | {STEP}",
    ),
    (
        "not moved over a barrier of waves with priorities",
        f"s_setprio 1 | v_add_f32_e32 v1, v2, v3 | {STEP} | s_barrier | v_mov_b32_e32 v4, 0",
        f"s_setprio 1 | v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | s_barrier | v_mov_b32_e32 v4, 0",
    ),
    (
        "moved over a barrier of waves without priorities",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | s_barrier | v_mov_b32_e32 v4, 0",
        f"v_add_f32_e32 v1, v2, v3 | v_mov_b32_e32 v4, 0 | s_nop 0 | {STEP} | s_barrier",
    ),
    (
        "a gap that begins in the block before is filled, though that block has a gap of its own",
        f"v_add_f32_e32 v1, v2, v3 | {STEP} | v_add_f32_e32 v6, v1, v3 | next: | {STEP.replace('v1', 'v6')} | {TWO_MOVES}",
        f"v_add_f32_e32 v1, v2, v3 | s_nop 1 | {STEP} | v_add_f32_e32 v6, v1, v3 | {TWO_MOVES} | {STEP.replace('v1', 'v6')}",
    ),
    (
        "nothing moves where nothing waits",
        "v_add_f32_e32 v1, v2, v3 | v_add_f32_e32 v4, v1, v1 | v_mov_b32_e32 v5, 0",
        "v_add_f32_e32 v1, v2, v3 | v_add_f32_e32 v4, v1, v1 | v_mov_b32_e32 v5, 0",
    ),
    (
        "the steps of two reductions fill each other's gaps",
        f"v_mov_b32_e32 v1, v8 | {STEP} | v_mov_b32_e32 v2, v9 | {STEP.replace('v1', 'v2')} | v_mov_b32_e32 v3, v10",
        f"v_mov_b32_e32 v1, v8 | v_mov_b32_e32 v2, v9 | v_mov_b32_e32 v3, v10 | {STEP} | {STEP.replace('v1', 'v2')}",
    ),
)


@pytest.mark.parametrize(("code", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_gaps_are_filled(code: str, wanted: str) -> None:
    filled = fill(kernel_of(code.replace(" | ", "\n")))
    assert code_of(insert_nops(filled)) == wanted.split(" | ")


@pytest.mark.parametrize("code", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_filling_again_changes_nothing(code: str) -> None:
    once = fill(kernel_of(code.replace(" | ", "\n")))
    assert code_of(fill(once)) == code_of(once)
