"""The examples of docs/running.md are lines that asmgen writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from tests.unit.asmgen.watching.programs import SUM_TEXT, Folder, X

PAGE = (Path(__file__).parents[4] / "docs" / "running.md").read_text(encoding="utf-8")


def examples(words: str) -> list[str]:
    """The lines of the first fenced block that has these words."""
    return next(block for block in PAGE.split("```")[1::2] if words in block).strip("\n").splitlines()


def test_the_lines_of_a_trace(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.run("--trace", "@t.txt") == 0
    lines = folder.read("t.txt").splitlines()
    shown = examples("# launch:wave")
    for line in shown:
        assert line.replace("# sum.s", f"# {tmp_path}/sum.s") in lines
    assert len(shown) == 4


def test_the_lines_of_coverage(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.run("--coverage", "@c.txt") == 0
    assert folder.run("--coverage", "@none.txt", n=0) == 0
    lines = folder.read("c.txt").splitlines() + folder.read("none.txt").splitlines()
    for line in examples("waves  lanes"):
        assert line in lines


@pytest.mark.parametrize("option", ["trace", "lines", "wave", "trace-limit", "break", "at", "dump", "coverage", "counters", "findings"])
def test_every_option_is_on_the_page(option: str) -> None:
    assert f"`--{option} " in PAGE or f"[--{option} " in PAGE


def test_null_and_pointers_from_python() -> None:
    launch = {"kernel": "sum", "grid": (1, 1, 1), "block": (128, 1, 1)}
    (x,) = asmgen.run(SUM_TEXT, args=[X, asmgen.pointer(0), 128], **launch)  # type: ignore[arg-type]
    assert (x == 3 * X).all()
    with pytest.raises(asmgen.InputError, match="a null pointer"):
        _ = asmgen.run(SUM_TEXT, args=[None, np.zeros_like(X), 128], **launch)  # type: ignore[arg-type]
