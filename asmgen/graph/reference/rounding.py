"""Rounding of wider arrays to the float types, and their ULP.

A computation in f32 has its reference in float64, and a computation in f64 in numpy's long double, which
has 64 bits of significand on x86-64 and more elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.types import F32, F64, ElementType
from isa.named_tuple import NamedTuple

Floats = NDArray[Any]  # float64, or long double for f64
Bools = NDArray[np.bool_]
# types to which numpy rounds once; ml_dtypes rounds to its types by way of f32, and so twice
_OF_NUMPY = frozenset({"float16", "float32", "float64"})


class Work(NamedTuple):
    """The format in which values of a type are computed, and the numpy type of its reference.

    `unit` is the relative error of rounding to it; from `overflow` on a number rounds to infinity. Its
    significand has `digits` bits, its largest numbers are below 2**`top`, its normal numbers start at
    2**`normal` and its smallest denormal is 2**`least`.
    """

    element: ElementType
    wide: type[Any]
    unit: float
    overflow: Any
    digits: int
    top: int
    normal: int
    least: int


@cache
def work_of(element: ElementType) -> Work:
    """f64 is computed as it is, everything else in f32."""
    if element is not F64:
        return Work(F32, np.float64, 2.0**-24, 2.0**128 - 2.0**103, 24, 128, -126, -149)
    one = np.longdouble(1)
    overflow = np.ldexp(one, 1024) - np.ldexp(one, 970)
    return Work(F64, np.longdouble, 2.0**-53, overflow, 53, 1024, -1022, -1074)


def round_in(x: Floats, work: Work) -> Floats:
    """To nearest even in the format of the computation, overflow to infinity."""
    return x.astype(work.element.numpy).astype(work.wide)


def round_to(x: Floats, element: ElementType) -> Floats:
    """To nearest even in `element`, once; an overflow is infinite, or NaN if the type has no infinity."""
    wide = x.dtype if x.dtype == np.longdouble else np.float64
    if element.numpy in _OF_NUMPY:
        return x.astype(element.numpy).astype(wide)
    form = FLOAT_FORMATS[element.name]
    exponent = np.frexp(np.where(np.isfinite(x), x, 1.0))[1] - 1
    last = np.maximum(exponent, form.minimum_exponent) - form.precision + 1
    rounded = np.ldexp(np.rint(np.ldexp(x, -last)), last)  # exact but for `rint`, which rounds ties to even
    beyond = np.copysign(np.inf, x) if form.infinities else np.full(x.shape, np.nan)
    rounded = np.where(np.abs(rounded) > form.largest, beyond, rounded)
    return (rounded if form.negative_zero else np.where(rounded == 0, 0.0, rounded)).astype(wide)


def round_down(x: Floats, work: Work) -> Floats:
    """The largest number <= x of the format of the computation."""
    rounded = x.astype(work.element.numpy)
    below = np.nextafter(rounded, rounded.dtype.type(-np.inf))
    return np.where(rounded > x, below, rounded).astype(work.wide)


def overflowed(x: Floats, element: ElementType) -> Floats:
    """x, but infinite if rounding to `element` makes it so."""
    form = FLOAT_FORMATS[element.name]
    limit = form.largest * (
        1 + 2.0 ** (-form.precision - 1)
    )  # a little under halfway to the next power of two
    if not x.size or np.abs(x).max(initial=0.0, where=~np.isnan(x)) <= limit:
        return x
    rounded = round_to(x, element)
    return np.where(np.isfinite(rounded), x, rounded)


def ulp(x: Floats, element: ElementType) -> Floats:
    """The distance between neighbours of `element` in the binade of |x|, and at least the smallest
    denormal."""
    form = FLOAT_FORMATS[element.name]
    exponent = np.frexp(np.where(np.isfinite(x), x, 1.0))[1] - 1
    return np.ldexp(x.dtype.type(1), np.maximum(exponent, form.minimum_exponent) - form.precision + 1)
