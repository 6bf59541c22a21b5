"""The examples in examples/by_hand: proven on every target that they name, and short enough to read."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EVERYWHERE = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
TARGETS = {"gemm_mfma": ("gfx90a", "gfx942", "gfx950"), "gemm_wmma": ("gfx1201",)}
NAMES = sorted(path.stem for path in (ROOT / "examples" / "by_hand").glob("*.py"))
CASES = [(name, target) for name in NAMES for target in TARGETS.get(name, EVERYWHERE)]
MOST_LINES = 120


@pytest.mark.parametrize(("name", "target"), CASES)
def test_an_example_is_proven(name: str, target: str) -> None:
    largest = importlib.import_module(f"examples.by_hand.{name}").verify(target)
    assert largest < 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short(name: str) -> None:
    assert len((ROOT / "examples" / "by_hand" / f"{name}.py").read_text(encoding="utf-8").splitlines()) < MOST_LINES


def test_the_examples_of_the_brief_are_there() -> None:
    wanted = {"bitonic_sort", "dot_product", "gemm_mfma", "gemm_wmma", "saxpy", "scan", "softmax", "transpose"}
    assert wanted <= set(NAMES)
