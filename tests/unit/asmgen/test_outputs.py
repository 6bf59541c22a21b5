"""Which files -o may write, and how a file is read that no command can read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from asmgen.cli.main import main

ROOT = Path(__file__).parents[3]
SWISH = ROOT / "examples" / "swish.gen"


def refusal(capsys: pytest.CaptureFixture[str], code: str, *arguments: str | Path) -> str:
    """The message of a command that exits 1 with an error of that code and prints nothing else."""
    status = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert (status, said.out) == (1, "")
    assert f"error[{code}]" in said.err
    return said.err


@pytest.mark.parametrize(
    ("name", "stage", "way"),
    [
        ("k.gen", "asm", "--emit lanewise -o "),
        ("k.hsaco", "asm", "--emit obj -o "),
        ("k.so", "machine", "--emit obj -o "),
        ("k.s", "obj", "--emit asm -o "),
        ("k.mir", "graph", "--emit machine -o "),
        ("k.py", "asm", "a name that ends in .s"),
        ("k.txt", "obj", "a name that ends in .hsaco"),
    ],
)
def test_a_suffix_of_other_contents_is_refused(name: str, stage: str, way: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    message = refusal(capsys, "CLI012", "kernel", SWISH, "--emit", stage, "-o", tmp_path / name)
    assert f"help: {way}" in message
    assert list(tmp_path.iterdir()) == []
    assert main(["kernel", str(SWISH), "--emit", stage, "-o", str(tmp_path / name), "--force"]) == 0
    assert (tmp_path / name).stat().st_size > 0


def test_a_report_keeps_to_its_suffix(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    assert f"help: --format html -o {page}" in refusal(capsys, "CLI012", "report", SWISH, "-o", page)
    assert main(["report", str(SWISH), "--format", "html", "-o", str(page)]) == 0


def test_a_source_is_overwritten_by_force_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    assert main(["kernel", str(SWISH), "--emit", "asm", "-o", str(path)]) == 0
    _ = capsys.readouterr()
    before = path.read_bytes()
    _ = refusal(capsys, "CLI015", "check", path, "--fix", "-o", path)
    assert path.read_bytes() == before
    assert main(["check", str(path), "--fix", "--strip", "-o", str(path), "--force"]) == 0
    assert path.read_bytes() != before


def test_a_write_protected_file_is_replaced_by_force_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("kept", encoding="utf-8")
    path.chmod(0o444)
    _ = refusal(capsys, "CLI016", "kernel", SWISH, "--emit", "asm", "-o", path)
    assert path.read_text(encoding="utf-8") == "kept"
    assert main(["kernel", str(SWISH), "--emit", "asm", "-o", str(path), "--force"]) == 0
    assert path.read_text(encoding="utf-8") != "kept"


def test_a_stage_under_another_suffix_is_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["kernel", str(SWISH), "--emit", "machine", "-o", str(tmp_path / "d.machine")]) == 0
    assert "note: commands read a machine program only from a file with a name that ends in .mir" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["kernel x.gen", "report x.gen", "check x.s", "run x.s --kernel k --grid 1 --block 64"])
def test_a_pipe_without_a_writer_is_refused(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x.gen", "x.s"):
        os.mkfifo(name)
    _ = refusal(capsys, "SRC003", *command.split())


@pytest.mark.parametrize(
    ("name", "way"),
    [("k.ll", "clang -x ir"), ("k.cl", "clang -x cl"), ("k.hip", "hipcc --genco"), ("k.py", "asmgen.compile"), ("k.ptx", "NVIDIA")],
)
@pytest.mark.parametrize("command", ["kernel {}", "report {}", "check {}", "run {} --kernel k --grid 1 --block 64"])
def test_a_foreign_source_is_told_its_way(name: str, way: str, command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("define amdgpu_kernel void @k() {\n  ret void\n}\n", encoding="utf-8")
    assert way in refusal(capsys, "SRC002", *command.format(path).split())


@pytest.mark.parametrize("command", ["profile", "report", "check"])
def test_a_run_file_is_told_its_command(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "launches.run"
    path.write_text("buffer x = zeros f32[4]\n", encoding="utf-8")
    assert f"asmgen run {path}` runs it" in refusal(capsys, "SRC002", command, str(path))
