"""Wait states: each case states the code and the code that is wanted, with the reason above."""

from __future__ import annotations

import pytest

from asmgen.passes.waits.hazards import insert_nops
from isa.emulator import run_kernel
from isa.emulator.sanitizer.faults import Check
from tests.unit.passes.assembly import code_of, kernel_of, lines_of

XNACK_ANY = "gfx942"

DPP_DOT = "v_dot2c_f32_f16_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf"

# (reason, code, code wanted)
CASES: tuple[tuple[str, str, str], ...] = (
    (
        "a VALU result is read across lanes: one state",
        "v_mov_b32_e32 v0, v1 | v_readfirstlane_b32 s0, v0",
        "v_mov_b32_e32 v0, v1 | s_nop 0 | v_readfirstlane_b32 s0, v0",
    ),
    (
        "no nop needed because another instruction stands in between",
        "v_mov_b32_e32 v0, v1 | s_mov_b32 s3, 0 | v_readfirstlane_b32 s0, v0",
        "v_mov_b32_e32 v0, v1 | s_mov_b32 s3, 0 | v_readfirstlane_b32 s0, v0",
    ),
    (
        "no nop needed because another register is read",
        "v_mov_b32_e32 v0, v1 | v_readfirstlane_b32 s0, v2",
        "v_mov_b32_e32 v0, v1 | v_readfirstlane_b32 s0, v2",
    ),
    (
        "a transcendental result is read by VALU: one state",
        "v_rcp_f32_e32 v0, v1 | v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | s_nop 0 | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "no nop needed because transcendentals wait for one another",
        "v_rcp_f32_e32 v0, v1 | v_exp_f32_e32 v2, v0",
        "v_rcp_f32_e32 v0, v1 | v_exp_f32_e32 v2, v0",
    ),
    (
        "a VGPR is written, then read by DPP: two states",
        "v_mov_b32_e32 v0, v1 | v_mov_b32_dpp v2, v0 row_shr:1 row_mask:0xf bank_mask:0xf",
        "v_mov_b32_e32 v0, v1 | s_nop 1 | v_mov_b32_dpp v2, v0 row_shr:1 row_mask:0xf bank_mask:0xf",
    ),
    (
        "a VALU-written SGPR is read by vector memory: five states",
        "v_readfirstlane_b32 s2, v1 | global_load_dword v0, v3, s[2:3]",
        "v_readfirstlane_b32 s2, v1 | s_nop 4 | global_load_dword v0, v3, s[2:3]",
    ),
    (
        "VCC written by a compare is read as a mask: two states",
        "v_cmp_lt_f32_e32 vcc, v0, v1 | v_cndmask_b32_e32 v2, v3, v4, vcc",
        "v_cmp_lt_f32_e32 vcc, v0, v1 | s_nop 1 | v_cndmask_b32_e32 v2, v3, v4, vcc",
    ),
    (
        "v_div_fmas reads VCC later than a mask: four states",
        "v_div_scale_f32 v0, vcc, v1, v1, v2 | v_div_fmas_f32 v3, v4, v5, v6",
        "v_div_scale_f32 v0, vcc, v1, v1, v2 | s_nop 3 | v_div_fmas_f32 v3, v4, v5, v6",
    ),
    (
        "no nop needed because scalar instructions see the mask in order",
        "v_cmp_lt_f32_e32 vcc, v0, v1 | s_and_b64 exec, exec, vcc",
        "v_cmp_lt_f32_e32 vcc, v0, v1 | s_and_b64 exec, exec, vcc",
    ),
    (
        "an SGPR selects the lane: four states",
        "v_readfirstlane_b32 s2, v1 | v_readlane_b32 s3, v4, s2",
        "v_readfirstlane_b32 s2, v1 | s_nop 3 | v_readlane_b32 s3, v4, s2",
    ),
    (
        "v_cmpx writes EXEC before vector memory: five states",
        "v_cmpx_lt_u32_e64 s[4:5], v0, v1 | global_store_dword v2, v3, s[0:1]",
        "v_cmpx_lt_u32_e64 s[4:5], v0, v1 | s_nop 4 | global_store_dword v2, v3, s[0:1]",
    ),
    (
        "no nop needed because EXEC written by SALU is interlocked",
        "s_mov_b64 exec, s[0:1] | global_store_dword v2, v3, s[0:1]",
        "s_mov_b64 exec, s[0:1] | global_store_dword v2, v3, s[0:1]",
    ),
    (
        "the data of a wide store is overwritten: two states",
        "global_store_dwordx4 v0, v[4:7], s[0:1] | v_mov_b32_e32 v5, 0",
        "global_store_dwordx4 v0, v[4:7], s[0:1] | s_nop 1 | v_mov_b32_e32 v5, 0",
    ),
    (
        "no nop needed because 64 bits of data are read at once",
        "global_store_dwordx2 v0, v[4:5], s[0:1] | v_mov_b32_e32 v5, 0",
        "global_store_dwordx2 v0, v[4:5], s[0:1] | v_mov_b32_e32 v5, 0",
    ),
    (
        "MODE is set and set again: two states",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf0 | s_getreg_b32 s0, hwreg(HW_REG_MODE)",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf0 | s_nop 1 | s_getreg_b32 s0, hwreg(HW_REG_MODE)",
    ),
    (
        "no nop needed because MODE is read twice",
        "s_getreg_b32 s1, hwreg(HW_REG_MODE) | s_getreg_b32 s0, hwreg(HW_REG_MODE)",
        "s_getreg_b32 s1, hwreg(HW_REG_MODE) | s_getreg_b32 s0, hwreg(HW_REG_MODE)",
    ),
    (
        "M0 is written, then read by a load to LDS: one state",
        "s_mov_b32 m0, s3 | global_load_lds_dword v0, s[0:1]",
        "s_mov_b32 m0, s3 | s_nop 0 | global_load_lds_dword v0, s[0:1]",
    ),
    (
        "a half is written, then the register is written again: one state",
        "v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD | v_mov_b32_e32 v0, v2",
        "v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD | s_nop 0 | v_mov_b32_e32 v0, v2",
    ),
    (
        "an XDL result of 8 passes is stored: eleven states",
        "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15] | global_store_dword v20, v3, s[0:1]",
        "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15] | s_nop 10 | global_store_dword v20, v3, s[0:1]",
    ),
    (
        "no nop needed because an accumulator of just the same tuple is forwarded",
        "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15] | v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]",
        "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[0:15] | v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]",
    ),
    (
        "19 states are more than one s_nop holds",
        "v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31] | v_mov_b32_e32 v40, v0",
        "v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31] | s_nop 15 | s_nop 2 | v_mov_b32_e32 v40, v0",
    ),
    (
        "a NOP that stands already counts, and is made longer",
        "v_readfirstlane_b32 s2, v1 | s_nop 1 | global_load_dword v0, v3, s[2:3]",
        "v_readfirstlane_b32 s2, v1 | s_nop 4 | global_load_dword v0, v3, s[2:3]",
    ),
    (
        "no nop needed because a compare in SDWA writes the mask it names and no other",
        "v_cmp_le_i16_sdwa s[8:9], v5, v3 src0_sel:DWORD src1_sel:DWORD | v_mov_b32_e32 v2, vcc_lo",
        "v_cmp_le_i16_sdwa s[8:9], v5, v3 src0_sel:DWORD src1_sel:DWORD | v_mov_b32_e32 v2, vcc_lo",
    ),
    (
        "a load to LDS reads a transcendental result as VALU does: one state",
        "v_rcp_f32_e32 v0, v1 | global_load_lds_dword v0, s[0:1]",
        "v_rcp_f32_e32 v0, v1 | s_nop 0 | global_load_lds_dword v0, s[0:1]",
    ),
    (
        "the DPP form of a dot product is plain VALU to a matrix instruction: two states",
        f"{DPP_DOT} | v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v3, v[4:7]",
        f"{DPP_DOT} | s_nop 1 | v_mfma_f32_4x4x1_16b_f32 v[4:7], v0, v3, v[4:7]",
    ),
)


def instructions(text: str) -> str:
    return text.replace(" | ", "\n")


@pytest.mark.parametrize(("reason", "before", "after"), CASES, ids=[case[0] for case in CASES])
def test_exact(reason: str, before: str, after: str) -> None:
    assert code_of(insert_nops(kernel_of(instructions(before)))) == after.split(" | "), reason


CLAUSES: tuple[tuple[str, str, str], ...] = (
    (
        "a load overwrites the address of the one before it",
        "global_load_dword v1, v0, s[0:1] | global_load_dword v0, v2, s[0:1]",
        "global_load_dword v1, v0, s[0:1] | s_nop 0 | global_load_dword v0, v2, s[0:1]",
    ),
    (
        "no nop needed because another unit's instruction ends the clause",
        "global_load_dword v1, v0, s[0:1] | s_mov_b32 s9, 0 | global_load_dword v0, v2, s[0:1]",
        "global_load_dword v1, v0, s[0:1] | s_mov_b32 s9, 0 | global_load_dword v0, v2, s[0:1]",
    ),
    (
        "a load that overwrites its own address ends the clause",
        "global_load_dword v0, v0, s[0:1] | global_load_dword v1, v2, s[0:1]",
        "global_load_dword v0, v0, s[0:1] | s_nop 0 | global_load_dword v1, v2, s[0:1]",
    ),
    (
        "a store does not share a clause with a load",
        "global_load_dword v1, v0, s[0:1] | global_store_dword v2, v3, s[0:1]",
        "global_load_dword v1, v0, s[0:1] | s_nop 0 | global_store_dword v2, v3, s[0:1]",
    ),
    (
        "a scalar load overwrites the base of the one before it",
        "s_load_dword s8, s[4:5], 0x0 | s_load_dword s4, s[6:7], 0x0",
        "s_load_dword s8, s[4:5], 0x0 | s_nop 0 | s_load_dword s4, s[6:7], 0x0",
    ),
    (
        "no nop needed because a clause of stores loads nothing",
        "global_store_dword v0, v3, s[0:1] | global_load_dword v0, v2, s[0:1]",
        "global_store_dword v0, v3, s[0:1] | global_load_dword v0, v2, s[0:1]",
    ),
    (
        "no nop needed because loads to registers of their own may share a clause",
        "global_load_dword v1, v0, s[0:1] | global_load_dword v2, v0, s[2:3]",
        "global_load_dword v1, v0, s[0:1] | global_load_dword v2, v0, s[2:3]",
    ),
)


@pytest.mark.parametrize(("reason", "before", "after"), CLAUSES, ids=[case[0] for case in CLAUSES])
def test_soft_clauses_where_xnack_may_be_on(reason: str, before: str, after: str) -> None:
    assert code_of(insert_nops(kernel_of(instructions(before), XNACK_ANY))) == after.split(" | "), reason
    assert code_of(insert_nops(kernel_of(instructions(before)))) == before.split(" | "), "without XNACK nothing is replayed"


# (machine, reason, code, code wanted)
RDNA: tuple[tuple[str, str, str, str], ...] = (
    (
        "gfx1100", "a transcendental result is read too early",
        "v_rcp_f32_e32 v0, v1 | v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | s_waitcnt_depctr depctr_va_vdst(0) | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1100", "no wait needed because the other half of the register is read",
        "v_log_f16_e32 v7.l, v7.h | v_log_f16_e32 v7.l, v7.h",
        "v_log_f16_e32 v7.l, v7.h | v_log_f16_e32 v7.l, v7.h",
    ),
    (
        "gfx1100", "what lanes keep whose source is off is read",
        "v_log_f16_e32 v7.l, v7.h | v_log_f16_dpp v7.l, v7.h row_mirror row_mask:0xf bank_mask:0xf",
        "v_log_f16_e32 v7.l, v7.h | s_waitcnt_depctr depctr_va_vdst(0) | v_log_f16_dpp v7.l, v7.h row_mirror row_mask:0xf bank_mask:0xf",
    ),
    (
        "gfx1100", "an accumulator is read",
        "v_log_f16_e32 v7.l, v1.h | v_fmac_f16_e32 v7.l, v1.h, v7.h",
        "v_log_f16_e32 v7.l, v1.h | s_waitcnt_depctr depctr_va_vdst(0) | v_fmac_f16_e32 v7.l, v1.h, v7.h",
    ),
    (
        "gfx1100",
        "a transcendental's other half does not hide this one",
        "v_rsq_f16_e32 v2.h, v1.l | v_rsq_f16_e32 v2.l, v3.l | v_exp_f16_e32 v4.l, v2.h",
        "v_rsq_f16_e32 v2.h, v1.l | v_rsq_f16_e32 v2.l, v3.l | s_waitcnt_depctr depctr_va_vdst(0) | v_exp_f16_e32 v4.l, v2.h",
    ),
    (
        "gfx1100", "no wait needed because the exchange of halves of a wave keeps nothing",
        "v_exp_f32_e32 v1, v2 | v_permlane64_b32 v1, v3",
        "v_exp_f32_e32 v1, v2 | v_permlane64_b32 v1, v3",
    ),
    (
        "gfx1100", "no wait needed because two transcendentals stand between",
        "v_rcp_f32_e32 v0, v1 | v_rcp_f32_e32 v3, v1 | v_rcp_f32_e32 v4, v1 | v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | v_rcp_f32_e32 v3, v1 | v_rcp_f32_e32 v4, v1 | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1100", "one transcendental between is too few",
        "v_rcp_f32_e32 v0, v1 | v_rcp_f32_e32 v3, v1 | v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | v_rcp_f32_e32 v3, v1 | s_waitcnt_depctr depctr_va_vdst(0) | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1100", "five VALU instructions between are too few",
        "v_rcp_f32_e32 v0, v1 | " + "v_mov_b32_e32 v3, v1 | " * 5 + "v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | " + "v_mov_b32_e32 v3, v1 | " * 5 + "s_waitcnt_depctr depctr_va_vdst(0) | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1100", "no wait needed because six VALU instructions stand between",
        "v_rcp_f32_e32 v0, v1 | " + "v_mov_b32_e32 v3, v1 | " * 6 + "v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | " + "v_mov_b32_e32 v3, v1 | " * 6 + "v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1201", "no wait needed because RDNA4 holds the reader back itself",
        "v_rcp_f32_e32 v0, v1 | v_add_f32_e32 v2, v0, v0",
        "v_rcp_f32_e32 v0, v1 | v_add_f32_e32 v2, v0, v0",
    ),
    (
        "gfx1201", "an SGPR is read by VALU, written by SALU, and read",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | s_wait_alu depctr_sa_sdst(0) | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "a global access does not wait for SGPRs",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | global_load_b32 v5, v6, s[6:7] | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | global_load_b32 v5, v6, s[6:7] | s_wait_alu depctr_sa_sdst(0) | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "an LDS access does not wait for SGPRs",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | ds_load_b32 v5, v6 | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | ds_load_b32 v5, v6 | s_wait_alu depctr_sa_sdst(0) | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "no wait needed because a buffer access has waited for all SGPRs",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | buffer_load_b32 v5, v6, s[8:11], null offen | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | buffer_load_b32 v5, v6, s[8:11], null offen | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "no wait needed because a scalar load has waited for all SGPRs",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | s_load_b32 s8, s[2:3], 0x0 | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s4 | s_mov_b32 s4, 0 | s_load_b32 s8, s[2:3], 0x0 | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "VALU reads SGPRs in pairs that begin with an even register",
        "v_mov_b32_e32 v0, s5 | s_mov_b32 s4, 0 | v_mov_b32_e32 v1, s4",
        "v_mov_b32_e32 v0, s5 | s_mov_b32 s4, 0 | s_wait_alu depctr_sa_sdst(0) | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1201", "one wait serves for SALU and VALU",
        "v_mov_b32_e32 v0, s4 | v_mov_b32_e32 v0, s6 | s_mov_b32 s4, 0 | v_readfirstlane_b32 s6, v2 | v_add_f32_e64 v3, s4, s6",
        (
            "v_mov_b32_e32 v0, s4 | v_mov_b32_e32 v0, s6 | s_mov_b32 s4, 0 | v_readfirstlane_b32 s6, v2 | "
            "s_wait_alu depctr_sa_sdst(0) depctr_va_sdst(0) | v_add_f32_e64 v3, s4, s6"
        ),
    ),
    (
        "gfx1201", "no wait needed because VALU has not read the SGPR before",
        "s_mov_b32 s4, 0 | v_mov_b32_e32 v1, s4",
        "s_mov_b32 s4, 0 | v_mov_b32_e32 v1, s4",
    ),
    (
        "gfx1100", "v_cmpx before a lane permutation: its source is moved, since v_nop would be discarded",
        "v_cmpx_lt_u32_e32 v0, v1 | v_permlane16_b32 v2, v3, s0, s1",
        "v_cmpx_lt_u32_e32 v0, v1 | v_mov_b32_e32 v3, v3 | v_permlane16_b32 v2, v3, s0, s1",
    ),
    (
        "gfx1100", "a WMMA result is a factor of the next WMMA",
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] | v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]",
        "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7] | v_nop | v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]",
    ),
    (
        "gfx1100:wave64", "a lane mask is overwritten: the wait stands behind the write",
        "v_cndmask_b32_e64 v0, v1, v2, s[4:5] | s_mov_b64 s[4:5], 0 | v_nop | v_mov_b32_e32 v5, s4",
        "v_cndmask_b32_e64 v0, v1, v2, s[4:5] | s_mov_b64 s[4:5], 0 | s_waitcnt_depctr depctr_sa_sdst(0) | v_nop | v_mov_b32_e32 v5, s4",
    ),
    (
        "gfx1100:wave64", "a lane mask that is not spelt is overwritten, too",
        "v_div_fmas_f32 v0, v1, v2, v3 | s_mov_b64 vcc, 0 | v_nop | v_mov_b32_e32 v5, vcc_lo",
        "v_div_fmas_f32 v0, v1, v2, v3 | s_mov_b64 vcc, 0 | s_waitcnt_depctr depctr_sa_sdst(0) | v_nop | v_mov_b32_e32 v5, vcc_lo",
    ),
    (
        "gfx1100:wave64", "VALU results of before and after a change of EXEC are read together",
        (
            "v_mov_b32_e32 v1, v9 | v_mov_b32_e32 v2, v9 | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v3, v9 | "
            "v_add_nc_u32_e32 v4, v2, v3"
        ),
        (
            "v_mov_b32_e32 v1, v9 | v_mov_b32_e32 v2, v9 | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v3, v9 | "
            "s_waitcnt_depctr depctr_va_vdst(0) | v_add_nc_u32_e32 v4, v2, v3"
        ),
    ),
    (
        "gfx1100:wave64", "it is the half that is read which was written before the change of EXEC",
        (
            "v_mov_b16_e32 v0.l, v9.h | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v3, v9 | "
            "v_cndmask_b16 v4.l, v0.l, v3.l, s[4:5]"
        ),
        (
            "v_mov_b16_e32 v0.l, v9.h | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v3, v9 | "
            "s_waitcnt_depctr depctr_va_vdst(0) | v_cndmask_b16 v4.l, v0.l, v3.l, s[4:5]"
        ),
    ),
    *((
        "gfx1100:wave64", f"no wait needed because {reason}", code, code,
    ) for reason, code in (
        (
            "three VALU instructions lie between the two results, if not between another and the second",
            ("v_mov_b32_e32 v0, v9 | v_mov_b32_e32 v1, v9 | v_mov_b32_e32 v2, v9 | s_mov_b64 exec, s[2:3] | "
            "v_mov_b32_e32 v4, v9 | v_mov_b32_e32 v3, v9 | v_add_nc_u32_e32 v4, v0, v3"),
        ),
        (
            "both results are of after one change of EXEC and before the next",
            ("v_mov_b32_e32 v0, v9 | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v1, v9 | v_mov_b32_e32 v2, v9 | "
            "s_mov_b64 exec, s[2:3] | v_add_nc_u32_e32 v4, v1, v2"),
        ),
        (
            "of a pair of registers the one written last counts",
            ("v_mov_b32_e32 v0, v9 | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v4, v9 | v_mov_b32_e32 v2, v9 | "
            "v_mov_b32_e32 v8, v9 | v_mov_b32_e32 v3, v9 | v_cmp_ge_u64_e64 s[4:5], v[0:1], v[2:3]"),
        ),
        (
            "the half of a register that is read was not written before the change of EXEC",
            ("v_mov_b16_e32 v0.h, v9.h | s_mov_b64 exec, s[2:3] | v_mov_b32_e32 v3, v9 | "
            "v_cndmask_b16 v4.l, v0.l, v3.l, s[4:5]"),
        ),
    )),
)  # fmt: skip


@pytest.mark.parametrize(("machine", "reason", "before", "after"), RDNA, ids=[f"{case[0]}: {case[1]}" for case in RDNA])
def test_rdna_exact(machine: str, reason: str, before: str, after: str) -> None:
    once = insert_nops(kernel_of(instructions(before), machine))
    assert code_of(once) == after.split(" | "), reason
    assert lines_of(insert_nops(once)) == lines_of(once)


def test_what_is_left_where_the_same_of_before_runs_out_is_waited_for() -> None:
    """The states of the first dot product end as the second one issues, which the third waits for."""
    code = "v_dot2_u32_u16 v9, v0, v0, v0 | s_sleep 0 | s_sleep 0 | v_dot2_u32_u16 v3, v0, v0, v0 | v_dot2_f32_f16 v4, v3, v0, v0"
    found = code_of(insert_nops(kernel_of(instructions(code), "gfx90a")))
    assert found == [*code.split(" | ")[:4], "s_nop 2", code.split(" | ")[4]]


def test_a_pair_rounded_at_random_is_a_part_of_a_register() -> None:
    code = "v_cvt_scalef32_sr_pk_fp4_f32 v0, v[2:3], v4, v5 | v_mov_b32_e32 v1, v0"
    first, second = code.split(" | ")
    assert code_of(insert_nops(kernel_of(instructions(code), "gfx950"))) == [first, "s_nop 0", second]


def test_a_jump_of_the_emitter_is_a_state() -> None:
    code = """
        s_cmp_lg_u32 0, 0
        s_cbranch_scc1 other
        v_mov_b32_e32 v0, v2
        s_branch join
        other:
        s_nop 3
        join:
        v_readlane_b32 s0, v0, s2
    """
    assert lines_of(insert_nops(kernel_of(code)))[-3:-1] == ["join:", "v_readlane_b32 s0, v0, s2"], "the jump is the state that is wanted"
    _ = run_kernel(kernel_of(code), (1, 1, 1), [], sanitize=frozenset({Check.HAZARD}))



def test_falling_through_is_no_state() -> None:
    code = """
        v_mov_b32_e32 v0, v2
        join:
        v_readlane_b32 s0, v0, s2
    """
    assert lines_of(insert_nops(kernel_of(code)))[:-1] == ["v_mov_b32_e32 v0, v2", "join:", "s_nop 0", "v_readlane_b32 s0, v0, s2"]


# (machine, the written register, the writer, the states that are wanted after it): CDNA3 ISA 4.5 and MI200 ISA 4.5, as LLVM has them
WIDE_STORES: tuple[tuple[str, str, str, int], ...] = (
    ("gfx90a", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32_e32 v7, 0", 1),
    ("gfx942:xnack-", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32_e32 v7, 0", 2),
    ("gfx950:xnack-", "global_store_dwordx3 v0, v[4:6], s[0:1]", "v_mov_b32_e32 v4, 0", 2),
    ("gfx942:xnack-", "buffer_store_dwordx4 v[4:7], v0, s[8:11], 0 offen", "v_mov_b32_e32 v5, 0", 2),
    ("gfx942:xnack-", "buffer_store_dwordx4 v[4:7], v0, s[8:11], s3 offen", "v_mov_b32_e32 v5, 0", 0),
    ("gfx942:xnack-", "global_atomic_cmpswap_x2 v0, v[4:7], s[0:1]", "v_mov_b32_e32 v6, 0", 2),
    ("gfx942:xnack-", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32_e32 v0, 0", 0),
    ("gfx942:xnack-", "global_store_dwordx4 v0, v[4:7], s[0:1]", "v_mov_b32_e32 v8, 0", 0),
)


@pytest.mark.parametrize(("machine", "store", "write", "states"), WIDE_STORES)
def test_the_data_of_a_wide_store_is_read_late(machine: str, store: str, write: str, states: int) -> None:
    nops = [f"s_nop {states - 1}"] if states else []
    assert code_of(insert_nops(kernel_of(f"{store}\n{write}", machine))) == [store, *nops, write]


@pytest.mark.parametrize(
    ("mover", "nops"),
    [
        ("v_mov_b32_e32 v10, v7", ["s_nop 10"]),
        ("v_mov_b32_dpp v10, v7 row_mirror row_mask:0xf bank_mask:0xf bound_ctrl:1", ["s_nop 15", "s_nop 2"]),
    ],
)
def test_llvm_takes_the_destination_of_dpp_as_read(mover: str, nops: list[str]) -> None:
    """A product of f64 on gfx950 is read 19 states later at the earliest, and overwritten 11 states later."""
    product = "v_mfma_f64_16x16x4_f64 v[8:15], v[0:1], v[2:3], v[8:15]"
    assert code_of(insert_nops(kernel_of(f"{product}\n{mover}", "gfx950"))) == [product, *nops, mover]


def test_a_wait_for_a_lane_mask_stands_in_the_block_that_writes_it() -> None:
    """LLVM (`fixVALUMaskWriteHazard`) puts it right after the write: one wait, however many blocks follow."""
    code = """
        v_cndmask_b32_e64 v0, v1, v2, s[4:5]
        s_mov_b64 s[4:5], 0
        loop:
        v_mov_b32_e32 v5, s4
        s_cbranch_scc1 loop
    """
    assert lines_of(insert_nops(kernel_of(code, "gfx1100:wave64")))[:-2] == [
        "v_cndmask_b32_e64 v0, v1, v2, s[4:5]", "s_mov_b64 s[4:5], 0", "s_waitcnt_depctr depctr_sa_sdst(0)", "loop:",
        "v_mov_b32_e32 v5, s4", "s_cbranch_scc1 loop",
    ]  # fmt: skip


def test_states_count_across_a_block_edge_and_the_shortest_way_decides() -> None:
    code = """
        v_cmp_lt_f32_e32 vcc, v0, v1
        s_cbranch_scc1 join
        s_mov_b32 s0, 0
        join:
        v_cndmask_b32_e32 v2, v3, v4, vcc
    """
    # over the taken branch one state lies between: the branch; two are wanted
    assert lines_of(insert_nops(kernel_of(code))) == [
        "v_cmp_lt_f32_e32 vcc, v0, v1", "s_cbranch_scc1 join", "after1:", "s_mov_b32 s0, 0", "join:", "s_nop 0",
        "v_cndmask_b32_e32 v2, v3, v4, vcc", "s_endpgm",
    ]  # fmt: skip


def test_a_hazard_goes_around_the_back_edge() -> None:
    code = """
        loop:
        v_readlane_b32 s0, v0, s2
        v_mov_b32_e32 v0, v2
        s_cbranch_scc1 loop
    """
    # no nop needed because the branch is one state
    assert code_of(insert_nops(kernel_of(code))) == ["v_readlane_b32 s0, v0, s2", "v_mov_b32_e32 v0, v2", "s_cbranch_scc1 loop"]
    code = """
        loop:
        v_mov_b32_dpp v3, v0 row_shr:1 row_mask:0xf bank_mask:0xf
        v_mov_b32_e32 v0, v2
        s_cbranch_scc1 loop
    """
    # DPP wants two states, and the branch is one of them
    assert code_of(insert_nops(kernel_of(code)))[0] == "s_nop 0"


def test_each_nop_names_its_rule_and_producer() -> None:
    kernel = insert_nops(kernel_of("v_rcp_f32_e32 v0, v1\nv_add_f32_e32 v2, v0, v0"))
    assert kernel.blocks[0].instructions[1].comment == "transcendental result read by VALU: v0 of v_rcp_f32_e32"


def test_idempotent() -> None:
    for _, before, _ in (*CASES, *CLAUSES):
        once = insert_nops(kernel_of(instructions(before), XNACK_ANY))
        assert lines_of(insert_nops(once)) == lines_of(once)
