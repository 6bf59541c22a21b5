"""The only part of these tests that knows how asmgen takes a module of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

import asmgen
from tests.device import chosen_device
from tests.tensors.case import Array, Case


def results(text: str, inputs: Sequence[Array], target: str, **options: Any) -> list[Array]:
    """Compile a module and run its entry function."""
    return asmgen.compile(text, target=target, **options)(*inputs, device=chosen_device())


def check(case: Case, target: str) -> None:
    """Run a case and compare its results."""
    agree(results(case.text, case.inputs, target), case.wanted, case.ulps, case.scale)


def agree(given: Sequence[Array], wanted: Sequence[Array], ulps: float = 0, scale: float = 0) -> None:
    """Types and shapes are equal. Numbers are equal, or as near as `ulps` says; NaN agrees with NaN."""
    assert len(given) == len(wanted), f"{len(given)} results, wanted {len(wanted)}"
    for got, expected in zip(given, wanted, strict=True):
        assert got.dtype == expected.dtype, f"got {got.dtype}, wanted {expected.dtype}"
        assert got.shape == expected.shape, f"got {got.shape}, wanted {expected.shape}"
        if not ulps or expected.dtype.kind in "biu":
            np.testing.assert_array_equal(_wide(got), _wide(expected))
        else:
            _near(_wide(got), _wide(expected), expected.dtype, ulps, scale)


def _wide(array: Array) -> Array:
    return array if array.dtype.kind in "biu" or array.dtype == np.float64 else array.astype(np.float64)


def _near(got: Array, wanted: Array, dtype: Any, ulps: float, scale: float) -> None:
    """Infinities and NaN are equal; the others differ by ULPs of the type at the magnitude of the result, or at `scale`."""
    special = ~np.isfinite(wanted)
    np.testing.assert_array_equal(got[special], wanted[special])
    magnitude = np.maximum(np.abs(wanted[~special]), scale)
    bound = ulps * ulp(magnitude, dtype)
    error = np.abs(got[~special] - wanted[~special])
    worst = np.max(error / bound, initial=0)
    assert worst <= 1 and not np.isnan(error).any(), f"got {got}, wanted {wanted}: {worst * ulps:.3g} ULP, wanted {ulps}"


def ulp(magnitude: Array, dtype: Any) -> Array:
    """The distance of neighbours in a float type at a magnitude."""
    info: Any = ml_dtypes.finfo(np.dtype(dtype))  # pyright: ignore[reportUnknownVariableType]
    exponent = np.frexp(np.maximum(magnitude, float(info.smallest_normal)))[1] - 1
    return np.ldexp(float(info.eps), exponent)
