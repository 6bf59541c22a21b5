"""The innermost loops of a kernel by their blocks."""

from __future__ import annotations

import pytest

from asmgen.kernels import CATALOGUE
from isa.targets import parse_target
from tools.loop_blocks import loops_of_kernel, main


def test_a_loop_has_one_block_or_several() -> None:
    rows = list(loops_of_kernel("row_sum", "?", parse_target("gfx942")))
    assert rows and all(loop.is_of_one_block for loop in rows)
    (scan,) = loops_of_kernel("cumsum", "?", parse_target("gfx942"))
    assert not scan.is_of_one_block and len(scan.instructions) == 4, "a wave's first lane stores its total to LDS"
    assert not list(loops_of_kernel("vecadd", "", parse_target("gfx942")))


def test_the_table_counts_loops(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("row_sum", "cumsum", "fp8_linear")
    monkeypatch.setattr("tools.loop_blocks.CATALOGUE", {name: CATALOGUE[name] for name in names})
    monkeypatch.setattr("tools.loop_blocks.SIZES", ("?",))
    assert main(["gfx942"]) == 0
    title, counts, several = capsys.readouterr().out.splitlines()
    assert title.split() == ["target", "sizes", "one", "block", "several"]
    assert counts.split()[:2] == ["gfx942", "?"] and counts.split()[3] == "1", "fp8_linear has no open block"
    assert several.startswith("gfx942   ?     cumsum: loop: 4 blocks, ")
