"""Instructions that the verifier refuses; LLVM refuses them too if text can say them."""

from __future__ import annotations

import pytest

from isa.diagnostics import InputError, InternalError, Place
from isa.instruction import OFF, Immediate, Instr, Operand
from isa.operand_check import known_class
from isa.registers import EXEC, FIRST_VIRTUAL, MODE, Register, RegisterClass, agpr, sgpr, vgpr
from isa.verify import find_fault, verify_instr
from tests.rows import parse_instr, row
from tests.unit.isa.assembler import assemble_lines

PLACE = Place("kernel.s", 3, 2)
REFUSED = {
    # a register of the wrong file, or none instead of a register
    "v_mov_b32_e32 s0, v1": "ISA001",
    "s_mov_b32 v0, s1": "ISA001",
    "s_add_u32 s0, v1, s2": "ISA001",
    "v_add_f32_e32 v0, v1, s2": "ISA001",
    "v_add_f32_e32 v0, v1, 1.0": "ISA001",
    "global_load_dword v0, s[2:3], off": "ISA001",
    "global_store_dword v[0:1], s2, off": "ISA001",
    "ds_read_b32 s0, v1": "ISA001",
    "s_load_dword v0, s[0:1], 0x0": "ISA001",
    "v_readlane_b32 v0, v1, s2": "ISA001",
    "v_readlane_b32 s0, v1, v2": "ISA001",
    "v_cndmask_b32_e64 v0, v1, v2, v[4:5]": "ISA001",
    "v_cndmask_b32_e32 v0, v1, v2, s[4:5]": "ISA001",
    "v_cmp_eq_u32_e32 s[2:3], v0, v1": "ISA001",
    "v_add_f32_e64 a0, v1, v2": "ISA001",
    "v_accvgpr_read_b32 v0, v1": "ISA001",
    "s_mov_b64 m0, s[0:1]": "ISA001",
    "v_mov_b32_dpp v0, s1 row_shl:1": "ISA001",
    "v_add_f32_dpp v0, v1, s2 row_shl:1": "ISA001",
    "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], a[0:3]": "ISA001",
    "ds_write2_b32 v0, v1, a2": "ISA001",
    "s_branch s0": "ISA001",
    "v_div_scale_f32 v0, m0, v1, v2, v1": "ISA001",
    # a tuple of the wrong width
    "v_mov_b32_e32 v[0:1], v2": "ISA002",
    "s_mov_b64 s0, s[2:3]": "ISA002",
    "v_add_f64 v[0:1], v2, v[4:5]": "ISA002",
    "global_load_dwordx4 v[0:2], v[4:5], off": "ISA002",
    "global_load_dword v0, v1, s2": "ISA002",
    "buffer_load_dword v0, off, s[0:1], 0": "ISA002",
    "s_and_saveexec_b64 s[0:1], vcc_lo": "ISA002",
    "v_cndmask_b32_e64 v0, v1, v2, s4": "ISA002",
    "ds_read_b64 v0, v1": "ISA002",
    # a tuple that does not start at a multiple of its alignment
    "v_add_f64 v[1:2], v[4:5], v[6:7]": "ISA003",
    "v_pk_add_f32 v[0:1], v[3:4], v[6:7]": "ISA003",
    "global_load_dwordx4 v[1:4], v[6:7], off": "ISA003",
    "global_load_dwordx3 v[1:3], v[6:7], off": "ISA003",
    "global_load_dword v0, v[1:2], off": "ISA003",
    "ds_write_b64 v0, v[1:2]": "ISA003",
    "s_mov_b64 s[1:2], s[4:5]": "ISA003",
    "s_load_dwordx4 s[2:5], s[0:1], 0x0": "ISA003",
    "s_load_dwordx8 s[6:13], s[0:1], 0x0": "ISA003",
    "buffer_load_dword v0, off, s[2:5], 0": "ISA003",
    "v_mfma_f32_16x16x16_f16 a[1:4], v[4:5], v[6:7], a[1:4]": "ISA003",
    # immediates that do not fit the operand
    "s_movk_i32 s0, 0x12345": "ISA004",
    "s_nop 0x10000": "ISA004",
    "s_mov_b32 s0, 0x123456789": "ISA004",
    "s_load_dword s0, s[0:1], 0x100000": "ISA004",
    "s_mov_b64 s[0:1], 0x123456789a": "ISA004",
    "v_add_u16_e32 v0, 0x12345, v1": "ISA004",
    "v_readlane_b32 s0, v1, 0x100": "ISA004",
    # a literal in an encoding without room for it
    "v_add_f32_e64 v0, 0x42280000, v1": "ISA004",
    "v_fma_f32 v0, v1, v2, 0x42280000": "ISA004",
    "v_pk_add_f32 v[0:1], v[2:3], 0x42280000": "ISA004",
    "v_cvt_f64_i32_e64 v[0:1], 0x1234": "ISA004",
    "v_mul_f64 v[0:1], v[2:3], 0x3fb99999": "ISA004",
    "v_mov_b32_dpp v0, 0x1234 row_shl:1": "ISA001",
    "v_add_f32_sdwa v0, 0x42280000, v1 src0_sel:WORD_0": "ISA004",
    "ds_write_b32 v0, 0x1234": "ISA001",
    # more scalar values than the constant bus carries, or two literals
    "v_add_f32_e64 v0, s1, s2": "ISA005",
    "v_fma_f32 v0, s1, v2, s3": "ISA005",
    "v_fma_f64 v[0:1], s[2:3], v[2:3], s[4:5]": "ISA005",
    "v_cndmask_b32_e32 v0, s1, v1, vcc": "ISA005",
    "v_cndmask_b32_e64 v0, s1, v1, s[2:3]": "ISA005",
    "v_addc_co_u32_e32 v0, vcc, s1, v1, vcc": "ISA005",
    "v_div_fmas_f32 v0, s1, v1, v2": "ISA005",
    "v_add_f32_e64 v0, m0, s2": "ISA005",
    "v_add_f32_e64 v0, exec_lo, s2": "ISA005",
    "v_fmaak_f32 v0, s1, v1, 0x42280000": "ISA005",
    "v_writelane_b32 v0, s1, s2": "ISA005",
    "v_writelane_b32 v0, m0, s2": "ISA005",
    "v_add_u32_sdwa v0, s1, s2 src0_sel:WORD_0": "ISA005",
    "s_add_u32 s0, 0x12345, 0x54321": "ISA005",
    "v_fmaak_f32 v0, 0x42280001, v1, 0x42280000": "ISA005",
    # a destination that overlaps a source in part
    "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], v[2:17]": "ISA006",
    "v_mfma_f32_32x32x8_f16 v[0:15], v[2:3], v[18:19], v[0:15]": "ISA006",
    # modifiers out of range
    "global_load_dword v0, v[2:3], off offset:4096": "ISA007",
    "global_load_dword v0, v[2:3], off offset:-4097": "ISA007",
    "ds_read_b32 v0, v1 offset:65536": "ISA007",
    "ds_read2_b32 v[0:1], v2 offset0:256": "ISA007",
    "buffer_load_dword v0, off, s[0:3], 0 offset:4096": "ISA007",
    "flat_load_dword v0, v[2:3] offset:-1": "ISA007",
    "s_waitcnt vmcnt(64)": "ISA007",
    "s_waitcnt lgkmcnt(16)": "ISA007",
    "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0x10": "ISA007",
    "v_mov_b64_dpp v[0:1], v[2:3] row_shl:1": "ISA007",
    # modifiers that the instruction does not have
    "v_mov_b32_dpp v0, v1 row_shl:16": "ASM004",
    "v_add_u32_e64 v0, -v1, v2": "ASM004",
    "v_add_f32_e64 v0, sext(v1), v2": "ASM004",
    "v_lshl_add_u32 v0, v1, v2, v3 clamp": "ASM004",
    "v_mul_lo_u32 v0, v1, v2 mul:2": "ASM004",
    "global_load_dword v0, v[2:3], off glc": "ASM004",
    "v_add_f32_e64 v0, v1, v2 clamp clamp": "ASM004",
    "global_atomic_add v0, v[2:3], v4, off": "ASM004",
    "buffer_load_dword v0, v1, s[0:3], 0": "ISA001",
    # operands too few, too many, unreadable
    "v_add_f32_e64 v0, v1": "ASM003",
    "v_add_f32_e64 v0, v1, v2, v3": "ASM003",
    "s_endpgm s0": "ASM004",
    "v_mov_b32_e32 v0 v1": "ASM003",
    "v_mov_b32_e32 v0, v256": "ISA004",
    "s_mov_b32 s0, s102": "ISA004",
    "v_mov_b32_e32 v0, v[": "ASM002",
    "v_mov_b32_e32 v0, fred": "ISA004",
    "v_made_up v0, v1": "ASM001",
    "v_add_f32_e16 v0, v1, v2": "ASM001",
}


@pytest.mark.parametrize(("text", "code"), REFUSED.items())
def test_illegal_text_is_refused_with_its_place(text: str, code: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_instr(text, PLACE)
    assert refusal.value.code == code
    assert str(refusal.value).startswith(f"kernel.s:3:2: error[{code}]: ")
    assert ", wanted " in str(refusal.value)


# LLVM accepts these, and why ours is right to refuse
LLVM_ACCEPTS = {
    "v_mfma_f32_32x32x8_f16 v[0:15], v[2:3], v[18:19], v[0:15]": "LLVM leaves the overlap with A or B to its register allocator",
    "v_mov_b32_e32 v0, fred": "an undefined symbol is a relocation to llvm-mc; our text has no symbols but labels",
    "s_nop 0x10000": "the field has 16 bits; llvm-mc drops the others",
    "buffer_load_dword v0, off, s[0:3], 0 offset:4096": "the field has 12 bits; llvm-mc drops the others",
    "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0x10": "the field has 4 bits; llvm-mc drops the others",
    "v_mov_b32_e32 v0 v1": "llvm-mc takes operands without the comma; nobody writes them so",
}


@pytest.mark.needs_llvm("llvm-mc-22")
def test_llvm_refuses_the_same() -> None:
    accepted = [text for text, seen in zip(REFUSED, assemble_lines(list(REFUSED)), strict=True) if not seen.error]
    assert sorted(accepted) == sorted(LLVM_ACCEPTS)


def faulty(mnemonic: str, *operands: Operand, form: str = "") -> str:
    """The code for which an instruction made by hand is refused."""
    instr = Instr(row(mnemonic, form), operands)
    with pytest.raises(InputError) as refusal:
        verify_instr(instr, known_class, PLACE)
    return refusal.value.code


def test_broken_ties_are_refused() -> None:
    assert faulty("v_fmac_f32_e32", vgpr(0), vgpr(1), vgpr(2), vgpr(3)) == "ISA006"
    assert faulty("v_mov_b32_sdwa", vgpr(0), vgpr(1), vgpr(2), form="preserve") == "ISA006"
    assert faulty("global_load_short_d16_hi", vgpr(0), vgpr(2, 2), OFF, vgpr(1)) == "ISA006"
    assert faulty("v_fmac_f32_e32", vgpr(0), vgpr(1), vgpr(2), Immediate(0)) == "ISA001"


def test_a_tie_of_virtual_registers_is_the_allocators_to_keep() -> None:
    virtual = [Register(FIRST_VIRTUAL + i) for i in range(4)]
    classes = dict.fromkeys(virtual, RegisterClass.VGPR)
    verify_instr(Instr(row("v_fmac_f32_e32"), tuple(virtual)), lambda register: classes[register], PLACE)


def test_virtual_registers_are_checked_by_class_and_width() -> None:
    scalar, pair = Register(FIRST_VIRTUAL), Register(FIRST_VIRTUAL + 1, 2)
    classes = {scalar: RegisterClass.SGPR, pair: RegisterClass.VGPR}
    for operands, code in (((scalar, vgpr(1)), "ISA001"), ((pair, vgpr(1)), "ISA002")):
        with pytest.raises(InputError) as refusal:
            verify_instr(Instr(row("v_mov_b32_e32"), operands), lambda register: classes.get(register, RegisterClass.VGPR), PLACE)
        assert refusal.value.code == code


def test_two_virtual_scalars_break_the_constant_bus() -> None:
    scalars = Register(FIRST_VIRTUAL), Register(FIRST_VIRTUAL + 1)
    instr = Instr(row("v_add_f32_e64"), (vgpr(0), *scalars))
    twice = Instr(instr.row, (vgpr(0), scalars[0], scalars[0]))
    found = [find_fault(each, lambda register: RegisterClass.SGPR if register.is_virtual else RegisterClass.VGPR) for each in (instr, twice)]
    assert found[0] is not None
    assert (found[0].code, found[1]) == ("ISA005", None)


def test_the_same_scalar_twice_is_one_read() -> None:
    parse_instr("v_add_f32_e64 v0, s1, s1", PLACE)
    parse_instr("s_add_u32 s0, 0x12345, 0x12345", PLACE)
    parse_instr("v_writelane_b32 v0, s1, s1", PLACE)


def test_m0_as_a_lane_number_is_no_read_of_the_constant_bus() -> None:
    parse_instr("v_writelane_b32 v0, s1, m0", PLACE)


def test_a_small_matrix_result_may_overlap_its_factors() -> None:
    parse_instr("v_mfma_f32_16x16x16_f16 v[0:3], v[2:3], v[0:1], 0", PLACE)


def test_registers_that_no_operand_names_are_refused() -> None:
    assert faulty("s_mov_b32", sgpr(0), MODE) == "ISA001"
    assert faulty("v_mov_b32_e32", vgpr(0), agpr(1)) == "ISA001"
    assert faulty("s_mov_b32", EXEC, sgpr(0)) == "ISA002"


def test_the_number_of_operands_is_checked() -> None:
    assert faulty("s_mov_b32", sgpr(0)) == "ISA008"


def test_an_unknown_mnemonic_is_an_internal_error() -> None:
    with pytest.raises(InternalError):
        row("v_mov_b32")
