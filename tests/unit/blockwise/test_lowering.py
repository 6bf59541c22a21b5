"""Tile programs as sources of the command line and of `compile`, and their errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from tests.unit.blockwise.test_text import PROGRAMS

ROW_MAX = """stage blockwise gfx942
kernel @row_max grid(row: 3) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128)
  layout one = lane(0:0 0:0 0:0 0:0 0:0 0:0)
  x = @param:x -> f32, {3,256}
  z_output = @param:z_output -> f32, {3,1}
  t = tile_load[at={row, c1}](x) -> f32, {1,256} @ piece
  m = reduce[op=max, axes={1}](t) -> f32, {1,1} @ one
  tile_store[at={row, 0}](m, z_output)
}
"""
IN_PARTS = """stage blockwise gfx942
kernel @parts grid(part: 4) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128)
  layout one = lane(0:0 0:0 0:0 0:0 0:0 0:0)
  x = @param:x -> i32, {4,256}
  parts = @param:parts -> i32, {1,4}
  t = tile_load[at={part, c1}](x) -> i32, {1,256} @ piece
  s = reduce[op=sum, axes={1}](t) -> i32, {1,1} @ one
  tile_store[at={0, part}](s, parts)
}
kernel @whole grid(only: 1) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2) lane(0:0 0:0 0:0 0:0 0:0 0:0)
  layout one = lane(0:0 0:0 0:0 0:0 0:0 0:0)
  parts = @param:parts -> i32, {1,4}
  z = @param:z -> i32, {1,1}
  t = tile_load[at={0, c1}](parts) -> i32, {1,4} @ piece
  s = reduce[op=sum, axes={1}](t) -> i32, {1,1} @ one
  tile_store[at={0, 0}](s, z)
}
"""


def file_of(directory: Path, text: str) -> str:
    path = directory / "tiles.gen"
    _ = path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("stage", "first"), [("blockwise", "stage blockwise gfx942"), ("lanewise", "stage lanewise gfx942")])
def test_stages_are_printed(stage: str, first: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", file_of(tmp_path, ROW_MAX), "--emit", stage]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(first)
    if stage == "blockwise":
        assert printed == ROW_MAX


def test_a_text_is_proven_against_a_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = file_of(tmp_path, ROW_MAX)
    against = ["--verify", "--against", "row_max", "--set", "rows=3", "--set", "cols=256"]
    assert main(["kernel", source, *against]) == 0
    assert "verified: row_max" in capsys.readouterr().out


def test_a_wrong_text_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = file_of(tmp_path, ROW_MAX.replace("op=max", "op=min"))
    against = ["--verify", "--against", "row_max", "--set", "rows=3", "--set", "cols=256"]
    assert main(["kernel", source, *against]) == 1
    assert "BROKEN: row_max" in capsys.readouterr().out


def test_what_one_kernel_writes_and_another_reads_is_a_temporary() -> None:
    x = np.arange(1024, dtype="int32").reshape(4, 256)
    (z,) = asmgen.compile(IN_PARTS, target="gfx942")(x, device="emulator")
    assert z.item() == x.sum()


def test_launch_is_that_of_the_text() -> None:
    (kernel,) = asmgen.compile(PROGRAMS["transpose"], target="gfx942").kernels
    assert (kernel.grid, kernel.block) == ((4, 8, 1), (256, 1, 1))
