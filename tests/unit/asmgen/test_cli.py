"""The command line: its output, its files, and its errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.ir.stage import STAGES
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.runtime.hip import HipStatus
from tests.commands import FAULT, Run, refused

ROOT = Path(__file__).parents[3]


def test_list_names_each_kernel_first_then_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Run(capsys, "list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert all(re.fullmatch(r"\w+( \w+=\w+)+", line) for line in lines)
    assert "vecadd n=1048576 dtype=f32" in lines


def test_targets_and_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "targets").out.splitlines()[1].startswith("gfx942  MI300, ")
    assert "help: MI300 is gfx942\n" in Run(capsys, "kernel", "vecadd", "--target", "mi300x").err
    run = Run(capsys, "doctor")
    assert run.status == 0
    assert "clang for gfx90a gfx942 gfx950 gfx1100 gfx1201: " in run.out
    assert "hip: " in run.out
    assert "MLIR: " in run.out


def test_doctor_says_how_to_get_what_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from asmgen.emission import toolchain

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolchain, "ziglang_program", lambda: "")
    run = Run(capsys, "doctor")
    assert run.status == 0
    assert "clang for gfx942: missing; the built-in assembler is used instead; `python -m pip install '.[clang]'` in" in run.out


def test_kernel_prints_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "kernel", "vecadd", "--set", "n=4096")
    assert run.status == 0
    assert "vecadd for gfx942" in run.out
    assert "launch: 4x1x1 workgroups of 256x1x1 work-items" in run.out
    assert "argument b: global_buffer f32 read_only, 8 bytes at 8" in run.out
    assert "VGPRs" in run.out


@pytest.mark.parametrize("stage", STAGES[:-1])
def test_every_stage_prints_and_is_a_legal_input_again(stage: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wanted = Run(capsys, "kernel", ROOT / "examples" / "swish.gen", "--emit", "asm").out
    text = Run(capsys, "kernel", ROOT / "examples" / "swish.gen", "--emit", stage).out
    suffix = {"machine": ".mir", "allocated": ".mir", "asm": ".s"}.get(stage, ".gen")
    path = tmp_path / f"swish{suffix}"
    path.write_text(text, encoding="utf-8")
    if stage == "asm":
        run = Run(capsys, "kernel", path, "--emit", "asm")
        assert run.out == text
        return
    assert Run(capsys, "kernel", path, "--emit", stage).out == text
    again = Run(capsys, "kernel", path, "--emit", "asm").out
    assert instructions(again) == instructions(wanted)


def instructions(assembly: str) -> list[str]:
    """The lines that end in the object's code and descriptor: source positions differ, because the source is another file."""
    lines = [re.sub(r"\s*;.*", "", line) for line in assembly.splitlines()]
    return [line for line in lines if line and not line.startswith(("\t.loc", "\t.file"))]


def test_output_goes_to_a_file_or_to_standard_output(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "k.hsaco"
    assert main(["kernel", "vecadd", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x7fELF")
    assert main(["kernel", "vecadd", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == path.read_bytes()
    assert main(["kernel", "vecadd", "--emit", "asm", "-o", str(tmp_path / "k.s")]) == 0
    assert ".amdhsa_kernel vecadd" in (tmp_path / "k.s").read_text(encoding="utf-8")


def test_a_users_assembly_is_assembled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Run(capsys, "kernel", "relu", "--emit", "asm").out
    path = tmp_path / "mine.s"
    path.write_text(text, encoding="utf-8")
    assert Run(capsys, "kernel", path, "-o", tmp_path / "mine.hsaco").status == 0
    assert (tmp_path / "mine.hsaco").read_bytes().startswith(b"\x7fELF")
    assert "relu for gfx942" in Run(capsys, "kernel", path).out
    path.write_text(text.replace("s_endpgm", "s_endpgmm"), encoding="utf-8")
    message = refused(capsys, "ASM001", "kernel", path, "-o", tmp_path / "other.hsaco")
    line = next(number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if "s_endpgmm" in line)
    assert message.startswith(f"{path}:{line}:")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mine.hsaco", "mine.s"]


@pytest.mark.broad
def test_verify_holds_the_program_to_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "kernel", ROOT / "examples" / "swish.gen", "--verify")
    assert run.status == 0, run.out + run.err
    lines = run.out.splitlines()
    assert re.fullmatch(r"y: ok, all \d+ elements are within their error bounds", lines[0])
    assert re.fullmatch(r"  nearest to its bound: element \[\d+, \d+\], got \S+, float64 reference \S+", lines[1])
    assert re.fullmatch(r"  error [\d.]+, bound [\d.]+ units in the last place of the result: \d+% of the bound", lines[2])
    assert lines[3].startswith("  run: ")
    assert lines[4] == "  bound: that of mul, sigmoid (docs/numerics.md)"
    assert "verified: swish" in run.out


def test_a_broken_bound_exits_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that subtracts instead of adding."""
    from asmgen.verification import settings

    right = settings.loaded

    def wrong(source: str | bytes, kernel: str) -> Any:
        return right(source.replace("v_pk_add_f32", "v_pk_mul_f32") if isinstance(source, str) else source, kernel)

    monkeypatch.setattr(settings, "loaded", wrong)
    run = Run(capsys, "kernel", "vecadd", "--set", "n=1000", "--verify")
    assert run.status == 1
    assert "o: BROKEN" in run.out
    assert "of 1000 elements are outside their error bounds" in run.out


def test_run_gives_the_arrays_as_they_are_afterwards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    n = 1000
    a, b = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    for name, array in (("a", a), ("b", b), ("out", np.zeros(n, np.float32))):
        np.save(tmp_path / f"{name}.npy", array)
    assert Run(capsys, "kernel", "vecadd", "--set", f"n={n}", "--emit", "asm", "-o", tmp_path / "k.s").status == 0
    assert Run(capsys, "kernel", "vecadd", "--set", f"n={n}", "-o", tmp_path / "k.hsaco").status == 0
    arguments = [word for name in ("a", "b", "out") for word in ("--arg", tmp_path / f"{name}.npy")]
    launch = ["--kernel", "vecadd", "--grid", "1", "--block", "256", *arguments, "--out-dir", tmp_path / "results"]
    assert Run(capsys, "run", tmp_path / "k.s", *launch).status == 0
    assert (np.load(tmp_path / "results" / "arg2.npy") == a + b).all()
    assert (np.load(tmp_path / "results" / "arg0.npy") == a).all()
    said = Run(capsys, "run", tmp_path / "k.s", *launch[:-2]).out
    assert "arg2: float32[1000]" in said
    assert Run(capsys, "run", tmp_path / "k.s", *launch[:-2], "--max-seconds", "60").out == said, "no summary of several sources"


def test_run_takes_a_code_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "kernel", "relu", "--set", "n=256", "-o", tmp_path / "k.hsaco").status == 0
    x = np.linspace(-1, 1, 256, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", np.zeros_like(x))
    launch = ["--kernel", "relu", "--grid", "1,1", "--block", "64,1,1", "--arg", tmp_path / "x.npy", "--arg", tmp_path / "y.npy"]
    assert Run(capsys, "run", tmp_path / "k.hsaco", *launch, "--out-dir", tmp_path).status == 0
    assert (np.load(tmp_path / "arg1.npy") == np.maximum(x, 0)).all()


GEN = {
    "syntax": "x = @param:x -> f32, {4}\ny = neg(x\n@return(y)\n",
    "shapes": "x = @param:x -> f32, {4}\ny = @param:y -> f32, {5}\nz = add(x, y)\n@return(z)\n",
    "types": "x = @param:x -> f32, {4}\ny = @param:y -> f16, {4}\nz = add(x, y)\n@return(z)\n",
    "op": "x = @param:x -> f32, {4}\ny = frobnicate(x)\n@return(y)\n",
    "attribute": "x = @param:x -> f32, {4}\ny = neg[speed=3](x)\n@return(y)\n",
    "type": "x = @param:x -> f33, {4}\n@return(x)\n",
}


@pytest.mark.parametrize("name", GEN)
def test_bad_gen_text_is_refused_at_its_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{name}.gen"
    path.write_text(GEN[name], encoding="utf-8")
    output = tmp_path / "k.hsaco"
    run = Run(capsys, "kernel", path, "-o", output)
    assert run.status == 1
    assert re.match(rf"{re.escape(str(path))}:\d+:\d+: error\[GEN\d+\]: ", run.err), run.err
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("CAT001", ["kernel", "vecad"]),
        ("TGT001", ["kernel", "vecadd", "--target", "gfx999"]),
        ("TGT002", ["kernel", "vecadd", "--target", "gfx942:fast+"]),
        ("CLI001", ["kernel", "vecadd", "--emit", "ptx"]),
        ("CLI002", ["kernel", "vecadd", "--emit", "obj"]),
        ("CLI005", ["kernel", "vecadd", "--emit", "lanewise", "--holders", "all"]),
        ("CLI012", ["kernel", "vecadd", "-o", "vecadd.s"]),
        ("CLI011", ["kernel", "vecadd", "--emit", "blockwise", "--holders", "block"]),
        ("SRC003", ["kernel", "missing.gen"]),
        ("SRC002", ["kernel", "program.py"]),
        ("SET001", ["kernel", "vecadd", "--set", "m=4"]),
        ("SET002", ["kernel", "vecadd", "--set", "n=many"]),
        ("SET003", ["kernel", "vecadd", "--set", "dtype=f33"]),
        ("OPT002", ["kernel", "vecadd", "--max-vgprs", "0"]),
        ("VER003", ["kernel", "vecadd", "--set", "n=4000000000", "--verify"]),
        ("OUT001", ["kernel", "vecadd", "--emit", "asm", "-o", "/no/such/directory/k.s"]),
        ("SRC003", ["check-order", "missing.json"]),
        ("SRC003", ["run", "missing.s", "--kernel", "k", "--grid", "1", "--block", "64"]),
    ],
)
def test_bad_input_exits_1_with_its_place(code: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _ = refused(capsys, code, *arguments)


def test_a_source_is_not_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "mine.gen"
    _ = source.write_text("o = @param:o -> f32, {64}\n", encoding="utf-8")
    before = source.read_bytes()
    _ = refused(capsys, "CLI015", "kernel", str(source), "--emit", "lanewise", "-o", str(source))
    assert source.read_bytes() == before


@pytest.mark.parametrize(
    ("place", "code", "arguments"),
    [
        ("--max-vgprs", "OPT002", ["kernel", "vecadd", "--max-vgprs", "0"]),
        ("--arg", "RUN010", []),
        ("--arg[0]", "RUN011", ["--arg", "i32:5", "--arg", "i32:5", "--arg", "i32:5"]),
        ("--arg i8:300", "ARG002", ["--arg", "i8:300"]),
        ("--lds", "RUN005", ["--lds", "-1"]),
    ],
)
def test_places_are_options_as_they_were_written(
    place: str, code: str, arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The option that the Python API calls `max_vgprs` or `args[0]`."""
    if not arguments or arguments[0].startswith("-"):
        text = tmp_path / "vecadd.s"
        _ = text.write_text(asmgen.compile(build_kernel("vecadd", [("n", "64")])).kernels[0].assembly, encoding="utf-8")
        arguments = ["run", str(text), "--kernel", "vecadd", "--grid", "1", "--block", "64", *arguments]
    assert refused(capsys, code, *arguments).startswith(f"{place}: ")


def test_a_source_is_no_option_whatever_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "CAT001", "kernel", "block").startswith("block: ")


def test_a_device_that_is_absent_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asmgen.runtime.run.hip_status", lambda: HipStatus("", "no GPU is present"))
    assert "no GPU is present" in refused(capsys, "DEV002", "kernel", "vecadd", "--set", "n=64", "--verify", "--device", "hip")


def test_messages_list_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(stage in refused(capsys, "CLI001", "kernel", "vecadd", "--emit", "ptx") for stage in STAGES)
    assert all(name in refused(capsys, "CAT001", "kernel", "nothing") for name in CATALOGUE)
    assert "gfx942" in refused(capsys, "TGT001", "kernel", "vecadd", "--target", "gfx999")


@pytest.mark.parametrize(
    ("argument", "code"), [("x.txt", "ARG001"), ("f32:abc", "ARG002"), ("bool:2", "ARG002"), ("u8:300", "ARG002"), ("missing.npy", "ARG003")]
)
def test_bad_arguments_of_run_are_refused(argument: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "kernel", "relu", "--emit", "asm", "-o", tmp_path / "k.s").status == 0
    message = refused(capsys, code, "run", tmp_path / "k.s", "--kernel", "relu", "--grid", "1", "--block", "256", "--arg", argument)
    assert message.startswith(f"--arg {argument}: ")


def test_a_truncated_code_object_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = tmp_path / "k.hsaco"
    assert Run(capsys, "kernel", "relu", "-o", whole).status == 0
    data = whole.read_bytes()
    for size in (0, 3, 40, 64, len(data) // 2, len(data) - 100):
        whole.write_bytes(data[:size])
        run = Run(capsys, "run", whole, "--kernel", "relu", "--grid", "1", "--block", "256")
        assert run.status == 1, size
        assert FAULT.match(run.err), run.err


def test_a_code_object_of_another_target_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.hsaco"
    assert Run(capsys, "kernel", "relu", "-o", path).status == 0
    data = bytearray(path.read_bytes())
    data[48] = 0x2F  # EF_AMDGPU_MACH of e_flags: gfx906
    path.write_bytes(data)
    run = Run(capsys, "run", path, "--kernel", "relu", "--grid", "1", "--block", "256")
    assert run.status == 1
    assert FAULT.match(run.err), run.err


def test_a_source_after_a_stage_cannot_print_or_prove_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for stage, suffix in (("final", ".gen"), ("machine", ".mir"), ("asm", ".s")):
        path = tmp_path / f"relu{suffix}"
        assert Run(capsys, "kernel", "relu", "--emit", stage, "-o", path).status == 0
        assert "after the stage graph" in refused(capsys, "CLI004", "kernel", path, "--emit", "graph")
        assert "wanted a graph" in refused(capsys, "VER002", "kernel", path, "--verify")
        _ = refused(capsys, "CLI003", "kernel", path, "--set", "n=4")


def test_a_stage_of_another_target_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "relu.gen"
    assert Run(capsys, "kernel", "relu", "--target", "gfx942:xnack-", "--emit", "final", "-o", path).status == 0
    assert "--target gfx942:xnack-" in refused(capsys, "STG001", "kernel", path)
    assert Run(capsys, "kernel", path, "--target", "gfx942:xnack-").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["kernel"],
        ["kernel", "vecadd", "--set", "n"],
        ["kernel", "vecadd", "--max-vgprs", "many"],
        ["kernel", "vecadd", "--nan", "quiet"],
        ["kernel", "vecadd", "--device", "cuda"],
        ["run", "k.s", "--block", "64"],
        ["run", "k.s", "--kernel", "k", "--grid", "a", "--block", "64"],
        ["run", "k.s", "--kernel", "k", "--grid", "1,1,1,1", "--block", "64"],
        ["list", "one.mlir", "more"],
    ],
)
def test_usage_that_cannot_be_parsed_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m asmgen" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("kernel relu --dtype f16", "did you mean --set dtype=TYPE?"),
        ("check k.s --json", "did you mean --format json?"),
        ("doctor --json", "no command has it"),
    ],
)
def test_a_name_of_other_tools_leads_to_an_option_that_the_command_has(words: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words.split())
    assert hint in capsys.readouterr().err


def test_a_size_that_the_launch_knows_stands_in_parentheses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "softmax", "--set", "rows=?"]) == 0
    assert "  launch: ((rows + 3) floordiv 4)x1x1 workgroups of 256x1x1 work-items\n" in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code in (None, 0)
    assert capsys.readouterr().out == f"asmgen {version('asmgen')}\n"


def test_errors_are_plain_where_they_are_piped() -> None:
    done = subprocess.run([sys.executable, "-m", "asmgen", "kernel", "vecad"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_crash() -> None:
    command = f"{sys.executable} -m asmgen kernel vecadd --emit asm | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False, env={**os.environ})
    assert done.stdout == '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n'
    assert done.stderr == ""
