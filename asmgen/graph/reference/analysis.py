"""Ranges of sin, cos, tan, their inverses, sinh, cosh and their inverses, and log2.

Each is monotone on pieces of its domain: where an interval has no turn inside, the images of its ends bound
the result, and where it has one, what the function is there does too.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from asmgen.graph.reference.arithmetic import widened
from asmgen.graph.reference.ranges import FloatRange, bounded
from asmgen.graph.reference.rounding import Bools, Floats

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
    return (low < 0) & (high > 0)


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
    "log2": Curve(np.log2, low=0.0),
}  # fmt: skip


def apply_curve(curve: Curve, a: FloatRange, ulps: float) -> FloatRange:
    """The range of a function whose error is at most `ulps` ULP."""
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
    least, most = widened(least, most, ulps, a.element)
    least, most = np.where(only_nan, np.nan, least), np.where(only_nan, np.nan, most)
    free = a.free_zero | (least != most)
    return bounded(a.element, curve.evaluate(a.value), least, most, a.may_be_nan | outside, free)
