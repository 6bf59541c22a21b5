"""The identity elements of a sum, a product, a maximum, ...: of integers an exact `int`.

| op | integers | floats | floats, for elements that are missing |
|---|---|---|---|
| sum, mean, any | 0 | 0 | 0 |
| prod, all | 1 | 1 | 1 |
| linear | 0 | 0 | 0; 1 for a factor |
| max | the smallest | -infinity | NaN, which loses; -infinity if a NaN wins |
| min | the largest | infinity | NaN, which loses; infinity if a NaN wins |

Missing elements are NaN so that a row of NaN alone stays NaN. A type without infinities has NaN in their
place.
"""

from __future__ import annotations

from math import inf, nan

from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.types import ElementType

_NUMBERS = {"sum": 0, "mean": 0, "any": 0, "prod": 1, "all": 1, "linear": 0}


def identity(kind: str, element: ElementType) -> int | float:
    """The identity element of an op, with which an exclusive scan begins."""
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    if not element.is_float:
        least, most = integer_range(element)
        return least if kind == "max" else most
    if not FLOAT_FORMATS[element.name].infinities:
        return nan
    return -inf if kind == "max" else inf


def filling(kind: str, element: ElementType, propagates_nan: bool = False) -> int | float:
    """The replacement of missing elements: a NaN under max and min of floats, unless a NaN wins."""
    if kind in _NUMBERS or not element.is_float or propagates_nan:
        return identity(kind, element)
    return nan


def fillings(kind: str, element: ElementType, propagates_nan: bool = False) -> tuple[int | float, ...]:
    """The parts of the replacement: an element of a linear recurrence has a factor and a summand."""
    number = filling(kind, element, propagates_nan)
    return (1, number) if kind == "linear" else (number,)
