"""Polynomials in f32, and the split constants that the expansions share."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.numbers import round_to
from asmgen.ir.program import Value
from asmgen.ir.types import F32
from asmgen.lanewise.builder import LaneBuilder


def horner(builder: LaneBuilder, x: Value, coefficients: Sequence[float]) -> Value:
    """`coefficients[0] + x * (coefficients[1] + x * ...)`, an fma a step; at least two coefficients."""
    result = builder.like(coefficients[-1], x)
    for coefficient in reversed(coefficients[:-1]):
        result = builder.fma(result, x, builder.like(coefficient, x))
    return result


def nearest(value: float) -> float:
    """`value` rounded to f32."""
    return float(round_to(value, F32))


def split_toward_zero(value: float) -> tuple[float, float]:
    """Two f32 of the same sign with a sum that equals `value` to 48 bits, so that a product with an infinity
    is not NaN."""
    high = nearest(value)
    if abs(high) > abs(value):
        high = nearest(high * (1 - 2.0**-24))
    return high, nearest(value - high)
