"""Kernels of tests/mlir/kernels on the emulator, next to the interpreter that runs them thread by thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.mlir.judge import ALL, holds, interpreted
from tests.rows import spread

KERNELS = Path(__file__).parent / "kernels"
Sizes = tuple[int, int, int]


class Case(NamedTuple):
    """A launch of a kernel; `make` gives its arguments."""

    name: str
    grid: Sizes
    block: Sizes
    make: Callable[[], list[Any]]
    tolerance: float = 0.0


def integers(*shape: int) -> Any:
    return np.random.default_rng(3).integers(-1000, 1000, shape).astype(np.int32)


def raw_bytes(count: int) -> Any:
    return np.random.default_rng(9).integers(-128, 128, count).astype(np.int8)


def words(count: int) -> Any:
    """Integers of every size."""
    return np.random.default_rng(8).integers(-(1 << 31), 1 << 31, count).astype(np.int32)


def whole_floats(*shape: int) -> Any:
    """Floats whose sums are exact in every order."""
    return integers(*shape).astype(np.float32)


def floats(*shape: int) -> Any:
    return np.random.default_rng(4).standard_normal(shape).astype(np.float32)


def _reduced(items: int) -> list[Any]:
    return [integers(items), integers(items, 4), whole_floats(items), np.zeros(items, np.float32)]


def _pointed(items: int) -> list[Any]:
    exponents = np.random.default_rng(6).integers(0, 9, items).astype(np.float32)
    wide = np.random.default_rng(7).integers(-(1 << 62), 1 << 62, items)
    sums = np.array([0] * 4 + [-5000] * 4 + [-1] * 4, np.int32)
    return [integers(items), exponents, 3, np.zeros((items, 12), np.int32), sums, wide]


CASES = [
    Case("exchange", (2, 1, 1), (64, 1, 1), lambda: [integers(128), integers(128, 8)]),
    Case("reduce", (2, 1, 1), (64, 1, 1), lambda: _reduced(128)),
    Case("reduce", (2, 1, 1), (90, 1, 1), lambda: _reduced(180)),
    Case("reduce_whole", (2, 1, 1), (128, 1, 1), lambda: _reduced(256)),
    Case(
        "atomics",
        (2, 1, 1),
        (70, 1, 1),
        lambda: [integers(140), np.zeros(16, np.int32), np.zeros(1, np.int32), np.ones(1, np.float32)],
    ),
    Case("blocks", (2, 1, 1), (70, 1, 1), lambda: [integers(140), integers(140), 133]),
    Case("early", (2, 1, 1), (70, 1, 1), lambda: [np.abs(integers(140)), integers(140)]),
    Case("shapes", (1, 1, 1), (32, 2, 1), lambda: [integers(4, 20), integers(64)]),
    Case("vectors", (2, 1, 1), (20, 1, 1), lambda: [floats(160), floats(160), floats(40, 4)], 1e-6),
    Case("launch", (4, 1, 1), (16, 1, 1), lambda: [integers(4, 16), 5, integers(4, 16)]),
    Case("ids", (2, 2, 2), (10, 7, 2), lambda: [np.zeros((1120, 12), np.int64)]),
    Case("turned", (2, 1, 1), (64, 1, 1), lambda: [integers(128), integers(128, 5)]),
    Case("conversions", (1, 1, 1), (64, 1, 1), lambda: [words(64), floats(64), np.zeros((64, 16), np.int64)]),
    Case("memory", (1, 1, 1), (32, 1, 1), lambda: [integers(32), integers(32, 4)]),
    Case("windows", (1, 1, 1), (40, 1, 1), lambda: [integers(40), integers(40)]),
    Case("space", (1, 1, 1), (20, 1, 1), lambda: [integers(8, 8), integers(20, 8), 5]),
    Case(
        "parallel",
        (2, 1, 1),
        (45, 1, 1),
        lambda: [integers(5, 6), floats(5, 6), 5, np.zeros((90, 12), np.int32), np.zeros((90, 4), np.float32)],
        1e-6,
    ),
    Case(
        "bytes",
        (2, 1, 1),
        (64, 1, 1),
        lambda: [integers(128), raw_bytes(128), np.zeros((128, 8), np.int32), raw_bytes(300)],
    ),
    Case("copies", (2, 1, 1), (20, 1, 1), lambda: [floats(40, 4, 8), floats(40, 4, 8), np.zeros((40, 8), np.float32)]),
    Case("private", (2, 1, 1), (70, 1, 1), lambda: [integers(140), 7, np.zeros((140, 6), np.int32)]),
    Case("pointers", (2, 1, 1), (64, 1, 1), lambda: _pointed(128)),
    Case("parts", (1, 1, 1), (20, 1, 1), lambda: [floats(80), floats(20, 4)]),
]
_NAMES = [f"{number}-{case.name}" for number, case in enumerate(CASES)]


@pytest.mark.broad
@pytest.mark.parametrize(("target", "name"), spread([(t, name) for name in _NAMES for t in ALL], 1))
def test_kernel(target: str, name: str) -> None:
    case = CASES[_NAMES.index(name)]
    _ = holds(KERNELS / f"{case.name}.mlir", case.grid, case.block, case.make(), (target,), case.tolerance)


@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_spilled_values_come_after_private_memory(target: str) -> None:
    """In scratch, which both share; on gfx90a the kernel sets FLAT_SCRATCH up."""
    source = KERNELS / "private.mlir"
    args = [integers(70), 7, np.zeros((70, 6), np.int32)]
    program = asmgen.compile(source, target=target, max_vgprs=9)
    roomy = asmgen.compile(source, target=target).kernels[0].resources
    assert roomy.scratch_bytes >= 4 * (300 + 100) + 8 * 20 + 64
    assert program.kernels[0].resources.spills > roomy.spills or target == "gfx90a"
    found = program.kernel("private").launch(grid=(1, 1, 1), block=(70, 1, 1), args=args, device=chosen_device())
    wanted = interpreted(source, (1, 1, 1), (70, 1, 1), args, 64 if target == "gfx90a" else 32)
    for got, expected in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(got, expected)
