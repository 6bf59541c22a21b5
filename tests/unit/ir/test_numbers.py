"""Rounding and number text, compared with numpy and ml_dtypes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from asmgen.ir.numbers import FLOAT_FORMATS, format_number, number_as, read_as, round_float
from asmgen.ir.types import ELEMENT_TYPES, ElementType

pytestmark = pytest.mark.broad

FLOATS = [ELEMENT_TYPES[name] for name in FLOAT_FORMATS]
OTHERS = [element for name, element in ELEMENT_TYPES.items() if name == element.name and not (element.is_float or element.is_code)]


def dtype(element: ElementType) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, element.numpy, None) or element.numpy)


def every_value(element: ElementType) -> NDArray[Any]:
    """Every 8- or 16-bit pattern, or a sample of the wider patterns."""
    if element.bits <= 16:
        return np.arange(1 << element.bits, dtype=f"u{element.bytes}").view(dtype(element))
    return np.random.default_rng(1).integers(0, 1 << element.bits, 3000, dtype=f"u{element.bytes}", endpoint=False).view(dtype(element))


@pytest.mark.parametrize("element", FLOATS, ids=str)
def test_every_value_is_its_own_rounding_and_reads_back(element: ElementType) -> None:
    with np.errstate(all="ignore"):
        values = every_value(element).astype(np.float64).tolist()
    for value in values[:: 7 if element.bits == 16 else 1]:
        assert repr(round_float(value, element)) == repr(value)
        assert repr(read_as(format_number(value, element), element)) == repr(value)


@pytest.mark.parametrize("element", FLOATS, ids=str)
def test_rounding_is_numpys(element: ElementType) -> None:
    """Halfway cases, their neighbours, and any other numbers; ml_dtypes converts from f32 without a rounding in between."""
    source = np.float64 if element.bits > 16 or element.name == "f16" else np.float32
    with np.errstate(all="ignore"):
        values = every_value(element).astype(np.float64)
        finite = np.unique(values[np.isfinite(values)])
        halfway = ((finite[:-1] + finite[1:]) / 2)[:: max(1, len(finite) // 800)].astype(source)
        random = np.random.default_rng(2).standard_normal(500) * float(finite[-1]) ** np.random.default_rng(3).uniform(-1, 1, 500)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], source)
        samples = np.concatenate([halfway, np.nextafter(halfway, source(0)), random.astype(source), special])
        wanted = samples.astype(dtype(element)).astype(np.float64)
    for value, want in zip(samples.tolist(), wanted.tolist(), strict=True):
        assert repr(round_float(value, element)) == repr(want), value


@pytest.mark.parametrize("element", OTHERS, ids=str)
def test_integer_ranges(element: ElementType) -> None:
    low, high = (0, 1) if element.name == "bool" else (int(np.iinfo(element.numpy).min), int(np.iinfo(element.numpy).max))
    assert [read_as(str(value), element) for value in (low - 1, low, high, high + 1)] == [None, low, high, None]
    assert read_as(hex(high), element) == high


@given(st.fractions())
def test_a_fraction_rounds_once(value: Fraction) -> None:
    nearest = round_float(value, ELEMENT_TYPES["f32"])
    if math.isinf(nearest):
        return
    below, above = (float(np.nextafter(np.float32(nearest), np.float32(side))) for side in (-np.inf, np.inf))
    assert all(abs(Fraction(nearest) - value) <= abs(Fraction(other) - value) for other in (below, above) if math.isfinite(other))


@given(st.integers(-(2**70), 2**70))
def test_integers_as_floats(value: int) -> None:
    assert number_as(value, ELEMENT_TYPES["f64"]) == float(value)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        # halfway between two of the type, a digit above and a digit below it, which the nearest f64 does not show
        ("1.000000059604644775390625", "f32", 1.0),
        ("1.00000005960464477539062500000000001", "f32", 1.00000011920928955078125),
        ("1.00000017881393432617187499999999999", "f32", 1.00000011920928955078125),
        ("1.00048828125000000000000000000000001", "f16", 1.0009765625),
        ("7.006492321624085354618e-46", "f32", 0.0),
        ("7.006492321624085354619e-46", "f32", 1.401298464324817e-45),
        ("65519.9999999999999999999999", "f16", 65504.0),
        ("340282356779733661637539395458142568447.9999", "f32", 3.4028234663852886e38),
        ("16777217", "f32", 16777216.0),
        ("36028799166447617", "f32", 36028801313931264.0),  # 2^55 + 2^31 + 1, whose nearest f64 is halfway
        ("-1e-60", "f16", -0.0),
        ("1e39", "f32", math.inf),
    ],
)
def test_a_text_rounds_once(text: str, name: str, value: float) -> None:
    assert repr(read_as(text, ELEMENT_TYPES[name])) == repr(value)
