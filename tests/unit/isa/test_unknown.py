"""The message for an instruction that a target lacks."""

from __future__ import annotations

import pytest

from isa.diagnostics import InputError
from isa.table import table_named
from isa.text.parsing import parse_instr


@pytest.mark.parametrize(
    ("target", "text", "whose", "instead"),
    [
        ("gfx1100", "v_add_u32 v0, v1, v2", "gfx90a, gfx942, gfx950", "gfx1100 has v_add_nc_u32"),
        ("gfx942", "v_add_nc_u32 v0, v1, v2", "gfx1100, gfx1201", "gfx942 has v_add_u32"),
        ("gfx1201", "s_waitcnt vmcnt(0)", "gfx90a, gfx942, gfx950, gfx1100", "gfx1201 has"),
        ("gfx1100", "v_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[2:3], 0", "gfx942, gfx950", "has v_wmma_f16_16x16x16_f16, v_wmma_f32_16x16x16_f16"),
        ("gfx942", "v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], 0", "gfx950", "v_mfma_f32_16x16x16_f16"),
        ("gfx950", "v_mfma_f32_16x16x8_xf32 v[0:3], v[4:5], v[6:7], 0", "gfx942", "v_mfma_f32_16x16x4_f32"),
        ("gfx90a", "v_cvt_f32_fp8 v0, v1", "gfx942, gfx950, gfx1201", "gfx90a has nothing that does the same"),
    ],
)  # fmt: skip
def test_another_targets_instruction_names_what_this_one_has(target: str, text: str, whose: str, instead: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_instr(text, table_named(target), "line")
    assert caught.value.code == "ASM001"
    assert f"is an instruction of {whose}, wanted one of {target}'s" in caught.value.message
    (note,) = caught.value.notes
    assert instead in note


def test_a_misspelling_names_what_comes_close() -> None:
    with pytest.raises(InputError) as caught:
        parse_instr("v_ad_f32 v0, v1, v2", table_named("gfx942"), "line")
    assert caught.value.message == "unknown instruction 'v_ad_f32', wanted one of gfx942's"
    assert "v_add_f32" in caught.value.notes[0]


@pytest.mark.parametrize("target", ["gfx1100:wave64", "gfx1201:wave64"])
def test_what_needs_shorter_waves_says_so(target: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_instr("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v3, v2", table_named(target), "line")
    assert caught.value.message.endswith(f"needs waves of 32 lanes, wanted one of {target}'s")
    assert caught.value.notes == (f"{target.split(':')[0]} has it in waves of 32 lanes alone",)
