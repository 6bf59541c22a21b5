"""Tools name the reason of a failure, and their needs."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tools import bench_bounds
from tools.find_tiles.__main__ import main as find_tiles
from tools.reasons import exit_status


def test_each_reason_is_a_line_of_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status("bench", ["a is slow", "b is wrong"]) == 1
    assert capsys.readouterr().err == "bench: a is slow\nbench: b is wrong\n"
    assert exit_status("bench", []) == 0
    assert capsys.readouterr().err == ""


def test_bench_bounds_names_its_extra_if_it_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["bench_bounds", "vecadd"])
    with pytest.raises(SystemExit) as status:
        _ = bench_bounds.main()
    assert status.value.code == 2
    assert "pip install '.[bounds]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "wanted"), [(["gfx999"], "wanted one of gfx1100, gfx1201"), (["gfx942", "--product", "none"], "wanted a text in the name")]
)
def test_find_tiles_says_which_targets_and_products_there_are(arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as status:
        _ = find_tiles(arguments)
    assert status.value.code == 2
    assert wanted in capsys.readouterr().err
