"""`asmgen.testing`: golden files, CHECK lines and gates say what differs, and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.testing import assert_filecheck, assert_golden, assert_resources
from asmgen.testing.assertions import UPDATE_VARIABLE, difference
from asmgen.testing.subjects import text_of
from isa.diagnostics import InputError


def halved(x: Any) -> Any:
    return np.exp(x) * 0.5


def halved_elsewhere(x: Any) -> Any:
    y = np.exp(x)

    return y * 0.5


halved_elsewhere.__name__ = "halved"


def compiled(function: Any) -> CompiledProgram:
    return asmgen.compile(function, inputs=[asmgen.spec("f32", 100)])


@pytest.fixture(scope="module")
def program() -> CompiledProgram:
    return compiled(halved)


@pytest.fixture
def golden(program: CompiledProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv(UPDATE_VARIABLE, "1")
    assert_golden(program, tmp_path / "new" / "halved.s")
    monkeypatch.delenv(UPDATE_VARIABLE)
    return tmp_path / "new" / "halved.s"


def test_a_golden_file_holds_wherever_the_source_is(program: CompiledProgram, golden: Path) -> None:
    text = golden.read_text(encoding="utf-8")
    assert "v_exp_f32" in text
    assert ".loc" not in text and __file__ not in text and "; mul\n" in text
    assert_golden(program, golden)
    assert_golden(program.kernels[0], str(golden))
    assert_golden(compiled(halved_elsewhere), golden)


def test_a_golden_file_names_no_directory(tmp_path: Path) -> None:
    texts: list[str] = []
    for directory in ("here", "elsewhere"):
        (tmp_path / directory).mkdir()
        path = tmp_path / directory / "double.gen"
        path.write_text("x = @param:x -> {64}\ny = add(x, x)\n@return(y)\n", encoding="utf-8")
        program = asmgen.compile(path)
        assert str(path) in program.kernels[0].assembly
        texts.append(text_of(program))
    assert texts[0] == texts[1]
    assert re.search(r"s_waitcnt vmcnt\(0\) +; add, vmcnt: global_load_dword\w*\n", texts[0])


def test_a_difference_is_shown(program: CompiledProgram, golden: Path) -> None:
    lines = golden.read_text(encoding="utf-8").replace("v_exp_f32", "v_log_f32")
    golden.write_text(lines, encoding="utf-8")
    with pytest.raises(AssertionError) as caught:
        assert_golden(program, golden)
    message = str(caught.value)
    assert f"halved differs from {golden}; if it is better, `pytest --update-golden` writes it" in message
    assert "\n-\tv_log_f32" in message and "\n+\tv_exp_f32" in message


def test_a_long_difference_is_cut() -> None:
    assert difference("", "line\n" * 100, "g.s").endswith("... and 63 lines more")


def test_a_golden_file_that_is_missing(program: CompiledProgram, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"none.s does not exist; `pytest --update-golden` writes it"):
        assert_golden(program, tmp_path / "none.s")


def test_nothing_is_written_in_ci(program: CompiledProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UPDATE_VARIABLE, "1")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(AssertionError, match="golden files are not written if CI is set"):
        assert_golden(program, tmp_path / "halved.s")
    assert not (tmp_path / "halved.s").exists()


def test_check_lines(program: CompiledProgram, tmp_path: Path) -> None:
    assert_filecheck(program, "CHECK: v_exp_f32_e32 [[R:v[0-9]+]]\nCHECK-NOT: v_log")
    path = tmp_path / "halved.check"
    path.write_text("# CHECK: s_endpgm\n", encoding="utf-8")
    assert_filecheck(program.kernels[0], path)
    assert_filecheck("a\n  b\n", "CHECK: a\nCHECK-NEXT: b", full_lines=True)
    with pytest.raises(AssertionError, match=r"^<checks>:1: error: Couldn't match \"v_log\"\.\nCurrent position at halved:"):
        assert_filecheck(program, "CHECK: v_log")
    with pytest.raises(AssertionError, match="No check strings found"):
        assert_filecheck(program, "nothing")


def test_check_lines_without_the_package(program: CompiledProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "filecheck.finput", None)
    with pytest.raises(InputError, match=r"pip install '\.\[testing\]'"):
        assert_filecheck(program, "CHECK: s_endpgm")


def test_gates(program: CompiledProgram) -> None:
    taken = program.kernels[0].resources
    assert_resources(program, vgprs=taken.vgprs, sgprs=taken.sgprs, lds_bytes=0, agprs=0, scratch_bytes=0, spills=0, occupancy=taken.occupancy)
    assert_resources(program.kernels[0])
    with pytest.raises(AssertionError) as caught:
        assert_resources(program, vgprs=1, occupancy=9)
    message = str(caught.value)
    assert message.startswith(f"halved for gfx942: vgprs is {taken.vgprs}, wanted at most 1; occupancy is 8, wanted at least 9\n  takes vgprs")
    assert "python -m asmgen report" in message


def test_what_is_no_program() -> None:
    nothing: Any = None
    for check in (lambda: assert_golden(nothing, "x"), lambda: assert_resources(nothing), lambda: assert_filecheck(nothing, "")):
        with pytest.raises(InputError, match="got NoneType, wanted a compiled program"):
            check()


def test_one_line_says_what_a_program_is(program: CompiledProgram) -> None:
    taken = program.kernels[0].resources
    assert repr(program) == f"<program for gfx942: halved ({taken.vgprs} VGPRs, {taken.sgprs} SGPRs)>"
    assert repr(program.kernels[0]).endswith("SGPRs, 1x1x1 workgroups of 64x1x1>")
    assert repr(program.report()) == "<report on halved; str() shows it>"
