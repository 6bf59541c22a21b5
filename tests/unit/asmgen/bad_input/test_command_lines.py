"""Command lines that are refused, one a test, in a folder of whole files."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from asmgen.cli.main import main
from asmgen.runtime.hip_status import HipStatus
from tests.unit.asmgen.bad_input.command_lines import COMMAND_LINES
from tests.unit.asmgen.bad_input.doors import refused


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of each kind, and an empty folder."""
    found = tmp_path_factory.mktemp("bad")
    (found / "k.gen").write_text("x = @param:x -> f32, {64}\ny = relu(x)\n@return(y)\n", encoding="utf-8")
    for name, options in (("k.mir", ["--emit", "machine"]), ("k.s", ["--emit", "asm"]), ("k.hsaco", [])):
        assert main(["kernel", "relu", "--set", "n=64", *options, "-o", str(found / name)]) == 0
    np.save(found / "x.npy", np.ones(64, np.float32))
    (found / "empty").mkdir()
    return found


@pytest.mark.parametrize("line", COMMAND_LINES, ids=range(len(COMMAND_LINES)))
def test_a_command_line_is_refused(line: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("asmgen.runtime.run.hip_status", lambda: HipStatus("", "no GPU is present"))
    words = {
        "GEN": "k.gen",
        "MIR": "k.mir",
        "ASM": "k.s",
        "OBJ": "k.hsaco",
        "NPY": "x.npy",
        "DIR": "empty",
        "OUT": "out",
    }
    for short, name in words.items():
        line = line.replace(short, name)
    _ = refused(shlex.split(line), folder, capsys)
