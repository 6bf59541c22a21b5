"""Instructions as bytes: stated cases of `isa.binary`, with bytes of llvm-mc."""

from __future__ import annotations

import pytest

from isa.binary import decode, encode
from isa.diagnostics import InputError, InternalError
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr

STATED = (
    ("gfx90a", "global_atomic_add v[8:9], a44, off offset:1 slc scc", "01 80 0a df 08 2c ff 00"),
    ("gfx942", "s_add_u32 s0, s1, 0x1234", "01 ff 00 80 34 12 00 00"),
    ("gfx942", "v_fma_f32 v0, -v1, |s2|, 1.0 clamp mul:2", "00 82 cb d1 01 05 c8 2b"),
    ("gfx942", "s_load_dword s5, s[2:3], s0", "41 01 00 c0 00 00 00 00"),
    ("gfx942", "s_load_dword s5, s[2:3], 0x10", "41 01 02 c0 10 00 00 00"),
    ("gfx942", "s_load_dword s5, s[2:3], s0 offset:0x10", "41 41 02 c0 10 00 00 00"),
    ("gfx942", "global_load_dword v0, v[2:3], off offset:-5", "fb 9f 50 dc 02 00 7f 00"),
    ("gfx942", "v_pk_add_u16 v6, v6, 1.0", "06 40 8a d3 06 e5 01 18"),  # clang's code for + (ushort2)(0, 0x3f80)
    ("gfx942", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", "fa 02 00 7e 01 11 09 ff"),
    ("gfx1100", "v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", "fa 02 00 7e 01 11 01 ff"),
    ("gfx1201", "v_add_f32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", "fa 04 00 06 01 11 01 ff"),
    ("gfx1100", "v_add_f16_e32 v1.h, v2.l, v3.h", "02 07 03 65"),
    ("gfx1100", "v_fma_f16 v1.h, v2.l, v3.h, v4.l", "01 50 48 d6 02 07 12 04"),
    ("gfx1100", "v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0] fi:1", "ea 02 02 7e 02 77 39 05"),
    ("gfx1100", "s_waitcnt_vscnt null, 0x0", "00 00 7c bc"),
    ("gfx1100", "v_dual_fmac_f32 v1, s2, v3 :: v_dual_mov_b32 v4, v5", "02 06 10 c8 05 01 04 01"),
    ("gfx1201", "global_load_b32 v1, v2, s[4:5] offset:-8 th:TH_LOAD_BYPASS scope:SCOPE_SYS", "04 00 05 ee 01 00 3c 00 02 f8 ff ff"),
    ("gfx1201", "s_barrier_signal m0", "7d 4e 80 be"),
    (
        "gfx950",
        "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[20:23], v24, v25 op_sel_hi:[0,0,0]",
        "00 00 ac d3 18 33 02 00 00 08 ad d3 04 19 52 04",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("machine", "text", "code"), STATED)
def test_stated_instructions_have_llvms_bytes(machine: str, text: str, code: str) -> None:
    table = table_named(machine)
    instr = parse_instr(text, table, text)
    assert encode(instr, table.target).hex(" ") == code
    assert decode(bytes.fromhex(code), 0, table) == (instr, len(bytes.fromhex(code)))


def test_a_label_is_a_distance_that_the_caller_gives() -> None:
    table = table_named("gfx942")
    branch = parse_instr("s_cbranch_scc1 .Lloop", table, "here")
    assert encode(branch, table.target, -2).hex() == "feff85bf"
    assert format_instr(decode(b"\xfe\xff\x85\xbf", 0, table)[0]) == "s_cbranch_scc1 -2"
    with pytest.raises(InternalError, match="Lloop has no distance"):
        encode(branch, table.target)


def test_a_literal_whose_value_is_inline_is_still_part_of_the_instruction() -> None:
    """The linker puts addresses into the room that clang left, `s_addc_u32 s7, s7, lit(0xffffffff)`."""
    table = table_named("gfx942")
    assert decode(bytes.fromhex("07ff0782ffffffff"), 0, table) == (parse_instr("s_addc_u32 s7, s7, -1", table, ""), 8)


def test_clang_sets_cache_bits_that_no_text_says() -> None:
    """In a release at system scope, as clang 22 compiles it for gfx90a; llvm-objdump prints no bits either."""
    table = table_named("gfx90a")
    assert decode(bytes.fromhex("00c0a0e000000000"), 0, table) == (parse_instr("buffer_wbl2", table, ""), 8)


@pytest.mark.parametrize("code", ["", "0000", "01ff0080", "01ff", "ffffffff", "0000ffbf00000000"])
def test_bytes_that_are_no_instruction_are_an_error_with_their_offset(code: str) -> None:
    data = b"\x00\x00\x80\xbf" + bytes.fromhex(code)
    with pytest.raises(InputError, match=r"BIN001.*offset 0x4 ") as caught:
        decode(data, 4, table_named("gfx942"), "a.co")
    assert caught.value.code == "BIN001"
