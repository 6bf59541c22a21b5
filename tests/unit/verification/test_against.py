"""Code from below the graph, compared with a tensor program: right code passes, a fault planted by hand is
named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.kernels import build_kernel
from asmgen.verification.against import LaunchSizes, verify_code_against, verify_program_against
from isa.diagnostics import InputError
from tests.unit.asmgen.test_cli import Run

SIZES = [("rows", "6"), ("cols", "300")]
NO_LAUNCH = LaunchSizes()


@pytest.fixture(scope="module")
def row_sum() -> CompiledProgram:
    return asmgen.compile(build_kernel("row_sum", SIZES))


def test_the_compilers_own_assembly_is_right(row_sum: CompiledProgram) -> None:
    report = verify_code_against(row_sum.kernels[0].assembly, "mine.s", row_sum, NO_LAUNCH)
    assert not report.is_broken
    assert report.runs > 8


def test_its_code_object_is_right(row_sum: CompiledProgram) -> None:
    assert not verify_code_against(row_sum.kernels[0].code_object, "mine.hsaco", row_sum, NO_LAUNCH).is_broken


def test_a_result_that_is_doubled_before_its_store_is_found(row_sum: CompiledProgram) -> None:
    text = row_sum.kernels[0].assembly
    (register,) = re.findall(r"global_store_dword v\d+, (v\d+),", text)
    doubled = re.sub(r"(\tglobal_store_dword )", rf"\tv_add_f32 {register}, {register}, {register}\n\1", text)
    report = verify_code_against(doubled, "mine.s", row_sum, NO_LAUNCH)
    assert report.is_broken


def test_a_barrier_that_is_taken_out_is_found(row_sum: CompiledProgram) -> None:
    with pytest.raises(InputError) as caught:
        _ = verify_code_against(re.sub(r"\ts_barrier\b.*\n", "", row_sum.kernels[0].assembly), "mine.s", row_sum, NO_LAUNCH)
    assert caught.value.code == "SAN003"


@pytest.mark.parametrize(("stage", "suffix"), [("lanewise", ".gen"), ("final", ".gen"), ("machine", ".mir"), ("allocated", ".mir")])
def test_later_stages_are_held(stage: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"mine{suffix}"
    settings = [word for name, value in SIZES for word in ("--set", f"{name}={value}")]
    assert Run(capsys, "kernel", "row_sum", *settings, "--emit", stage, "-o", path).status == 0
    run = Run(capsys, "kernel", path, "--verify", "--against", "row_sum", *settings)
    assert run.status == 0, run.err
    assert "verified: row_sum in" in run.out
    path.write_text(re.sub(r"\bsum\b(?=\])|(?<=op=)sum\b", "max", path.read_text()) if suffix == ".gen" else path.read_text(), "utf-8")
    assert (Run(capsys, "kernel", path, "--verify", "--against", "row_sum", *settings).status == 1) == (suffix == ".gen")


def test_a_program_of_other_parameters_is_refused(row_sum: CompiledProgram) -> None:
    with pytest.raises(InputError, match=r"takes x: f32, \{6, 300\}, wanted a: f32, \{8\}; b: f32, \{8\}"):
        _ = verify_program_against(row_sum, asmgen.compile(build_kernel("vecadd", [("n", "8")])))


def test_another_workgroup_wants_a_grid(row_sum: CompiledProgram) -> None:
    with pytest.raises(InputError) as caught:
        _ = verify_code_against(row_sum.kernels[0].assembly, "mine.s", row_sum, LaunchSizes(block=(64, 1, 1)))
    assert caught.value.code == "VER013"


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("CLI008", ["kernel", "vecadd", "--against", "vecadd"]),
        ("CLI009", ["kernel", "vecadd", "--verify", "--against", "vecadd", "--grid", "3"]),
        ("CLI010", ["kernel", "vecadd", "--verify", "--against", "vecadd", "--device", "hip"]),
        ("CAT001", ["kernel", "vecadd", "--set", "n=8", "--verify", "--against", "vecad"]),
    ],
)
def test_options_that_do_not_go_together_are_refused(code: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, *arguments)
    assert run.status == 1 and f"error[{code}]" in run.err
