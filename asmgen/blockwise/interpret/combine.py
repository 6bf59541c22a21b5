"""Combines arrays in reductions and scans: by a sum, a product, a maximum, ..."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.actions import Combine, Scan, Sort

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
    """The array combined along axes, which stay with size 1; in the array's own type."""
    return UFUNCS[op].reduce(array, axis=axes, keepdims=True, dtype=array.dtype)


def sort_axis(action: Sort, keys: Array, *places: Array) -> tuple[Array, ...]:
    """The first keys along the axis, and their places, by the key and then by the place."""
    order = np.lexsort((*places, keys), axis=action.axis)
    count = action.first or keys.shape[action.axis]
    taken = np.take(order, range(count), action.axis)
    return tuple([np.take_along_axis(array, taken, action.axis) for array in (keys, *places)])


def sum_of_bins(numbers: Array, places: Array, count: int) -> Array:
    """The sum of the numbers of each bin; numbers of other bins count nowhere."""
    sums, is_bin = np.zeros(count, numbers.dtype), (places >= 0) & (places < count)
    np.add.at(sums, places[is_bin].astype(np.int64), numbers[is_bin])
    return sums


def scan_axis(action: Scan, *arrays: Array) -> tuple[Array, ...]:
    """Each element combined with those before it along the axis; with an array more, which comes before all,
    and the combination of that and the whole row.
    """
    scan = _recurrence if action.op is Combine.LINEAR else _scan
    return scan(action, *arrays)


def _recurrence(action: Scan, a: Array, b: Array, before: Array | None = None) -> tuple[Array, ...]:
    """h = a h + b along the axis, from the element before on, or from the first b."""
    axis, step = action.axis, -1 if action.reverse else 1
    made, row = np.zeros_like(b), np.zeros_like(b.take([0], axis)) if before is None else before
    factors, summands, results = (np.moveaxis(array, axis, 0)[::step] for array in (a, b, made))
    h = np.moveaxis(row, axis, 0)[0]
    for number, (factor, summand) in enumerate(zip(factors, summands, strict=True)):
        after = (summand if before is None and not number else factor * h + summand).astype(b.dtype)
        results[number] = h if action.exclusive else after
        h = after
    return (made,) if before is None else (made, np.expand_dims(h, axis))


def _scan(action: Scan, array: Array, before: Array | None = None) -> tuple[Array, ...]:
    combine, axis = UFUNCS[action.op], action.axis
    turned: Array = np.flip(array, axis) if action.reverse else array
    whole = combine.reduce(turned, axis=axis, keepdims=True, dtype=array.dtype)
    if action.exclusive:
        turned = np.roll(turned, 1, axis=axis)
        np.moveaxis(turned, axis, 0)[0] = identity(action.op, array.dtype)
    done: Array = combine.accumulate(turned, axis=axis, dtype=array.dtype)
    done = np.flip(done, axis) if action.reverse else done
    if before is None:
        return (done,)
    return combine(before, done).astype(array.dtype), combine(before, whole).astype(array.dtype)
