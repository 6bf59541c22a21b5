"""numpy's functions that read and write elements by their places or by a mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced import choosing
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.assignment import assign, write_into
from asmgen.frontends.traced.indexing import Index, checked_places, index_of, taken_at
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, tracer_of
from asmgen.frontends.traced.shape_size import known
from asmgen.frontends.traced.shaping import one_axis, ravel, reshape, resize
from asmgen.index.size import Size
from asmgen.ir.shapes import broadcast_dims
from isa.diagnostics import InputError


def take(a: Array, indices: object, axis: object = None, mode: str = "raise") -> Array:
    a = as_array("np.take", a, tracer_of((a, indices)))
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
        given = given % np.asarray(known(size), given.dtype)
    elif mode == "wrap":
        given = given % known(size)
    elif mode == "clip":
        given = np.clip(given, 0, known(size) - 1)
    elif mode != "raise":
        raise InputError(caller(), "TRC007", f"got mode={mode!r}, wanted raise, wrap or clip")
    return taken_at(a, index_of(checked_places(given, number, size), a.tracer), number)


def take_along_axis(arr: object, indices: object, axis: object = -1) -> Array:
    tracer = tracer_of((arr, indices))
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
    return apply("take_along_axis", a, index_of(places, tracer), axis=number)


def copyto(dst: Array, src: object, *, casting: str = "same_kind", where: object = None) -> None:
    new = as_array("np.copyto", src, dst.tracer)
    if where is not None:
        new = choosing.where(where, new, Array(dst.value, dst.tracer))
    _ = write_into(dst, new, "np.copyto")


def putmask(a: Array, mask: object, values: object) -> None:
    _ = write_into(a, choosing.where(mask, values, Array(a.value, a.tracer)), "np.putmask")


def fill(a: Array, value: object) -> None:
    assign(a, ..., value)


def put(a: Array, ind: object, v: object, mode: str = "raise") -> None:
    """`a.flat[ind] = v`; of fewer numbers than places, the numbers again."""
    every = np.arange(a.size)
    if isinstance(ind, Array):
        places = ravel(take(cast("Any", every), ind, None, mode))
    else:
        places = every.take(np.asarray(ind), mode=cast("Any", mode)).ravel()
    new = as_array("np.put", v, a.tracer)
    numbers = resize(new, (places.size,)) if new.size > 1 else new
    flat = ravel(Array(a.value, a.tracer))
    assign(flat, places, numbers)
    a.write(reshape(flat, a.type.dims).value)


def put_along_axis(arr: Array, indices: object, values: object, axis: object = -1) -> None:
    if axis is None:
        put(arr, indices, values)
        return
    number = one_axis(arr, axis)
    rank = arr.ndim
    places = as_array("np.put_along_axis", indices, arr.tracer)
    if places.ndim != rank:
        message = f"got indices of {places.ndim} axes for an array of {rank}, wanted as many"
        raise InputError(caller(), "TRC004", message)
    rows = [np.arange(size).reshape([-1 if each == at else 1 for each in range(rank)])
            for at, size in enumerate(arr.shape)]  # fmt: skip
    assign(arr, tuple(places if at == number else row for at, row in enumerate(rows)), values)


def fill_diagonal(a: Array, val: object, wrap: bool = False) -> None:
    if a.ndim != 2 or wrap:
        raise InputError(caller(), "TRC007", "np.fill_diagonal wanted a matrix, and no wrap=")
    place = np.arange(min(a.shape))
    assign(a, (place, place), val)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "copyto": copyto, "fill_diagonal": fill_diagonal, "put": put, "put_along_axis": put_along_axis,
    "putmask": putmask, "take": take, "take_along_axis": take_along_axis,
}  # fmt: skip
