"""Errors of the built-in assembler, with their line, a code and a way out; its bytes are read again."""

from __future__ import annotations

from io import BytesIO

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_ST_INFO_BIND, ENUM_ST_VISIBILITY

from isa.assembler.assembling import assemble_text
from isa.assembler.expressions import ConstantValue, evaluate, parse_expression
from isa.assembler.operands import string_bytes
from isa.diagnostics import InputError, Place
from isa.emulator import load, run
from isa.objects.content import Binding, Visibility
from isa.objects.kernels import object_kernel_names, object_target
from isa.targets import parse_target

CDNA3 = parse_target("gfx942")
KERNEL = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.globl k
\t.protected k
\t.p2align 8
\t.type k,@function
k:
\ts_endpgm
.Lend:
\t.size k, .Lend-k
\t.section .rodata,"a",@progbits
\t.p2align 6
\t.amdhsa_kernel k
\t\t.amdhsa_next_free_vgpr 4
\t\t.amdhsa_next_free_sgpr 4
\t\t.amdhsa_accum_offset 4
\t.end_amdhsa_kernel
\t.amdgpu_metadata
amdhsa.version: [ 1, 2 ]
amdhsa.target: 'amdgcn-amd-amdhsa--gfx942'
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args: []
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
\t.end_amdgpu_metadata
"""


def test_a_kernel_is_made_and_found_again() -> None:
    data = assemble_text(KERNEL, CDNA3, "k.s")
    assert object_kernel_names(data, "k.co") == ["k"]
    assert str(object_target(data, "k.co")) == "gfx942"
    assert assemble_text(KERNEL, CDNA3, "other.s") == data


@pytest.mark.parametrize("ident", ["", '\t.ident "clang"\n'])
def test_the_comment_names_the_linker_last(ident: str) -> None:
    """As lld does: what other tools have left comes first (docs/code-objects.md)."""
    with BytesIO(assemble_text(KERNEL + ident, CDNA3, "k.s")) as file:
        section = ELFFile(file).get_section_by_name(".comment")
        data = section.data() if section is not None else b""
    assert data.endswith(b"\0Linker: asmgen\0" if ident else b"Linker: asmgen\0")
    assert (b"clang\0" in data) == bool(ident)


@pytest.mark.needs_llvm("llvm-objdump-22")
def test_a_kernel_that_is_made_here_runs() -> None:
    data = assemble_text(KERNEL, CDNA3, "k.s")
    assert load(data).required == (64, 1, 1)
    assert run(data, "k", (1, 1, 1), (64, 1, 1), []) == []


def test_numbers_of_symbols_are_those_of_the_elf_specification() -> None:
    bindings, visibilities = {each.name: each.value for each in Binding}, {each.name: each.value for each in Visibility}
    assert bindings == {name: ENUM_ST_INFO_BIND[f"STB_{name}"] for name in ("LOCAL", "GLOBAL", "WEAK")}
    assert visibilities == {name: ENUM_ST_VISIBILITY[f"STV_{name}"] for name in ("DEFAULT", "INTERNAL", "HIDDEN", "PROTECTED")}


def test_line_programs_say_how_many_operands_each_opcode_has() -> None:
    """DWARF 5, section 6.2.4: the opcodes 1 to 12, after the number of the first special opcode."""
    text = KERNEL.replace("\ts_endpgm", '\t.file 1 "k.gen"\n\t.loc 1 3 5\n\ts_endpgm', 1)
    with BytesIO(assemble_text(text, CDNA3, "k.s")) as file:
        section = ELFFile(file).get_section_by_name(".debug_line")
        data = section.data() if section is not None else b""
    assert bytes((13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)) in data


def test_escapes_of_a_string_are_those_of_llvm() -> None:
    """The bytes that llvm-mc 22 gives for the same .ascii; a hexadecimal escape has any number of digits, of which the last two count."""
    assert string_bytes(r'"a\x41\x1ff\101\7\n\t\"\\"') == b'aA\xffA\x07\n\t"\\'
    assert string_bytes("a") is None


CODE = KERNEL.split("\ts_endpgm")[0]


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (".macro m", "OBJ024", "no .macro"),
        ('.include "x"', "OBJ024", "no .include"),
        (".fill", "OBJ025", "wanted 1 to 3 numbers"),
        (".fill 100000000, 8, 1", "OBJ022", "64 MB"),
        (".zero -1", "OBJ025", "not negative"),
        (".p2align 99", "OBJ025", "power of two"),
        (".byte 1\n\t.p2alignl 4, 7", "OBJ025", "multiple of 4"),
        (".long", "", ""),
        (".byte 256", "OBJ036", "wanted a number of 1 bytes"),
        (".long nowhere", "OBJ031", "nowhere is defined nowhere"),
        (".quad k", "OBJ001", "known when the code object is loaded"),
        (".short k", "OBJ032", "an address in 2 bytes"),
        (".long 1 +", "OBJ030", "cannot be read"),
        (".long " + "(" * 99, "OBJ030", "cannot be read"),
        (".long 1 / 0", "OBJ032", "wanted numbers"),
        (".long k * 2", "OBJ032", "offsets in sections"),
        (".set a, b\n\t.set b, a\n\t.long a", "OBJ032", "leads back to itself"),
        (".set a, 1\n\t.set a, 2", "OBJ021", "a is defined twice"),
        ("k:", "OBJ021", "k is defined twice"),
        ("s_branch nowhere", "OBJ031", "nowhere is defined nowhere"),
        ("s_branch far\n\t.fill 32769, 4, 0xbf800000\nfar:", "OBJ033", "32769 words away"),
        ("s_branch far\n\t.data\nfar:\n\t.text", "OBJ032", "in another section"),
        ("s_add_u32 s0, s0, k@gotpcrel32@lo+4", "OBJ035", "not a distance of 32 bits"),
        ("v_no_such_thing v0", "ASM001", "unknown instruction"),
        ("v_mov_b32 v0", "ASM003", "too few operands"),
        ('.ident "open', "OBJ028", "does not end on its line"),
        ('.section .x,"q"', "OBJ025", "flags of"),
        (".popsection", "OBJ025", "a .pushsection before it"),
        (".loc 1 2 3", "OBJ025", "the number of a .file"),
        (".amdhsa_code_object_version 3", "OBJ025", "one of 4, 5, 6"),
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"', "OBJ026", "gfx90a"),
        (".data\n\ts_nop 0", "OBJ029", "not a code section"),
        (".bss\n\t.long 1", "", ""),
        (".amdgpu_metadata", "OBJ027", "the file ends, wanted .end_amdgpu_metadata"),
        (".amdhsa_kernel q", "OBJ027", "the file ends, wanted .end_amdhsa_kernel"),
        (".amdhsa_kernel q\n\t.amdhsa_frobnicate 1\n\t.end_amdhsa_kernel", "OBJ010", ".amdhsa_frobnicate"),
        (".amdhsa_kernel q\n\t.amdhsa_wavefront_size32 1\n\t.end_amdhsa_kernel", "OBJ011", "gfx942 has no"),
        (".amdhsa_kernel q\n\t.amdhsa_ieee_mode 2\n\t.end_amdhsa_kernel", "OBJ012", "wanted 0 to 1"),
        (".amdhsa_kernel q\n\t.amdhsa_reserve_vcc 2\n\t.end_amdhsa_kernel", "OBJ012", "wanted 0 to 1"),
        (".amdhsa_kernel q\n\t.amdhsa_reserve_xnack_mask 2\n\t.end_amdhsa_kernel", "OBJ012", "wanted 0 to 1"),
        (".amdhsa_kernel q\n\t.amdhsa_user_sgpr_kernarg_preload_length 17\n\t.end_amdhsa_kernel", "OBJ012", "wanted 0 to 16"),
        (".amdhsa_kernel q\n\t.end_amdhsa_kernel", "OBJ013", ".amdhsa_next_free_vgpr"),
        (".amdgpu_metadata\nx: 1\n\t.end_amdgpu_metadata", "OBJ041", "wanted a list of the kernels"),
        (".amdgpu_metadata\namdhsa.kernels:\n  - .name: q\n\t.end_amdgpu_metadata", "OBJ041", "wanted also .symbol"),
    ],
)
def test_what_it_does_not_take(line: str, code: str, words: str) -> None:
    text = f"{CODE}\t{line}\n"
    if not code:
        _ = assemble_text(text, CDNA3, "mine.s")
        return
    with pytest.raises(InputError) as caught:
        assemble_text(text, CDNA3, "mine.s")
    assert caught.value.code == code and words in str(caught.value), str(caught.value)
    assert isinstance(caught.value.place, Place) and caught.value.place.line >= CODE.count("\n") + 1


@pytest.mark.parametrize("line", [".macro m", "s_add_u32 s0, s0, k@abs32@lo", ".quad k", "v_no_such_thing v0"])
def test_what_clang_may_know_names_it(line: str) -> None:
    with pytest.raises(InputError) as caught:
        assemble_text(f"{CODE}\t{line}\n", CDNA3, "mine.s")
    assert "--assembler clang" in caught.value.help


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("-7 / 2", -3), ("-7 % 2", -1), ("1 << 4 | 3", 19), ("~0", -1), ("!5", 0), ("3 > 2", -1),
        ("max(1, 9, 3)", 9), ("max(4)", 4), ("or(1, 6)", 7), ("alignto(5, 8)", 8), ("totalnumvgprs(3, 5)", 11), ("0x10 - 010", 8), ("'a'", 97),
        (". - start", 12), ("1 && 0 || 2", 1), ("0b101", 5),
    ],
)  # fmt: skip
def test_expressions(text: str, value: int) -> None:
    """The values are those of LLVM's documentation of its assembler; precedence is GNU as's."""
    place = Place("x.s", 1, 1)
    tree = parse_expression(text, ConstantValue(20, ".text"), place)
    assert evaluate(tree, {"start": ConstantValue(8, ".text")}.get, place) == ConstantValue(value)
