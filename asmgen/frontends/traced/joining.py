"""numpy's functions that put arrays together, and around each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced import reductions
from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.indexing import taken_at
from asmgen.frontends.traced.making import full_like, positions, table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import (
    as_array,
    as_float,
    astype,
    common,
    common_type,
    converted,
    copy,
    join_arrays,
    of_one_type,
    stack_arrays,
    tracer_of,
)
from asmgen.frontends.traced.shape_size import known
from asmgen.frontends.traced.shaping import at, atleast, expand_dims, moveaxis, one_axis, ravel
from asmgen.frontends.traced.spec import whole_numbers
from asmgen.index.size import Dim, Size
from isa.diagnostics import InputError


def _listed(arrays: object) -> list[object]:
    """The arrays of a sequence; for a single array its rows."""
    if isinstance(arrays, Array):
        return list(arrays)
    return list(cast("Sequence[object]", arrays))


def concatenate(arrays: object, axis: object = 0, *, dtype: object = None) -> Array:
    given = of_one_type("np.concatenate", _listed(arrays), tracer_of(arrays), dtype)
    if axis is None:
        given, axis = [ravel(each) for each in given], 0
    return join_arrays(given, one_axis(given[0], axis))


def stack(arrays: object, axis: int = 0, *, dtype: object = None) -> Array:
    given = of_one_type("np.stack", _listed(arrays), tracer_of(arrays), dtype)
    rank = given[0].ndim + 1
    return stack_arrays(given, axis % rank if -rank <= axis < rank else axis)


def _of_rank(rank: int, axis: int) -> Callable[..., Array]:
    def function(tup: object, *, dtype: object = None) -> Array:
        given = of_one_type("np.hstack", _listed(tup), tracer_of(tup), dtype)
        wide = [cast("Array", atleast(rank)(each)) for each in given]
        return join_arrays(wide, 0 if rank == 1 and wide[0].ndim == 1 else axis)

    return function


def column_stack(tup: object) -> Array:
    given = of_one_type("np.column_stack", _listed(tup), tracer_of(tup))
    return join_arrays([expand_dims(cast("Array", atleast(1)(x)), 1) if x.ndim < 2 else x for x in given], 1)


def block(arrays: object) -> Array:
    tracer = tracer_of(arrays)
    depth = _depth(arrays)
    return _block(arrays, depth, max(depth, _rank(arrays)), tracer)


def _depth(arrays: object) -> int:
    return 1 + _depth(cast("list[object]", arrays)[0]) if isinstance(arrays, list) else 0


def _rank(arrays: object) -> int:
    if isinstance(arrays, list):
        return max(_rank(each) for each in cast("list[object]", arrays))
    return arrays.ndim if isinstance(arrays, Array) else np.ndim(cast("Any", arrays))


def _block(arrays: object, depth: int, rank: int, tracer: Tracer) -> Array:
    if not isinstance(arrays, list):
        a = as_array("np.block", arrays, tracer)
        return expand_dims(a, tuple(range(rank - a.ndim))) if a.ndim < rank else a
    parts = [_block(each, depth - 1, rank, tracer) for each in cast("list[object]", arrays)]
    return join_arrays(of_one_type("np.block", parts, tracer), rank - depth)


def append(arr: object, values: object, axis: object = None) -> Array:
    return concatenate([_whole(arr), _whole(values)], axis)


def _whole(given: object) -> object:
    return given if isinstance(given, Array) else np.asarray(given)


def delete(arr: Array, obj: object, axis: object = None) -> Array:
    if axis is None:
        arr, axis = ravel(arr), 0
    number = one_axis(arr, axis)
    if isinstance(obj, Array):
        raise InputError(caller(), "TRC006", "np.delete got traced indices, wanted integers or a slice")
    left = np.delete(np.arange(arr.shape[number]), cast("Any", obj))
    return taken_at(arr, table(arr.tracer, left.astype(np.int32)), number)


def insert(arr: Array, obj: object, values: object, axis: object = None) -> Array:
    if axis is None:
        arr, axis = ravel(arr), 0
    number = one_axis(arr, axis)
    if not isinstance(obj, int):
        chosen = np.arange(arr.shape[number])[obj] if isinstance(obj, slice) else obj
        given = cast("object", chosen.tolist()) if isinstance(chosen, np.ndarray) else chosen
        return _insert_at(arr, integers("np.insert", given), values, number)
    size = arr.shape[number]
    if not -size <= obj <= size:
        raise InputError(caller(), "TRC006", f"index {obj} of axis {number}, wanted {-size} to {size}")
    place = obj % size if obj < 0 else obj
    new = astype(as_array("np.insert", values, arr.tracer), arr.type.element.name)
    if arr.ndim == 1:
        new = ravel(new)  # a number, or several
    elif new.ndim == arr.ndim - 1 and new.ndim:
        new = expand_dims(new, number)
    count = new.type.dims[number] if new.ndim == arr.ndim else 1
    new = apply(
        "multibroadcast", new, out_lens=(*arr.type.dims[:number], count, *arr.type.dims[number + 1 :])
    )
    return join_arrays([at(arr, number, slice(0, place)), new, at(arr, number, slice(place, None))], number)


def _insert_at(arr: Array, given: Sequence[int], values: object, axis: int) -> Array:
    """Insert at several places of the original array; a single place may take several elements."""
    size = arr.shape[axis]
    if any(not -size <= each <= size for each in given):
        raise InputError(
            caller(), "TRC006", f"places {given} of axis {axis}, wanted each from {-size} to {size}"
        )
    new = astype(as_array("np.insert", values, arr.tracer), arr.type.element.name)
    if new.ndim < arr.ndim:
        new = expand_dims(new, tuple(range(arr.ndim - new.ndim)))
    count = known(new.type.dims[axis]) if len(given) == 1 else len(given)
    new = apply("multibroadcast", new, out_lens=(*arr.type.dims[:axis], count, *arr.type.dims[axis + 1 :]))
    before = np.resize([each + size if each < 0 else each for each in given], count)
    order = np.argsort(before, kind="stable")
    source = np.insert(np.arange(size), before[order], size + order)
    joined = join_arrays([arr, new], axis)
    return taken_at(joined, table(arr.tracer, source.astype(np.int32)), axis)


# Padding

_BY_INDEX = frozenset({"edge", "reflect", "symmetric", "wrap"})
# The modes of the op `pad`, and the smallest axis of which elements are repeated once, by the widest padding.
_LEAST_SIZE: dict[str, Callable[[int], int]] = {
    "edge": lambda width: min(width, 1),
    "reflect": lambda width: width + 1 if width else 0,
}


def pad(array: Array, pad_width: object, mode: object = "constant", **keywords: object) -> Array:
    widths = _widths(array, pad_width)
    if mode == "constant":
        values = keywords.pop("constant_values", 0)
        _refuse_others(keywords)
        return _pad_constant(array, widths, values)
    if mode in _BY_INDEX:
        _refuse_others(keywords)
        return _pad_by_index(array, widths, str(mode))
    if mode in ("maximum", "minimum", "mean"):
        _refuse_others(keywords)
        return _pad_by_reduction(array, widths, str(mode))
    known = " ".join(["constant", *sorted(_BY_INDEX), "maximum", "minimum", "mean"])
    raise InputError(caller(), "TRC007", f"np.pad got mode={mode!r}, wanted one of {known}")


def _refuse_others(keywords: dict[str, object]) -> None:
    for name in keywords:
        raise InputError(caller(), "TRC007", f"np.pad got {name}=, wanted pad_width and mode alone")


def _widths(array: Array, pad_width: object) -> list[tuple[int, int]]:
    try:
        if isinstance(pad_width, dict):
            whole = [(0, 0)] * array.ndim
            for axis, width in cast("dict[int, Any]", pad_width).items():
                whole[axis] = tuple(np.broadcast_to(width, 2).tolist())
            return whole
        wide = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2))
    except (ValueError, IndexError) as error:
        message = f"got pad_width={pad_width!r}, wanted one pair of widths for each of {array.ndim} axes"
        raise InputError(caller(), "TRC007", message) from error
    if wide.dtype.kind not in "iu" or (wide < 0).any():
        raise InputError(caller(), "TRC007", f"got pad_width={pad_width!r}, wanted integers from 0 on")
    return [(int(before), int(after)) for before, after in wide]


def _pad_constant(array: Array, widths: Sequence[tuple[int, int]], values: object) -> Array:
    numbers = np.broadcast_to(np.asarray(values), (array.ndim, 2)) if array.ndim else np.zeros((0, 2))
    first = numbers.reshape(-1)[0] if numbers.size else 0
    if (numbers == first).all():
        pads = (*[before for before, _ in widths], *[after for _, after in widths])
        number = float(first) if array.type.element.is_float else int(first)
        return apply("pad", array, pads=pads, value=number) if any(pads) else copy(array)
    for axis, (before, after) in enumerate(widths):
        parts = [
            _filled(array, axis, count, number)
            for count, number in ((before, numbers[axis, 0]), (after, numbers[axis, 1]))
        ]
        array = apply("concat", parts[0], array, parts[1], axis=axis)
    return array


def _filled(array: Array, axis: int, count: int, number: Any) -> Array:
    dims = (*array.type.dims[:axis], count, *array.type.dims[axis + 1 :])
    return full_like(array, np.asarray(number).item(), shape=dims)


def _pad_by_index(array: Array, widths: Sequence[tuple[int, int]], mode: str) -> Array:
    """The places along each axis that numpy repeats. The op `pad` has those of a single repetition."""
    sizes = zip(array.type.dims, map(max, widths), strict=True)
    if mode in _LEAST_SIZE and all(
        isinstance(size, Size) or size >= _LEAST_SIZE[mode](w) for size, w in sizes
    ):
        pads = (*[before for before, _ in widths], *[after for _, after in widths])
        return apply("pad", array, pads=pads, mode=mode)
    for axis, width in enumerate(widths):
        if any(width):
            places = np.pad(np.arange(array.shape[axis]), width, mode=cast("Any", mode))
            array = taken_at(array, table(array.tracer, places.astype(np.int32)), axis)
    return array


def _pad_by_reduction(array: Array, widths: Sequence[tuple[int, int]], mode: str) -> Array:
    reduction = reductions.FUNCTIONS[{"maximum": "max", "minimum": "min", "mean": "mean"}[mode]]
    for axis, (before, after) in enumerate(widths):
        border = cast("Array", reduction(array, axis, keepdims=True))
        if mode == "mean" and not array.type.element.is_float:
            border = apply("nearbyint", border)
        border = astype(border, array.type.element.name)
        dims = array.type.dims
        parts = [
            apply("multibroadcast", border, out_lens=(*dims[:axis], count, *dims[axis + 1 :]))
            for count in (before, after)
        ]
        array = apply("concat", parts[0], array, parts[1], axis=axis)
    return array


# Grids, triangles and diagonals


def meshgrid(*xi: object, indexing: str = "xy", sparse: bool = False, copy: bool = True) -> tuple[Array, ...]:
    tracer = tracer_of(xi)
    arrays = [ravel(as_array("np.meshgrid", each, tracer)) for each in xi]
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    dims: list[Dim] = [1] * len(arrays)
    for axis, each in zip(order, arrays, strict=True):
        dims[axis] = each.type.dims[0]
    grids: list[Array] = []
    for axis, each in zip(order, arrays, strict=True):
        laid = expand_dims(each, tuple(other for other in range(len(arrays)) if other != axis))
        grids.append(laid if sparse else apply("multibroadcast", laid, out_lens=tuple(dims)))
    return tuple(grids)


def _triangle(is_kept: Callable[[Any, int], Any]) -> Callable[..., Array]:
    def function(m: Array, k: int = 0) -> Array:
        if m.ndim == 1:
            m = apply("multibroadcast", m, out_lens=(m.type.dims[0], m.type.dims[0]))
        place = positions(m, m.ndim - 1) - positions(m, m.ndim - 2)
        zero = Array(m.tracer.number(m.type.element.name != "bool" and 0, m.type.element, caller()), m.tracer)
        return apply("where", is_kept(place, k), m, zero)

    return function


def diagonal(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    first, second = one_axis(a, axis1), one_axis(a, axis2)
    if a.ndim < 2 or first == second:
        raise InputError(caller(), "TRC007", "np.diagonal wanted two axes of an array")
    a = moveaxis(a, (first, second), (-2, -1))
    rows, columns = a.shape[-2:]
    row = np.arange(max(rows, columns))
    column = row + offset
    row, column = row - min(offset, 0), column - min(offset, 0)
    is_there = (row < rows) & (column < columns)
    return a[(..., row[is_there], column[is_there])]


def diag(v: Array, k: int = 0) -> Array:
    if v.ndim != 1:
        return diagonal(v, k)
    size = v.shape[0] + abs(k)
    place = np.arange(size)
    source = np.clip(place - max(-k, 0), 0, v.shape[0] - 1)
    row = taken_at(v, table(v.tracer, source.astype(np.int32)), 0)
    is_diagonal = np.eye(size, k=k, dtype=bool)
    zero = Array(v.tracer.number(v.type.element.name != "bool" and 0, v.type.element, caller()), v.tracer)
    return apply("where", table(v.tracer, is_diagonal), expand_dims(row, 1), zero)


def diagflat(v: object, k: int = 0) -> Array:
    return diag(ravel(as_array("np.diagflat", v)), k)


def trace(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object = None) -> Array:
    return diagonal(a, offset, axis1, axis2).sum(axis=-1, dtype=dtype)


def vander(x: Array, N: int | None = None, increasing: bool = False) -> Array:  # numpy's name
    count = x.shape[0] if N is None else N
    powers = np.arange(count) if increasing else np.arange(count)[::-1]
    return stack([x ** int(power) for power in powers], -1)


def linspace(
    start: object, stop: object, num: int = 50, endpoint: bool = True, dtype: object = None, *, axis: int = 0
) -> Array:
    first, last = [as_float(each, "np.linspace") for each in common("np.linspace", start, stop)]
    type_ = common_type("np.linspace", [first, 1.0])
    first, last = [converted("np.linspace", each, type_, first.tracer) for each in (first, last)]
    steps = np.arange(num) / max(num - 1 if endpoint else num, 1)
    weights = table(first.tracer, steps.astype(type_).reshape(-1, *[1] * max(first.ndim, last.ndim)))
    points = first + (last - first) * weights
    if endpoint and num > 1:  # numpy's last element is `stop` itself
        at_end = table(first.tracer, (np.arange(num) == num - 1).reshape(weights.shape))
        points = apply("where", at_end, last, points)
    points = points if dtype is None else astype(points, dtype)
    return moveaxis(points, 0, axis) if axis else points


def compress(condition: object, a: Array, axis: object = None) -> Array:
    if isinstance(condition, Array):
        message = (
            "np.compress got a traced condition, which the shape depends on, wanted bools that are known"
        )
        raise InputError(caller(), "TRC006", message, help="np.where(condition, x, 0) keeps the shape")
    if axis is None:
        a, axis = ravel(a), 0
    places = np.nonzero(np.asarray(condition))[0]
    return taken_at(a, table(a.tracer, places.astype(np.int32)), one_axis(a, axis))


def integers(what: str, given: object) -> tuple[int, ...]:
    numbers = whole_numbers(given)
    if numbers is None:
        raise InputError(caller(), "TRC007", f"{what} got {given!r}, wanted integers")
    return tuple(map(known, numbers))


def _of_last_axes(of: Callable[..., Array]) -> Callable[..., Array]:
    """np.linalg's form, of the last two axes."""

    def function(x: Array, *, offset: int = 0) -> Array:
        return of(x, offset, -2, -1)

    return function


FUNCTIONS: dict[str, Callable[..., object]] = {
    "linalg.diagonal": _of_last_axes(diagonal), "linalg.trace": _of_last_axes(trace),
    "append": append, "block": block, "column_stack": column_stack, "compress": compress,
    "concatenate": concatenate, "delete": delete, "diag": diag, "diagflat": diagflat, "diagonal": diagonal,
    "dstack": _of_rank(3, 2), "hstack": _of_rank(1, 1), "insert": insert, "linspace": linspace,
    "meshgrid": meshgrid, "pad": pad,
    "stack": stack, "trace": trace, "tril": _triangle(lambda place, k: place <= k),
    "triu": _triangle(lambda place, k: place >= k), "vander": vander, "vstack": _of_rank(2, 0),
}  # fmt: skip
