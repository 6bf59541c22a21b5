"""One-liners of numpy's compile, and give what numpy gives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.unit.asmgen.numpy_examples import EXAMPLES
from tests.unit.asmgen.numpy_lines import LINES, Line

FEW = 3  # one example of so many is an ordinary test


def cases() -> list[Any]:
    slow = [pytest.param(line, id=line[0], marks=[pytest.mark.slow] if number % FEW else []) for number, line in enumerate(EXAMPLES)]
    return [*[pytest.param(line, id=line[0]) for line in LINES], *slow]


@pytest.mark.parametrize("line", cases())
def test_a_line_gives_what_numpy_gives(line: Line) -> None:
    _, function, arrays = line
    with warnings.catch_warnings(action="ignore"):
        expected = function(*[array.copy() for array in arrays])
    results = asmgen.compile(function, inputs=list(arrays))(*arrays, device=chosen_device())
    wanted: list[Any] = list(expected) if isinstance(expected, tuple | list) else [expected]  # pyright: ignore[reportUnknownArgumentType]
    assert len(results) == len(wanted)
    for result, each in zip(results, wanted, strict=True):
        compare(result, np.asarray(each))


def compare(result: Any, wanted: Any) -> None:
    assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
    rtol = 1e-12 if wanted.dtype == np.float64 else 6e-6
    np.testing.assert_allclose(result.astype(np.float64), wanted.astype(np.float64), rtol=rtol, atol=1e-6)
