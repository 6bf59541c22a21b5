"""The search for clang, and the forms of its errors."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from asmgen.emission.assemble import assemble, make_object
from asmgen.emission.toolchain import find_toolchain
from isa.diagnostics import InputError, InternalError
from isa.targets import parse_target

TARGET = parse_target("gfx942")
TEXT = "\t.text\n\tv_mov_b32_e32 v0, 0\n\ts_endpgm\n"


def fake_program(directory: Path, name: str, script: str) -> Path:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_ziglang_serves_where_the_path_has_no_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("ASMGEN_CLANG", raising=False)
    assert find_toolchain("gfx942").found == "ziglang"
    assert assemble(TEXT, TARGET).startswith(b"\x7fELF")


def test_a_clang_that_does_not_know_the_target_is_passed_over(nothing_installed: Path) -> None:
    fake_program(nothing_installed, "clang", "echo 'error: unknown target CPU' >&2; exit 1")
    fake_program(nothing_installed, "clang-22", "exit 0")
    fake_program(nothing_installed, "ld.lld", "exit 0")
    assert find_toolchain("gfx942").clang == (str(nothing_installed / "clang-22"),)


def test_a_clang_without_lld_is_passed_over(nothing_installed: Path) -> None:
    fake_program(nothing_installed, "clang", "exit 0")
    with pytest.raises(InputError) as caught:
        find_toolchain("gfx942")
    assert caught.value.code == "TOOL001"


def test_the_message_says_how_to_get_a_clang(nothing_installed: Path) -> None:
    fake_program(nothing_installed, "clang", "echo 'error: unknown target CPU' >&2; exit 1")
    fake_program(nothing_installed, "ld.lld", "exit 0")
    with pytest.raises(InputError) as caught:
        find_toolchain("gfx942")
    assert caught.value.notes == ("clang on the PATH: error: unknown target CPU",)
    assert "pip install '.[clang]'" in caught.value.help


@pytest.mark.parametrize(("named", "code"), [("no-such-clang", "TOOL002"), ("deaf-clang", "TOOL004")])
def test_a_clang_that_is_named_is_never_passed_over(named: str, code: str, nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_program(nothing_installed, "deaf-clang", "exit 1")
    fake_program(nothing_installed, "ld.lld", "exit 0")
    monkeypatch.setenv("ASMGEN_CLANG", named)
    with pytest.raises(InputError) as caught:
        find_toolchain("gfx942")
    assert (caught.value.place, caught.value.code) == ("ASMGEN_CLANG", code)


def test_a_named_clang_needs_an_lld(nothing_installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASMGEN_CLANG", str(fake_program(nothing_installed, "my-clang", "exit 0")))
    with pytest.raises(InputError) as caught:
        find_toolchain("gfx942")
    assert caught.value.code == "TOOL003"


def test_a_users_mistake_is_reported_at_its_line() -> None:
    with pytest.raises(InputError) as caught:
        assemble(TEXT + "\tv_no_such_thing v0\n", TARGET, "mine.s")
    line, help = str(caught.value).splitlines()
    assert line == "mine.s:4:2: error[ASM001]: invalid instruction: v_no_such_thing v0"
    assert help == "  help: `--assembler builtin` assembles without clang, and may say more"


def test_a_folder_that_takes_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="TMPDIR") as caught:
        _ = make_object(TEXT, TARGET, tmp_path / "gone", find_toolchain("gfx942"), "")
    assert caught.value.code == "ASM012"


def test_a_mistake_in_our_own_text_is_internal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASMGEN_ASSEMBLER", "clang")
    with pytest.raises(InternalError, match="line 4: clang says 'invalid instruction' of 'v_no_such_thing v0'"):
        assemble(TEXT + "\tv_no_such_thing v0\n", TARGET)


def test_an_undefined_symbol_is_the_linkers_complaint() -> None:
    text = TEXT + "\t.globl f\n\t.protected f\n\ts_add_u32 s0, s0, f@rel32@lo\n"
    with pytest.raises(InputError) as caught:
        assemble(text, TARGET, "mine.s")
    assert caught.value.code == "ASM002"
    assert "--assembler builtin" in caught.value.help
