"""Sorting and its uses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.indexing import taken_at
from asmgen.frontends.traced.making import like, table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, as_float, astype, common, tracer_of
from asmgen.frontends.traced.reductions import any_
from asmgen.frontends.traced.shaping import at, axes_of, expand_dims, moveaxis, one_axis, ravel, reshape
from asmgen.frontends.traced.taking import take, take_along_axis
from asmgen.graph.infer.sort import MOST_SORTED
from asmgen.index.size import Size
from isa.diagnostics import InputError

# By the clock model, for 100,003 f32 and edges of f64: steps by halves take less time than compares
# with all edges from 700 edges on (gfx942), or 90 (gfx1201); a computed place does from 4 to 10 on.
FEW_EDGES, FEW_OF_STEP = 256, 6
MOST_OF_STEP = 1 << 20  # edges, so that an f32 tells them apart


def _last(what: str, a: Array, axis: object) -> tuple[Array, int]:
    """The array with the sorted axis as its last axis, and the number of that axis."""
    number = one_axis(a, axis)
    size = a.type.dims[number]
    if not isinstance(size, Size) and size > MOST_SORTED:
        message = f"{what} sorts an axis of {size} elements, wanted at most {MOST_SORTED}"
        raise InputError(caller(), "TRC006", message, help="sort the program's result with numpy")
    return moveaxis(a, number, -1), number


def _order(a: Array) -> Array:
    """The places of the sorted elements along the last axis, as i64. Zeros of both signs are equal, as numpy
    has it: a sum with 0 has no -0."""
    a = apply("add", a, 0.0) if a.type.element.is_float else a
    return apply("argsort", a, axis=-1)


def _sorted(a: Array) -> Array:
    return apply("sort", a, axis=-1)


def sort(a: Array, axis: object = -1, kind: object = None, *, stable: object = None) -> Array:
    if axis is None:
        a, axis = ravel(a), -1
    last, number = _last("np.sort", a, axis)
    return moveaxis(_sorted(last), -1, number)


def argsort(a: Array, axis: object = -1, kind: object = None, *, stable: object = None) -> Array:
    if axis is None:
        a, axis = ravel(a), -1
    last, number = _last("np.argsort", a, axis)
    return moveaxis(_order(last), -1, number)


def partition(a: Array, kth: object, axis: object = -1, kind: object = None) -> Array:
    return sort(a, axis)  # in which every element is at its place


def argpartition(a: Array, kth: object, axis: object = -1, kind: object = None) -> Array:
    return argsort(a, axis)


_ELEMENTS = ("lower", "higher", "nearest")  # which take elements, of whatever type
_METHODS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "linear": lambda place: (np.floor(place), place - np.floor(place)),
    "lower": lambda place: (np.floor(place), place * 0),
    "higher": lambda place: (np.ceil(place), place * 0),
    "nearest": lambda place: (np.rint(place), place * 0),
    "midpoint": lambda place: (np.floor(place), np.where(place == np.floor(place), 0.0, 0.5)),
}


def quantile(
    a: Array, q: object, axis: object = None, *, method: str = "linear", keepdims: bool = False
) -> Array:
    return _quantile(a, q, axis, 1, method, keepdims)


def percentile(
    a: Array, q: object, axis: object = None, *, method: str = "linear", keepdims: bool = False
) -> Array:
    return _quantile(a, q, axis, 100, method, keepdims)


def _quantile(a: Array, q: object, axis: object, whole: int, method: str, keepdims: bool) -> Array:
    if isinstance(q, Array) or method not in _METHODS:
        got = "a traced q" if isinstance(q, Array) else f"method={method!r}"
        wanted = f"numbers and one of {' '.join(_METHODS)}"
        raise InputError(caller(), "TRC007", f"a quantile got {got}, wanted {wanted}")
    shares = np.asarray(q) if whole == 1 else np.asarray(np.true_divide(cast("Any", q), whole))
    if shares.size and not ((shares >= 0) & (shares <= 1)).all():
        raise InputError(caller(), "TRC007", f"got q={q!r}, wanted numbers from 0 to {whole}")
    rows, axes = _rows("a quantile", a, axis)
    if isinstance(rows.type.dims[-1], Size):
        message = f"a quantile of {rows.type.dims[-1]} elements, wanted a number: it says between which it is"
        raise InputError(caller(), "TRC006", message, help="write the size as a number, or take np.median")
    most = rows.shape[-1] - 1
    place = shares.reshape(-1) * most  # in the type of q, as numpy has it
    floor, part = _METHODS[method](place)
    if method in _ELEMENTS or (method == "linear" and place.dtype.kind in "iu"):
        type_ = a.dtype
    elif type(q) in (int, float):
        type_ = as_float(a).dtype
    else:
        type_ = np.result_type(a.dtype, place.dtype)
    below, above = np.asarray(floor, np.int32), np.asarray(np.minimum(floor + 1, most), np.int32)
    ordered = _sorted(rows)
    # from the nearer of the two elements, as numpy has it
    is_above = np.asarray(part >= 0.5)
    base, low, high = [
        taken_at(ordered, table(a.tracer, each), ordered.ndim - 1)
        for each in (np.where(is_above, above, below), below, above)
    ]
    share = table(a.tracer, np.asarray(part - is_above, type_))
    if part.any():
        between = astype(base, type_) + astype(high - low, type_) * share
        low = apply("where", table(a.tracer, part == 0), astype(low, type_), between)
    quantiles = moveaxis(_unless_nan(rows, astype(low, type_)), -1, 0)
    if keepdims:
        quantiles = expand_dims(quantiles, tuple(each + 1 for each in axes))
    return reshape(quantiles, (*shares.shape, *quantiles.type.dims[1:]))


def _rows(what: str, a: Array, axis: object) -> tuple[Array, tuple[int, ...]]:
    """The array with some axes merged into its last axis; and those axes."""
    axes = axes_of(a, axis)
    kept = a.ndim - len(axes)
    a = moveaxis(a, axes, tuple(range(kept, a.ndim)))
    whole = math.prod(a.type.dims[kept:])
    last, _ = _last(what, reshape(a, (*a.type.dims[:kept], whole)), -1)
    return last, axes


def _unless_nan(rows: Array, result: Array) -> Array:
    """The result for rows without a NaN, else NaN."""
    if not rows.type.element.is_float:
        return result
    spoilt = any_(apply("isnan", rows), -1, keepdims=True)
    return apply("where", spoilt, like(math.nan, result), result)


def median(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    rows, axes = _rows("np.median", as_float(a, "np.median"), axis)
    size, ordered = rows.type.dims[-1], _sorted(rows)
    low, high = [
        at(ordered, ordered.ndim - 1, slice(each, each + 1)) for each in ((size - 1) // 2, size // 2)
    ]
    if isinstance(size, Size) or size % 2 == 0:
        wide = "f32" if low.type.element.bits < 32 else low.type.element.name
        mean = astype((astype(low, wide) + astype(high, wide)) * 0.5, low.type.element.name)
        low = mean if isinstance(size, int) else apply("where", apply("equal", low, high), low, mean)
    middle = apply("squeeze", _unless_nan(rows, low), axes=(-1,))
    return expand_dims(middle, axes) if keepdims else middle


def searchsorted(a: object, v: object, side: str = "left", sorter: object = None) -> Array:
    if side not in ("left", "right"):
        raise InputError(caller(), "TRC007", f"got side={side!r}, wanted left or right")
    edges, values = common("np.searchsorted", a, v) if sorter is None else _with_sorter(a, v, sorter)
    if edges.ndim != 1:
        raise InputError(caller(), "TRC007", f"got edges of {edges.ndim} axes, wanted one axis")
    return astype(
        _places(edges, None if isinstance(a, Array) or sorter is not None else np.asarray(a), values, side),
        "i64",
    )


def _places(edges: Array, known: np.ndarray[Any, Any] | None, values: Array, side: str) -> Array:
    """How many edges come before each value; `known` are their numbers, if they are known."""
    if known is not None and len(known) > FEW_OF_STEP and _are_even(known):
        return _by_step(edges, known, values, side)
    count = edges.type.dims[0]
    if isinstance(count, int) and count > FEW_EDGES:
        return _by_halves(edges, values, side)
    before = _is_before(edges, expand_dims(values, -1), side)
    return apply("squeeze", apply("reduce_sum", astype(before, "i32"), axes=(-1,)), axes=(-1,))


def _are_even(edges: np.ndarray[Any, Any]) -> bool:
    """Whether an f32 tells the place of a number among edges, or a place next to it."""
    numbers = edges.astype(np.float64)
    first, last = numbers[0], numbers[-1]
    step = (last - first) / (len(edges) - 1)
    if not (0 < step < math.inf) or len(edges) > MOST_OF_STEP:
        return False
    off = np.abs(numbers - (first + step * np.arange(len(edges)))).max()
    return bool(off <= step / 8 and max(abs(first), abs(last)) * 2.0**-20 <= step)


def _by_step(edges: Array, known: np.ndarray[Any, Any], values: Array, side: str) -> Array:
    """The places among even edges, as i32: computed, and corrected by the edges on both sides."""
    numbers, last = known.astype(np.float64), np.int32(len(known) - 1)
    by = np.float32((len(known) - 1) / (numbers[-1] - numbers[0]))
    guess = astype((astype(values, "f32") - np.float32(numbers[0])) * by, "i32")
    guess = apply("clip", guess, np.int32(0), last)
    is_first = _is_before(taken_at(edges, guess, 0), values, side)
    after = apply("min", guess + np.int32(1), last)
    is_second = apply("logical_and", _is_before(taken_at(edges, after, 0), values, side), guess < last)
    place = guess + astype(is_first, "i32") + astype(is_second, "i32")
    if not values.type.element.is_float:
        return place
    return apply("where", apply("isnan", values), last + np.int32(1), place)


def _is_before(edges: Array, values: Array, side: str) -> Array:
    """Whether an edge comes before a value; all do before a NaN, as numpy has it."""
    if side == "right":
        return apply("not", apply("less", values, edges))
    return apply("not", apply("logical_or", apply("less", values, edges), apply("equal", values, edges)))


def _by_halves(edges: Array, values: Array, side: str) -> Array:
    """How many of many edges come before each value, as i32: each step looks at the middle of those left."""
    left = edges.shape[0]
    place = table(values.tracer, np.asarray(0, np.int32))
    while left:
        half = (left + 1) // 2
        edge = taken_at(edges, place + np.int32(half - 1), 0)
        place = place + astype(_is_before(edge, values, side), "i32") * np.int32(half)
        left -= half
    return place


def _with_sorter(a: object, v: object, sorter: object) -> tuple[Array, Array]:
    tracer = tracer_of([a, v, sorter])
    edges, values = common("np.searchsorted", as_array("np.searchsorted", a, tracer), v)
    return take(edges, sorter, 0), values


def lexsort(keys: object, axis: object = -1) -> Array:
    """The order by the last key, then by the key before it, and so on."""
    rows = [keys[i] for i in range(keys.shape[0])] if isinstance(keys, Array) else cast("list[Any]", keys)
    if not rows:
        raise InputError(caller(), "TRC007", "np.lexsort got no keys, wanted at least one key")
    tracer = tracer_of(list(rows))
    first, *others = [as_array("np.lexsort", row, tracer) for row in rows]
    order = argsort(first, axis)
    for key in others:
        order = take_along_axis(order, argsort(take_along_axis(key, order, axis), axis), axis)
    return order


def histogram(
    a: object, bins: object = 10, range: object = None, density: object = None, weights: object = None
) -> tuple[Array, Array]:  # numpy's name
    """How many elements lie between known edges, and the edges."""
    needs_ends = np.ndim(cast("Any", bins)) == 0 and range is None
    if isinstance(bins, Array | str) or needs_ends:
        message = "np.histogram has edges that depend on the numbers, wanted edges that are known"
        help = "np.histogram(x, bins=edges), np.histogram(x, bins=10, range=(0, 1))"
        raise InputError(caller(), "TRC006", message, help=help)
    if density or weights is not None:
        message = "np.histogram got density= or weights=, wanted counts"
        raise InputError(caller(), "TRC007", message, help="counts / (counts.sum() * np.diff(edges))")
    x = ravel(as_array("np.histogram", a))
    edges = np.histogram_bin_edges(np.zeros(1, x.dtype), cast("Any", bins), cast("Any", range))
    return _counted(x, edges), table(x.tracer, edges)


def _counted(x: Array, edges: np.ndarray[Any, Any]) -> Array:
    """How many elements lie between edges: each finds its bin, and is added there."""
    last = len(edges) - 2

    def bins_of(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        found = np.searchsorted(edges, values, "right") - 1
        return np.where(values == edges[-1], last, found).astype(np.int32)

    of_bytes = _of_bytes(x, bins_of)
    if of_bytes is None:
        known, values = common("np.histogram", table(x.tracer, edges), x)
        place = _places(known, edges, values, "right") - np.int32(1)
        at_end = apply("equal", values, at(known, 0, -1))
        of_bytes = apply("where", at_end, like(last, place), place)
    return astype(apply("histogram", of_bytes, bins=last + 1), "i64")


def _of_bytes(x: Array, function: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]) -> Array | None:
    """A function of i8 or u8 as a table of its 256 values; None of another type. A negative number counts
    from the end of the table, as its byte does.
    """
    if x.type.element.name not in ("i8", "u8"):
        return None
    values: np.ndarray[Any, Any] = np.arange(256).astype(np.uint8).view(x.dtype)
    return taken_at(table(x.tracer, function(values)), astype(x, "i32"), 0)


def digitize(x: object, bins: object, right: bool = False) -> Array:
    if isinstance(bins, Array):
        raise InputError(caller(), "TRC006", "np.digitize got traced bins, wanted numbers that are known")
    edges = np.asarray(bins)
    steps = np.diff(edges)
    if edges.ndim != 1 or not ((steps >= 0).all() or (steps <= 0).all()):
        got = f"bins of {edges.ndim} axes" if edges.ndim != 1 else "bins that rise and fall"
        message = f"got {got}, wanted an axis of numbers in order"
        raise InputError(caller(), "TRC007", message, help="np.sort(bins)")
    tracer = tracer_of([x])
    of_bytes = _of_bytes(as_array("np.digitize", x, tracer), lambda each: np.digitize(each, edges, right))
    if of_bytes is not None:
        return of_bytes
    side = "left" if right else "right"
    if (steps >= 0).all():
        return searchsorted(edges, x, side)
    return len(edges) - searchsorted(edges[::-1].copy(), x, side)


def isin(
    element: object, test_elements: object, assume_unique: bool = False, invert: bool = False, *,
    kind: object = None,
) -> Array:  # fmt: skip
    tracer = tracer_of([element, test_elements])
    tests = ravel(as_array("np.isin", test_elements, tracer))
    a, b = common("np.isin", expand_dims(as_array("np.isin", element, tracer), -1), tests)
    is_in = any_(apply("equal", a, b), -1)
    return apply("not", is_in) if invert else is_in


def interp(
    x: object, xp: object, fp: object, left: object = None, right: object = None,
    period: float | None = None,
) -> Array:  # fmt: skip
    """Straight lines between known points."""
    tracer = tracer_of([x, xp, fp])
    if period == 0:
        raise InputError(caller(), "TRC007", "np.interp got period=0, wanted another number")
    if period is not None:
        x, xp, fp, left, right = *_periodic(x, xp, fp, abs(period)), None, None
    at_, known, heights = [astype(as_array("np.interp", each, tracer), "f64") for each in (x, xp, fp)]
    if known.ndim != 1 or known.type.dims != heights.type.dims:
        raise InputError(caller(), "TRC007", "np.interp wanted xp and fp of one axis and of one size")
    count = known.shape[0]
    edges = known if isinstance(xp, Array) else np.asarray(xp, np.float64)
    place = searchsorted(edges, at_, "right") - 1
    place = astype(cast("Array", np.clip(cast("Any", place), 0, max(count - 2, 0))), "i32")
    after = apply("min", place + np.int32(1), np.int32(count - 1))
    x0, x1 = taken_at(known, place, 0), taken_at(known, after, 0)
    y0, y1 = taken_at(heights, place, 0), taken_at(heights, after, 0)
    slope = (y1 - y0) / apply("where", x1 == x0, like(1, x1), x1 - x0)
    interpolated = y0 + slope * (at_ - x0)
    first, last = at(heights, 0, 0), at(heights, 0, -1)
    low = first if left is None else like(float(cast("Any", left)), interpolated)
    high = last if right is None else like(float(cast("Any", right)), interpolated)
    interpolated = apply("where", at_ < at(known, 0, 0), low, interpolated)
    interpolated = apply("where", at_ > at(known, 0, -1), high, interpolated)
    return apply("where", at_ == at(known, 0, -1), last, interpolated)


def _periodic(x: object, xp: object, fp: object, period: float) -> tuple[Any, Any, Any]:
    """The points of a period in order, with the last point before them and the first point after."""
    x, xp, fp = [each if isinstance(each, Array) else np.asarray(each) for each in (x, xp, fp)]
    place, known = [cast("Any", each).astype(np.float64) % period for each in (x, xp)]
    order = np.argsort(known)
    known, heights = [
        take(each, order) if isinstance(order, Array) else np.take(each, order)
        for each in (known, cast("Any", fp))
    ]
    known = np.concatenate([known[-1:] - period, known, known[:1] + period])
    return place, known, np.concatenate([heights[-1:], heights, heights[:1]])


def nanmedian(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    raise InputError(
        caller(),
        "TRC006",
        "np.nanmedian takes the middle of as many elements as are no NaN, wanted a known number of them",
        help="np.median(x), or np.nanmean(x)",
    )


FUNCTIONS: dict[str, Callable[..., object]] = {
    "argpartition": argpartition, "argsort": argsort, "digitize": digitize, "histogram": histogram,
    "interp": interp, "isin": isin, "lexsort": lexsort,
    "median": median, "nanmedian": nanmedian, "partition": partition, "percentile": percentile,
    "quantile": quantile, "searchsorted": searchsorted, "sort": sort,
}  # fmt: skip
