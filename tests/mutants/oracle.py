"""Decide without `--verify` whether a fault changes the results of a program.

The faulty and the honest program run on the emulator without the sanitizer. The inputs are integers whose sums
are exact, ordinary values, the corners of floats, values far apart, negative values, and zeros. Results count
as wrong only if they differ by far more than rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from asmgen.ir.types import TensorType

Array = NDArray[Any]
_CORNERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.5,
    100.0,
    -100.0,
    1e-30,
    -1e-30,
    1e-41,
    1e30,
    -1e30,
    np.inf,
    -np.inf,
    np.nan,
)
_TOLERANCE = {2: 1e-2, 4: 1e-4}  # by the bytes of a float: of the value itself
_OF_SCALE = 0.02  # of that, also of the largest value, for terms that cancel


def input_sets(types: Sequence[TensorType]) -> Iterator[list[Array]]:
    """Arrays for parameters of these types."""
    from asmgen.ir.arrays import numpy_dtype

    generator = np.random.default_rng(4711)
    for draw in (_counting, _small, _ordinary, _corners, _wide, _negative, _zeros):
        yield [_as_type(draw(generator, type_.size), numpy_dtype(type_.element)).reshape(type_.shape) for type_ in types]


def _counting(_generator: np.random.Generator, count: int) -> Array:
    """1 to 9, repeated, so that neighbours differ."""
    return (np.arange(count) * 7 % 9 + 1).astype(np.float64)


def _small(generator: np.random.Generator, count: int) -> Array:
    return generator.integers(-4, 5, count).astype(np.float64)


def _ordinary(generator: np.random.Generator, count: int) -> Array:
    return generator.normal(0.0, 4.0, count)


def _corners(generator: np.random.Generator, count: int) -> Array:
    return generator.choice(np.array(_CORNERS), count)


def _wide(generator: np.random.Generator, count: int) -> Array:
    """Values whose exponentials overflow and underflow."""
    return generator.uniform(-150.0, 150.0, count)


def _negative(generator: np.random.Generator, count: int) -> Array:
    return -generator.integers(1, 10, count).astype(np.float64)


def _zeros(_generator: np.random.Generator, count: int) -> Array:
    return np.zeros(count)


def _as_type(values: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(all="ignore"):
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            return np.clip(np.nan_to_num(values, nan=0.0), limits.min, limits.max).astype(dtype)
        return (values > 0).astype(dtype) if dtype.kind == "b" else values.astype(dtype)


def differs(honest: Array, found: Array) -> bool:
    """Whether results differ by more than rounding and reordering."""
    if honest.dtype.kind != "f":
        return not np.array_equal(honest, found)
    a, b = honest.astype(np.float64), found.astype(np.float64)
    finite = np.isfinite(a)
    if not np.array_equal(finite, np.isfinite(b)) or not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return True
    a, b = a[finite], b[finite]
    scale = np.abs(a).max(initial=0.0)
    smallest = float(np.finfo(honest.dtype).tiny)  # denormals may be flushed on the way
    allowed = _TOLERANCE[honest.dtype.itemsize] * np.maximum(np.abs(a), _OF_SCALE * scale) + smallest
    return bool((np.abs(a - b) > allowed).any())
