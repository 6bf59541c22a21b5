"""No text has an assembler read a file of this machine, and none has it run on and on, whichever command
reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.emission import assemble as assembling
from asmgen.emission.assemble import assemble
from asmgen.emission.includes import refuse_hidden_includes
from asmgen.emission.toolchain import Toolchain, find_toolchain
from isa.diagnostics import InputError
from isa.targets import parse_target

TARGET = parse_target("gfx942")
SECRET = "secret:x:0"
COMMANDS = (
    ("kernel", "FILE"), ("kernel", "FILE", "-o", "OUT"), ("report", "FILE"), ("check", "FILE"),
    ("run", "FILE", "--kernel", "relu", "--grid", "1", "--block", "64"),
)  # fmt: skip
# the text before the end of a kernel, with the directive that reads the file
HIDDEN = {
    "plain": ('\t.include "FILE"', ".include"),
    "bytes": ('\t.incbin "FILE"', ".incbin"),
    "capitals": ('\t.INCLUDE "FILE"', ".INCLUDE"),
    "behind a label": ('here: .include "FILE"', ".include"),
    "pasted": ('\t.macro m a\n\t.inc\\()\\a "FILE"\n\t.endm\n\tm lude', ".include"),
    "pasted of two": ('\t.macro m a b\n\t.\\a\\b "FILE"\n\t.endm\n\tm inc bin', ".incbin"),
    "of strings": ('\t.macro m a b\n\t\\a\\b "FILE"\n\t.endm\n\tm ".inc", "lude"', ".include"),
    "repeated": ('\t.irp a, lude\n\t.inc\\a "FILE"\n\t.endr', ".include"),
    "in letters": ('\t.irpc a, n\n\t.i\\a\\()cbin "FILE"\n\t.endr', ".incbin"),
}


@pytest.fixture(scope="module")
def assembly() -> str:
    return asmgen.compile("module @relu {\nx = @param:x -> f32, {64}\ny = relu(x)\n@return(y)\n}\n").kernels[0].assembly


def with_lines(assembly: str, lines: str, directory: Path) -> Path:
    """The kernel with lines before its end, in which FILE is a file of this machine."""
    secret = directory / "secret"
    secret.write_text(f"{SECRET}\n", encoding="utf-8")
    path = directory / "mine.s"
    path.write_text(assembly.replace("\ts_endpgm", lines.replace("FILE", str(secret)) + "\n\ts_endpgm"), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", HIDDEN)
def test_no_file_is_read(name: str, assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, directive = HIDDEN[name]
    path = with_lines(assembly, lines, tmp_path)
    for command in COMMANDS if name in ("plain", "pasted") else COMMANDS[1:2]:
        words = {"FILE": str(path), "OUT": str(tmp_path / "k.hsaco")}
        assert main([words.get(word, word) for word in command]) == 1, command
        said = capsys.readouterr()
        assert SECRET not in said.err + said.out
        assert f"error[ASM010]: {directive} reads another file" in said.err, command
        assert said.err.startswith(f"{path}:")
    assert not (tmp_path / "k.hsaco").exists()


def test_python_reads_none_either(assembly: str, tmp_path: Path) -> None:
    path = with_lines(assembly, HIDDEN["bytes"][0], tmp_path)
    for source in (path, path.read_text(encoding="utf-8")):
        with pytest.raises(InputError) as caught:
            _ = asmgen.run(source, kernel="relu", grid=(1, 1, 1), block=(64, 1, 1), args=[])
        assert caught.value.code == "ASM010"


def test_the_linker_reads_no_library_that_a_section_names(assembly: str, tmp_path: Path) -> None:
    path = with_lines(assembly, "", tmp_path)
    text = f'{path.read_text(encoding="utf-8")}\t.section ".deplibs","MS",@llvm_dependent_libraries,1\n\t.asciz "{tmp_path / "secret"}"\n'
    assert SECRET.encode() not in assemble(text, TARGET, str(path))


def test_files_are_read_where_that_is_allowed(assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lines.inc").write_text("\ts_nop 3\n", encoding="utf-8")
    path = with_lines(assembly, '\t.include "lines.inc"', tmp_path)
    for command in COMMANDS[:4]:
        words = {"FILE": str(path), "OUT": str(tmp_path / "k.hsaco")}
        assert main([*[words.get(word, word) for word in command], "--allow-include"]) == 0, capsys.readouterr().err
    assert (tmp_path / "k.hsaco").exists()


def test_a_comment_may_name_the_directive(assembly: str) -> None:
    assert assemble(assembly.replace("\ts_endpgm", "\ts_endpgm ; .include no more"), TARGET, "mine.s").startswith(b"\x7fELF")


def test_macros_are_refused_where_clang_cannot_be_kept_from_reading() -> None:
    script = Toolchain(("clang",), ("ld.lld",), "a script")
    with pytest.raises(InputError) as caught:
        refuse_hidden_includes("\ts_nop 0\n\t.macro m\n", "mine.s", script)
    assert str(caught.value).startswith("mine.s:2:1: error[ASM010]: .macro can put an .include together, and a script cannot be kept")
    refuse_hidden_includes("\ts_nop 0\n", "mine.s", script)


def test_the_clang_of_this_machine_can_be_kept_from_reading() -> None:
    assert find_toolchain("gfx942").confined


@pytest.mark.parametrize("lines", ["\t.byte 1\n\t.p2align 8", "\t.rept 1000000000\n\ts_nop 0\n\t.endr"])
def test_clang_is_stopped(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembling, "_LEAST_SECONDS", 1)
    monkeypatch.setattr(assembling, "_LEAST_MEMORY", 1 << 27)
    with pytest.raises(InputError) as caught:
        _ = assemble(f"\t.text\n\ts_nop 0\n{lines}\n\ts_endpgm\n", TARGET, "mine.s")
    assert caught.value.code == "ASM011"
    assert str(caught.value).startswith("mine.s: error[ASM011]: clang ")
