"""Dual instructions: each case states the code and the code that is wanted, with the reason above."""

from __future__ import annotations

import pytest

from asmgen.passes.peephole.dual import pair
from tests.unit.passes.assembly import code_of, kernel_of

# (reason, code, code wanted)
CASES: tuple[tuple[str, str, str], ...] = (
    (
        "two independent sums",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v3, v4, v7",
        "v_dual_add_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v7",
    ),
    (
        "both destinations are even",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v4, v6, v7",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v4, v6, v7",
    ),
    (
        "both first sources are of one bank, in the other order they are not",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v3, v5, v4",
        "v_dual_add_f32 v0, v2, v1 :: v_dual_add_f32 v3, v5, v4",
    ),
    (
        "the second reads what the first writes",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v3, v0, v7",
        "v_add_f32_e32 v0, v1, v2 | v_add_f32_e32 v3, v0, v7",
    ),
    (
        "the second may write what the first reads: all is read before",
        "v_add_f32_e32 v0, v1, v2 | v_mov_b32_e32 v1, v4",
        "v_dual_add_f32 v0, v1, v2 :: v_dual_mov_b32 v1, v4",
    ),
    (
        "the second moves up past an instruction on other registers",
        "v_mul_f32_e32 v0, v1, v2 | v_exp_f32_e32 v8, v9 | v_mul_f32_e32 v3, v4, v7",
        "v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v7 | v_exp_f32_e32 v8, v9",
    ),
    (
        "not past one that writes what it reads",
        "v_mul_f32_e32 v0, v1, v2 | v_exp_f32_e32 v4, v9 | v_mul_f32_e32 v3, v4, v7",
        "v_mul_f32_e32 v0, v1, v2 | v_exp_f32_e32 v4, v9 | v_mul_f32_e32 v3, v4, v7",
    ),
    (
        "not past one that reads what it writes",
        "v_mul_f32_e32 v0, v1, v2 | v_exp_f32_e32 v8, v3 | v_mul_f32_e32 v3, v4, v7",
        "v_mul_f32_e32 v0, v1, v2 | v_exp_f32_e32 v8, v3 | v_mul_f32_e32 v3, v4, v7",
    ),
    (
        "not past a wait, which would come earlier",
        "v_mul_f32_e32 v0, v1, v2 | s_waitcnt vmcnt(0) | v_mul_f32_e32 v3, v4, v7",
        "v_mul_f32_e32 v0, v1, v2 | s_waitcnt vmcnt(0) | v_mul_f32_e32 v3, v4, v7",
    ),
    (
        "not past a change of EXEC, which masks it",
        "v_mul_f32_e32 v0, v1, v2 | s_mov_b32 exec_lo, s4 | v_mul_f32_e32 v3, v4, v7",
        "v_mul_f32_e32 v0, v1, v2 | s_mov_b32 exec_lo, s4 | v_mul_f32_e32 v3, v4, v7",
    ),
    (
        "two products with the same constant added: the addend is the literal of both",
        "v_fma_f32 v0, v1, s4, 1.0 | v_fmaak_f32 v3, s4, v4, 0x3f800000",
        "v_dual_fmaak_f32 v0, s4, v1, 0x3f800000 :: v_dual_fmaak_f32 v3, s4, v4, 0x3f800000",
    ),
    (
        "two factors in SGPRs and the literal are one too many",
        "v_fmaak_f32 v0, s4, v1, 0x3f8ccccd | v_fmaak_f32 v3, s5, v4, 0x3f8ccccd",
        "v_fmaak_f32 v0, s4, v1, 0x3f8ccccd | v_fmaak_f32 v3, s5, v4, 0x3f8ccccd",
    ),
    (
        "a choice by VCC reads it unspelt",
        "v_cndmask_b32_e32 v0, v1, v2, vcc_lo | v_add_f32_e32 v3, v4, v7",
        "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v7",
    ),
    (
        "a choice by another mask has no dual form",
        "v_cndmask_b32_e64 v0, v1, v2, s0 | v_add_f32_e32 v3, v4, v7",
        "v_cndmask_b32_e64 v0, v1, v2, s0 | v_add_f32_e32 v3, v4, v7",
    ),
    (
        "not past a compare whose VCC it reads",
        "v_add_f32_e32 v3, v4, v7 | v_cmp_lt_f32_e32 vcc_lo, v8, v9 | v_cndmask_b32_e32 v0, v1, v2, vcc_lo",
        "v_add_f32_e32 v3, v4, v7 | v_cmp_lt_f32_e32 vcc_lo, v8, v9 | v_cndmask_b32_e32 v0, v1, v2, vcc_lo",
    ),
    (
        "a difference with its sources exchanged is the reversed one",
        "v_sub_f32_e32 v0, v4, v5 | v_sub_f32_e32 v1, v6, v5",
        "v_dual_subrev_f32 v0, v5, v4 :: v_dual_sub_f32 v1, v6, v5",
    ),
    (
        "an integer sum is the second component only",
        "v_add_nc_u32_e32 v0, v1, v2 | v_mov_b32_e32 v3, v4",
        "v_dual_mov_b32 v3, v4 :: v_dual_add_nc_u32 v0, v1, v2",
    ),
    (
        "modifiers have no place in a pair",
        "v_add_f32_e64 v0, -v1, v2 | v_add_f32_e32 v3, v4, v7",
        "v_add_f32_e64 v0, -v1, v2 | v_add_f32_e32 v3, v4, v7",
    ),
    (
        "two literals are one too many",
        "v_mul_f32_e32 v0, 0x41200000, v2 | v_mul_f32_e32 v3, 0x42c80000, v7",
        "v_mul_f32_e32 v0, 0x41200000, v2 | v_mul_f32_e32 v3, 0x42c80000, v7",
    ),
)
IDS = [case[0] for case in CASES]


@pytest.mark.parametrize(("code", "wanted"), [case[1:] for case in CASES], ids=IDS)
def test_pairs(code: str, wanted: str) -> None:
    assert code_of(pair(kernel_of(code.replace(" | ", "\n"), "gfx1100"))) == wanted.split(" | ")


@pytest.mark.parametrize("target", ["gfx942", "gfx1100:wave64"])
def test_other_targets_have_none(target: str) -> None:
    kernel = kernel_of("v_add_f32_e32 v0, v1, v2\nv_add_f32_e32 v3, v4, v7", target)
    assert pair(kernel) is kernel
