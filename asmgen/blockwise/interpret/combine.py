"""How two arrays are combined into one, in reductions and scans: by a sum, a product, a maximum, ..."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.actions import Combine, Scan

Array = NDArray[Any]

# NaN loses in max and min, as in the graph's.
UFUNCS: dict[Combine, np.ufunc] = {
    Combine.SUM: np.add,
    Combine.PROD: np.multiply,
    Combine.MAX: np.fmax,
    Combine.MIN: np.fmin,
    Combine.ANY: np.logical_or,
    Combine.ALL: np.logical_and,
}


def identity(op: Combine, of: np.dtype[Any]) -> Any:
    """The number that changes no result: 0 of a sum, the smallest value of the type of MAX, the largest
    of MIN.
    """
    if op in (Combine.MAX, Combine.MIN):
        limits: Any = np.iinfo(of) if of.kind in "iu" else None
        largest, smallest = (limits.max, limits.min) if limits else (np.inf, -np.inf)
        return of.type(smallest if op is Combine.MAX else largest)
    return of.type(op in (Combine.PROD, Combine.ALL))


def neutral(op: Combine, of: np.dtype[Any]) -> Any:
    """The number that loses against all others: in MAX and MIN of floats a NaN, so that only NaNs give
    NaN.
    """
    if op in (Combine.MAX, Combine.MIN) and of.kind not in "iu":
        return of.type(np.nan)
    return identity(op, of)


def reduce_axes(op: Combine, array: Array, axes: tuple[int, ...]) -> Array:
    """Combined along axes, which stay with one element; in the array's own type."""
    return UFUNCS[op].reduce(array, axis=axes, keepdims=True, dtype=array.dtype)


def scan_axis(action: Scan, array: Array) -> Array:
    """Each element combined with those before it along the axis."""
    done: Array = UFUNCS[action.op].accumulate(array, axis=action.axis, dtype=array.dtype)
    if not action.exclusive:
        return done
    shifted = np.roll(done, 1, axis=action.axis)
    first = tuple([0 if axis == action.axis else slice(None) for axis in range(array.ndim)])
    shifted[first] = identity(action.op, array.dtype)
    return shifted
