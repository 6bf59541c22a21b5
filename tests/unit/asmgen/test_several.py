"""kernel, check and report on several sources and on folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asmgen.cli.expansion import outputs_of
from asmgen.cli.main import main

pytestmark = pytest.mark.xdist_group("processes")

GEN = "x = @param:x -> f32, {64}\ny = relu(x)\n@return(y)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two programs, the second in a folder, a wrong program, a hidden program and a text."""
    found = tmp_path / "in"
    (found / "deep").mkdir(parents=True)
    for name, text in (("good.gen", GEN), ("deep/other.gen", GEN), ("bad.gen", "x =\n"), (".hidden.gen", "?"), ("notes.txt", "?")):
        (found / name).write_text(text, encoding="utf-8")
    return found


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, list[str], str]:
    """The status, the lines of standard output, and standard error."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def test_an_error_does_not_stop_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines, errors = run(capsys, "kernel", folder)
    assert status == 1
    assert [line for line in lines if line.startswith("==")] == [f"== {folder / name}" for name in ("bad.gen", "good.gen", "deep/other.gen")]
    assert lines[-1] == f"3 sources: 2 succeeded, 1 failed: {folder / 'bad.gen'}"
    assert errors.startswith(f"{folder / 'bad.gen'}:1:4: error[GEN002]")


def test_a_folder_of_objects_is_written_checked_and_reported(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (folder / "bad.gen").unlink()
    out = tmp_path / "out"
    assert run(capsys, "kernel", folder, "--assembler", "builtin", "-o", f"{out}/")[0] == 0
    objects = ["deep/other.hsaco", "good.hsaco"]
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.*")) == objects
    (out / "host.so").write_bytes(b"\x7fELF" + bytes(14) + b"\x3e\0")  # e_machine of x86-64
    status, lines, _ = run(capsys, "check", out)
    assert (status, lines[-1]) == (0, "2 sources: all succeeded")
    status, lines, _ = run(capsys, "report", out)
    assert (status, lines[-1]) == (0, "2 sources: all succeeded")
    assert run(capsys, "report", out, "--format", "json", "-o", f"{tmp_path}/json/")[0] == 0
    assert sorted(path.name for path in (tmp_path / "json").rglob("*.json")) == ["good.json", "other.json"]


def test_a_name_with_a_slash_is_a_folder_for_one_source_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, lines, _ = run(capsys, "kernel", "relu", "--set", "n=64", "--emit", "graph", "-o", f"{tmp_path}/new/")
    assert (status, lines[-1]) == (0, "1 source: all succeeded")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["relu.gen"]


def test_a_folder_that_is_there_takes_the_file_of_one_source_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    status, lines, _ = run(capsys, "kernel", "relu", "--set", "n=64", "--emit", "graph", "-o", tmp_path, "--results", results)
    assert (status, lines[-1]) == (0, "1 source: all succeeded")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["relu.gen", "results.jsonl"]


def test_a_file_has_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"k\xff.gen")
    path.write_text(GEN, encoding="utf-8")
    assert main(["kernel", str(path), "--emit", "asm", "-o", str(tmp_path / "k.s")]) == 0
    assert b'k\\377.gen"\n' in (tmp_path / "k.s").read_bytes()


def test_several_names_share_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines, _ = run(capsys, "report", "relu", "vecadd", "--set", "n=64", "--fail-above", "8")
    assert status == 1
    assert lines[-1] == "2 sources: 1 succeeded, 1 failed: vecadd"


def test_kernels_of_a_python_file_have_files_of_their_own() -> None:
    named = [(name, name) for name in ("k/sums.py:first", "k/sums.py:second", "k/sums.py:sums")]
    assert outputs_of("out/", named, ".s") == ["out/k/sums.first.s", "out/k/sums.second.s", "out/k/sums.s"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("CLI018", ["kernel", "relu", "vecadd", "--emit", "asm"]),
        ("CLI018", ["kernel", "relu", "vecadd", "-o", "-"]),
        ("CLI018", ["kernel", "relu", "vecadd", "-o", "k.hsaco"]),
        ("CLI018", ["report", "relu", "vecadd", "--format", "html"]),
        ("CLI017", ["kernel", "relu", "relu", "-o", "out/"]),
        ("SRC003", ["check", "."]),
    ],
)
def test_what_cannot_be_told_apart_is_refused(
    code: str, words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, errors = run(capsys, *words)
    assert status == 1
    assert f"error[{code}]" in errors
    assert list(tmp_path.iterdir()) == []
