"""The reference rounds a number to a type once: numbers of the type, their midpoints, and numbers next to midpoints, which
would become midpoints in f32."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.graph.reference.rounding import round_to
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.types import ELEMENT_TYPES

SMALL = ("f16", "bf16", "fp8e4m3fn", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")


def test_these_are_all_floats_below_32_bits() -> None:
    assert {*SMALL} == {name for name in FLOAT_FORMATS if ELEMENT_TYPES[name].bits < 32}


@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:invalid value encountered")
@pytest.mark.parametrize("name", SMALL)
def test_every_number_and_midpoint_is_rounded_to_the_nearest(name: str) -> None:
    element = ELEMENT_TYPES[name]
    dtype = numpy_dtype(element)
    decoded = np.arange(1 << element.bits).astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)
    numbers = np.unique(decoded[np.isfinite(decoded)])
    midpoints = (numbers[1:] + numbers[:-1]) / 2
    for exact in (numbers, midpoints, numbers * 2):  # f32 has them, so that ml_dtypes rounds once
        np.testing.assert_array_equal(round_to(exact, element), exact.astype(dtype).astype(np.float64))
    np.testing.assert_array_equal(round_to(np.nextafter(midpoints, np.inf), element), numbers[1:])
    np.testing.assert_array_equal(round_to(np.nextafter(midpoints, -np.inf), element), numbers[:-1])
