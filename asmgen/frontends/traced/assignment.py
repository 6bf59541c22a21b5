"""`x[key]` as a view of x, and writing to traced arrays: `x[key] = v`, `x += v` and `out=`.

x[1:3] = v       where(1 <= i and i < 3, v laid at its place, x)
x[x < 0] = v     where(x < 0, v, x)
x[i] = v         where(some i is the row, the last such row of v, x)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply, viewed
from asmgen.frontends.traced.indexing import basic, gathered, linear_places, merged
from asmgen.frontends.traced.keys import Part, Range, Slice, is_basic, names_a_size, parts_of, range_of
from asmgen.frontends.traced.making import iota, positions, table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, astype
from asmgen.frontends.traced.selection import Selection, mask_of
from asmgen.frontends.traced.shape_size import known
from asmgen.index.size import Dim, Size, Sizes
from isa.diagnostics import InputError

_MOST_COMPARED = 1 << 24  # places times rows of an assignment by an array of integers


def indexed(x: Array, key: object) -> Array | Selection:
    """`x[key]` as numpy has it; `InputError` TRC006 for keys that numpy does not have either."""
    mask = mask_of(x, key)
    if mask is not None:
        return Selection(x, mask)
    parts = parts_of(x, key)
    if not is_basic(parts):
        return gathered(x, parts)
    if len(parts) == x.ndim and all(isinstance(part, int | Size) for part in parts) and not _has_dots(key):
        return basic(x, parts)  # numpy gives a scalar, which is no view
    return viewed(x, lambda base: basic(base, parts), lambda base, new: put(base, parts, new), key)


def _has_dots(key: object) -> bool:
    return any(each is ... for each in cast("Sequence[object]", key if isinstance(key, tuple) else (key,)))


def write_into(a: Array, result: Array, what: str) -> Array:
    """Write a result to an array, which keeps its type and shape; the array."""
    if not np.can_cast(result.dtype, a.dtype, "same_kind"):
        message = f"{what} gives {result.type.element}, which is written to an array of {a.type.element}"
        help = f'y = ... makes a new array; x.astype("{result.type.element}") converts x before'
        raise InputError(caller(), "TRC004", f"{message}; wanted a type of the same kind", help=help)
    new = _aligned(astype(result, a.type.element.name), a.type.dims)
    a.write(_spread(new, a.type.dims).value)
    return a


def assign(a: Array, key: object, value: object) -> None:
    """`a[key] = value`."""
    if (
        isinstance(value, Array)
        and value.view_of is not None
        and value.view_of.key is key
        and key is not None
    ):
        return  # x[key] += v has been written already
    plain = Array(a.value, a.tracer)
    mask = mask_of(a, key)
    new = astype(_new(a, mask, value), a.type.element.name)
    if mask is not None:
        a.write(_put_where(plain, mask, new).value)
        return
    parts = parts_of(a, key)
    written = put(plain, parts, new) if is_basic(parts) else _put_rows(plain, parts, new)
    a.write(written.value)


def _new(a: Array, mask: Array | None, value: object) -> Array:
    if isinstance(value, Selection):
        return value.placed(mask)
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        element = a.type.element
        if element.is_float or isinstance(value, bool) or not math.isfinite(value):
            number = (
                value if not isinstance(value, bool) else (element.name == "bool" and value) or int(value)
            )
        else:
            number = math.trunc(value)
        return Array(a.tracer.number(number, element, caller()), a.tracer)
    return as_array("an assignment", value, a.tracer)


def _put_where(a: Array, mask: Array, new: Array) -> Array:
    if new.ndim > a.ndim - mask.ndim and new.type.dims != a.type.dims:
        message = "the number of elements that a mask chooses is not known, wanted a number"
        raise InputError(caller(), "TRC006", message, help="x = np.where(mask, v, x), v of the shape of x")
    if mask.ndim < a.ndim:
        mask = apply("unsqueeze", mask, axes=tuple(range(mask.ndim, a.ndim)))
    return apply("where", mask, new, a)


def put(a: Array, parts: Sequence[Part], new: Array) -> Array:
    """The array with other numbers at the places of integers and slices."""
    sized = [part for part in parts if part is not None]
    ranges = [_range(part, axis, a.type.dims[axis]) for axis, part in enumerate(sized)]
    if any(each is not None and each.length == 0 for each in ranges):
        return a
    new = _in_place(a, parts, ranges, new)
    masks: list[Array] = []
    for axis, (range_, size) in enumerate(zip(ranges, a.type.dims, strict=True)):
        if range_ is None:
            continue
        mask = _axis_mask(a, axis, range_, size)
        masks += [] if mask is None else [mask]
        if new.type.dims[axis] != 1:
            new = _laid(new, axis, range_, size)
    if not masks:
        return _spread(new, a.type.dims)
    return apply("where", reduce(lambda x, y: apply("logical_and", x, y), masks), new, a)


def _range(part: Part, axis: int, size: Dim) -> Range | None:
    """The elements of an axis that are written; None for all of them."""
    assert isinstance(part, int | Size | slice), "the key is basic"
    if part == slice(None):
        return None
    is_named = isinstance(part, Size) or names_a_size(part)
    if isinstance(size, int) and not isinstance(part, Size) and not is_named:
        return range_of(part, axis, size)
    is_stepped = isinstance(part, slice) and part.step not in (None, 1)
    start, stop = (-1, None) if isinstance(part, Size) or is_named else _ends(part)
    if is_stepped or start < 0 or (stop or 0) < 0:
        message = f"an axis of {size} elements, which only the launch knows, is written by {part}"
        help = "np.where(np.arange(...) < n, v, x) chooses"
        raise InputError(caller(), "TRC006", f"{message}; wanted numbers from 0 on", help=help)
    most = stop if stop is not None else (1 << 31) - 1
    return Range(start, most - start, 1)


def _ends(part: Slice | int) -> tuple[int, int | None]:
    if isinstance(part, int):
        return part, part + 1
    start, stop = cast("tuple[int | None, int | None]", (part.start, part.stop))
    return start or 0, stop


def _in_place(a: Array, parts: Sequence[Part], ranges: Sequence[Range | None], new: Array) -> Array:
    """The new numbers with the axes of the array, each of 1 or of the elements that are written."""
    shape: list[Dim] = []
    axis = 0
    for part in parts:
        if part is None:
            shape.append(1)
            continue
        range_ = ranges[axis]
        if isinstance(part, slice):
            shape.append(a.type.dims[axis] if range_ is None else range_.length)
        axis += 1
    new = _aligned(new, tuple(shape))
    kept = [part for part in parts if part is None or isinstance(part, slice)]
    added = tuple(at for at, part in enumerate(kept) if part is None)
    new = apply("squeeze", new, axes=added) if added else new
    taken = tuple(at for at, part in enumerate([p for p in parts if p is not None]) if isinstance(part, int))
    return apply("unsqueeze", new, axes=taken) if taken else new


def _aligned(new: Array, shape: Sizes) -> Array:
    """The array with as many axes as the shape, of its sizes or 1."""
    given = new.type.dims
    extra = new.ndim - len(shape)
    if extra > 0 and all(size == 1 for size in given[:extra]):
        new = apply("squeeze", new, axes=tuple(range(extra)))
    if 0 < new.ndim < len(shape) or (not new.ndim and shape):
        new = apply("unsqueeze", new, axes=tuple(range(len(shape) - new.ndim)))
    fits = new.ndim == len(shape) and all(
        have in (1, want) for have, want in zip(new.type.dims, shape, strict=True)
    )
    if not fits:
        message = f"got an array of shape {given}, wanted an array that broadcasts to {shape}"
        raise InputError(caller(), "TRC004", message)
    return new


def _spread(new: Array, dims: Sizes) -> Array:
    return new if new.type.dims == dims else apply("multibroadcast", new, out_lens=dims)


def _axis_mask(a: Array, axis: int, range_: Range, size: Dim) -> Array | None:
    """A mask of the written places of an axis; None if all are written."""
    if abs(range_.step) != 1:
        is_written = np.zeros(known(size), bool)
        is_written[range_.low :: abs(range_.step)][: range_.length] = True
        return table(a.tracer, is_written.reshape([known(size) if at == axis else 1 for at in range(a.ndim)]))
    place = positions(a, axis)
    if range_.length == 1:
        return place == range_.low
    is_open = not isinstance(size, Size) and range_.low + range_.length == size
    above = place >= range_.low if range_.low else None
    below = None if is_open else place < range_.low + range_.length
    if above is None or below is None:
        return below if above is None else above
    return apply("logical_and", above, below)


def _laid(new: Array, axis: int, range_: Range, size: Dim) -> Array:
    """The new numbers at their places along an axis; the numbers between them do not matter."""
    if isinstance(size, Size):
        message = f"an axis of {size} elements, which only the launch knows, is written by several numbers"
        raise InputError(caller(), "TRC006", f"{message}; wanted one number, or the whole axis")
    if range_.step < 0:
        new = apply("reverse", new, axes=(axis,))
    if abs(range_.step) == 1:
        pads = [0] * (2 * new.ndim)
        pads[axis], pads[new.ndim + axis] = range_.low, size - range_.low - range_.length
        return apply("pad", new, pads=tuple(pads)) if any(pads) else new
    places = np.clip((np.arange(size) - range_.low) // abs(range_.step), 0, range_.length - 1)
    return apply("gather", new, table(new.tracer, places.astype(np.int32)), axis=axis)


def _put_rows(a: Array, parts: Sequence[Part], new: Array) -> Array:
    """The array with other numbers at the places of arrays of integers, in its first axes. For rows that
    are named twice the last value counts."""
    count = sum(not isinstance(part, slice) for part in parts)
    if (
        any(part is None for part in parts)
        or any(isinstance(part, slice) for part in parts[:count])
        or any(part != slice(None) for part in parts[count:])
    ):
        message = "an array is written by arrays of integers together with slices"
        raise InputError(caller(), "TRC006", f"{message}; wanted arrays alone", help="x[i, j] = v")
    rows = merged(a, 0, count)
    places = linear_places(a, parts[:count])
    size, named = rows.type.dims[0], places.type.elements
    if isinstance(size, Size) or isinstance(named, Size) or size * named > _MOST_COMPARED:
        message = f"{named} rows of {size} are written by their indices"
        raise InputError(
            caller(), "TRC006", f"{message}, wanted at most {_MOST_COMPARED} pairs", help="np.where chooses"
        )
    new = _spread(
        _aligned(new, (*places.type.dims, *rows.type.dims[1:])), (*places.type.dims, *rows.type.dims[1:])
    )
    new = apply("reshape", new, dims=(named, *rows.type.dims[1:]))
    flat = apply("reshape", places, dims=(1, named))
    flat = apply("where", flat < 0, flat + size, flat)
    own = iota(a.tracer, 0, (size, 1))
    order = table(a.tracer, np.arange(named, dtype=np.int32).reshape(1, named))
    last = apply("where", own == astype(flat, "i32"), order, np.int32(-1))
    last = apply("squeeze", apply("reduce_max", last, axes=(1,)), axes=(1,))
    chosen = apply("gather", new, apply("max", last, np.int32(0)), axis=0)
    mask = apply("reshape", last >= 0, dims=(size, *[1] * (rows.ndim - 1)))
    return apply("reshape", apply("where", mask, chosen, rows), dims=a.type.dims)
