"""The programs of examples/*.mlir, each with a launch that both compilers' kernels run.

tools/clang-kernels/mlir_examples.cl has the same programs in OpenCL C, with the same names and arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Sizes = tuple[int, int, int]
SOURCE = "mlir_examples"  # of tools/clang-kernels
_ELEMENTS = 1024
_WIDTH = 64  # of the matrices that sgemm multiplies


class Case(Struct, frozen=True):
    """A program, its launch, and how many multiply-adds of a lane its inner loop makes, 0 where that is not
    asked."""

    name: str
    grid: Sizes
    block: Sizes
    arguments: Callable[[], Sequence[Any]]
    multiply_adds: int = 0


def _floats(count: int) -> NDArray[Any]:
    return np.random.default_rng(count).standard_normal(count).astype(np.float32)


def _integers(count: int) -> NDArray[Any]:
    return np.random.default_rng(count).integers(1, 200, count).astype(np.int32)


def _none(count: int) -> NDArray[Any]:
    return np.zeros(count, np.float32)


CASES = (
    Case("basic", (4, 1, 1), (256, 1, 1), lambda: (_integers(_ELEMENTS), _ELEMENTS - 5)),
    Case(
        "vecadd",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(_ELEMENTS), _floats(_ELEMENTS), _none(_ELEMENTS), _ELEMENTS - 5),
    ),
    Case(
        "dotproduct",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(8 * _ELEMENTS), _floats(8 * _ELEMENTS), _none(4), 8 * _ELEMENTS - 5),
    ),
    Case(
        "sgemm",
        (_WIDTH // 16, _WIDTH // 16, 1),
        (16, 16, 1),
        lambda: (_floats(_WIDTH**2), _floats(_WIDTH**2), _none(_WIDTH**2), _WIDTH),
        multiply_adds=_WIDTH,
    ),
    Case(
        "relu",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_floats(_ELEMENTS), _none(_ELEMENTS), np.float32(0.25), _ELEMENTS - 5),
    ),
    Case("fence", (4, 1, 1), (256, 1, 1), lambda: (_integers(_ELEMENTS), np.zeros(_ELEMENTS, np.int32))),
    Case(
        "diverge",
        (4, 1, 1),
        (256, 1, 1),
        lambda: (_integers(_ELEMENTS), np.zeros(_ELEMENTS, np.int32), _ELEMENTS - 5),
    ),
)
