"""numpy's functions of several elements at once: differences, convolutions, norms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.joining import concatenate
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.products import common_of, row_product
from asmgen.frontends.traced.promotion import (
    as_array,
    as_float,
    astype,
    tracer_of,
)
from asmgen.frontends.traced.reductions import count_nonzero, max_, min_, sum_
from asmgen.frontends.traced.shape_size import known
from asmgen.frontends.traced.shaping import at, axes_of, moveaxis, one_axis, ravel
from asmgen.frontends.traced.spec import whole_numbers
from asmgen.frontends.traced.ufuncs import one
from asmgen.index.size import Size
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError

_MOST_TAPS = 256  # of the shorter operand of a convolution


# Differences


def diff(a: Array, n: int = 1, axis: int = -1, prepend: object = None, append: object = None) -> Array:
    if n < 0:
        raise InputError(caller(), "TRC007", f"np.diff got n={n}, wanted a number from 0 on")
    number = one_axis(a, axis)
    parts = [each for each in (prepend, a, append) if each is not None]
    if len(parts) > 1:
        wide = [_border(each, a, number) for each in parts]
        a = concatenate(wide, number)
    for _ in range(n):
        name = "not_equal" if a.type.element is BOOL else "subtract"
        a = one(name, at(a, number, slice(1, None)), at(a, number, slice(None, -1)))
    return a


def _border(given: object, a: Array, axis: int) -> Array:
    border = as_array("np.diff", given, a.tracer)
    if border.ndim:
        return border
    dims = (*a.type.dims[:axis], 1, *a.type.dims[axis + 1 :])
    return apply("multibroadcast", border, out_lens=dims)


def ediff1d(ary: Array, to_end: object = None, to_begin: object = None) -> Array:
    differences = diff(ravel(ary))
    ends = [
        np.ravel(cast("Any", each)).astype(differences.dtype) if each is not None else None
        for each in (to_begin, to_end)
    ]
    parts = [each for each in (ends[0], differences, ends[1]) if each is not None]
    return concatenate(parts) if len(parts) > 1 else differences


def gradient(f: Array, *varargs: object, axis: object = None, edge_order: int = 1) -> object:
    f = as_float(f, "np.gradient")
    axes = axes_of(f, axis)
    spacings = list(varargs) or [1.0]
    spacings = spacings * len(axes) if len(spacings) == 1 else spacings
    if edge_order != 1 or len(spacings) != len(axes) or any(isinstance(each, Array) for each in spacings):
        message = "np.gradient wanted a known spacing for each axis, and edge_order=1"
        raise InputError(caller(), "TRC007", message)
    slopes = [_slope(f, number, cast("Any", by)) for number, by in zip(axes, spacings, strict=True)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


def _slope(f: Array, axis: int, spacing: float | Sequence[float]) -> Array:
    if not np.ndim(spacing):
        by = cast("float", spacing)
        inner = (at(f, axis, slice(2, None)) - at(f, axis, slice(None, -2))) / (2 * by)
        return _with_ends(f, axis, inner, by, by)
    widths = np.diff(np.asarray(spacing, np.float64))
    if len(widths) + 1 != f.type.dims[axis]:
        wanted = f"wanted {f.type.dims[axis]}, as many as elements"
        message = f"np.gradient got {len(widths) + 1} coordinates, {wanted}"
        raise InputError(caller(), "TRC007", message)
    left, right = widths[:-1], widths[1:]
    factors = [
        -right / (left * (left + right)),
        (right - left) / (left * right),
        left / (right * (left + right)),
    ]
    laid: list[Any] = [
        each.astype(f.dtype).reshape([-1 if n == axis else 1 for n in range(f.ndim)]) for each in factors
    ]
    parts = [at(f, axis, slice(start, stop)) for start, stop in ((None, -2), (1, -1), (2, None))]
    inner = laid[0] * parts[0] + laid[1] * parts[1] + laid[2] * parts[2]
    return _with_ends(f, axis, inner, float(widths[0]), float(widths[-1]))


def _with_ends(f: Array, axis: int, inner: Array, before: float, after: float) -> Array:
    first = (at(f, axis, slice(1, 2)) - at(f, axis, slice(0, 1))) / before
    last = (at(f, axis, slice(-1, None)) - at(f, axis, slice(-2, -1))) / after
    return apply("concat", first, inner, last, axis=axis)


def trapezoid(y: Array, x: object = None, dx: float = 1.0, axis: int = -1) -> Array:
    number = one_axis(y, axis)
    width: Any = dx
    if x is not None:
        width = np.diff(cast("Any", x)) if not isinstance(x, Array) else diff(x)
        if width.ndim == 1:
            width = width.reshape([-1 if each == number else 1 for each in range(y.ndim)])
    middle = (at(y, number, slice(1, None)) + at(y, number, slice(None, -1))) / 2.0
    return sum_(middle * width, number)


# Convolutions and polynomials


def convolve(a: object, v: object, mode: str = "full") -> Array:
    x, y = common_of("convolve", a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise InputError(caller(), "TRC004", "np.convolve wanted two arrays of one axis")
    if x.shape[0] < y.shape[0]:
        x, y = y, x
    return _slid(x, y, mode)


def correlate(a: object, v: object, mode: str = "valid") -> Array:
    x, y = common_of("correlate", a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise InputError(caller(), "TRC004", "np.correlate wanted two arrays of one axis")
    y = apply("reverse", y, axes=(0,))
    if x.shape[0] < y.shape[0]:
        products = _slid(y, x, mode)
        return products
    return _slid(x, y, mode)


def _slid(x: Array, y: Array, mode: str) -> Array:
    """The longer array, and the reversed shorter array at each offset."""
    size, taps = x.shape[0], y.shape[0]
    if taps > _MOST_TAPS:
        message = (
            f"a convolution by {taps} elements is written as so many products, wanted at most {_MOST_TAPS}"
        )
        raise InputError(caller(), "TRC006", message)
    whole = size + taps - 1
    match mode:
        case "full":
            first, count = 0, whole
        case "same":
            first, count = (taps - 1) // 2, size
        case "valid":
            first, count = taps - 1, size - taps + 1
        case _:
            raise InputError(caller(), "TRC007", f"got mode={mode!r}, wanted full, same or valid")
    wide = apply("pad", x, pads=(taps - 1, taps - 1))[first : first + count + taps - 1]
    return row_product(_windows(wide, 0, taps), apply("reverse", y, axes=(0,)))


def _windows(x: Array, axis: int, taps: int) -> Array:
    """Every part of some elements along an axis; the places in a part are the next axis."""
    return apply("windows", x, sizes=(taps,), axes=(axis,), strides=(1,))


def sliding_window_view(
    x: Array, window_shape: object, axis: object = None, *, subok: bool = False, writeable: bool = False
) -> Array:
    """Every part of as many elements along some axes; the places in a part are the last axes."""
    if writeable:
        raise InputError(caller(), "TRC007", "np.lib.stride_tricks.sliding_window_view got writeable=True, "
                         "wanted windows that are only read")  # fmt: skip
    sizes = whole_numbers(window_shape)
    axes = tuple([one_axis(x, each) for each in axes_of(x, axis)])
    if sizes is None or len(sizes) != len(axes):
        message = f"got window_shape={window_shape!r}, wanted one number for each of {len(axes)} axes"
        raise InputError(caller(), "TRC007", message, help="axis= names the axes")
    for number, taps in zip(axes, map(known, sizes), strict=True):
        size = x.type.dims[number]
        if taps < 1 or (not isinstance(size, Size) and taps > size):
            message = f"got windows of {taps} elements of an axis of {size}, wanted 1 to {size}"
            raise InputError(caller(), "TRC007", message)
        x = moveaxis(_windows(x, number, taps), number + 1, -1)
    return x


def polyval(p: object, x: object) -> Array:
    tracer = tracer_of([p, x])
    factors = [p[i] for i in range(p.shape[0])] if isinstance(p, Array) else np.asarray(p)
    at_ = as_array("np.polyval", x, tracer)
    total: Any = at_ * 0
    for factor in factors:
        total = total * at_ + factor
    return total


# Norms


def norm(x: Array, ord: object = None, axis: object = None, keepdims: bool = False) -> Array:  # numpy's name
    a = as_float(x, "np.linalg.norm")
    if axis is None and (ord is None or (ord == 2 and a.ndim == 1)):
        return _length(a, None, keepdims)
    axes = axes_of(a, axis)
    if len(axes) == 2 and ord in (1, -1, math.inf, -math.inf):
        inner_, outer_ = axes if abs(cast("float", ord)) == 1 else axes[::-1]
        sums = sum_(abs(a), inner_, keepdims=True)
        length = (max_ if cast("float", ord) > 0 else min_)(sums, outer_, keepdims=True)
        return length if keepdims else apply("squeeze", length, axes=axes)
    if len(axes) == 2 and ord in (None, "fro"):
        return _length(a, axes, keepdims)
    if len(axes) != 1:
        message = f"np.linalg.norm got ord={ord!r} of {len(axes)} axes, wanted a norm of vectors"
        raise InputError(
            caller(), "TRC006", message, help="np.sqrt(np.sum(x * x)) is the norm of all elements"
        )
    return _vector_norm(a, 2 if ord is None else ord, axes[0], keepdims)


def vector_norm(x: Array, *, axis: object = None, ord: object = 2, keepdims: bool = False) -> Array:
    a = as_float(x, "np.linalg.vector_norm")
    if axis is None:
        a, axis = ravel(a), 0
    return _vector_norm(a, ord, one_axis(a, axis), keepdims)


def _length(a: Array, axis: object, keepdims: bool) -> Array:
    return apply("sqrt", sum_(a * a, axis, keepdims=keepdims))


def _vector_norm(a: Array, ord: object, axis: int, keepdims: bool) -> Array:
    size = abs(a)
    if ord == math.inf:
        return max_(size, axis, keepdims=keepdims)
    if ord == -math.inf:
        return min_(size, axis, keepdims=keepdims)
    if ord == 0:
        return astype(count_nonzero(a, axis, keepdims=keepdims), a.type.element.name)
    if ord == 1:
        return sum_(size, axis, keepdims=keepdims)
    if ord == 2:
        return _length(a, axis, keepdims)
    if not isinstance(ord, int | float):
        raise InputError(caller(), "TRC007", f"np.linalg.norm got ord={ord!r}, wanted a number")
    return sum_(size**ord, axis, keepdims=keepdims) ** (1.0 / ord)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "convolve": convolve, "correlate": correlate, "diff": diff, "ediff1d": ediff1d, "gradient": gradient,
    "linalg.norm": norm, "lib.stride_tricks.sliding_window_view": sliding_window_view,
    "linalg.vector_norm": vector_norm, "polyval": polyval, "trapezoid": trapezoid,
}  # fmt: skip
