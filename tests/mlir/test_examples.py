"""The programs of examples/ on the emulator, next to numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.mlir.judge import ALL, EXAMPLES, launch
from tests.rows import spread


def in_turn(names: list[str]) -> list[object]:
    """Each case on one target in the ordinary suite, the targets in turn."""
    return spread([(target, name) for name in names for target in ALL], 1)


Sizes = tuple[int, int, int]
Arrays = list[Any]
_RANDOM = np.random.default_rng(7)


def floats(*shape: int) -> Any:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def integers(count: int) -> Any:
    return _RANDOM.integers(1, 200, count).astype(np.int32)


def _steps(value: int) -> int:
    count = 0
    while value > 1:
        value = value * 3 + 1 if value % 2 else value // 2
        count += 1
    return count


def _diverged(values: Any) -> Any:
    return np.array([v // 3 if v % 3 == 0 else _steps(int(v)) for v in values], np.int32)


def _basic(data: Any, count: int) -> Arrays:
    return [np.where(np.arange(data.size) < count, 2 * data, data)]


def _fence(data: Any, out: Any) -> Arrays:
    return [2 * data, (2 * data).reshape(-1, 256)[:, ::-1].reshape(-1)]


def _vecadd(a: Any, b: Any, c: Any, count: int) -> Arrays:
    return [a, b, np.where(np.arange(a.size) < count, a + b, c)]


def _relu(x: Any, y: Any, slope: float, count: int) -> Arrays:
    return [x, np.where(np.arange(x.size) < count, np.where(x > 0, x, x * np.float32(slope)), y)]


def _diverge(data: Any, out: Any, count: int) -> Arrays:
    return [data, np.where(np.arange(data.size) < count, _diverged(data), out)]


CASES: list[tuple[str, Sizes, Sizes, Callable[[], list[Any]], Callable[..., Arrays]]] = [
    ("basic", (3, 1, 1), (64, 1, 1), lambda: [integers(150), 150], _basic),
    ("basic", (1, 1, 1), (100, 1, 1), lambda: [integers(70), 33], _basic),
    ("vecadd", (4, 1, 1), (256, 1, 1), lambda: [floats(1000), floats(1000), floats(1000), 999], _vecadd),
    ("vecadd", (11, 1, 1), (33, 1, 1), lambda: [floats(360), floats(360), floats(360), 360], _vecadd),
    ("relu", (2, 1, 1), (512, 1, 1), lambda: [floats(1000), floats(1000), np.float32(0.25), 1000], _relu),
    ("relu", (7, 1, 1), (48, 1, 1), lambda: [floats(300), floats(300), np.float32(0.0), -3], _relu),
    ("fence", (1, 1, 1), (256, 1, 1), lambda: [integers(256), integers(256)], _fence),
    ("fence", (3, 1, 1), (256, 1, 1), lambda: [integers(768), integers(768)], _fence),
    ("diverge", (2, 1, 1), (96, 1, 1), lambda: [integers(190), integers(190), 190], _diverge),
    ("diverge", (1, 1, 1), (256, 1, 1), lambda: [integers(256), integers(256), 200], _diverge),
]


@pytest.mark.parametrize(("target", "case"), in_turn([str(i) for i in range(len(CASES))]))
def test_example(target: str, case: str) -> None:
    name, grid, block, make, expected = CASES[int(case)]
    args = make()
    found = launch(EXAMPLES / f"{name}.mlir", grid, block, args, target)
    for got, wanted in zip(found, expected(*args), strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize(("target", "count"), in_turn(["1", "2", "5"]))
def test_dotproduct(target: str, count: str) -> None:
    blocks = int(count)
    a, b = floats(3000), floats(3000)
    found = launch(EXAMPLES / "dotproduct.mlir", (blocks, 1, 1), (256, 1, 1), [a, b, floats(blocks), 2999], target)
    exact = a[:2999].astype(np.float64) @ b[:2999].astype(np.float64)
    bound = 2999 * 2.0**-24 * np.sum(np.abs(a * b))
    assert abs(float(found[2].sum()) - exact) <= bound


@pytest.mark.parametrize(("target", "width"), in_turn(["16", "48"]))
def test_sgemm(target: str, width: str) -> None:
    size = int(width)
    a, b = floats(size, size), floats(size, size)
    args = [a.reshape(-1), b.reshape(-1), floats(size * size), size]
    found = launch(EXAMPLES / "sgemm.mlir", (size // 16, size // 16, 1), (16, 16, 1), args, target)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = size * 2.0**-24 * (np.abs(a) @ np.abs(b))
    assert (np.abs(found[2].reshape(size, size) - exact) <= bound).all()
