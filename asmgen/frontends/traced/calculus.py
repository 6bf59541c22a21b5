"""numpy's functions of several elements at once: differences, sums of products, norms.

A product of two matrices is refused: it belongs to the tile op `contract`, and has no schedule from a
graph yet. A product that sums a single row, such as that of two vectors, is a multiply and a sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.indexing import taken_at
from asmgen.frontends.traced.joining import concatenate, diagonal, stack
from asmgen.frontends.traced.making import table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import (
    as_array,
    as_float,
    astype,
    common,
    common_type,
    converted,
    tracer_of,
)
from asmgen.frontends.traced.reductions import count_nonzero, max_, min_, sum_
from asmgen.frontends.traced.shape_size import known
from asmgen.frontends.traced.shaping import at, axes_of, expand_dims, moveaxis, one_axis, ravel, reshape
from asmgen.frontends.traced.spec import whole_numbers
from asmgen.frontends.traced.ufuncs import one
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
        message = f"np.gradient got {len(widths) + 1} coordinates of an axis of {f.type.dims[axis]} elements"
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


# Products


def refuse_product(name: str, x: Array, y: Array) -> NoReturn:
    message = (
        f"{name} of {tuple(x.shape)} and {tuple(y.shape)} is a product of matrices, which is not compiled "
        "from a graph yet, wanted a sum of one row"
    )
    help = (
        "(x[:, :, None] * y[None, :, :]).sum(1) computes it without matrix instructions; a tile program has "
        "the op `contract`"
    )
    raise InputError(caller(), "TRC006", message, help=help)


def _common_of(name: str, a: object, b: object) -> tuple[Array, Array]:
    x, y = common(f"np.{name}", a, b)
    return x, y


def _row(x: Array, y: Array) -> Array:
    """The sum of products over the last axis, in the type of the operands."""
    if x.type.dims[-1] != y.type.dims[-1]:
        message = f"got axes of {x.type.dims[-1]} and {y.type.dims[-1]} elements, wanted as many of each"
        raise InputError(caller(), "TRC004", message)
    if x.type.element is BOOL:
        return apply("squeeze", apply("reduce_any", x & y, axes=(-1,)), axes=(-1,))
    return apply("squeeze", apply("reduce_sum", x * y, axes=(-1,)), axes=(-1,))


def matmul(a: object, b: object) -> Array:
    x, y = _common_of("matmul", a, b)
    if not x.ndim or not y.ndim:
        raise InputError(caller(), "TRC004", "a matrix product got a number, wanted arrays", help="x * y")
    if y.ndim == 1:
        return _row(x, y)
    if x.ndim == 1:
        return _row(x, moveaxis(y, -2, -1))
    return apply("dot", x, y)


def dot(a: object, b: object) -> Array:
    """Every row of `a` by every column of `b`; `matmul` pairs the axes before the last two."""
    x, y = _common_of("dot", a, b)
    if not x.ndim or not y.ndim:
        return one("multiply", x, y)
    if y.ndim <= 2:
        return matmul(x, y)
    columns = moveaxis(y, -2, 0)
    product = matmul(x, reshape(columns, (columns.type.dims[0], -1)))
    return reshape(product, (*x.type.dims[:-1], *columns.type.dims[1:]))


def inner(a: object, b: object) -> Array:
    x, y = _common_of("inner", a, b)
    if not x.ndim or not y.ndim:
        return one("multiply", x, y)
    if x.ndim > 1 and y.ndim > 1:
        refuse_product("np.inner", x, y)
    return _row(x, y)


def vdot(a: object, b: object) -> Array:
    x, y = _common_of("vdot", a, b)
    return _row(ravel(x), ravel(y))


def vecdot(x1: object, x2: object, axis: int = -1) -> Array:
    x, y = _common_of("vecdot", x1, x2)
    return _row(moveaxis(x, axis, -1), moveaxis(y, axis, -1))


def _matvec(x1: object, x2: object) -> Array:
    x, y = _common_of("matvec", x1, x2)
    return _row(x, expand_dims(y, -2))


def _vecmat(x1: object, x2: object) -> Array:
    x, y = _common_of("vecmat", x1, x2)
    return _row(expand_dims(x, -2), moveaxis(y, -2, -1))


def outer(a: object, b: object) -> Array:
    tracer = tracer_of([a, b])
    x, y = [ravel(as_array("np.outer", each, tracer)) for each in (a, b)]
    return one("multiply", expand_dims(x, 1), y)


def kron(a: object, b: object) -> Array:
    x, y = _common_of("kron", a, b)
    rank = max(x.ndim, y.ndim)
    x, y = [
        expand_dims(each, tuple(range(rank - each.ndim))) if each.ndim < rank else each for each in (x, y)
    ]
    wide = expand_dims(x, tuple(range(1, 2 * rank, 2))) * expand_dims(y, tuple(range(0, 2 * rank, 2)))
    return reshape(wide, tuple(m * n for m, n in zip(x.type.dims, y.type.dims, strict=True)))


def cross(
    a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: object = None
) -> Array:
    if axis is not None:
        axisa = axisb = axisc = cast("int", axis)
    x, y = _common_of("cross", a, b)
    x, y = moveaxis(x, axisa, -1), moveaxis(y, axisb, -1)
    if (x.shape[-1], y.shape[-1]) == (2, 2):
        return x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    if (x.shape[-1], y.shape[-1]) != (3, 3):
        raise InputError(caller(), "TRC004", "np.cross wanted vectors of three elements")
    parts = [
        x[..., (i + 1) % 3] * y[..., (i + 2) % 3] - x[..., (i + 2) % 3] * y[..., (i + 1) % 3]
        for i in range(3)
    ]
    return moveaxis(stack(parts, -1), -1, axisc)


def tensordot(a: object, b: object, axes: object = 2) -> Array:
    x, y = _common_of("tensordot", a, b)
    if isinstance(axes, int):
        left, right = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        first, second = cast("Sequence[object]", axes)
        left, right = axes_of(x, first), axes_of(y, second)
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = letters[: x.ndim]
    others = list(letters[x.ndim : x.ndim + y.ndim])
    for mine, its in zip(left, right, strict=True):
        others[its] = names[mine]
    kept = [name for each, name in enumerate(names) if each not in left]
    kept += [name for each, name in enumerate(others) if each not in right]
    return einsum(f"{names},{''.join(others)}->{''.join(kept)}", x, y)


def einsum(subscripts: object, *operands: object, optimize: object = None) -> Array:
    if not isinstance(subscripts, str):
        raise InputError(
            caller(), "TRC007", "np.einsum wanted subscripts as text", help='np.einsum("ij->ji", x)'
        )
    tracer = tracer_of(operands)
    given = [as_array("np.einsum", each, tracer) for each in operands]
    type_ = common_type("np.einsum", given)
    arrays = [converted("np.einsum", each, type_, tracer) for each in given]
    terms, result = _subscripts(subscripts, arrays)
    _check_rows(terms, result, arrays)
    order = [*result, *[name for name in dict.fromkeys("".join(terms)) if name not in result]]
    laid = [_laid(array, term, order) for array, term in zip(arrays, terms, strict=True)]
    product = laid[0]
    for each in laid[1:]:
        product = product * each
    summed = tuple(range(len(result), len(order)))
    if not summed:
        return product
    op = "reduce_any" if product.type.element is BOOL else "reduce_sum"
    return apply("squeeze", apply(op, product, axes=summed), axes=summed)


def _subscripts(text: str, arrays: Sequence[Array]) -> tuple[list[str], str]:
    """The letters of each operand and of the result; an ellipsis is capital letters from the end on."""
    left, arrow, right = text.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise InputError(caller(), "TRC007", f"got {len(arrays)} operands for {text!r}, wanted {len(terms)}")
    free = "ZYXWVUTSRQPONMLKJIHGFEDCBA"
    most = 0
    for number, (term, array) in enumerate(zip(terms, arrays, strict=True)):
        count = array.ndim - len(term.replace("...", ""))
        if count < 0 or ("..." not in term and count):
            message = f"{term!r} of {text!r} is of an array of {array.ndim} axes, wanted one letter for each"
            raise InputError(caller(), "TRC007", message)
        most = max(most, count)
        terms[number] = term.replace("...", free[:count][::-1])
    whole = "".join(terms)
    if arrow:
        result = right.replace("...", free[:most][::-1])
    else:
        single = sorted(name for name in set(whole) if whole.count(name) == 1 and name not in free[:most])
        result = free[:most][::-1] + "".join(single)
    if any(name not in whole for name in result) or len(set(result)) != len(result):
        raise InputError(caller(), "TRC007", f"{text!r} has a result with other letters than its operands")
    return terms, result


def _check_rows(terms: Sequence[str], result: str, arrays: Sequence[Array]) -> None:
    """A sum over an axis of two operands that both keep another axis is a product of matrices."""
    for first, left in enumerate(terms):
        for second, right in enumerate(terms[first + 1 :], first + 1):
            summed = (set(left) & set(right)) - set(result)
            rows, columns = set(left) - set(right), set(right) - set(left)
            if summed and rows & set(result) and columns & set(result):
                refuse_product("np.einsum", arrays[first], arrays[second])


def _laid(array: Array, term: str, order: Sequence[str]) -> Array:
    """The array with an axis for each letter of the order; an axis that its term names twice is a
    diagonal."""
    names = list(term)
    for name in dict.fromkeys(term):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            array = diagonal(array, 0, first, second)
            names = [*names[:first], *names[first + 1 : second], *names[second + 1 :], name]
    places = [names.index(name) for name in order if name in names]
    array = array if places == list(range(len(places))) else cast("Array", array.transpose(tuple(places)))
    missing = tuple(at_ for at_, name in enumerate(order) if name not in names)
    return expand_dims(array, missing) if missing else array


# Convolutions and polynomials


def convolve(a: object, v: object, mode: str = "full") -> Array:
    x, y = _common_of("convolve", a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise InputError(caller(), "TRC004", "np.convolve wanted two arrays of one axis")
    if x.shape[0] < y.shape[0]:
        x, y = y, x
    return _slid(x, y, mode)


def correlate(a: object, v: object, mode: str = "valid") -> Array:
    x, y = _common_of("correlate", a, v)
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
    wide = apply("pad", x, pads=(taps - 1, taps - 1))
    place = np.arange(first, first + count)[:, None] + np.arange(taps)[None, :]
    windows = wide[place]
    return _row(windows, apply("reverse", y, axes=(0,)))


def sliding_window_view(
    x: Array, window_shape: object, axis: object = None, *, subok: bool = False, writeable: bool = False
) -> Array:
    """Every part of as many elements along some axes; the places in a part are the last axes."""
    if writeable:
        raise InputError(caller(), "TRC007", "np.lib.stride_tricks.sliding_window_view got writeable=True, "
                         "wanted windows that are only read")  # fmt: skip
    sizes = whole_numbers(window_shape)
    axes = axes_of(x, axis)
    if sizes is None or len(sizes) != len(axes):
        message = f"got window_shape={window_shape!r}, wanted one number for each of {len(axes)} axes"
        raise InputError(caller(), "TRC007", message, help="axis= names the axes")
    for number, taps in zip(axes, map(known, sizes), strict=True):
        size = x.shape[number]
        if not 0 < taps <= size:
            message = f"got windows of {taps} elements of an axis of {size}, wanted at most {size}"
            raise InputError(caller(), "TRC007", message)
        place = np.arange(size - taps + 1)[:, None] + np.arange(taps)
        x = moveaxis(taken_at(x, table(x.tracer, place.astype(np.int32)), number), number + 1, -1)
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
    "convolve": convolve, "correlate": correlate, "cross": cross, "diff": diff, "dot": dot,
    "ediff1d": ediff1d, "einsum": einsum, "gradient": gradient, "inner": inner, "kron": kron,
    "linalg.cross": cross, "linalg.matmul": matmul, "linalg.norm": norm, "linalg.outer": outer,
    "lib.stride_tricks.sliding_window_view": sliding_window_view, "linalg.vecdot": vecdot,
    "linalg.vector_norm": vector_norm, "outer": outer, "polyval": polyval,
    "tensordot": tensordot, "trapezoid": trapezoid, "vdot": vdot,
}  # fmt: skip
UFUNCS: dict[str, Callable[..., Array]] = {
    "matmul": matmul, "matvec": _matvec, "vecdot": vecdot, "vecmat": _vecmat,
}  # fmt: skip
