"""Constants go into the instruction that reads them alone."""

from __future__ import annotations

from asmgen.passes.peephole.literals import take_literals
from tests.unit.passes.assembly import code_of, kernel_of

MOVE = "s_mov_b32 s0, 0x249f0"


def taken(*lines: str) -> list[str]:
    return code_of(take_literals(kernel_of("\n".join(lines))))


def test_a_comparison_onto_vcc_takes_it_with_its_sources_exchanged() -> None:
    assert taken(MOVE, "v_cmp_lt_u32_e64 vcc, v0, s0") == ["v_cmp_gt_u32_e32 vcc, 0x249f0, v0"]
    assert taken(MOVE, "v_cmp_lt_u32_e64 vcc, s0, v0") == ["v_cmp_lt_u32_e32 vcc, 0x249f0, v0"]


def test_a_comparison_of_floats_takes_it_too() -> None:
    assert taken(MOVE, "v_cmp_nlt_f32_e64 vcc, v0, s0") == ["v_cmp_ngt_f32_e32 vcc, 0x249f0, v0"]


def test_what_only_the_long_encoding_writes_keeps_the_register() -> None:
    lines = [MOVE, "v_cmp_lt_u32_e64 s[2:3], v0, s0"]
    assert taken(*lines) == lines


def test_a_register_that_two_read_or_another_block_may_stays() -> None:
    twice = [MOVE, "v_cmp_lt_u32_e64 vcc, v0, s0", "v_cmp_lt_u32_e64 vcc, v1, s0"]
    assert taken(*twice) == twice
    branched = [MOVE, "v_cmp_lt_u32_e64 vcc, v0, s0", "s_cbranch_vccz next", "next:", "v_mov_b32_e32 v1, s0"]
    assert MOVE in taken(*branched)


def test_a_register_of_a_pair_stays() -> None:
    """Also if the reader has the constant of the move in another place."""
    kernel = kernel_of("v_mov_b32_e32 v7, 0\nv_cmp_ne_i64_e64 vcc, v[6:7], 0")
    (block,) = kernel.blocks
    move, reader = block.instructions
    reader = reader.as_row(reader.row, (*reader.operands[:2], move.operands[1]))
    kernel = kernel.with_blocks([block.with_instructions([move, reader])])
    assert code_of(take_literals(kernel)) == code_of(kernel)


def test_a_register_that_is_written_anew_is_another() -> None:
    assert taken(MOVE, "v_cmp_lt_u32_e64 vcc, v0, s0", "s_mov_b32 s0, s1", "v_mov_b32_e32 v1, s0") == [
        "v_cmp_gt_u32_e32 vcc, 0x249f0, v0",
        "s_mov_b32 s0, s1",
        "v_mov_b32_e32 v1, s0",
    ]
