"""`run` sanitizes its kernels by default, and compares arrays with the expected arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.cli.runs.arrays import Expectation, compare
from isa.diagnostics import InputError
from isa.emulator.sanitizer.faults import SanitizerError

N = 256
X = np.linspace(-1, 1, N, dtype=np.float32)
RELU = np.maximum(X, 0)
LAUNCH: dict[str, Any] = {"kernel": "relu", "grid": (1, 1, 1), "block": (64, 1, 1)}


@pytest.fixture(scope="module")
def assembly() -> str:
    return asmgen.compile("y = @param:y -> f32, {256}\nz = relu(y)\n@return(z)\n").kernels[0].assembly


@pytest.fixture
def folder(tmp_path: Path, assembly: str) -> Path:
    (tmp_path / "k.s").write_text(assembly)
    for name, array in (("x", X), ("zeros", np.zeros_like(X)), ("relu", RELU), ("wrong", RELU + (np.arange(N) == 200))):
        np.save(tmp_path / f"{name}.npy", array)
    return tmp_path


def run(folder: Path, *options: str) -> int:
    name = asmgen.compile("y = @param:y -> f32, {256}\nz = relu(y)\n@return(z)\n").kernels[0].name
    launch = ["--kernel", name, "--grid", "1", "--block", "64", "--arg", f"{folder}/x.npy", "--arg", f"{folder}/zeros.npy"]
    return main(["run", f"{folder}/k.s", *launch, *[option.replace("@", f"{folder}/") for option in options]])


@pytest.mark.parametrize("expected", [["@relu.npy"], ["1:@relu.npy"], ["0:@x.npy", "@relu.npy"], ["@x.npy", "@relu.npy"]])
def test_what_is_expected_comes_out(folder: Path, expected: list[str]) -> None:
    assert run(folder, *[word for file in expected for word in ("--expect", file)]) == 0


@pytest.mark.parametrize(
    ("code", "message", "options"),
    [
        ("EXP006", "arg1[200] is 0.5686274766921997, wanted 1.5686274766921997; 1 of 256 elements differ", ["--expect", "@wrong.npy"]),
        ("EXP006", "by a relative error above 0.1", ["--expect", "1:@wrong.npy", "--rtol", "0.1"]),
        ("EXP001", "argument 2 is not an array, wanted one of 0, 1", ["--expect", "2:@relu.npy"]),
        ("EXP002", "two expected arrays", ["--expect", "1:@relu.npy", "--expect", "1:@x.npy"]),
        ("EXP003", "the run changed arg1", ["--expect", "0:@x.npy", "--expect", "@relu.npy", "--expect", "@relu.npy"]),
        ("ARG003", "no such file", ["--expect", "@missing.npy"]),
        ("EXP007", "got --rtol without --expect", ["--rtol", "0.1"]),
    ],
)
def test_what_differs_is_told(folder: Path, capsys: pytest.CaptureFixture[str], code: str, message: str, options: list[str]) -> None:
    assert run(folder, *options) == 1
    error = capsys.readouterr().err
    assert f"error[{code}]" in error and message in error


def test_a_tolerance_is_relative_to_what_is_wanted(folder: Path) -> None:
    assert run(folder, "--expect", "@wrong.npy", "--rtol", "0.7") == 0


def verdict(got: Any, wanted: Any, rtol: float = 0.0) -> str:
    got, wanted = np.asarray(got), np.asarray(wanted)
    try:
        compare([Expectation("file", wanted, 0)], {0: got}, {0: got}, rtol)
    except InputError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("got", "wanted", "rtol", "code"),
    [
        ([1.0, np.nan], [1.0, np.nan], 0.0, ""),
        ([1.0, np.nan], [1.0, 2.0], 1.0, "EXP006"),
        ([1.0, np.inf], [1.0, np.inf], 0.1, ""),
        ([5.0], [np.inf], 0.1, "EXP006"),
        ([-0.0], [0.0], 0.0, ""),
        ([101], [100], 0.01, ""),
        ([102], [100], 0.01, "EXP006"),
        (np.array([1, 2], ml_dtypes.bfloat16), np.array([1, 2.015625], ml_dtypes.bfloat16), 0.01, ""),
        (np.array([1, 2], ml_dtypes.bfloat16), np.array([1, 2.015625], ml_dtypes.bfloat16), 0.0, "EXP006"),
        (np.zeros(3, np.float32), np.zeros(3), 0.0, "EXP004"),
        (np.zeros((1, 3)), np.zeros(3), 0.0, "EXP005"),
        ([2**63 - 1], [2**63 - 2], 0.0, "EXP006"),
    ],
)
def test_elements_are_compared(got: Any, wanted: Any, rtol: float, code: str) -> None:
    assert verdict(got, wanted, rtol) == code


def test_run_watches_unless_it_is_told_not_to(folder: Path, assembly: str) -> None:
    """Without its wait the kernel reads a register before the load has written it; time is not modelled, so
    the result is right even so."""
    name = asmgen.compile("y = @param:y -> f32, {256}\nz = relu(y)\n@return(z)\n").kernels[0].name
    text = "\n".join(line for line in assembly.splitlines() if "s_waitcnt vmcnt" not in line) + "\n"
    assert text != assembly + "\n"
    launch: dict[str, Any] = LAUNCH | {"kernel": name, "args": [X, np.zeros_like(X)]}
    with pytest.raises(SanitizerError):
        _ = asmgen.run(text, **launch)
    assert (asmgen.run(text, **launch, sanitize=False)[1] == RELU).all()
    (folder / "k.s").write_text(text)
    assert run(folder) == 1
    assert run(folder, "--no-sanitize", "--expect", "@relu.npy") == 0
    launch["sanitize"] = "yes"
    with pytest.raises(InputError, match="wanted True or False"):
        _ = asmgen.run(assembly, **launch)
