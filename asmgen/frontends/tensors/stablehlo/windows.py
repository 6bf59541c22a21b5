"""StableHLO ops on windows: `reduce_window`, scans among them, and `select_and_scatter`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

from msgspec import Struct

from asmgen.frontends.tensors.associative import is_neutral
from asmgen.frontends.tensors.op_call import OpCall, Results, check_numbers, stated_dims
from asmgen.frontends.tensors.regions import ordered, samples
from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.tensors.stablehlo.blocks_chosen import Chosen, in_blocks
from asmgen.frontends.tensors.stablehlo.indexing import updated_at
from asmgen.frontends.tensors.stablehlo.reductions import (
    Kind,
    check_reduces,
    combined,
    combined_in_pairs,
    highest,
    kind_of,
    lowest,
)
from asmgen.frontends.tensors.stablehlo.scans import SCANS, Along, scanned_by, scanned_by_body
from asmgen.frontends.tensors.stablehlo.shapes import padded_by, permuted, reshaped
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.index.size import Sizes, number, numbers
from asmgen.ir.types import I32, ElementType
from asmgen.mlir.source import Block, Symbol

Rule = Callable[[OpCall], Results]
_WORDS = {"reduce_sum": "sum", "reduce_prod": "prod", "reduce_max": "max", "reduce_min": "min"}


class Windows(Struct, frozen=True):
    """The windows of an operand, by axis: elements, distances, places between elements and between those of a
    window, and padding."""

    sizes: Sizes
    strides: Sizes
    base: Sizes
    dilations: Sizes
    low: Sizes
    high: Sizes

    @property
    def numbers(self) -> Sizes:
        return (*self.sizes, *self.strides, *self.base, *self.dilations, *self.low, *self.high)

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes along which a window is more than an element, or windows are apart."""
        return tuple([axis for axis, size in enumerate(self.sizes) if size != 1 or self.strides[axis] != 1])

    @property
    def are_blocks(self) -> bool:
        """Whether windows have no element in common, and none between them."""
        ones, zeros = {*self.base, *self.dilations}, {*self.low, *self.high}
        return self.strides == self.sizes and ones == {1} and zeros == {0}

    def of_axes(self, values: Sizes) -> tuple[int, ...]:
        return numbers([values[axis] for axis in self.axes])


def windows_of(call: OpCall) -> Windows:
    operation = call.operation
    sizes = operation.integers("window_dimensions")
    ones = (1,) * len(sizes)
    pads = operation.integers("padding") or (0,) * (2 * len(sizes))
    if len(pads) == 1:  # all are equal
        pads *= 2 * len(sizes)
    strides, base, dilations = [
        operation.integers(name) or ones for name in ("window_strides", "base_dilations", "window_dilations")
    ]
    return Windows(sizes, strides, base, dilations, pads[::2], pads[1::2])


def _reduce_window(call: OpCall) -> Results:
    count = len(call.arrays) // 2
    given, first = call.arrays[:count], call.arrays[count:]
    return _reduced(call, call.operation.body, given, first, windows_of(call))


def _dynamic_reduce_window(call: OpCall) -> Results:
    """JAX writes a custom call, with windows as operands and the body as a function."""
    called = call.operation.attributes.get("called_computations")
    body = called[0] if isinstance(called, tuple) and len(called) == 1 else None
    if not isinstance(body, Symbol):
        call.refuse("got no function in called_computations, wanted the body of a reduction")
    sizes, strides, base, dilations, pads = [call.known_sizes(operand) for operand in range(2, 7)]
    windows = Windows(sizes, strides, base, dilations, pads[::2], pads[1::2])
    return _reduced(call, call.function(body.path[-1]), call.arrays[:1], call.arrays[1:2], windows)


def _reduced(
    call: OpCall, body: Block, given: Sequence[Array], first: Sequence[Array], windows: Windows
) -> Results:
    count = len(given)
    kind = kind_of(body, given[0].type.element) if count == 1 else None
    reach = _reach(given[0], windows)
    if kind is not None and kind.op in SCANS and reach is not None:
        return combined(call, scanned_by(kind, given[0], reach), first[0], kind)
    check_numbers(call.operation, windows.numbers)
    if 0 in stated_dims(call.operation.results[0]):
        return first
    if kind is not None and kind.op in _WORDS:
        return combined(call, _pooled(call, given[0], windows, kind), first[0], kind)
    check_reduces(call, body, given)
    starts = [known for known in map(call.number, first) if known is not None]
    if reach is not None and is_neutral(body, starts, [x.type.element for x in given]):
        return scanned_by_body(call, body, given, first, reach)
    parts = [_spread(call, x, windows, start) for x, start in zip(given, first, strict=True)]
    return combined_in_pairs(call, body, parts, first, parts[0].type.dims[:-1])


def _reach(x: Array, windows: Windows) -> Along | None:
    """The axis along which windows reach from each element to an end."""
    if len(windows.axes) != 1:
        return None
    (axis,) = windows.axes
    length = x.type.dims[axis]
    pads = windows.low[axis], windows.high[axis]
    is_plain = (windows.strides[axis], windows.base[axis], windows.dilations[axis]) == (1, 1, 1)
    others = [*windows.low, *windows.high, *windows.base]
    has_others = sum(others) != sum(pads) + len(windows.base)
    if windows.sizes[axis] != length or not is_plain or has_others:
        return None
    ends = (0, length - 1)
    return Along(axis, pads == ends) if ends in (pads, pads[::-1]) else None


def _pooled(call: OpCall, x: Array, windows: Windows, kind: Kind) -> Array:
    """Windows of padding alone, or with elements that are not padding by the op itself, are padded before."""
    low, high, sizes = [numbers(each) for each in (windows.low, windows.high, windows.sizes)]
    word = _WORDS[kind.op]
    is_dilated = any(step != 1 for step in (*windows.base, *windows.dilations))
    ends = zip(sizes, low, high, strict=True)
    is_inside = all(0 <= pad < size for size, *pads in ends for pad in pads)
    if not windows.axes or is_dilated or not is_inside:
        between = [number(step) - 1 for step in windows.base]
        x = padded_by(call, x, like(kind.neutral(x.type.element), x), low, high, between)
        low = high = (0,) * len(low)
    if not windows.axes:
        return x
    return apply(
        "reduce_window",
        x,
        combine=word,
        sizes=windows.of_axes(windows.sizes),
        axes=windows.axes,
        strides=windows.of_axes(windows.strides),
        dilations=windows.of_axes(windows.dilations),
        pads=(*windows.of_axes(low), *windows.of_axes(high)),
    )


def _spread(call: OpCall, x: Array, windows: Windows, fill: Array) -> Array:
    """The elements of each window along a last axis; padding has `fill`."""
    between = [number(step) - 1 for step in windows.base]
    x = padded_by(call, x, fill, numbers(windows.low), numbers(windows.high), between)
    rank, axes = x.type.rank, windows.axes
    if axes:
        x = apply(
            "windows",
            x,
            axes=axes,
            sizes=windows.of_axes(windows.sizes),
            strides=windows.of_axes(windows.strides),
            dilations=windows.of_axes(windows.dilations),
        )
    inner = [axis + number + 1 for number, axis in enumerate(axes)]
    outer = [axis for axis in range(rank + len(axes)) if axis not in inner]
    x = permuted(x, [*outer, *inner])
    count = math.prod(windows.of_axes(windows.sizes))
    return reshaped(x, (*x.type.dims[:rank], count))


def _select_and_scatter(call: OpCall) -> Results:
    """The source is added at the chosen element of each window: the extreme element, the first or the
    last."""
    x, source, first = call.arrays
    select, scatter = [region.blocks[0] for region in call.operation.regions]
    kind, way = kind_of(scatter, x.type.element), chosen_by(select, x.type.element)
    if kind is None or kind.op != "reduce_sum" or way is None:
        call.refuse("got another body, wanted a comparison of its operands, and an addition")
    windows, dims = windows_of(call), x.type.dims
    if windows.are_blocks and 0 not in source.type.dims:
        return combined(call, in_blocks(call, x, source, numbers(windows.sizes), way), first, kind)
    parts = _spread(call, x, windows, like(way.worst, x))
    axis = parts.type.rank - 1
    chosen = apply(way.op, parts, axis=axis, select_last_index=way.is_last)
    places = reshaped(iota(call.tracer, 0, (math.prod(dims),)), dims)
    of_windows = _spread(call, places, windows, number_of(math.prod(dims), I32, call.tracer))
    place = apply("squeeze", apply("take_along_axis", of_windows, chosen, axis=axis), axes=(axis,))
    start = apply("multibroadcast", first, out_lens=dims)
    return updated_at(call, start, place, source, scatter)


def chosen_by(select: Block, element: ElementType) -> Chosen | None:
    """The choice of a body that says whether the earlier of two elements stays; None for another body."""
    numbers_ = [number for number in samples(element) if number == number]
    table = {(a, b): ordered(select, (a, b)) for a in numbers_ for b in numbers_}
    for op, is_last in product(("argmax", "argmin"), (False, True)):
        stays = all(
            result is not None and result[0] == ((not is_last) if a == b else (a > b) == (op == "argmax"))
            for (a, b), result in table.items()
        )
        if stays:
            return Chosen(op, is_last, lowest(element) if op == "argmax" else highest(element))
    return None


RULES: dict[str, Rule] = {
    "stablehlo.dynamic_reduce_window": _dynamic_reduce_window, "stablehlo.reduce_window": _reduce_window,
    "stablehlo.select_and_scatter": _select_and_scatter,
}  # fmt: skip
