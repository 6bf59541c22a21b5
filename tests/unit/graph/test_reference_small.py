"""Bounds of results in formats without infinities: what overflows is a NaN, and a zero has no sign."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.graph.reference.ranges import bounded
from asmgen.ir.types import ELEMENT_TYPES

# OCP 8-bit floating point, E4M3: the largest number is 448, and numbers above 464 round to a NaN
CASES = [(300.0, 310.0, False), (440.0, 450.0, False), (440.0, 480.0, True), (-480.0, -440.0, True), (470.0, 480.0, True)]


@pytest.mark.parametrize(("low", "high", "is_nan"), CASES)
def test_what_may_overflow_may_be_a_nan(low: float, high: float, is_nan: bool) -> None:
    never = np.zeros(1, np.bool_)
    found = bounded(ELEMENT_TYPES["fp8e4m3fn_type"], np.array([low]), np.array([low]), np.array([high]), never, never)
    assert found.may_be_nan.tolist() == [is_nan]


@pytest.mark.parametrize(
    ("low", "high", "given", "wanted"), [(-1.0, 1.0, False, True), (1.0, 2.0, False, False), (1.0, 2.0, True, True), (-2.0, -1.0, False, False)]
)
def test_a_zero_may_have_either_sign(low: float, high: float, given: bool, wanted: bool) -> None:
    never, free = np.zeros(1, np.bool_), np.array([given])
    found = bounded(ELEMENT_TYPES["fp8e4m3fn_type"], np.array([low]), np.array([low]), np.array([high]), never, free)
    assert found.free_zero.tolist() == [wanted]
