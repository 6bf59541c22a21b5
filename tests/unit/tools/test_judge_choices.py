"""Neighbours of the choosers' constants, and their verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.judge_choices.changed import TREE, Changed
from tools.judge_choices.measured import Measured
from tools.judge_choices.neighbours import CONSTANTS, Verdict, judged, neighbours, small_cases
from tools.scoreboard.figures import Figures

TEXT = '"""Text."""\nMOST = 8  # accesses\nFEW, LEAST = 3, 12\nROWS = ((0, 16), (1, 32))\n'


def figures(instructions: float, vgprs: int) -> Figures:
    return Figures(4, vgprs, 1, instructions, 0, 8, 16, 16, None)


@pytest.mark.parametrize(
    ("name", "before", "half", "double"),
    [
        ("MOST", "MOST = 8 ", "MOST = 4 ", "MOST = 16 "),
        ("LEAST", "3, 12", "3, 6", "3, 24"),
        ("ROWS", "((0, 16), (1, 32))", "((0, 8), (1, 16))", "((0, 32), (1, 64))"),
    ],
)
def test_neighbours_are_half_and_double_and_change_nothing_else(name: str, before: str, half: str, double: str) -> None:
    assert [text for _, text in neighbours(TEXT, name)] == [TEXT.replace(before, half), TEXT.replace(before, double)]


def test_every_constant_has_neighbours() -> None:
    for constant in CONSTANTS:
        path, name = constant.split(":")
        assert len(list(neighbours((TREE / path).read_text(), name))) == 2


def test_a_verdict_is_of_the_changed_programs() -> None:
    usual = [Measured("a", 100, figures(10, 8)), Measured("b", 100, figures(10, 8)), Measured("c", 50, figures(4, 8))]
    other = [Measured("d", 200, figures(11, 8)), Measured("e", 50, figures(10, 12)), Measured("c")]
    verdict = judged(Verdict("FILE:NAME", "4", "gfx942", 3), ["x", "y", "z"], usual, other)
    assert (verdict.changed, verdict.mean) == (2, pytest.approx(1.0))
    assert (verdict.best, verdict.worst, verdict.figures) == ("0.500 y", "2.000 x", "1.500 VGPRs y")


@pytest.mark.broad
def test_a_changed_copy_measures_other_code_and_is_restored(tmp_path: Path) -> None:
    """A lane with half as many elements loops over its pieces of a row, which are in succession in its
    code."""
    path = "asmgen/blockwise/schedules/pages/scan.py"
    changed = Changed(tmp_path)
    (case,) = [case for case in small_cases() if case.name == "cumsum[axis=1] 512x8192"]
    (usual,) = changed.measure({}, "gfx942", [case])
    (_, half), _ = neighbours(changed.text(path), "MOST_HELD")
    (other,) = changed.measure({path: half}, "gfx942", [case], [usual.code])
    assert other.code != usual.code
    assert other.clocks > usual.clocks
    assert changed.measure({}, "gfx942", [case], [usual.code]) == [Measured(usual.code)]


def test_a_program_that_does_not_compile_is_an_error(tmp_path: Path) -> None:
    """The last line of the error has the wanted value."""
    case = small_cases()[0]
    with pytest.raises(RuntimeError, match="gfx1100"):
        _ = Changed(tmp_path).measure({}, "gfx000", [case])
