"""Ranges of the functions of analysis: each is monotone on its domain, so that the bounds' images bound the
result."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from asmgen.graph.reference.arithmetic import widened
from asmgen.graph.reference.ranges import FloatRange, bounded
from asmgen.graph.reference.rounding import Floats

_ERF_IS_ONE, _ERF_TERMS = 6.5, 180
_TWO_OVER_ROOT_PI = np.longdouble("1.128379167095512573896158903121545172")


class Function(Struct, frozen=True):
    """A function in float64. Below `domain` it is NaN. It is odd, or gives nothing negative, or neither."""

    evaluate: Callable[[Floats], Floats]
    domain: float = -math.inf
    is_decreasing: bool = False
    is_nonnegative: bool = False


def _sigmoid(x: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-x))


def _rsqrt(x: Floats) -> Floats:
    return 1.0 / np.sqrt(x)


def _erf(x: Floats) -> Floats:
    if x.dtype == np.longdouble:
        return _long_erf(x)
    return np.fromiter(map(math.erf, x.flat), np.float64, x.size).reshape(x.shape)


def _long_erf(x: Floats) -> Floats:
    """2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!, whose terms have one sign; from 6.5 on it is 1
    (Abramowitz and Stegun, 7.1.6)."""
    small = np.where(np.abs(x) < _ERF_IS_ONE, x, 0.0)
    term = total = small
    for n in range(1, _ERF_TERMS):
        term = term * (2 * small * small) / (2 * n + 1)
        total = total + term
    series = _TWO_OVER_ROOT_PI * np.exp(-small * small) * total
    return np.where(np.isnan(x), x, np.where(np.abs(x) < _ERF_IS_ONE, series, np.copysign(1.0, x)))


FUNCTIONS: dict[str, Function] = {
    "exp": Function(np.exp, is_nonnegative=True),
    "log": Function(np.log, domain=0.0),
    "tanh": Function(np.tanh),
    "erf": Function(_erf),
    "sigmoid": Function(_sigmoid, is_nonnegative=True),
    "sqrt": Function(np.sqrt, domain=0.0),
    "rsqrt": Function(_rsqrt, domain=0.0, is_decreasing=True),
}


def apply_function(function: Function, a: FloatRange, ulps: float) -> FloatRange:
    """The range of a function whose error is at most `ulps` ULP."""
    low, high = a.low, a.high
    outside = low < function.domain
    if outside.any():
        low = np.where(outside & (high >= function.domain), function.domain, low)
    if function.is_decreasing:
        low, high = high, low
        # the sign of a zero decides which infinity its reciprocal is
        high = np.where((high == 0) & ~a.is_point, 0.0, high)
    image_low = function.evaluate(low)
    image_high = image_low if high is low else function.evaluate(high)
    if function.is_decreasing:
        image_low = np.where(a.holds_zero & a.free_zero, -np.inf, image_low)
    wide_low, wide_high = widened(image_low, image_high, ulps, a.element)
    if function.is_nonnegative:
        wide_low = np.where(wide_low < 0, 0.0, wide_low)
        free = np.zeros_like(a.free_zero)
    else:
        free = a.free_zero | (wide_low != wide_high)
    value = function.evaluate(a.value)
    return bounded(a.element, value, wide_low, wide_high, a.may_be_nan | outside, free)
