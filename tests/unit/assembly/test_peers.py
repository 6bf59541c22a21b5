"""The kernels of tools/clang-kernels/by_hand.cl, with which `tools.hand_peers` compares the examples, compute the same as these."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from isa.emulator import load, run_image
from isa.emulator.launching.arguments import ArgumentValue, KernelCall
from isa.targets import parse_target
from tests.rows import spread
from tools.hand_peers import CASES, SOURCE, Case, clang_object

Array = np.ndarray[Any, Any]
GROUPS = 3


@cache
def peer(target: str) -> bytes:
    return clang_object(target)


def floats(rng: np.random.Generator, *shape: int) -> Array:
    return rng.uniform(0.5, 1, shape).astype(np.float32)


def run(case: Case, target: str, grid: tuple[int, int, int], block: int, arguments: tuple[ArgumentValue, ...]) -> list[Array]:
    image = load(peer(target), case.symbol, SOURCE)
    return run_image(image, KernelCall(grid, (block, 1, 1), tuple(arguments)), sanitize=True)


def check(case: Case, target: str) -> None:
    """Run the peer on a small launch, and compare its result with numpy's."""
    rng = np.random.default_rng(7)
    lanes = parse_target(target).target.wave_size
    wide = GROUPS, 1, 1
    match case.name:
        case "saxpy":
            x, y = floats(rng, 700), floats(rng, 700)
            got, wanted = run(case, target, wide, 256, (x, y, np.float32(2.5), np.uint32(700)))[1], 2.5 * x.astype(np.float64) + y
        case "dot_product":
            x, y = floats(rng, GROUPS * 1024), floats(rng, GROUPS * 1024)
            products = x.astype(np.float64) * y
            products[2900:] = 0
            got = run(case, target, wide, 256, (x, y, np.zeros(GROUPS, np.float32), np.uint32(2900)))[2]
            wanted = products.reshape(GROUPS, -1).sum(axis=1)
        case "transpose":
            x = floats(rng, 64, 96)
            got = run(case, target, (3, 2, 1), 256, (x, np.zeros((96, 64), np.float32), np.uint32(64), np.uint32(96)))[1]
            wanted = x.T
        case "softmax":
            x = rng.standard_normal((GROUPS * 256 // lanes, 1024)).astype(np.float32)
            powers = np.exp(x.astype(np.float64))
            got, wanted = run(case, target, wide, 256, (x, np.zeros_like(x)))[1], powers / powers.sum(axis=1, keepdims=True)
        case "bitonic_sort":
            keys = rng.integers(0, 1 << 32, (GROUPS, 1024), dtype=np.uint32)
            (got,), wanted = run(case, target, wide, 1024, (keys,)), np.sort(keys)
        case "scan":
            x = rng.integers(0, 1 << 20, GROUPS * 1024, dtype=np.uint32)
            arguments = x, np.zeros_like(x), np.zeros(GROUPS, np.uint64), np.zeros(1, np.uint32)
            got, wanted = run(case, target, wide, 256, arguments)[1], np.cumsum(x, dtype=np.uint32)
        case _:
            a, b = (rng.integers(-8, 8, (rows, 128)).astype(np.float16) for rows in (128, 256))
            arguments = a, b, np.zeros((128, 256), np.float32), np.uint32(256), np.uint32(128)
            items = 256 if lanes == 64 else 128
            got, wanted = run(case, target, (2, 1, 1), items, arguments)[2], a.astype(np.float64) @ b.astype(np.float64).T
    np.testing.assert_allclose(got, wanted, rtol=1e-5)


PAIRS = [(target, case.name) for case in CASES for target in case.targets]


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.broad
@pytest.mark.parametrize(("target", "name"), spread(PAIRS, 1))
def test_a_peer_computes_what_the_example_does(target: str, name: str) -> None:
    check(next(case for case in CASES if case.name == name), target)
