"""numpy's functions that change the shape of an array, or the order of its axes and elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from asmgen.frontends.traced.array import Array, apply, is_row_major, viewed
from asmgen.frontends.traced.indexing import taken_at
from asmgen.frontends.traced.making import table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, copy, tracer_of
from asmgen.frontends.traced.shape_size import as_given, known
from asmgen.frontends.traced.spec import whole_numbers
from asmgen.index.size import Dim, Size, Sizes, at_least, numbers
from asmgen.ir.shapes import broadcast_dims
from isa.diagnostics import InputError


def axes_of(a: Array, axis: object) -> tuple[int, ...]:
    """The axes of numpy's `axis` counted from the front, all for None; inference refuses axes that do not
    exist."""
    if axis is None:
        return tuple(range(a.ndim))
    numbers = whole_numbers(axis)
    if numbers is None:
        raise InputError(caller(), "TRC007", f"got axis={axis!r}, wanted an integer, a tuple of them or None")
    axes = [known(number) for number in numbers]
    return tuple([number % a.ndim if -a.ndim <= number < a.ndim else number for number in axes])


def one_axis(a: Array, axis: object) -> int:
    """An axis that the array has, counted from the front."""
    axes = axes_of(a, axis)
    if len(axes) != 1 or not 0 <= axes[0] < a.ndim:
        wanted = f"an integer from {-a.ndim} to {a.ndim - 1}" if a.ndim else "an array that has axes"
        raise InputError(caller(), "TRC007", f"got axis={axis!r}, wanted {wanted}")
    return axes[0]


def transpose(a: Array, axes: object = None, *more: object) -> Array:
    if more:  # x.transpose(1, 0)
        axes = (axes, *more)
    order = tuple(reversed(range(a.ndim))) if axes is None else axes_of(a, axes)
    if order == tuple(range(a.ndim)):
        return viewed(a, copy, lambda _, new: new)
    back = tuple(sorted(range(len(order)), key=order.__getitem__))
    return viewed(
        a,
        lambda base: apply("transpose", base, permutation=order),
        lambda _, new: apply("transpose", new, permutation=back),
    )


def swapaxes(a: Array, axis1: int, axis2: int) -> Array:
    first, second = one_axis(a, axis1), one_axis(a, axis2)
    order = {first: second, second: first}
    return transpose(a, tuple(order.get(axis, axis) for axis in range(a.ndim)))


def moveaxis(a: Array, source: object, destination: object) -> Array:
    sources, places = axes_of(a, source), axes_of(a, destination)
    is_whole = all(0 <= axis < a.ndim for axis in (*sources, *places))
    if len(sources) != len(places) or not is_whole or len(set(sources)) != len(sources):
        message = f"got axes {source!r} to {destination!r}, wanted as many of each, of {a.ndim}"
        raise InputError(caller(), "TRC007", message)
    order = [axis for axis in range(a.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return transpose(a, tuple(order))


def rollaxis(a: Array, axis: int, start: int = 0) -> Array:
    axis = one_axis(a, axis)
    start += a.ndim if start < 0 else 0
    return moveaxis(a, axis, start - (start > axis))


def matrix_transpose(x: Array) -> Array:
    return swapaxes(x, -1, -2)


def reshape(
    a: Array, shape: object = None, *more: object, order: str = "C", newshape: object = None, **_: object
) -> Array:
    shape = newshape if shape is None else shape
    sizes = whole_numbers((shape, *more) if more else shape)
    if sizes is None:
        raise InputError(caller(), "TRC007", f"got the shape {shape!r}, wanted a tuple of integers")
    if order == "F":
        inner = transpose(a)
        return transpose(_shaped(inner, sizes[::-1]))
    if order not in ("C", "A", "K"):
        raise InputError(caller(), "TRC007", f"got order={order!r}, wanted C or F")
    return _shaped(a, sizes)


def _shaped(a: Array, sizes: Sizes) -> Array:
    # in gen text a 0 keeps the operand's dim, in numpy it is a dim of size 0
    if any(size == 0 and axis < a.ndim and a.type.dims[axis] != 0 for axis, size in enumerate(sizes)):
        if a.type.elements == 0 and -1 not in sizes:
            return table(a.tracer, np.zeros(numbers(sizes), a.dtype))
        raise InputError(
            caller(),
            "TRC007",
            f"got the shape {sizes} for an array of shape {a.type.dims}, wanted as many elements",
        )
    dims = a.type.dims
    return viewed(
        a,
        lambda base: apply("reshape", base, dims=sizes),
        (lambda _, new: apply("reshape", new, dims=dims)) if is_row_major(a) else None,
    )


def ravel(a: Array, order: str = "C") -> Array:
    return reshape(a, (-1,), order=order)


def flatten(a: Array, order: str = "C") -> Array:
    return copy(ravel(a, order))


def squeeze(a: Array, axis: object = None) -> Array:
    ones = tuple(number for number, size in enumerate(a.type.dims) if size == 1)
    axes = ones if axis is None else axes_of(a, axis)
    if not axes:
        return viewed(a, copy, lambda _, new: new)
    return viewed(
        a,
        lambda base: apply("squeeze", base, axes=axes),
        lambda _, new: apply("unsqueeze", new, axes=tuple(sorted(axes))),
    )


def expand_dims(a: Array, axis: object) -> Array:
    return viewed(
        a, lambda base: apply("unsqueeze", base, axes=axis), lambda _, new: apply("squeeze", new, axes=axis)
    )


def atleast(rank: int) -> Callable[..., Array | tuple[Array, ...]]:
    """np.atleast_1d, _2d and _3d."""

    def function(*arrays: object) -> Array | tuple[Array, ...]:
        tracer = tracer_of(arrays)
        wide = tuple(_at_least(as_array("np.atleast_1d", each, tracer), rank) for each in arrays)
        return wide[0] if len(wide) == 1 else wide

    return function


def _at_least(a: Array, rank: int) -> Array:
    missing = rank - a.ndim
    if missing <= 0:
        return a
    axes = {(3, 1): (0, 2), (3, 2): (2,)}.get((rank, a.ndim), tuple(range(missing)))
    return expand_dims(a, axes)


def broadcast_to(array: Array, shape: object) -> Array:
    return apply("multibroadcast", array, out_lens=shape)


def broadcast_arrays(*args: object) -> tuple[Array, ...]:
    tracer = tracer_of(args)
    arrays = [as_array("np.broadcast_arrays", each, tracer) for each in args]
    dims = common_dims(*arrays)
    return tuple(broadcast_to(each, dims) for each in arrays)


def common_dims(*arrays: Array) -> Sizes:
    dims = broadcast_dims(tuple(each.type.dims for each in arrays))
    if dims is None:
        shapes = " and ".join(str(each.shape) for each in arrays)
        raise InputError(caller(), "TRC004", f"shapes {shapes} do not broadcast, wanted equal dims or 1")
    return dims


def flip(m: Array, axis: object = None) -> Array:
    axes = axes_of(m, axis)
    if not axes:
        return copy(m)
    return viewed(
        m, lambda base: apply("reverse", base, axes=axes), lambda _, new: apply("reverse", new, axes=axes)
    )


def fliplr(m: Array) -> Array:
    return flip(m, 1)


def flipud(m: Array) -> Array:
    return flip(m, 0)


def rot90(m: Array, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    first, second = axes
    match k % 4:
        case 0:
            return copy(m)
        case 2:
            return flip(m, (first, second))
        case 1:
            return swapaxes(flip(m, second), first, second)
        case _:
            return flip(swapaxes(m, first, second), second)


def roll(a: Array, shift: object, axis: object = None) -> Array:
    if axis is None:
        return _shaped(roll(ravel(a), shift, 0), a.type.dims)
    shifts, axes = whole_numbers(shift), axes_of(a, axis)
    if shifts is None:
        raise InputError(caller(), "TRC007", f"got shift={shift!r}, wanted an integer or a tuple of them")
    for by, number in zip(*np.broadcast_arrays([known(by) for by in shifts], axes), strict=True):
        a = _rolled(a, int(by), one_axis(a, int(number)))
    return copy(a)


def _rolled(a: Array, by: int, axis: int) -> Array:
    size = a.type.dims[axis]
    if isinstance(size, Size):
        if by == 0:
            return a
        if abs(by) > 1 and not at_least(size, abs(by)).is_shown:
            raise InputError(
                caller(),
                "TRC007",
                f"got shift={by} along a dim of {size} elements, which may be fewer, wanted -1, 0 or 1",
                help="if there are as many, write np.concatenate((a[-shift:], a[:-shift]))",
            )
        low, high = (a[_at(axis, slice(-by, None))], a[_at(axis, slice(None, -by))])
        return apply("concat", low, high, axis=axis)
    by = by % size if size else 0
    return apply("roll", a, axes=(axis,), shifts=(by,)) if by else a


def _at(axis: int, key: object) -> tuple[object, ...]:
    return (*[slice(None)] * axis, key)


def at(a: Array, axis: int, key: object) -> Array:
    """The elements of an axis that a key takes."""
    return a[_at(axis, key)]


def repeat(a: Array, repeats: object, axis: object = None) -> Array:
    if axis is None:
        a, axis = ravel(a), 0
    number = one_axis(a, axis)
    if isinstance(repeats, Array):
        message = "np.repeat got traced repeats, which the shape of the result depends on, wanted integers"
        raise InputError(caller(), "TRC006", message)
    size = a.type.dims[number]
    if isinstance(repeats, Size):
        repeats = as_given(repeats)
    if isinstance(repeats, int | Size) and size != 0:
        wide = apply("unsqueeze", a, axes=(number + 1,))
        dims = (*a.type.dims[: number + 1], repeats, *a.type.dims[number + 1 :])
        wide = apply("multibroadcast", wide, out_lens=dims)
        return _shaped(copy(wide), (*a.type.dims[:number], size * repeats, *a.type.dims[number + 1 :]))
    places = np.repeat(np.arange(known(size)), cast("int", repeats))
    return taken_at(a, table(a.tracer, places.astype(np.int32)), number)


def tile(A: Array, reps: object) -> Array:  # numpy's names
    counts = whole_numbers(reps)
    if counts is None:
        raise InputError(caller(), "TRC007", f"got reps={reps!r}, wanted integers")
    counts = (1,) * (A.ndim - len(counts)) + counts
    a = A if A.ndim == len(counts) else expand_dims(A, tuple(range(len(counts) - A.ndim)))
    dims = a.type.dims
    wide = apply("unsqueeze", a, axes=tuple(range(0, 2 * len(dims), 2)))
    wide = apply(
        "multibroadcast", wide, out_lens=tuple(x for pair in zip(counts, dims, strict=True) for x in pair)
    )
    return _shaped(copy(wide), tuple(count * size for count, size in zip(counts, dims, strict=True)))


def resize(a: Array, new_shape: object) -> Array:
    dims = whole_numbers(new_shape)
    if dims is None:
        raise InputError(caller(), "TRC007", f"got the shape {new_shape!r}, wanted a tuple of integers")
    count = math.prod([known(dim) for dim in dims])
    places = np.resize(np.arange(known(a.type.elements)), count).astype(np.int32)
    return _shaped(taken_at(ravel(a), table(a.tracer, places), 0), dims)


def split_at(a: Array, cuts: Sequence[Dim], axis: int) -> list[Array]:
    """The pieces between the cuts, which are views."""
    ends = [*cuts, None]
    starts = [0, *cuts]
    return [at(a, axis, slice(start, end)) for start, end in zip(starts, ends, strict=True)]


def array_split(ary: Array, indices_or_sections: object, axis: int = 0) -> list[Array]:
    number = one_axis(ary, axis)
    if isinstance(indices_or_sections, int | Size):
        size, sections = known(ary.type.dims[number]), known(indices_or_sections)
        if sections < 1:
            raise InputError(caller(), "TRC007", f"got {sections} sections, wanted 1 or more")
        cuts = np.cumsum([size // sections + (part < size % sections) for part in range(sections - 1)])
        return split_at(ary, [int(cut) for cut in cuts], number)
    cuts_ = whole_numbers(list(cast("Sequence[int]", indices_or_sections)))
    if cuts_ is None:
        raise InputError(caller(), "TRC007", f"got {indices_or_sections!r}, wanted integers")
    return split_at(ary, cuts_, number)


def split(ary: Array, indices_or_sections: object, axis: int = 0) -> list[Array]:
    number = one_axis(ary, axis)
    size = known(ary.type.dims[number])
    if isinstance(indices_or_sections, int) and indices_or_sections > 0 and size % indices_or_sections:
        message = f"an axis of {size} is split into {indices_or_sections}, wanted parts of one size"
        raise InputError(caller(), "TRC007", message, help="np.array_split makes parts of two sizes")
    return array_split(ary, indices_or_sections, axis)


def hsplit(ary: Array, indices_or_sections: object) -> list[Array]:
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary: Array, indices_or_sections: object) -> list[Array]:
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Array, indices_or_sections: object) -> list[Array]:
    return split(ary, indices_or_sections, 2)


def unstack(x: Array, axis: int = 0) -> tuple[Array, ...]:
    number = one_axis(x, axis)
    return tuple(at(x, number, place) for place in range(x.shape[number]))


FUNCTIONS: dict[str, Callable[..., object]] = {
    "array_split": array_split, "atleast_1d": atleast(1), "atleast_2d": atleast(2), "atleast_3d": atleast(3),
    "broadcast_arrays": broadcast_arrays, "broadcast_to": broadcast_to, "dsplit": dsplit,
    "expand_dims": expand_dims, "flatten": flatten, "flip": flip, "fliplr": fliplr, "flipud": flipud,
    "hsplit": hsplit, "matrix_transpose": matrix_transpose, "moveaxis": moveaxis, "ravel": ravel,
    "repeat": repeat, "reshape": reshape, "resize": resize, "roll": roll, "rollaxis": rollaxis,
    "rot90": rot90, "split": split, "squeeze": squeeze, "swapaxes": swapaxes, "tile": tile,
    "transpose": transpose, "unstack": unstack, "vsplit": vsplit,
}  # fmt: skip
