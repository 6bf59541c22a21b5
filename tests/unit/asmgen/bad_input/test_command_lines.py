"""Each wrong command line is refused, in a folder of valid files."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from asmgen.cli.main import main
from asmgen.runtime.hip import HipStatus
from tests.unit.asmgen.bad_input.command_lines import COMMAND_LINES, WAYS_OUT
from tests.unit.asmgen.bad_input.doors import refused

_NAMES = {
    "GEN": "k.gen",
    "MIR": "k.mir",
    "ASM": "k.s",
    "OBJ": "k.hsaco",
    "NPY": "x.npy",
    "DIR": "empty",
    "OUT": "out",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of each kind, and an empty folder."""
    found = tmp_path_factory.mktemp("bad")
    (found / "k.gen").write_text("x = @param:x -> f32, {64}\ny = relu(x)\n@return(y)\n", encoding="utf-8")
    for name, options in (("k.mir", ["--emit", "machine"]), ("k.s", ["--emit", "asm"]), ("k.hsaco", [])):
        assert main(["kernel", "relu", "--set", "n=64", *options, "-o", str(found / name)]) == 0
    np.save(found / "x.npy", np.ones(64, np.float32))
    machine = (found / "k.mir").read_text(encoding="utf-8")
    (found / "role.mir").write_text(machine.replace("workitem_id", "workitm_id"), encoding="utf-8")
    np.save(found / "f64.npy", np.ones(64))
    code = (found / "k.hsaco").read_bytes()
    gen = (found / "k.gen").read_text(encoding="utf-8")
    # an ELF header whose offsets lie outside of every address that there is
    wild = code[:16] + bytes(255 - byte for byte in code[16:64]) + code[64:]
    for name, data in (("elf.s", code), ("none.hsaco", b""), ("cut.hsaco", b"\x1f\x8b\x08"), ("wild.hsaco", wild)):
        (found / name).write_bytes(data)
    for name in ("u16.gen", "u16.s"):
        (found / name).write_text(gen, encoding="utf-16")
    for name in ("k.txt", "v.mlir", "text.hsaco"):
        (found / name).write_text(gen, encoding="utf-8")
    (found / "empty").mkdir()
    return found


def _refused(line: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("asmgen.runtime.run.hip_status", lambda: HipStatus("", "no GPU is present"))
    for short, name in _NAMES.items():
        line = line.replace(short, name)
    return refused(shlex.split(line), folder, capsys)


@pytest.mark.parametrize("line", COMMAND_LINES, ids=range(len(COMMAND_LINES)))
def test_a_command_line_is_refused(line: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _ = _refused(line, folder, capsys, monkeypatch)


@pytest.mark.parametrize(("line", "way_out"), WAYS_OUT, ids=range(len(WAYS_OUT)))
def test_a_refusal_shows_a_way_out(
    line: str, way_out: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert way_out in _refused(line, folder, capsys, monkeypatch)
