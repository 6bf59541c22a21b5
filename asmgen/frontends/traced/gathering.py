"""Indexing by arrays of integers, which may be traced: `x[i]`, `x[i, j]`, np.take, np.take_along_axis.

The axes that arrays index are made one axis of the array, and the arrays one array of places in it. A traced
index beyond the axis takes the element at its end, where numpy raises an error; an index that is known is
checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.keys import Integers, Part, checked
from asmgen.frontends.traced.making import positions, table
from asmgen.frontends.traced.promotion import astype
from asmgen.frontends.traced.tracer import Tracer, caller
from asmgen.index.size import Size
from asmgen.ir.shapes import broadcast_dims
from asmgen.ir.types import I32, I64
from isa.diagnostics import InputError

Index = Array | Integers


def gathered(x: Array, parts: Sequence[Part]) -> Array:
    """`x[parts]` with at least one array among the parts."""
    from asmgen.frontends.traced.indexing import basic

    arrays: list[Index] = []
    axes: list[int] = []  # of what the slices and Nones leave
    others: list[Part] = []
    spots: list[int] = []
    for spot, part in enumerate(parts):
        if part is None or isinstance(part, slice):
            others.append(part)
            continue
        size = x.type.dims[sum(each is not None for each in parts[:spot])]
        axes.append(len(others))
        spots.append(spot)
        arrays.append(_checked(part, spot, size))
        others.append(slice(None))
    y = basic(x, others)
    if spots[-1] - spots[0] + 1 != len(spots):  # numpy puts what arrays index apart in front
        order = [*axes, *[axis for axis in range(y.ndim) if axis not in axes]]
        y, axes = apply("transpose", y, permutation=tuple(order)), list(range(len(axes)))
    first, count = axes[0], len(axes)
    places = linear(arrays, y.type.dims[first : first + count], x.tracer)
    return taken_at(merged(y, first, count), places, first)


def linear_places(x: Array, parts: Sequence[Part]) -> Array:
    """The places in the first axes, made one, that arrays and integers name."""
    arrays = [_checked(part, axis, x.type.dims[axis]) for axis, part in enumerate(parts)]
    return linear(arrays, x.type.dims[: len(arrays)], x.tracer)


def _checked(part: Part, axis: int, size: int) -> Index:
    if isinstance(part, Array):
        return part
    numbers = np.asarray(part)
    for number in (numbers.min(), numbers.max()) if numbers.size else ():
        _ = checked(int(number), axis, size)
    return cast("Integers", numbers)


def merged(y: Array, first: int, count: int) -> Array:
    """Axes next to each other made one."""
    if count == 1:
        return y
    dims = y.type.dims
    size = 1
    for each in dims[first : first + count]:
        size *= each
    return apply("reshape", y, dims=(*dims[:first], size, *dims[first + count :]))


def linear(arrays: Sequence[Index], sizes: Sequence[int], tracer: Tracer) -> Array:
    """The places in the merged axis, of which a negative one counts from the end."""
    if len(arrays) == 1:
        return _index(arrays[0], tracer)
    if any(isinstance(size, Size) for size in sizes):
        message = "arrays index several axes, of which one has a size that only the launch knows"
        raise InputError(caller(), "TRC006", f"{message}; wanted numbers", help="np.take indexes one axis")
    if broadcast_dims(tuple(tuple(each.shape) for each in arrays)) is None:
        shapes = " and ".join(str(tuple(each.shape)) for each in arrays)
        raise InputError(caller(), "TRC006", f"arrays of shapes {shapes} do not broadcast to one index")
    place: Array | None = None
    for array, size in zip(arrays, sizes, strict=True):
        own = _from_front(array, size, tracer)
        place = own if place is None else apply("add", apply("mul", place, np.int32(size)), own)
    assert place is not None, "there is at least one array"
    return place


def _index(array: Index, tracer: Tracer) -> Array:
    if not isinstance(array, Array):
        fits = array.size == 0 or max(-int(array.min()), int(array.max())) < 1 << 31
        return table(tracer, array.astype(np.int32) if fits else array)
    if array.type.element in (I32, I64):
        return array
    return astype(array, "i32" if array.type.element.bits < I32.bits else "i64")


def _from_front(array: Index, size: int, tracer: Tracer) -> Array:
    if not isinstance(array, Array):
        return table(tracer, np.where(array < 0, array + size, array).astype(np.int32))
    own = astype(array, "i32")
    if array.type.element.kind.value == "unsigned":
        return own
    return apply("where", own < 0, own + size, own)


def taken_at(x: Array, places: Array, axis: int) -> Array:
    """The elements of an axis at some places; `InputError` for places in an axis without elements."""
    return apply("gather", x, places, axis=axis)


def take(a: Array, indices: object, axis: object = None, mode: str = "raise") -> Array:
    from asmgen.frontends.traced.promotion import as_array
    from asmgen.frontends.traced.shaping import one_axis, ravel

    a = as_array("np.take", a, _tracer_of(a, indices))
    if axis is None:
        a, axis = ravel(a), 0
    number = one_axis(a, axis)
    size = a.type.dims[number]
    given: Index = indices if isinstance(indices, Array) else np.asarray(indices)  # pyright: ignore[reportAssignmentType]
    if isinstance(given, np.ndarray) and given.dtype.kind not in "iu" and given.size:
        raise InputError(caller(), "TRC006", f"got indices of {given.dtype}, wanted integers")
    if isinstance(given, Array) and (given.type.element.is_float or given.type.element.name == "bool"):
        raise InputError(caller(), "TRC006", f"got indices of {given.type.element}, wanted integers")
    if mode != "raise" and isinstance(size, Size):
        raise InputError(caller(), "TRC008", f"mode={mode!r} needs the value of {size}, wanted mode='raise'")
    if mode == "wrap" and isinstance(given, Array):
        given = given % np.asarray(size, given.dtype)
    elif mode == "wrap":
        given = given % size
    elif mode == "clip":
        given = np.clip(given, 0, size - 1)
    elif mode != "raise":
        raise InputError(caller(), "TRC007", f"got mode={mode!r}, wanted raise, wrap or clip")
    return taken_at(a, _index(_checked(given, number, size), a.tracer), number)


def _tracer_of(*given: object) -> Tracer:
    from asmgen.frontends.traced.promotion import tracer_of

    return tracer_of(given)


def take_along_axis(arr: object, indices: object, axis: object = -1) -> Array:
    from asmgen.frontends.traced.promotion import as_array
    from asmgen.frontends.traced.shaping import one_axis, ravel

    tracer = _tracer_of(arr, indices)
    a, places = as_array("np.take_along_axis", arr, tracer), as_array("np.take_along_axis", indices, tracer)
    if axis is None:
        a, axis = ravel(a), 0
    if places.ndim != a.ndim:
        message = f"got indices of {places.ndim} axes for an array of {a.ndim}, wanted as many"
        raise InputError(caller(), "TRC006", message)
    number = one_axis(a, axis)
    dims = broadcast_dims(
        tuple((*dims[:number], 1, *dims[number + 1 :]) for dims in (a.type.dims, places.type.dims))
    )
    if dims is None:
        message = f"arrays of shapes {a.shape} and {places.shape} do not broadcast but for axis {number}"
        raise InputError(caller(), "TRC006", message)
    a = apply("multibroadcast", a, out_lens=(*dims[:number], a.type.dims[number], *dims[number + 1 :]))
    if any(isinstance(size, Size) for size in (*a.type.dims[1:], a.type.dims[number])):
        message = (
            f"np.take_along_axis of an array of shape {a.type.dims} looks for places in sizes that only the "
        )
        message += "launch knows, wanted at most the first axis named, and another one looked along"
        raise InputError(caller(), "TRC006", message)
    place: Array | None = None
    for each, size in enumerate(a.type.dims):
        own = _from_front(places, size, tracer) if each == number else positions(a, each)
        place = own if place is None else apply("add", apply("mul", place, np.int32(size)), own)
    assert place is not None, "an axis was found"
    return taken_at(merged(a, 0, a.ndim), place, 0)
