"""Spellings that are read besides the printed spelling; bad text raises InputError and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isa.build import build
from isa.diagnostics import InputError
from isa.dpp import CDNA_CONTROLS, RDNA_CONTROLS, control, format_control, format_swizzle, parse_control, parse_swizzle
from isa.instruction import Immediate, Label
from isa.registers import FIRST_VIRTUAL, Register, register_name, vgpr
from isa.table import table_named
from isa.text.operands import parse_register
from isa.text.parsing import parse_instr as parse_on
from isa.text.printing import format_instr
from tests.rows import all_rows, parse_instr, parse_machine_instr, row, rows_named
from tests.unit.isa.samples import samples

SPELLINGS = {
    "s_waitcnt 0": "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)",
    "s_waitcnt 0xc07f": "s_waitcnt lgkmcnt(0)",
    "s_waitcnt 0xcf7f": "s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)",
    "s_waitcnt 0x3f70": "s_waitcnt vmcnt(0)",
    "s_waitcnt vmcnt(1) & lgkmcnt(2)": "s_waitcnt vmcnt(1) lgkmcnt(2)",
    "s_waitcnt lgkmcnt(2), vmcnt(1)": "s_waitcnt vmcnt(1) lgkmcnt(2)",
    "s_waitcnt lgkmcnt(2)&vmcnt(1)": "s_waitcnt vmcnt(1) lgkmcnt(2)",
    "v_add_f32 v0, abs(v1), neg(v2)": "v_add_f32_e64 v0, |v1|, -v2",
    "v_add_f32 v0, -abs(v1), neg(|v2|)": "v_add_f32_e64 v0, -|v1|, -|v2|",
    "v_add_f32 v0, -1.0, v2": "v_add_f32_e32 v0, -1.0, v2",
    "v_add_f32 v0, neg(1.0), v2": "v_add_f32_e64 v0, neg(1.0), v2",
    "v_add_f32 v0, 0x3f800000, v2": "v_add_f32_e32 v0, 1.0, v2",
    "v_add_f32 v0, 100.0, v2": "v_add_f32_e32 v0, 0x42c80000, v2",
    "v_add_f32 v0, 1e2, v2": "v_add_f32_e32 v0, 0x42c80000, v2",
    "v_and_b32 v0, 0xfffffff0, v2": "v_and_b32_e32 v0, -16, v2",
    "v_and_b32 v0, 0b101, v2": "v_and_b32_e32 v0, 5, v2",
    "v_add_f16 v0, 0x3c00, v2": "v_add_f16_e32 v0, 1.0, v2",
    "v_cvt_f32_f64 v0, 100.0": "v_cvt_f32_f64_e32 v0, 0x40590000",
    "v_mov_b32 v0, v1 quad_perm:[0, 1, 2, 3] row_mask:15 bank_mask:0xf bound_ctrl:0": (
        "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:1"
    ),
    "v_mov_b32 v0, v1 src0_sel:BYTE_1": "v_mov_b32_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1",
    "v_fma_f32_e64 v0, v1, v2, v3": "v_fma_f32 v0, v1, v2, v3",
    "global_load_dword v[0], v1, s[ 2 : 3 ] sc1 sc0 offset:0x10": "global_load_dword v0, v1, s[2:3] offset:16 sc0 sc1",
    "s_mov_b32 s0, src_scc": "s_mov_b32 s0, src_scc",
    "s_movk_i32 s0, -1": "s_movk_i32 s0, 0xffff",
    "s_getreg_b32 s0, 0x1801": "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)",
    "s_getreg_b32 s0, hwreg(1)": "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
    "ds_swizzle_b32 v0, v1 offset:16415": "ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)",
    "s_branch .LBB0_1": "s_branch .LBB0_1",
    "s_branch -5": "s_branch -5",
    "  s_endpgm  ": "s_endpgm",
}


@pytest.mark.parametrize(("text", "canonical"), SPELLINGS.items())
def test_other_spellings_mean_the_canonical_one(text: str, canonical: str) -> None:
    instr = parse_instr(text, "here")
    assert format_instr(instr) == canonical
    assert parse_instr(canonical, "here") == instr


def test_constants_are_bits_of_their_operand() -> None:
    assert parse_instr("v_add_f32 v0, 1.0, v1", "").operands[1] == Immediate(0x3F800000)
    assert parse_instr("v_add_f16 v0, 1.0, v1", "").operands[1] == Immediate(0x3C00)
    assert parse_instr("v_add_f64 v[0:1], 1.0, v[2:3]", "").operands[1] == Immediate(0x3FF0 << 48)
    assert parse_instr("v_add_u32 v0, -1, v1", "").operands[1] == Immediate(0xFFFFFFFF)
    assert parse_instr("v_lshlrev_b64 v[0:1], 3, v[2:3]", "").operands[1] == Immediate(3)
    assert parse_instr("s_mov_b64 s[0:1], -1", "").operands[1] == Immediate((1 << 64) - 1)
    assert parse_instr("s_branch elsewhere", "").operands == (Label("elsewhere"),)


def test_a_forced_literal_is_its_value() -> None:
    """llvm-objdump's spelling of a literal that the assembler would have put inline."""
    assert parse_instr("v_mov_b32 v0, lit(0xffffffff)", "").operands[1] == Immediate(0xFFFFFFFF)
    assert parse_instr("s_mov_b32 s0, lit(0x40)", "").operands[1] == Immediate(64)
    assert parse_instr("v_cvt_f32_f64 v0, lit(0x3ff00000)", "").operands[1] == Immediate(0x3FF0 << 48)


def test_a_tied_operand_is_its_destination() -> None:
    assert parse_instr("v_fmac_f32 v5, v1, v2", "").operands == (vgpr(5), vgpr(1), vgpr(2), vgpr(5))


def test_virtual_registers_are_named_by_the_caller() -> None:
    instr = build(row("v_add_f32_e32"), Register(2000), 1.0, Register(2001))
    assert format_instr(instr, lambda register: f"%x{register.first}") == "v_add_f32_e32 %x2000, 1.0, %x2001"
    assert parse_machine_instr(format_instr(instr, register_name), "") == instr
    with pytest.raises(InputError):
        parse_instr(format_instr(instr, register_name), "")


def test_rows_are_found_in_the_assemblers_order() -> None:
    assert [found.mnemonic for found in rows_named("v_add_f32")] == [
        "v_add_f32_e32", "v_add_f32_e64", "v_add_f32_sdwa", "v_add_f32_sdwa", "v_add_f32_dpp",
    ]  # fmt: skip
    assert [found.form for found in rows_named("global_load_dword")] == ["", "saddr"]
    assert rows_named("v_made_up") == ()


@pytest.mark.parametrize("names", [CDNA_CONTROLS, RDNA_CONTROLS])
def test_every_lane_control_is_spelt_and_read(names: tuple[str, ...]) -> None:
    for value in range(0x200):
        text = format_control(value, names)
        if text is not None:
            assert parse_control(text) == value
    assert format_control(control("row_shr", 15), names) == "row_shr:15"
    with pytest.raises(ValueError, match="row_shr:16 is not a DPP control"):
        control("row_shr", 16)


def lanes_read(offset: int) -> list[int]:
    """Which lane of its 32 each lane reads in the bit-mask mode (CDNA3 ISA, DS_SWIZZLE_B32)."""
    return [((lane & offset & 31) | offset >> 5 & 31) ^ offset >> 10 & 31 for lane in range(32)]


@given(st.integers(0, 0x7FFF))
@settings(max_examples=500, deadline=None)
def test_a_mask_pattern_is_read_as_what_it_does(offset: int) -> None:
    """Several encodings permute alike and are spelt alike."""
    read = parse_swizzle(format_swizzle(offset))
    assert read is not None
    assert lanes_read(read) == lanes_read(offset)


@pytest.mark.parametrize("offset", [0x8000, 0x801B, 0x80FF, 0xC000, 0xC4A0, 0xC7E0, 0xE000, 0xE01F])
def test_the_other_swizzle_modes_are_read_back(offset: int) -> None:
    assert parse_swizzle(format_swizzle(offset)) == offset


TEXTS = [format_instr(instr) for row_ in all_rows()[::40] for instr in samples(row_)[:3]]
JUNK = st.text(alphabet='vs0123456789[]():,.|-&%" ²٣\tabcdefx_offneg{}', max_size=12)


@pytest.mark.broad
@given(st.sampled_from(TEXTS), st.integers(0, 80), st.integers(0, 8), JUNK)
@settings(max_examples=500, deadline=None)
def test_damaged_text_is_refused_or_read_but_never_crashes(text: str, at: int, dropped: int, junk: str) -> None:
    damaged = text[:at] + junk + text[at + dropped :]
    try:
        instr = parse_instr(damaged, "here")
    except InputError as error:
        assert str(error).startswith("here: error[")
        return
    assert parse_instr(format_instr(instr), "here") == instr


def test_very_long_numbers_are_refused() -> None:
    for text in (f"s_mov_b32 s0, {'9' * 6000}", f"v_mov_b32 v0, v{'1' * 6000}", f"s_nop {'1' * 6000}", f"ds_read_b32 v0, v1 offset:{'1' * 6000}"):
        with pytest.raises(InputError):
            parse_instr(text, "here")


@pytest.mark.parametrize("operand", ["--v1", "|-v1|", "abs(neg(v1))", "neg(-v1)", "-neg(v1)", "abs(|v1|)"])
def test_only_the_negative_of_an_absolute_value_is_read(operand: str) -> None:
    """LLVM refuses them all; an instruction negates after it takes the absolute value."""
    with pytest.raises(InputError):
        parse_instr(f"v_add_f32_e64 v0, {operand}, v2", "here")


@pytest.mark.parametrize("text", ["s_mov_b32 s0, flat_scratch_lo", "s_mov_b64 xnack_mask, 0", "v_mov_b32 v0, xnack_mask_hi"])
def test_rdna_has_sgprs_in_the_place_of_flat_scratch_and_the_mask_of_xnack(text: str) -> None:
    parse_on(text, table_named("gfx942"), "here")
    with pytest.raises(InputError, match="wanted"):
        parse_on(text, table_named("gfx1100"), "here")


@pytest.mark.parametrize("text", ["v_add_f16_e32 v0, 1e-10, v1", "s_mov_b32 s0, -1e-50"])
def test_a_float_that_rounds_to_0_is_refused(text: str) -> None:
    """As by LLVM, which also refuses denormals that are rounded."""
    with pytest.raises(InputError):
        parse_instr(text, "here")


def test_a_virtual_register_has_a_number_that_no_physical_register_has() -> None:
    assert parse_register(f"%{FIRST_VIRTUAL}") == Register(FIRST_VIRTUAL, 1)
    assert parse_register(f"%{FIRST_VIRTUAL - 1}") is None
