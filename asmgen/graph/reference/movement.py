"""Ranges of ops that move elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from asmgen.graph.infer.unpack import Packing
from asmgen.graph.infer.windows import Window, windows_of
from asmgen.graph.reference.integers import integer_dtype
from asmgen.graph.reference.ranges import (
    FloatRange,
    IntegerRange,
    Integers,
    Numbers,
    Range,
    Rules,
    exact_float,
    rearranged,
)
from asmgen.graph.reference.rounding import Bools, round_to
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import NumberKind

Widths = list[tuple[int, int]]


def _numbers(statement: Statement, name: str) -> tuple[int, ...]:
    """An attribute that is an integer or a list of integers."""
    value = statement.attributes[name]
    numbers = value if isinstance(value, tuple) else (value,)
    return tuple([number for number in numbers if isinstance(number, int)])


def multibroadcast(statement: Statement, _rules: Rules, x: Range) -> Range:
    return rearranged(x, partial(np.broadcast_to, shape=tensor_type(statement.result).shape))


def broadcast(statement: Statement, _rules: Rules, x: Range) -> Range:
    dims, (axis,) = tensor_type(statement.result).shape, _numbers(statement, "axis")
    after = len(dims) - axis % max(len(dims), 1) - x.value.ndim

    def laid(array: Numbers) -> Numbers:
        return np.broadcast_to(array.reshape(array.shape + (1,) * after), dims)

    return rearranged(x, laid)


def reshape(statement: Statement, _rules: Rules, x: Range) -> Range:
    """Of reshape, squeeze and unsqueeze: the elements in their row-major order."""
    return rearranged(x, partial(np.reshape, shape=tensor_type(statement.result).shape))


def transpose(statement: Statement, _rules: Rules, x: Range) -> Range:
    return rearranged(x, partial(np.transpose, axes=_numbers(statement, "permutation")))


def reverse(statement: Statement, _rules: Rules, x: Range) -> Range:
    return rearranged(x, partial(np.flip, axis=_numbers(statement, "axes")))


def roll(statement: Statement, _rules: Rules, x: Range) -> Range:
    axes, shifts = _numbers(statement, "axes"), _numbers(statement, "shifts")
    return rearranged(x, partial(np.roll, shift=shifts, axis=axes))


def slice_(statement: Statement, _rules: Rules, x: Range) -> Range:
    cuts = [slice(None)] * x.value.ndim
    pairs = zip(_numbers(statement, "starts"), _numbers(statement, "ends"), strict=True)
    for axis, (start, end) in zip(_numbers(statement, "axes"), pairs, strict=True):
        cuts[axis] = slice(start, end)
    return rearranged(x, lambda array: array[tuple(cuts)])


def step(statement: Statement, _rules: Rules, x: Range) -> Range:
    cuts = [slice(None)] * x.value.ndim
    for axis, each in zip(_numbers(statement, "axes"), _numbers(statement, "steps"), strict=True):
        cuts[axis] = slice(None, None, each)
    return rearranged(x, lambda array: array[tuple(cuts)])


def unpack(statement: Statement, _rules: Rules, x: IntegerRange) -> Range:
    """The numbers of known elements; of others any number of their bits."""
    packing, element = Packing.of(statement), statement.result.type.element
    is_signed = element.kind is NumberKind.SIGNED

    def numbers(array: Integers) -> Integers:
        last = np.moveaxis(array, packing.axis, -1)[..., None]
        fields = last >> (np.arange(packing.each) * packing.bits).astype(array.dtype)
        fields = (fields & ((1 << packing.bits) - 1)).reshape(*last.shape[:-2], -1)
        if is_signed:
            sign = 1 << packing.bits - 1
            fields = fields.astype(np.int64) - 2 * (fields.astype(np.int64) & sign)
        return np.moveaxis(fields, -1, packing.axis).astype(integer_dtype(element))

    low, high = -(1 << packing.bits - 1) if is_signed else 0, (1 << packing.bits - is_signed) - 1
    known = np.repeat(x.is_point, packing.each, packing.axis)
    exact = numbers(x.low)
    return IntegerRange(element, numbers(x.value), np.where(known, exact, low), np.where(known, exact, high))


def windows(statement: Statement, _rules: Rules, x: Range) -> Range:
    """Element k of window o for each axis of windows."""
    listed = windows_of(statement.op, statement.attributes, x.value.ndim, statement.place)
    return rearranged(x, partial(in_windows, windows=listed))


def in_windows(array: Numbers, windows: tuple[Window, ...]) -> Numbers:
    """An array with padding already: a dim of the windows and a dim of their elements for each axis."""
    for window in reversed(windows):
        count = (array.shape[window.axis] - window.span) // window.stride + 1
        firsts = np.arange(count, dtype=np.int64).reshape(-1, 1) * window.stride
        places = firsts + np.arange(window.length, dtype=np.int64) * window.dilation
        array = np.take(array, places, window.axis)
    return array


def padded(x: Range, widths: Widths, number: float) -> Range:
    """The elements with a number around them."""
    if isinstance(x, IntegerRange):
        return rearranged(x, lambda array: _padded(array, widths, int(number)))
    return _padded_floats(x, widths, float(number))


def concat(statement: Statement, _rules: Rules, *parts: Range) -> Range:
    (axis,) = _numbers(statement, "axis")

    def joined(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts], axis)

    element = parts[0].element
    if isinstance(parts[0], IntegerRange):
        return IntegerRange(element, joined("value"), joined("low"), joined("high"))
    floats = [part for part in parts if isinstance(part, FloatRange)]
    is_scaled = any(part.scale is not None for part in floats)
    scales = [np.abs(part.value) if part.scale is None else part.scale for part in floats]
    value = joined("value")
    low = value if all(part.low is part.value for part in floats) else joined("low")
    high = low if all(part.high is part.low for part in floats) else joined("high")
    return FloatRange(
        element, value, low, high, joined("may_be_nan"), joined("free_zero"),
        np.concatenate(scales, axis) if is_scaled else None,
    )  # fmt: skip


def gather(statement: Statement, _rules: Rules, data: Range, indices: IntegerRange) -> Range:
    (axis,) = _numbers(statement, "axis")
    return gathered(data, indices, axis % data.value.ndim)


def gathered(data: Range, indices: IntegerRange, axis: int) -> Range:
    """An index that is not certain may take any element between its least and its greatest."""
    dims = (*data.value.shape[:axis], *indices.value.shape, *data.value.shape[axis + 1 :])
    if 0 in dims:
        return rearranged(data, lambda array: np.zeros(dims, array.dtype))
    size = data.value.shape[axis]
    taken = rearranged(data, partial(_taken, indices=_inside(indices.value, size), axis=axis))
    if indices.is_point.all():
        return taken
    return _taken_between(data, indices, taken, axis)


def take_along_axis(statement: Statement, _rules: Rules, data: Range, indices: IntegerRange) -> Range:
    (axis,) = _numbers(statement, "axis")
    return along(data, indices, axis % data.value.ndim)


def along(data: Range, indices: IntegerRange, axis: int) -> Range:
    """As `gathered`, with indices of their own for each row."""
    one = [(*shape[:axis], 1, *shape[axis + 1 :]) for shape in (data.value.shape, indices.value.shape)]
    rows = np.broadcast_shapes(*one)
    dims = (*rows[:axis], indices.value.shape[axis], *rows[axis + 1 :])
    if 0 in dims:
        return rearranged(data, lambda array: np.zeros(dims, array.dtype))
    of_data = (*dims[:axis], data.value.shape[axis], *dims[axis + 1 :])
    whole = rearranged(data, lambda array: np.broadcast_to(array, of_data))
    places = np.broadcast_to(_inside(indices.value, of_data[axis]), dims)
    taken = rearranged(whole, lambda array: np.take_along_axis(array, places, axis))
    loose = np.broadcast_to(~indices.is_point, dims)
    return taken if not loose.any() else _anywhere(whole, taken, loose, axis)


def _anywhere(data: Range, taken: Range, loose: Bools, axis: int) -> Range:
    """Any element along the axis for which `loose` is true."""
    low = np.where(loose, np.fmin.reduce(data.low, axis, keepdims=True), taken.low)
    high = np.where(loose, np.fmax.reduce(data.high, axis, keepdims=True), taken.high)
    if isinstance(taken, IntegerRange):
        return IntegerRange(taken.element, taken.value, low, high)
    assert isinstance(data, FloatRange), "the elements have the data's type"
    is_nan = np.logical_or.reduce(data.may_be_nan, axis, keepdims=True)
    may_be_nan = np.where(loose, is_nan, taken.may_be_nan)
    return FloatRange(taken.element, taken.value, low, high, may_be_nan, taken.free_zero | loose)


def _inside(indices: Integers, size: int) -> Integers:
    return np.clip(np.where(indices < 0, indices + size, indices), 0, size - 1)


def _taken(array: Numbers, indices: Integers, axis: int) -> Numbers:
    return np.take(array, indices, axis)


def _taken_between(data: Range, indices: IntegerRange, taken: Range, axis: int) -> Range:
    """Any element along the axis, if the index is not certain."""
    count = indices.value.ndim
    after = data.value.ndim - axis % data.value.ndim - 1
    loose = ~indices.is_point.reshape(indices.value.shape + (1,) * after)

    def anywhere(array: Numbers, reduce: Callable[..., Numbers]) -> Numbers:
        first = axis % data.value.ndim
        extreme = reduce(array, first, keepdims=True)
        shape = (*extreme.shape[:first], *[1] * count, *extreme.shape[first + 1 :])
        return np.broadcast_to(extreme.reshape(shape), taken.value.shape)

    low = np.where(loose, anywhere(data.low, np.fmin.reduce), taken.low)
    high = np.where(loose, anywhere(data.high, np.fmax.reduce), taken.high)
    if isinstance(taken, IntegerRange):
        return IntegerRange(taken.element, taken.value, low, high)
    assert isinstance(data, FloatRange), "the elements have the data's type"
    may_be_nan = np.where(loose, anywhere(data.may_be_nan, np.logical_or.reduce), taken.may_be_nan)
    return FloatRange(taken.element, taken.value, low, high, may_be_nan, taken.free_zero | loose)


def pad(statement: Statement, _rules: Rules, x: Range) -> Range:
    """The elements with padding around them: a number, or by `mode` the edge or mirrored elements."""
    mode, number, sizes = (
        statement.attributes["mode"],
        statement.attributes["value"],
        _numbers(statement, "pads"),
    )
    assert isinstance(number, int | float), "the op's row has checked it"
    widths = list(zip(sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :], strict=True))
    if not widths:  # numpy refuses to pad a scalar
        return x
    if mode != "constant":
        modes: dict[Any, Any] = {"edge": "edge", "reflect": "reflect"}
        return rearranged(x, lambda array: np.pad(array, widths, mode=modes[mode]))
    return padded(x, widths, number)


def _padded(array: Numbers, widths: Widths, number: float | bool) -> Numbers:
    return np.pad(array, widths, constant_values=array.dtype.type(number))


def _padded_floats(x: FloatRange, widths: Widths, number: float) -> FloatRange:
    padding = exact_float(round_to(np.array(number), x.element), x.element)

    def padded(array: Numbers, of: Numbers) -> Numbers:
        return _padded(array, widths, of.item())

    low = padded(x.low, padding.low)
    return replace(
        x, value=padded(x.value, padding.value), low=low,
        high=low if x.high is x.low else padded(x.high, padding.high),
        may_be_nan=padded(x.may_be_nan, padding.may_be_nan), free_zero=padded(x.free_zero, padding.free_zero),
        scale=None if x.scale is None else padded(x.scale, np.abs(padding.value)),
    )  # fmt: skip


EVALUATORS: dict[str, Callable[..., Range]] = {
    "multibroadcast": multibroadcast,
    "broadcast": broadcast,
    "reshape": reshape,
    "squeeze": reshape,
    "unsqueeze": reshape,
    "transpose": transpose,
    "reverse": reverse,
    "roll": roll,
    "slice": slice_,
    "step": step,
    "unpack": unpack,
    "windows": windows,
    "concat": concat,
    "gather": gather,
    "take_along_axis": take_along_axis,
    "pad": pad,
}
