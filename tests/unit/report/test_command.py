"""`python -m asmgen report`: sources of every kind, formats, the gate, and how it refuses."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from asmgen.cli.main import main
from tests.commands import Run, refused

ROOT = Path(__file__).parents[3]
GEN = "x = @param:x -> f32, {640}\ny = @param:y -> f32, {640}\nz = add(x, y)\n@return(z)\n"
CLANG = ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w"]
LLVM = pytest.mark.needs_llvm("clang-22", "ld.lld-22")
PEERS = sorted((ROOT / "tools" / "clang-kernels").glob("*.cl"))


@cache
def compiled(source: Path, *options: str) -> bytes:
    """What clang makes of a source; a code object, or text with -S."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "kernel"
        subprocess.run([*CLANG, *options, str(source), "-o", str(path)], check=True)
        return path.read_bytes()


@LLVM
def test_compiled_files_are_known_by_their_content(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Triton names its assembly .amdgcn; a cache may name a code object anything."""
    for name, options in (("kernel.amdgcn", ("-O2", "-S")), ("0123456789abcdef", ("-O2",))):
        (tmp_path / name).write_bytes(compiled(PEERS[0], *options))
        run = Run(capsys, "report", tmp_path / name)
        assert run.status == 0, run.err
        assert run.out.startswith(f"{PEERS[0].stem} for gfx942")


@LLVM
def test_every_kernel_of_a_code_object(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "two.cl"
    source.write_text("kernel void b(global int *p) { p[0] = 1; }\nkernel void a(global int *p) { p[1] = p[0]; }\n", encoding="utf-8")
    (tmp_path / "two.co").write_bytes(compiled(source, "-O2"))
    (tmp_path / "two.s").write_bytes(compiled(source, "-O2", "-S"))
    for name in ("two.co", "two.s"):
        kernels = json.loads(Run(capsys, "report", tmp_path / name, "--format", "json").out)["kernels"]
        assert [kernel["name"] for kernel in kernels] == ["a", "b"]


@LLVM
def test_an_object_of_another_target_and_a_truncated_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = tmp_path / "other.co"
    subprocess.run([*CLANG[:3], "-mcpu=gfx906", *CLANG[4:], "-O2", str(PEERS[0]), "-o", str(other)], check=True)
    assert "gfx90a" in refused(capsys, "LOAD023", "report", other)
    whole = compiled(PEERS[0], "-O2")
    for size in (5, 64, 700, len(whole) // 2, len(whole) - 20):
        short = tmp_path / "short.co"
        short.write_bytes(whole[:size])
        refused(capsys, "LOAD021", "report", short)


@pytest.mark.parametrize("stage", ["machine", "allocated", "asm"])
def test_stages_of_one_program(stage: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Names before allocation, registers behind it; the same totals whichever way."""
    source = tmp_path / "k.gen"
    source.write_text(GEN, encoding="utf-8")
    whole = json.loads(Run(capsys, "report", source, "--format", "json").out)["kernels"][0]
    path = tmp_path / ("k.s" if stage == "asm" else "k.mir")
    path.write_text(Run(capsys, "kernel", source, "--emit", stage).out, encoding="utf-8")
    kernel = json.loads(Run(capsys, "report", path, "--format", "json").out)["kernels"][0]
    assert kernel["registers"] == ("virtual" if stage == "machine" else "physical")
    for name in ("vgpr", "agpr", "sgpr"):
        for total in ("used", "declared", "taken"):
            assert kernel["files"][name][total] == whole["files"][name][total]
    assert kernel["occupancy"]["waves"] == whole["occupancy"]["waves"]
    assert Run(capsys, "report", path, "--format", "html").out.startswith("<!DOCTYPE html>")
    points = [point for point in kernel["points"] if point["op"].startswith("add")]
    assert points
    assert all(point["place"] for point in points)


def test_catalogue_names_and_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    small = Run(capsys, "report", "vecadd", "--set", "n=64").out
    large = Run(capsys, "report", "vecadd").out
    assert small.startswith("vecadd for gfx942")
    assert small != large


def test_a_peak_names_its_instruction_and_its_op(capsys: pytest.CaptureFixture[str]) -> None:
    """And the line of the source, if it is known."""
    peaks = [line for line in Run(capsys, "report", "row_sum", "--set", "rows=4").out.splitlines() if line.startswith("  peak: ")]
    assert len(peaks) == 2 and all(re.match(r"  peak: \d+: \w+ .*  \[\w+( at row_sum:\d+:\d+)?\]$", line) for line in peaks), peaks
    assert any(" at row_sum:" in line for line in peaks)


def test_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    used = json.loads(Run(capsys, "report", "vecadd", "--format", "json").out)["kernels"][0]["files"]["vgpr"]["used"]
    assert Run(capsys, "report", "vecadd", "--fail-above", str(used)).status == 0
    run = Run(capsys, "report", "vecadd", "--fail-above", str(used - 1))
    assert run.status == 1
    assert run.out.startswith("vecadd for")  # the report says why
    assert run.err.startswith(f"--fail-above: error[REP001]: vecadd uses {used} VGPRs, wanted at most {used - 1}\n  note: ")


def test_output_goes_to_a_file_whole_or_not_at_all(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    run = Run(capsys, "report", "vecadd", "--format", "html", "-o", path)
    assert (run.status, run.out, run.err) == (0, "", f"wrote {path}: {path.stat().st_size} bytes\n")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [found.name for found in tmp_path.iterdir()] == ["report.html"]
    refused(capsys, "OUT001", "report", "vecadd", "-o", tmp_path / "missing" / "report.txt")


def test_colours_and_the_width_of_the_terminal_on_a_terminal_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    def on_terminal() -> str:
        written = io.BytesIO()
        monkeypatch.setattr("sys.stdout", Terminal(written, encoding="utf-8"))
        assert main(["report", "vecadd"]) == 0
        return written.getvalue().decode()

    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured := on_terminal())
    assert coloured != plain
    assert max(len(line) for line in plain.splitlines() if "█" in line or "─" in line) <= 70
    monkeypatch.setenv("NO_COLOR", "1")
    assert on_terminal() == plain


def test_what_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.co"
    garbage.write_bytes(b"not an object")
    empty = tmp_path / "empty.s"
    empty.write_text("\ts_endpgm\n", encoding="utf-8")
    binary = tmp_path / "binary.s"
    binary.write_bytes(b"\xff\xfe\x00")
    unknown = tmp_path / "kernel.xyz"
    unknown.write_text("hello", encoding="utf-8")
    bad = tmp_path / "bad.s"
    refused(capsys, "SRC003", "report", tmp_path / "missing.s")
    refused(capsys, "SRC003", "report", tmp_path / "missing.co")
    refused(capsys, "SRC003", "report", tmp_path / "missing.gen")
    refused(capsys, "LOAD020", "report", garbage)
    refused(capsys, "REP004", "report", empty)
    refused(capsys, "SRC004", "report", binary)
    refused(capsys, "SRC002", "report", unknown)
    refused(capsys, "SRC002", "report", tmp_path / "missing.xyz")
    refused(capsys, "CAT001", "report", "sofmax")
    refused(capsys, "TGT001", "report", "vecadd", "--target", "gfx999")
    refused(capsys, "REP002", "report", "vecadd", "--fail-above", "-1")
    refused(capsys, "CLI003", "report", empty, "--set", "n=1")
    text = Run(capsys, "kernel", "vecadd", "--emit", "asm").out
    bad.write_text(text.replace("v_pk_add_f32", "v_pk_wrong_f32", 1), encoding="utf-8")
    line = next(number for number, found in enumerate(bad.read_text(encoding="utf-8").splitlines(), 1) if "v_pk_wrong" in found)
    assert refused(capsys, "ASM001", "report", bad).startswith(f"{bad}:{line}:1: ")
    bad.write_text(text.replace("--gfx942", "--gfx999"), encoding="utf-8")
    refused(capsys, "TGT001", "report", bad)
    with pytest.raises(SystemExit) as usage:
        main(["report", "vecadd", "--format", "pdf"])
    assert usage.value.code == 2
