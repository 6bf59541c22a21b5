"""What `check` makes of files: jumps by numbers, other spellings, labels, targets that contradict each
other."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.check.listing import without_padding
from asmgen.check.reading import read_listing
from asmgen.emission import toolchain
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.unit.check.files import Checker

LOAD = "global_load_dword v1, v0, s[0:1]\n"
PAST_ONE = "s_cbranch_scc0 1\n"
USE = "v_add_u32 v2, v1, v1\n"
END = "s_endpgm\n"
NEEDS_LLVM = pytest.mark.needs_llvm("clang-22", "llvm-mc-22")


@NEEDS_LLVM
@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (LOAD + PAST_ONE + USE + END, 3),
        (LOAD + PAST_ONE + "s_waitcnt vmcnt(0)\n" + USE + END, 4),  # jumped over
        (LOAD + "n = 1\ns_cbranch_scc0 n\ns_nop 0\n" + USE + END, 5),
        (LOAD + "s_call_b64 s[2:3], 1\ns_nop 0\n" + USE + END, 4),
        ("a: " + USE + LOAD + "s_cbranch_scc0 -4\n" + END, 1),
    ],
)
def test_a_jump_by_a_number_goes_somewhere(checker: Checker, text: str, missing: int) -> None:
    assert (missing, "CHK001") in checker.found(text, "gfx942")


def test_a_jump_by_a_number_names_what_reads_it(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(toolchain, "ziglang_program", lambda: "")
    assert "pip install '.[clang]'" in checker.refused(LOAD + PAST_ONE + USE + END, "gfx942", "CHK029")


@NEEDS_LLVM
def test_a_jump_from_a_place_is_refused_as_by_llvm(checker: Checker) -> None:
    assert "f.s:2:1" in checker.refused(LOAD + "s_cbranch_scc0 .+8\n" + USE + END, "gfx942", "ISA004")


@NEEDS_LLVM
@pytest.mark.parametrize("text", ["s_branch 100\n", "s_branch -5\n", "s_cbranch_scc0 1\nv_add_f32 v0, 0x12345678, v1\n"])
def test_a_jump_by_a_number_to_no_instruction(checker: Checker, text: str) -> None:
    assert "f.s:1:1" in checker.refused(text + END, "gfx942", "CHK024")


@NEEDS_LLVM
def test_no_wait_is_put_in_under_a_jump_by_a_number(checker: Checker) -> None:
    outcome = checker.run(LOAD + PAST_ONE + USE + END, "gfx942", "--fix", "-o", "-")
    assert outcome.status == 1
    assert "f.s:2:1: error[CHK027]" in outcome.err


@NEEDS_LLVM
@pytest.mark.parametrize(
    ("text", "target", "missing"),
    [
        ("ds_read_b32 v0, v1\nv_add_f32 v0, v0, v0\ns_endpgm\n", "gfx1100", 2),
        ("s_add_u32 s0, s1, s2\nds_load_b32 v0, v1\nv_add_f32 v0, v0, v0\ns_endpgm\n", "gfx1201", 3),
        # the label lies behind an end, and is no function of its own
        ("s_add_u32 s0, s1, s2\nds_load_b32 v0, v1\ns_cbranch_scc0 past\ns_endpgm\npast: v_add_f32 v0, v0, v0\ns_endpgm\n", "gfx1201", 5),
    ],
)
def test_older_spellings_are_read_by_llvm(checker: Checker, text: str, target: str, missing: int) -> None:
    assert checker.found(text, target) == [(missing, "CHK001")]


@NEEDS_LLVM
def test_the_first_line_that_neither_reads_is_told(checker: Checker) -> None:
    err = checker.refused("s_add_u32 s0, s1, s2\ns_waitcnt vmcnt(0)\ns_endpgm\n", "gfx1201", "ASM001")
    assert err.startswith("f.s:2:1: error[ASM001]: s_waitcnt is an instruction of")


@pytest.mark.parametrize(
    "text",
    ["s_nop 0\n", "s_cbranch_scc0 a\ns_endpgm\na: s_nop 0\n", ".text\n.type f,@function\nf:\ns_waitcnt vmcnt(0)\n.type g,@function\ng: s_endpgm\n"],
)
def test_a_function_may_be_a_wait_alone(checker: Checker, text: str) -> None:
    outcome = checker.run(text, "gfx942")
    assert outcome.status == 0
    assert "nothing missing" in outcome.out


def test_a_jump_to_where_no_code_is(checker: Checker) -> None:
    assert "f.s:1:1" in checker.refused("s_branch a\ns_nop 0\na:\n", "gfx942", "CHK024")


def test_a_label_stands_once(checker: Checker) -> None:
    assert "f.s:3:1: error[CHK028]: label a is in line 1" in checker.refused("a: s_nop 0\n\na: s_endpgm\n", "gfx942", "CHK028")


STATED = '.amdgcn_target "amdgcn-amd-amdhsa--{}"\ns_endpgm\n'


@pytest.mark.parametrize(
    ("stated", "given"), [("gfx942:xnack-", "gfx942:xnack+"), ("gfx942:sramecc+", "gfx942:sramecc-:xnack+"), ("gfx942", "gfx950")]
)
def test_a_target_that_contradicts_the_file(checker: Checker, stated: str, given: str) -> None:
    assert f"the file is for {stated}, --target is {given}" in checker.refused(STATED.format(stated), given, "CHK025")


@pytest.mark.parametrize(("stated", "given"), [("gfx942", "gfx942:xnack+"), ("gfx942:sramecc+", "gfx942:xnack+"), ("gfx942:xnack-", "gfx942:xnack-")])
def test_a_target_may_say_more_than_the_file(checker: Checker, stated: str, given: str) -> None:
    assert checker.run(STATED.format(stated), given).status == 0


def test_what_the_target_adds_counts(checker: Checker) -> None:
    """A scalar load into its own base is wrong only if XNACK may be on."""
    text = STATED.format("gfx942:sramecc+").replace("s_endpgm", "s_load_dwordx2 s[0:1], s[0:1], 0x4\ns_endpgm")
    assert checker.run(text).status == 1
    assert checker.run(text, "gfx942:xnack-").status == 0


def test_waves_of_the_descriptor_and_of_the_target(checker: Checker) -> None:
    kernel = (
        '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\n.text\nk: s_endpgm\n.section .rodata\n'
        ".amdhsa_kernel k\n.amdhsa_wavefront_size32 1\n.end_amdhsa_kernel\n"
    )
    assert "gfx1100:wave64" in checker.refused(kernel, "gfx1100:wave64", "CHK025")
    assert checker.run(kernel, "gfx1100").status == 0
    # without a descriptor the file leaves them open
    compare = STATED.format("gfx1100").replace("s_endpgm", "v_cmp_lt_f32_e64 s[0:1], v0, v1\ns_endpgm")
    assert checker.run(compare, "gfx1100:wave64").status == 0
    assert "wanted 1" in checker.refused(compare, "gfx1100", "ISA002")


def test_kernels_of_two_wave_sizes(checker: Checker) -> None:
    kernels = [f".amdhsa_kernel k{flag}\n.amdhsa_wavefront_size32 {flag}\n.end_amdhsa_kernel\n" for flag in (1, 0)]
    text = STATED.format("gfx1100") + ".section .rodata\n" + "".join(kernels)
    assert "f.s:7:1: error[CHK025]: k0 runs waves of 64" in checker.refused(text, "", "CHK025")


@NEEDS_LLVM
def test_what_clang_says_of_a_macro_stands_at_its_call(checker: Checker) -> None:
    text = ".macro m\ns_foo 0\n.endm\ns_nop 0\nm\ns_endpgm\n"
    assert "f.s:5:1: error[CHK023]: clang refuses the line: invalid instruction" in checker.refused(text, "gfx942", "CHK023")


def test_a_program_is_not_assembly_yet(tmp_path: Path) -> None:
    path = tmp_path / "double.gen"
    path.write_text("x = @param:x -> {4}\n@return(x)\n", encoding="utf-8")
    with pytest.raises(InputError, match="comes before assembly") as caught:
        _ = read_listing(str(path), None)
    assert caught.value.help == f"`python -m asmgen kernel {path} --emit asm -o FILE.s` makes it"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("s_endpgm\ns_nop 0\ns_nop 0\n", 1),
        ("s_branch l\ns_nop 0\nl: s_endpgm\n", 2),
        ("s_branch l\nl: s_nop 0\ns_endpgm\n", 3),  # entered by its label
        ("s_cbranch_scc0 l\ns_nop 0\nl: s_endpgm\n", 3),  # run into
        ("s_swappc_b64 s[30:31], s[0:1]\ns_nop 0\ns_endpgm\n", 3),  # returned to
        ("s_endpgm\ns_nop 0\nv_mov_b32_e32 v0, 0\ns_nop 0\n", 3),  # other code begins there
    ],
)
def test_padding_is_what_nothing_runs_into(text: str, left: int, tmp_path: Path) -> None:
    path = tmp_path / "f.s"
    path.write_text(text, encoding="utf-8")
    (function,) = read_listing(str(path), parse_target("gfx942")).functions
    assert len(without_padding(function).instructions) == left


@NEEDS_LLVM
def test_a_repeated_instruction_counts_as_often_as_it_is_repeated(checker: Checker) -> None:
    text = "v_readfirstlane_b32 s0, v0\n.rept {}\ns_nop 0\n.endr\nv_readlane_b32 s1, v1, s0\ns_endpgm\n"
    assert checker.run(text.format(4), "gfx942").out.endswith("nothing missing in 1 function, 7 instructions\n")
    assert "missing 1 more wait state before" in checker.run(text.format(3), "gfx942").err


def test_a_descriptor_that_only_the_assembler_knows(checker: Checker) -> None:
    """clang -S writes so if a kernel calls functions."""
    text = (
        '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n.text\nk:\nv_mov_b32 v0, v1\ns_endpgm\n.section .rodata\n'
        ".amdhsa_kernel k\n.amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)\n"
        ".amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"
    )
    outcome = checker.run(text)
    assert (outcome.status, outcome.err) == (0, "")


@pytest.mark.needs_llvm("llvm-mc-22")
def test_a_macro_is_written_out_where_a_wait_goes_into_it(checker: Checker) -> None:
    """The line of its call makes two instructions, and the wait has to stand between them."""
    text = ".macro both\nglobal_load_dword v1, v0, s[0:1]\nv_add_f32 v2, v1, v1\n.endm\nboth\ns_endpgm\n"
    assert checker.found(text, "gfx942") == [(5, "CHK001")]
    fixed = checker.run(text, "gfx942", "--fix", "-o", "-").out
    assert [line.split()[0] for line in fixed.splitlines() if line.strip()][-4:] == ["global_load_dword", "s_waitcnt", "v_add_f32_e32", "s_endpgm"]
    assert checker.run(fixed, "gfx942").status == 0
