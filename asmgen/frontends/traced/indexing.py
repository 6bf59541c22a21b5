"""Reading `x[key]`. With integers, slices, `...` and None the elements are a slice of the graph (slice,
step, reverse, squeeze and unsqueeze); with arrays of integers, which may be traced, a gather.

The axes that arrays index are merged into a single axis of the array, and the arrays into a single array
of places in it. A traced index beyond the axis takes the element at its end, although numpy raises an
error; a known index is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, cast

import numpy as np

from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.keys import WANTED, Integers, Part, Slice, checked, names_a_size, range_of
from asmgen.frontends.traced.making import table, zeros_like
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import astype
from asmgen.frontends.traced.shape_size import as_given, known
from asmgen.index.size import Dim, Size
from asmgen.ir.shapes import broadcast_dims
from asmgen.ir.slices import OPEN_END
from asmgen.ir.types import I32, I64
from isa.diagnostics import InputError

Index = Array | Integers


def basic(x: Array, parts: Sequence[Part]) -> Array:
    """The elements that integers and slices take."""
    starts, ends, steps = dict[int, Dim](), dict[int, Dim](), dict[int, int]()
    dropped, turned = list[int](), list[int]()
    axis = 0
    for part in parts:
        if part is None:
            continue
        size = x.type.dims[axis]
        if isinstance(part, slice):
            start, end, step = _extent(part, axis, size)
            if (start, end) != (0, as_given(size)):
                starts[axis], ends[axis] = start, end
            if abs(step) != 1:
                steps[axis] = abs(step)
            if step < 0:
                turned.append(axis)
        else:
            assert isinstance(part, int | Size), "the key is basic"
            number = checked(part, axis, size)
            starts[axis] = number
            ends[axis] = OPEN_END if number == -1 else number + 1
            dropped.append(axis)
        axis += 1
    if starts:
        x = apply("slice", x, axes=tuple(starts), starts=tuple(starts.values()), ends=tuple(ends.values()))
    if steps:
        x = apply("step", x, axes=tuple(steps), steps=tuple(steps.values()))
    if turned:
        x = apply("reverse", x, axes=tuple(turned))
    if dropped:
        x = apply("squeeze", x, axes=tuple(dropped))
    is_new = [part is None for part in parts if part is None or isinstance(part, slice)]
    added = tuple(position for position, new in enumerate(is_new) if new)
    return apply("unsqueeze", x, axes=added) if added else x


def _extent(key: Slice, axis: int, size: Dim) -> tuple[Dim, Dim, int]:
    """The start, the end and the step of a slice; with a step below 0 those of the elements in the order of
    the axis, which are reversed afterwards."""
    if isinstance(size, int) and not names_a_size(key):
        taken = range_of(key, axis, size)
        if taken.step > 0:
            return taken.first, max(taken.first, key.indices(size)[1]), taken.step
        return (taken.low, taken.first + 1, taken.step) if taken.length else (0, 0, taken.step)
    try:
        start, end, step = _parts(key, size)
    except TypeError as error:
        raise InputError(caller(), "TRC006", f"got the index {key}, wanted {WANTED}") from error
    if step < 1 and not (step == -1 and key.start is None and key.stop is None):
        message = (
            f"got a slice with step {step} of a size that only the launch knows, wanted a step from 1 on"
        )
        raise InputError(caller(), "TRC006", message, help="np.flip(x, axis) reverses")
    is_before = isinstance(start, int) and isinstance(end, int) and 0 <= end < start
    return start, start if is_before else end, step


def _parts(key: Slice, size: Dim) -> tuple[Dim, Dim, int]:
    """The numbers of a slice as they are given. The slice of the graph clamps them to a size that only the
    launch knows.
    """
    start, end, step = [
        otherwise
        if part is None
        else as_given(part)
        if isinstance(part, Size)
        else index(cast("SupportsIndex", part))
        for part, otherwise in ((key.start, 0), (key.stop, as_given(size)), (key.step, 1))
    ]
    return start, end, known(step)


def gathered(x: Array, parts: Sequence[Part]) -> Array:
    """`x[parts]` with at least one array among the parts."""
    arrays: list[Index] = []
    axes: list[int] = []  # of the array after its slices and Nones
    others: list[Part] = []
    spots: list[int] = []
    for spot, part in enumerate(parts):
        if part is None or isinstance(part, slice):
            others.append(part)
            continue
        size = x.type.dims[sum(each is not None for each in parts[:spot])]
        axes.append(len(others))
        spots.append(spot)
        arrays.append(checked_places(part, spot, size))
        others.append(slice(None))
    y = basic(x, others)
    if spots[-1] - spots[0] + 1 != len(spots):  # numpy puts what arrays index apart in front
        order = [*axes, *[axis for axis in range(y.ndim) if axis not in axes]]
        y, axes = apply("transpose", y, permutation=tuple(order)), list(range(len(axes)))
    first, count = axes[0], len(axes)
    places = linear(arrays, y.type.dims[first : first + count], x.tracer)
    return taken_at(merged(y, first, count), places, first)


def linear_places(x: Array, parts: Sequence[Part]) -> Array:
    """The places in the merged first axes that arrays and integers name."""
    arrays = [checked_places(part, axis, x.type.dims[axis]) for axis, part in enumerate(parts)]
    return linear(arrays, x.type.dims[: len(arrays)], x.tracer)


def checked_places(part: Part, axis: int, size: Dim) -> Index:
    if isinstance(part, Array):
        return part
    if isinstance(part, Size):
        _ = known(part)
    if isinstance(part, Size):
        _ = known(part)
    numbers = np.asarray(part)
    for number in (numbers.min(), numbers.max()) if numbers.size else ():
        _ = checked(int(number), axis, size)
    return cast("Integers", numbers)


def merged(y: Array, first: int, count: int) -> Array:
    """Merge adjacent axes."""
    if count == 1:
        return y
    dims = y.type.dims
    size: Dim = 1
    for each in dims[first : first + count]:
        size *= each
    made = (*dims[:first], size, *dims[first + count :])
    if 0 in made:  # in a reshape, 0 keeps the operand's dim
        return zeros_like(y, shape=made)
    return apply("reshape", y, dims=made)


def linear(arrays: Sequence[Index], sizes: Sequence[Dim], tracer: Tracer) -> Array:
    """The places in the merged axis; a negative place counts from the end."""
    if len(arrays) == 1:
        return index_of(arrays[0], tracer)
    if any(isinstance(size, Size) for size in sizes):
        message = "arrays index several axes, and the launch alone knows the size of one axis"
        raise InputError(caller(), "TRC006", f"{message}; wanted numbers", help="np.take indexes one axis")
    if broadcast_dims(tuple(tuple(each.shape) for each in arrays)) is None:
        shapes = " and ".join(str(tuple(each.shape)) for each in arrays)
        raise InputError(
            caller(), "TRC006", f"got arrays of shapes {shapes}, wanted shapes that broadcast to one index"
        )
    place: Array | None = None
    for array, size in zip(arrays, sizes, strict=True):
        own = from_front(array, size, tracer)
        place = own if place is None else apply("add", apply("mul", place, np.int32(known(size))), own)
    assert place is not None, "there is at least one array"
    return place


def index_of(array: Index, tracer: Tracer) -> Array:
    if not isinstance(array, Array):
        fits = array.size == 0 or max(-int(array.min()), int(array.max())) < 1 << 31
        return table(tracer, array.astype(np.int32) if fits else array)
    if array.type.element in (I32, I64):
        return array
    return astype(array, "i32" if array.type.element.bits < I32.bits else "i64")


def from_front(array: Index, size: Dim, tracer: Tracer) -> Array:
    if not isinstance(array, Array):
        return table(tracer, np.where(array < 0, array + known(size), array).astype(np.int32))
    own = astype(array, "i32")
    if array.type.element.kind.value == "unsigned":
        return own
    return apply("where", own < 0, own + size, own)


def taken_at(x: Array, places: Array, axis: int) -> Array:
    """The elements of an axis at some places; `InputError` for places in an axis without elements."""
    return apply("gather", x, places, axis=axis)
