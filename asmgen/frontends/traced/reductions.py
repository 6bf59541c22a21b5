"""numpy's reductions and scans: sums of integers have 64 bits, and means of integers are f64."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like, spread
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, as_bool, as_float, as_sum, astype, common, copy
from asmgen.frontends.traced.shaping import axes_of, broadcast_to, one_axis, ravel
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError


def reduced(op: str, a: Array, axis: object, keepdims: bool) -> Array:
    """An op over axes, which are removed or stay with a single element."""
    axes = axes_of(a, axis)
    if not axes:  # of rank 0, or numpy's axis=(): every element is its own result
        return copy(a)
    result = apply(op, a, axes=axes)
    return result if keepdims else apply("squeeze", result, axes=axes)


def _masked(a: Array, where: object, neutral: float) -> Array:
    """The array with the identity element wherever a mask is false."""
    if where is None or where is True:
        return a
    number = bool(neutral) if a.type.element is BOOL else neutral
    mask = as_bool(as_array("np.where", where, a.tracer))
    return apply("where", mask, a, like(number, a))


def _accumulation(op: str, combine: str, neutral: int) -> Callable[..., Array]:
    def accumulation(
        a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False,
        initial: object = None, where: object = None,
    ) -> Array:  # fmt: skip
        a = as_sum(a) if dtype is None else astype(a, dtype)
        result = reduced(op, _masked(a, where, neutral), axis, keepdims)
        return result if initial is None else cast("Array", getattr(np, combine)(result, initial))

    return accumulation


def _extreme(op: str, of_bools: str, combine: str) -> Callable[..., Array]:
    def extreme(
        a: Array, axis: object = None, *, keepdims: bool = False, initial: object = None,
        where: object = None,
    ) -> Array:  # fmt: skip
        if where is not None and initial is None:
            message = "a maximum or minimum with where= has no elements to begin with, wanted initial="
            raise InputError(caller(), "TRC007", message)
        if initial is not None:
            start = astype(like(cast("float", initial), a), a.type.element.name)
            a = a if where is None else apply("where", as_bool(cast("Array", where)), a, start)
        result = reduced(of_bools if a.type.element is BOOL else op, a, axis, keepdims)
        return result if initial is None else getattr(np, combine)(result, initial)

    return extreme


def _truth(op: str, neutral: bool) -> Callable[..., Array]:
    def truth(a: Array, axis: object = None, *, keepdims: bool = False, where: object = None) -> Array:
        if where is not None:
            a = _masked(as_bool(a), where, neutral)
        result = reduced(op, a, axis, keepdims)
        return as_bool(result)

    return truth


sum_ = _accumulation("reduce_sum", "add", 0)
prod = _accumulation("reduce_prod", "multiply", 1)
max_ = _extreme("reduce_max", "reduce_any", "maximum")
min_ = _extreme("reduce_min", "reduce_all", "minimum")
any_ = _truth("reduce_any", False)
all_ = _truth("reduce_all", True)


def mean(
    a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False, where: object = None
) -> Array:
    a = as_float(a) if dtype is None else astype(a, dtype)
    if where is None:
        return reduced("reduce_mean", a, axis, keepdims)
    total = sum_(a, axis, keepdims=keepdims, where=where)
    count = _count(a, axis, keepdims, where)
    return total / astype(count, total.type.element.name)


def _count(a: Array, axis: object, keepdims: bool, where: object) -> Array:
    chosen = _masked(spread(True, a, BOOL), where, False)
    return count_nonzero(chosen, axis, keepdims=keepdims)


def var(
    a: Array, axis: object = None, dtype: object = None, ddof: float = 0, *, keepdims: bool = False,
    correction: float | None = None, where: object = None,
) -> Array:  # fmt: skip
    a = as_float(a, "np.var") if dtype is None else astype(a, dtype)
    wide = astype(a, "f32") if a.type.element.bits < 32 else a  # as numpy computes f16
    distance = wide - mean(wide, axis, keepdims=True, where=where)
    square = distance * distance
    freedom = ddof if correction is None else correction
    if where is not None:
        count = astype(_count(a, axis, keepdims, where), wide.type.element.name)
        total = sum_(square, axis, keepdims=keepdims, where=where)
        return astype(total / (count - freedom), a.type.element.name)
    if freedom == 0:
        return astype(mean(square, axis, keepdims=keepdims), a.type.element.name)
    count = math.prod([a.shape[each] for each in axes_of(a, axis)])
    total = sum_(square, axis, keepdims=keepdims)
    return astype(total / max(count - freedom, 0), a.type.element.name)


def std(a: Array, *arguments: object, **keywords: object) -> Array:
    a = as_float(a, "np.std")
    return apply("sqrt", var(a, *arguments, **keywords))  # pyright: ignore[reportArgumentType]


def ptp(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    return max_(a, axis, keepdims=keepdims) - min_(a, axis, keepdims=keepdims)


def count_nonzero(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
    return reduced("reduce_sum", astype(as_bool(a), "i64"), axis, keepdims)


def average(
    a: Array, axis: object = None, weights: object = None, returned: bool = False, *, keepdims: bool = False
) -> Array | tuple[Array, Array]:
    if weights is None:
        result = mean(a, axis, keepdims=keepdims)
        count = math.prod([a.shape[each] for each in axes_of(a, axis)])
        return (result, spread(count, result)) if returned else result
    a = as_float(a, "np.average")
    a, shares = common("np.average", a, weights)
    if shares.ndim != a.ndim:
        number = one_axis(a, axis)
        shares = apply("unsqueeze", shares, axes=tuple(each for each in range(a.ndim) if each != number))
    shares = broadcast_to(shares, a.type.dims)
    total = sum_(shares, axis, keepdims=keepdims)
    result = sum_(a * shares, axis, keepdims=keepdims) / total
    return (result, total) if returned else result


def _place(op: str) -> Callable[..., Array]:
    def place(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
        rank = a.ndim
        if axis is None:
            a, number = ravel(a), 0
        else:
            number = one_axis(a, axis)
        a = astype(a, "u8") if a.type.element is BOOL else a
        places = apply(op, a, axis=number)
        if keepdims:
            return apply("reshape", places, dims=(1,) * rank) if axis is None and rank != 1 else places
        return apply("squeeze", places, axes=(number,))

    return place


argmax, argmin = _place("argmax"), _place("argmin")


# Scans


def scanned(op: str, a: Array, axis: object = None) -> Array:
    if axis is None:
        a, axis = ravel(a), 0
    return apply(op, a, axis=one_axis(a, axis))


def _scan(op: str) -> Callable[..., Array]:
    def scan(a: Array, axis: object = None, dtype: object = None) -> Array:
        return scanned(op, as_sum(a, f"np.{op}") if dtype is None else astype(a, dtype), axis)

    return scan


def _plain_scan(op: str) -> Callable[..., Array]:
    def scan(a: Array, axis: object = None) -> Array:
        return _bool_scan(op)(a, axis) if a.type.element is BOOL else scanned(op, a, axis)

    return scan


def _bool_scan(op: str) -> Callable[..., Array]:
    def scan(a: Array, axis: object = None) -> Array:
        return astype(scanned(op, astype(as_bool(a), "u8"), axis), "bool")

    return scan


def _cumulative(op: str, start: int) -> Callable[..., Array]:
    def cumulative(
        x: Array, *, axis: object = None, dtype: object = None, include_initial: bool = False
    ) -> Array:
        if axis is None and x.ndim > 1:
            raise InputError(caller(), "TRC007", f"got an array of {x.ndim} axes, wanted axis=")
        number = one_axis(x, 0 if axis is None else axis)
        totals = scanned(op, as_sum(x) if dtype is None else astype(x, dtype), number)
        if not include_initial:
            return totals
        dims = (*totals.type.dims[:number], 1, *totals.type.dims[number + 1 :])
        first = apply("multibroadcast", like(start, totals), out_lens=dims)
        return apply("concat", first, totals, axis=number)

    return cumulative


# Without NaN


def without_nan(a: Array, number: float) -> Array:
    """The array with a number in the place of each NaN."""
    return apply("where", apply("isnan", a), like(number, a), a) if a.type.element.is_float else a


def _nan_reduction(function: Callable[..., Array], neutral: float) -> Callable[..., Array]:
    def reduction(a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False) -> Array:
        return function(without_nan(a, neutral), axis, dtype, keepdims=keepdims)

    return reduction


def _nan_scan(op: str, neutral: float) -> Callable[..., Array]:
    def scan(a: Array, axis: object = None, dtype: object = None) -> Array:
        return _scan(op)(without_nan(a, neutral), axis, dtype)

    return scan


def _nan_extreme(function: Callable[..., Array], neutral: float) -> Callable[..., Array]:
    def extreme(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
        if not a.type.element.is_float:
            return function(a, axis, keepdims=keepdims)
        result = function(without_nan(a, neutral), axis, keepdims=keepdims)
        nothing = all_(apply("isnan", a), axis, keepdims=keepdims)
        return apply("where", nothing, like(math.nan, result), result)

    return extreme


def nanmean(a: Array, axis: object = None, dtype: object = None, *, keepdims: bool = False) -> Array:
    a = as_float(a, "np.nanmean") if dtype is None else astype(a, dtype)
    return mean(a, axis, keepdims=keepdims, where=apply("not", apply("isnan", a)))


def nanvar(
    a: Array, axis: object = None, dtype: object = None, ddof: float = 0, *, keepdims: bool = False
) -> Array:
    a = as_float(a, "np.nanvar") if dtype is None else astype(a, dtype)
    is_there = apply("not", apply("isnan", a))
    distance = a - nanmean(a, axis, keepdims=True)
    total = sum_(distance * distance, axis, keepdims=keepdims, where=is_there)
    count = astype(count_nonzero(is_there, axis, keepdims=keepdims), total.type.element.name)
    return total / (count - ddof)


def nanstd(a: Array, *arguments: object, **keywords: object) -> Array:
    return apply("sqrt", nanvar(a, *arguments, **keywords))  # pyright: ignore[reportArgumentType]


def _nan_place(function: Callable[..., Array], neutral: float) -> Callable[..., Array]:
    def place(a: Array, axis: object = None, *, keepdims: bool = False) -> Array:
        return function(without_nan(a, neutral), axis, keepdims=keepdims)

    return place


FUNCTIONS: dict[str, Callable[..., object]] = {
    "all": all_, "amax": max_, "amin": min_, "any": any_, "argmax": argmax, "argmin": argmin,
    "average": average, "count_nonzero": count_nonzero, "cumprod": _scan("cumprod"),
    "cumsum": _scan("cumsum"), "cumulative_prod": _cumulative("cumprod", 1),
    "cumulative_sum": _cumulative("cumsum", 0), "max": max_, "mean": mean, "min": min_,
    "nanargmax": _nan_place(argmax, -math.inf), "nanargmin": _nan_place(argmin, math.inf),
    "nancumprod": _nan_scan("cumprod", 1),
    "nancumsum": _nan_scan("cumsum", 0),
    "nanmax": _nan_extreme(max_, -math.inf), "nanmean": nanmean, "nanmin": _nan_extreme(min_, math.inf),
    "nanprod": _nan_reduction(prod, 1), "nanstd": nanstd, "nansum": _nan_reduction(sum_, 0),
    "nanvar": nanvar, "prod": prod, "ptp": ptp, "std": std, "sum": sum_, "var": var,
}  # fmt: skip

# np.add.reduce and the like: the reduction, and the scan of np.add.accumulate.
OF_UFUNCS: dict[str, tuple[Callable[..., Array], Callable[..., Array] | None]] = {
    "add": (sum_, _scan("cumsum")), "multiply": (prod, _scan("cumprod")),
    "maximum": (max_, _plain_scan("cummax")),
    "minimum": (min_, _plain_scan("cummin")),
    "logical_and": (all_, _bool_scan("cummin")), "logical_or": (any_, _bool_scan("cummax")),
}  # fmt: skip
