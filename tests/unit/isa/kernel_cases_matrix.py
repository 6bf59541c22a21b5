"""Matrix instructions: tiles of 16 by 16 by MFMA or WMMA. Whole numbers, so that the order of sums does not count."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Case, Kernel, kernels_of


def tiles(target: TargetId, kind: Any, result: Any, span: int) -> Case:
    rng = np.random.default_rng(span)
    a, b = rng.integers(-span, span, (2, 16, 16)).astype(kind)
    c = rng.integers(-1000, 1000, (16, 16)).astype(result)
    product = a.astype(np.float64) @ b.astype(np.float64) + c
    return Case((1, 1, 1), (target.target.wave_size, 1, 1), [a, b, c, np.zeros((16, 16), result)], {3: product.astype(result)}, (3,))


def half_tiles(target: TargetId) -> Case:
    return tiles(target, np.float16, np.float32, 64)


def byte_tiles(target: TargetId) -> Case:
    return tiles(target, np.int8, np.int32, 128)


def wide_tiles(target: TargetId) -> Case:
    a, b = np.random.default_rng(3).integers(-500, 500, (2, 16, 16)).astype(np.float64)
    args = [a, b, np.zeros((16, 16)), np.zeros((16, 16), np.float32)]
    return Case((1, 1, 1), (64, 1, 1), args, {2: a @ b, 3: (a @ b).astype(np.float32)}, (2, 3))


KERNELS = kernels_of("matrix", half_tiles, byte_tiles) | {
    "wide_tiles": Kernel("matrix", wide_tiles, runs_on=lambda target: target.target.family == "cdna"),
}
