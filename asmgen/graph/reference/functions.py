"""Ranges of the functions of analysis: each is monotone on its domain, so that the bounds' images bound the
result."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from asmgen.graph.reference.arithmetic import widened
from asmgen.graph.reference.ranges import FloatRange, bounded
from asmgen.graph.reference.rounding import Bools, Floats
from asmgen.ir.types import ElementType

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
    """2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!, a sum of terms of the same sign; from 6.5 on it is
    1 (Abramowitz and Stegun, 7.1.6)."""
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


def apply_function(
    function: Function, a: FloatRange, ulps: float | Floats, goal: ElementType | None = None
) -> FloatRange:
    """The range of a function with an error as `widened` has it."""
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
    wide_low, wide_high = widened(image_low, image_high, ulps, a.element, goal)
    if function.is_nonnegative:
        wide_low = np.where(wide_low < 0, 0.0, wide_low)
        free = np.zeros_like(a.free_zero)
    else:
        free = a.free_zero | (wide_low != wide_high)
    value = function.evaluate(a.value)
    return bounded(a.element, value, wide_low, wide_high, a.may_be_nan | outside, free)


Turn = Callable[[Floats, Floats], Bools]
"""Whether there is a turn between the bounds."""


class Curve(Struct, frozen=True):
    """A function in float64 on its domain, NaN outside. `peaks` and `troughs` are turns with their values."""

    evaluate: Callable[[Floats], Floats]
    low: float = -math.inf
    high: float = math.inf
    peaks: tuple[Turn, float] | None = None
    troughs: tuple[Turn, float] | None = None
    poles: Turn | None = None
    is_endless: bool = True  # whether it has a value, or a limit, at infinity


def _every_turn(first: float, period: float) -> Turn:
    """Turns at `first` and at every period from it."""

    def between(low: Floats, high: Floats) -> Bools:
        before = np.floor((low - first) / period)
        return np.floor((high - first) / period) > before

    return between


def _at_zero(low: Floats, high: Floats) -> Bools:
    """Whether a range has numbers or zeros of both signs."""
    return np.signbit(low) & ~np.signbit(high)


_TURN = 2 * math.pi
CURVES: dict[str, Curve] = {
    "sin": Curve(
        np.sin, peaks=(_every_turn(math.pi / 2, _TURN), 1.0),
        troughs=(_every_turn(-math.pi / 2, _TURN), -1.0), is_endless=False,
    ),
    "cos": Curve(
        np.cos, peaks=(_every_turn(0.0, _TURN), 1.0), troughs=(_every_turn(math.pi, _TURN), -1.0),
        is_endless=False,
    ),
    "tan": Curve(np.tan, poles=_every_turn(math.pi / 2, math.pi), is_endless=False),
    "asin": Curve(np.arcsin, low=-1.0, high=1.0),
    "acos": Curve(np.arccos, low=-1.0, high=1.0),
    "atan": Curve(np.arctan),
    "sinh": Curve(np.sinh),
    "cosh": Curve(np.cosh, troughs=(_at_zero, 1.0)),
    "asinh": Curve(np.arcsinh),
    "acosh": Curve(np.arccosh, low=1.0),
    "atanh": Curve(np.arctanh, low=-1.0, high=1.0),
    "cbrt": Curve(np.cbrt),
    "expm1": Curve(np.expm1),
    "log1p": Curve(np.log1p, low=-1.0),
    "log2": Curve(np.log2, low=0.0),
}  # fmt: skip


def apply_curve(curve: Curve, a: FloatRange, ulps: float, goal: ElementType | None = None) -> FloatRange:
    """The range of a function with an error as `widened` has it."""
    endless = np.zeros(a.low.shape, np.bool_) if curve.is_endless else np.isinf(a.low) | np.isinf(a.high)
    outside = (a.low < curve.low) | (a.high > curve.high) | endless
    only_nan = a.only_nan | (a.high < curve.low) | (a.low > curve.high) | (endless & a.is_point)
    low, high = np.clip(a.low, curve.low, curve.high), np.clip(a.high, curve.low, curve.high)
    if not curve.is_endless:
        largest = float(np.finfo(np.float64).max)
        low, high = np.clip(low, -largest, largest), np.clip(high, -largest, largest)
    ends = curve.evaluate(low), curve.evaluate(high)
    least, most = np.minimum(*ends), np.maximum(*ends)
    if curve.peaks is not None:
        most = np.where(curve.peaks[0](low, high), curve.peaks[1], most)
    if curve.troughs is not None:
        least = np.where(curve.troughs[0](low, high), curve.troughs[1], least)
    if curve.poles is not None:
        has_pole = curve.poles(low, high)
        least, most = np.where(has_pole, -np.inf, least), np.where(has_pole, np.inf, most)
    least, most = widened(least, most, ulps, a.element, goal)
    least, most = np.where(only_nan, np.nan, least), np.where(only_nan, np.nan, most)
    free = a.free_zero | (least != most)
    return bounded(a.element, curve.evaluate(a.value), least, most, a.may_be_nan | outside, free)
