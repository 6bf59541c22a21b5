"""`tune --judge device`: the planted winner of a fake GPU, failures on it, and that its times and the model's are never mixed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.cli.tuning import judges as tune_judges
from asmgen.compilation import Source
from asmgen.ir.arrays import Array
from asmgen.kernels import build_kernel
from asmgen.options import make_options
from asmgen.runtime.hip_timing import GpuLaunch
from asmgen.tuning import device as device_module
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate
from asmgen.tuning.device import device_launches, time_on_device
from asmgen.tuning.subject import Subject
from isa.targets import parse_target
from tests.unit.asmgen.hip_fake import COLS, HANGS, ROWS, FakeHip, Shape, Status

pytestmark = pytest.mark.xdist_group("processes")

PROGRAM = ("row_sum", "--set", f"rows={ROWS}", "--set", f"cols={COLS}", "--target", "gfx942")
DEVICE = "the device gfx942:sramecc+:xnack-"
# shapes of launches: the default has (1, 128)
WINNER, STOPPED, FAILING = (2, 128), (2, 64), (1, 256)
PLANTED: Mapping[Shape, float | str | Status] = {WINNER: 4000.0, STOPPED: HANGS, FAILING: Status.hipErrorLaunchFailure}


def fake(monkeypatch: pytest.MonkeyPatch, folder: Path, times: Mapping[Shape, float | str | Status] = PLANTED) -> FakeHip:
    made = FakeHip(folder / "launches", times)
    monkeypatch.setitem(sys.modules, "hip", made.module())
    monkeypatch.setattr(tune_judges, "_DEVICE_SECONDS", 3.0)
    return made


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The error of a command that prints nothing else: a line, and perhaps help."""
    assert main(["tune", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert all(line.startswith("  help: ") for line in lines[1:])
    return captured.err


def test_the_winner_is_the_fastest_on_the_device(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = fake(monkeypatch, tmp_path)
    monkeypatch.setenv("ASMGEN_CACHE", str(tmp_path / "cache"))
    words = ("tune", *PROGRAM, "--candidates", "10", "--jobs", "2", "--results", str(tmp_path / "answers"))
    assert main([*words]) == 0
    whole = capsys.readouterr()
    lines = whole.out.splitlines()
    assert lines[0] == (
        f"row_sum for gfx942 by {DEVICE}: 10 candidates, 6 measured whole, 4 without a time (1 not compiled, 3 failed or stopped at a limit)"
    )
    assert lines[1].split() == ["us", "VGPRs", "schedule"], "the device gives no clocks"
    assert re.fullmatch(r" +4000\.00 +\d+  row\[.*lanes=32.*\]", lines[2])
    assert lines[3].strip() == "4000.00 to 4000.00 us in 21 runs"
    assert "0.400 of the default's time (10000.00 us):" in lines
    failures = [line for line in whole.err.splitlines() if "row[" in line]
    assert [line.partition("row_sum: ")[2] for line in failures] == [
        *["hipModuleLaunchKernel failed with hipErrorLaunchFailure (719)"] * 2,
        "did not end: stopped after 3 seconds",
    ], "the failure ends with its process, so those after it have times"
    assert json.loads((tmp_path / "answers").read_text().splitlines()[0])["by"] == DEVICE

    assert main(["kernel", *PROGRAM, "--emit", "asm", "-o", str(tmp_path / "k.s")]) == 0
    assert f" by {DEVICE}, which is used" in capsys.readouterr().err
    device.log.unlink()
    assert main([*words, "--resume"]) == 0
    resumed = capsys.readouterr()
    assert (resumed.out, resumed.err) == (whole.out, whole.err)
    launched = set(device.log.read_text().splitlines())
    assert launched == {"1 128", "2 128"}, "only the default and the winner run again, as whole programs"
    mixed = refused(capsys, *words[1:], "--resume", "--judge", "model")
    assert f"error[BAT003]: {tmp_path / 'answers'} has results by {DEVICE}, wanted results by the clock model" in mixed


def test_a_wrong_result_and_noise_are_no_winners(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    device = fake(monkeypatch, tmp_path, {WINNER: 4000.0, FAILING: 9950.0})
    device.wrong = (WINNER,)
    words = ("--candidates", "8", "--jobs", "1", "--judge", "device", "--format", "json")
    assert main(["tune", *PROGRAM, *words]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["judge"], document["share"], document["command"]) == (DEVICE, 1.0, None), "the default is the fastest"
    assert {round(each["microseconds"]) for each in document["best"]} == {4000, 9950, 10000}
    assert {each["clocks"] for each in document["best"]} == {None}
    assert sum(each["is_default"] for each in document["best"]) == 1
    assert re.search(r"lanes=32.*: the results are wrong: .*BROKEN.* \(TUN005\), so it is left out", captured.err)


def test_launches_share_what_an_earlier_one_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan alone: its words are zeros, and are so again before each run. As a whole program, it clears them itself."""
    program = build_kernel("cumsum", [("rows", "1"), ("cols", "131072")])
    subject = Subject.of(Source.of_program("cumsum", program), parse_target("gfx942"), make_options({}), {})
    alone = [subject.judge.for_device(Candidate(number, launch.choice, Build())) for number, launch in enumerate(subject.judge.launches)]
    timed: list[tuple[list[GpuLaunch], list[Array]]] = []

    def times(launches: list[GpuLaunch], changed: list[Array], runs: int) -> list[float]:
        timed.append((launches, changed))
        return [5.0, 3.0, float(runs)]

    monkeypatch.setattr(device_module, "times_on_gpu", times)
    whole = device_launches(asmgen.compile(program, target="gfx942"), {})
    assert [time_on_device(launches, is_whole=True).microseconds for launches in (*alone, whole)] == [5.0] * 3
    ((_,), none), ((scan,), (words,)), ((first, second), also_none) = timed
    assert none == also_none == []
    assert words is scan.call.arguments[1] and not words.any()
    assert first.call.arguments[0] is second.call.arguments[1], "the words that the first launch clears"
    x, y = scan.call.arguments[0], second.call.arguments[0]
    assert isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and x.shape == (131072,)
    assert x.std() == pytest.approx(1, rel=0.1)
    assert (x == y).all()


def test_a_default_that_fails_on_the_device_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _ = fake(monkeypatch, tmp_path, {(1, 128): Status.hipErrorLaunchFailure})
    error = refused(capsys, *PROGRAM, "--candidates", "8", "--jobs", "1")
    assert "row_sum: error[HIP001]: the compiler's own schedule has no time" in error


def test_without_a_device_of_the_target_the_model_is_the_judge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    device = fake(monkeypatch, tmp_path)
    device.arch = "gfx90a:sramecc+:xnack-"
    error = refused(capsys, *PROGRAM, "--judge", "device")
    assert "--judge: error[DEV002]: the device is gfx90a:sramecc+:xnack-, wanted gfx942" in error
    assert "help: --target gfx90a, or --judge model" in error
    assert "error[CLI005]" in refused(capsys, *PROGRAM, "--judge", "device", "--ray", "auto")
    assert main(["tune", *PROGRAM, "--candidates", "1", "--jobs", "1"]) == 0
    assert capsys.readouterr().out.startswith("row_sum for gfx942 by the clock model: 1 candidate, ")
    device.arch = ""
    error = refused(capsys, *PROGRAM, "--judge", "device")
    assert "error[DEV002]: no device of gfx942 is there: no GPU is present" in error
    assert "--judge model, or: " in error
    monkeypatch.undo()
    if find_spec("hip") is None:
        assert "hip-python is not installed" in refused(capsys, *PROGRAM, "--judge", "device")
