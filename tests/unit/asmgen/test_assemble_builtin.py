"""Which assembler makes a code object: clang if it is installed, the built-in assembler if it is asked for or
alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.emission.assemble import assemble
from asmgen.kernels import build_kernel
from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError, InternalError
from isa.targets import parse_target
from tests.unit.isa.test_assembler import KERNEL

TARGET = parse_target("gfx942")


@pytest.mark.usefixtures("nothing_installed")
def test_without_clang_the_built_in_assembler_serves() -> None:
    assert assemble(KERNEL, TARGET, "k.s") == assemble_text(KERNEL, TARGET, "k.s")
    kernel = asmgen.compile(build_kernel("vecadd"), target="gfx90a").kernels[0]
    assert kernel.code_object == assemble_text(kernel.assembly, kernel.target, "")


@pytest.mark.usefixtures("nothing_installed")
def test_what_only_clang_knows_says_how_to_get_one() -> None:
    with pytest.raises(InputError) as caught:
        assemble(KERNEL + "\t.macro m\n\t.endm\n", TARGET, "mine.s")
    assert caught.value.code == "OBJ024" and str(caught.value.place) == f"mine.s:{KERNEL.count(chr(10)) + 1}:1"
    assert "pip install '.[clang]'" in caught.value.help


@pytest.mark.usefixtures("nothing_installed")
def test_clang_that_is_asked_for_has_to_be_there() -> None:
    with pytest.raises(InputError) as caught:
        assemble(KERNEL, TARGET, "mine.s", assembler="clang")
    assert caught.value.code == "TOOL001"


def test_a_mistake_in_our_own_text_is_internal() -> None:
    with pytest.raises(InternalError, match="unknown instruction"):
        assemble("\tv_no_such_thing v0\n", TARGET, assembler="builtin")


def test_text_that_reads_files_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        assemble('\t.include "/etc/passwd"\n', TARGET, "mine.s", assembler="builtin")
    assert caught.value.code == "ASM010"


def test_an_assembler_that_is_none() -> None:
    with pytest.raises(InputError) as caught:
        asmgen.compile(build_kernel("vecadd"), assembler="gas")
    assert caught.value.code == "OPT005"


def test_the_command_line_names_it(tmp_path: Path) -> None:
    from_source, from_text, text = tmp_path / "a.hsaco", tmp_path / "b.hsaco", tmp_path / "vecadd.s"
    own = ["kernel", "vecadd", "--set", "n=64", "--target", "gfx1100"]
    assert main([*own, "--assembler", "builtin", "-o", str(from_source)]) == 0
    assert main([*own, "--emit", "asm", "-o", str(text)]) == 0
    assert main(["kernel", str(text), "--target", "gfx1100", "--assembler", "builtin", "-o", str(from_text)]) == 0
    assert from_source.read_bytes() == from_text.read_bytes()
    program = asmgen.compile(build_kernel("vecadd", [("n", "64")]), target="gfx1100", assembler="builtin")
    assert program.kernels[0].code_object == from_source.read_bytes()


def test_the_environment_names_the_assembler_of_our_own_text(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert nothing_installed.is_dir()
    monkeypatch.setenv("ASMGEN_ASSEMBLER", "clang")
    with pytest.raises(InputError) as caught:
        assemble(KERNEL, TARGET)
    assert caught.value.code == "TOOL001"
    assert assemble(KERNEL, TARGET, "mine.s") == assemble_text(KERNEL, TARGET, "mine.s")
    monkeypatch.setenv("ASMGEN_ASSEMBLER", "builtin")
    assert assemble(KERNEL, TARGET) == assemble_text(KERNEL, TARGET, "")


def test_no_assembler_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASMGEN_ASSEMBLER", "gcc")
    with pytest.raises(InputError) as caught:
        assemble(KERNEL, TARGET)
    assert (caught.value.place, caught.value.code) == ("ASMGEN_ASSEMBLER", "OPT005")
