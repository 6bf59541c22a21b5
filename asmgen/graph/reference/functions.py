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
    return np.fromiter(map(math.erf, x.flat), np.float64, x.size).reshape(x.shape)


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
    wide_low, wide_high = widened(image_low, image_high, ulps)
    if function.is_nonnegative:
        wide_low = np.where(wide_low < 0, 0.0, wide_low)
        free = np.zeros_like(a.free_zero)
    else:
        free = a.free_zero | (wide_low != wide_high)
    value = function.evaluate(a.value)
    return bounded(a.element, value, wide_low, wide_high, a.may_be_nan | outside, free)
