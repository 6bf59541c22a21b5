"""Results of a whole grid, held against the reference of one period, and results of some workgroups alone."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference import Comparison, Range, compare
from asmgen.graph.reference.compare import moved, worse
from asmgen.graph.reference.ranges import cut_range, part, rearranged
from asmgen.ir.arrays import Array


def compare_periods(expected: Range, actual: Array, axis: int) -> Comparison:
    """Hold results that repeat along an axis against the reference of their first period.

    Each further period must have the bits of the first one. If a period differs, its own elements are held
    against the reference.
    """
    period = expected.value.shape[axis]
    first = part(actual, axis, 0, period)
    found = compare(expected, first)
    bits = _bits(actual)
    wanted = part(bits, axis, 0, period)
    for start in range(period, actual.shape[axis], period):
        own = part(bits, axis, start, period)
        length = own.shape[axis]
        if np.array_equal(own, part(wanted, axis, 0, length)):
            found = replace(found, elements=found.elements + own.size)
            continue
        other = compare(cut_range(expected, axis, 0, length), part(actual, axis, start, period))
        found = worse(found, moved(other, axis, start))
    return found


def compare_written(expected: Range, actual: Array, axis: int | None) -> Comparison:
    """Hold the elements that are not masked against the reference, which is of one period along `axis`, or of
    every element if there is none. The others were compared when the whole grid ran, and are counted."""
    places = np.nonzero(~np.ma.getmaskarray(actual))
    chosen = [*places]
    if axis is not None:
        chosen[axis] = places[axis] % expected.value.shape[axis]
    picked = rearranged(expected, lambda array: array[tuple(chosen)])
    found = compare(picked, np.ma.getdata(actual)[places])
    if found.index is None:
        return found
    (place,) = found.index
    index = tuple([int(each[place]) for each in places])
    return replace(found, index=index, elements=actual.size)


def _bits(array: Array) -> Array:
    """The bits of numbers, of which one NaN equals another with the same bits."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
