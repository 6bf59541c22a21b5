"""The builder: numbers become bits of their operand's type, and nothing illegal is made."""

from __future__ import annotations

import math

import pytest

from isa.build import build
from isa.diagnostics import InternalError
from isa.instruction import OFF, Immediate, Origin
from isa.registers import FIRST_VIRTUAL, VCC, Register, sgpr, vgpr
from isa.text.printing import format_instr
from tests.rows import row

VIRTUAL = Register(FIRST_VIRTUAL)


def test_numbers_become_bits_of_the_operands_type() -> None:
    assert build(row("v_add_f32_e32"), vgpr(0), 1.5, vgpr(1)).operands[1] == Immediate(0x3FC00000)
    assert build(row("v_add_f16_e32"), vgpr(0), -0.0, vgpr(1)).operands[1] == Immediate(0x8000)
    assert build(row("v_add_f64"), vgpr(0, 2), 1.0, vgpr(2, 2)).operands[1] == Immediate(0x3FF0 << 48)
    assert build(row("v_add_u32_e32"), vgpr(0), -1, vgpr(1)).operands[1] == Immediate(0xFFFFFFFF)
    assert build(row("v_add_f32_e32"), vgpr(0), 3, vgpr(1)).operands[1] == Immediate(3)
    assert build(row("s_movk_i32"), sgpr(0), -1).operands[1] == Immediate(0xFFFF)
    assert build(row("v_mov_b32_e32"), vgpr(0), 0x7FC00000).operands[1] == Immediate(0x7FC00000)
    assert build(row("v_add_f32_e32"), vgpr(0), math.inf, vgpr(1)).operands[1] == Immediate(0x7F800000)


def test_forms_are_told_apart_by_name() -> None:
    plain = build(row("global_load_dword"), vgpr(0), vgpr(2, 2), OFF, offset=-4)
    assert format_instr(plain) == "global_load_dword v0, v[2:3], off offset:-4"
    based = build(row("global_load_dword", "saddr"), vgpr(0), vgpr(2), sgpr(4, 2), offset=16, nt=1)
    assert format_instr(based) == "global_load_dword v0, v2, s[4:5] offset:16 nt"
    returning = build(row("global_atomic_add", "return"), vgpr(0), vgpr(2, 2), vgpr(4), OFF)
    assert format_instr(returning) == "global_atomic_add v0, v[2:3], v4, off sc0"
    upper = build(row("v_add_i16", "high"), vgpr(0), vgpr(1), vgpr(2), vgpr(0), op_sel=(1, 0))
    assert format_instr(upper) == "v_add_i16 v0, v1, v2 op_sel:[1,0,1]"


def test_modifiers_at_their_default_are_left_out_and_the_rest_ordered() -> None:
    instr = build(row("v_add_f32_e64"), vgpr(0), vgpr(1), vgpr(2), omod=1, clamp=1, neg=0b10, abs=0)
    assert instr.modifiers == (("neg", 0b10), ("clamp", 1), ("omod", 1))
    assert format_instr(instr) == "v_add_f32_e64 v0, v1, -v2 clamp mul:2"
    assert build(row("s_waitcnt"), vmcnt=63, lgkmcnt=0).modifiers == (("lgkmcnt", 0),)


def test_origin_contraction_and_comment_are_kept() -> None:
    origin = Origin("add")
    instr = build(row("v_add_f32_e32"), VIRTUAL, 1.0, VIRTUAL, origin=origin, contract=True, comment="a sum")
    assert (instr.origin, instr.contract, instr.comment) == (origin, True, "a sum")


def test_what_the_row_does_not_allow_is_an_internal_error() -> None:
    with pytest.raises(InternalError, match="wanted 3: vdst, src0, src1"):
        build(row("v_add_f32_e32"), vgpr(0), vgpr(1))
    with pytest.raises(InternalError, match="ISA001"):
        build(row("v_add_f32_e32"), vgpr(0), vgpr(1), sgpr(2))
    with pytest.raises(InternalError, match="does not fit a i32"):
        build(row("s_mul_i32"), sgpr(0), sgpr(1), 1.0)
    with pytest.raises(InternalError, match="does not fit a u32"):
        build(row("v_add_u32_e32"), vgpr(0), 1 << 32, vgpr(1))
    with pytest.raises(InternalError, match="does not fit a f16"):
        build(row("v_add_f16_e32"), vgpr(0), 1e6, vgpr(1))
    with pytest.raises(InternalError, match="no modifier clamped"):
        build(row("v_add_f32_e64"), vgpr(0), vgpr(1), vgpr(2), clamped=1)
    with pytest.raises(InternalError, match="ISA007"):
        build(row("ds_read_b32"), vgpr(0), vgpr(1), offset=65536)
    with pytest.raises(InternalError, match="ISA005"):
        build(row("v_add_f32_e64"), vgpr(0), sgpr(1), sgpr(2))
    with pytest.raises(InternalError, match="ISA001"):
        build(row("v_cndmask_b32_e32"), vgpr(0), vgpr(1), vgpr(2), sgpr(4, 2))
    build(row("v_cndmask_b32_e32"), vgpr(0), vgpr(1), vgpr(2), VCC)
