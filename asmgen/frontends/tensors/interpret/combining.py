"""Ops that combine elements: reductions, windows, sorts, products, convolutions, norms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cmp_to_key
from itertools import product

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, OpenOrder, Semantics, Unknown
from asmgen.frontends.tensors.interpret.moving import padded
from asmgen.frontends.tensors.interpret.values import Array, Value, rounded, sum_type

_MOST_SORTED = 4096
_SUMS = frozenset(["stablehlo.add"])


def folded(
    call: Call, steps: Sequence[Sequence[Array]], first: Sequence[Array], region: int = 0
) -> list[Array]:
    """The body applied to `first` and each step in turn. A body that is a sum of floats adds in a wider
    type."""
    block = call.operation.regions[region].blocks[0]
    is_sum = len(block.operations) == 2 and block.operations[0].name in _SUMS and len(first) == 1
    if is_sum and first[0].dtype.kind == "f":
        zero = np.zeros((), sum_type(call.element))
        return [rounded(first[0] + sum((step[0] for step in steps), zero), call.element)]
    made = list(first)
    for step in steps:
        made = call.body([*made, *step], region)
    return made


def _reduce(call: Call) -> list[Value]:
    count = len(call.arrays) // 2
    given, first = call.arrays[:count], call.arrays[count:]
    axes = call.operation.integers("dimensions")
    kept = [axis for axis in range(given[0].ndim) if axis not in axes]
    rows = [
        x.transpose(*kept, *axes).reshape(*[x.shape[axis] for axis in kept], -1) if x.size else x
        for x in given
    ]
    starts = [np.broadcast_to(x, [given[0].shape[axis] for axis in kept]) for x in first]
    if not given[0].size:
        return list(starts)
    steps = [[x[..., number] for x in rows] for number in range(rows[0].shape[-1])]
    made = folded(call, steps, starts)
    if count > 1 and any(x.dtype.kind == "f" and np.isnan(x).any() for x in given):
        _check_order(call, steps, starts, made)
    return list(made)


def _check_order(
    call: Call, steps: Sequence[Sequence[Array]], first: Sequence[Array], made: Sequence[Array]
) -> None:
    """Raises `OpenOrder` if the result differs when the last elements are combined before the first
    elements."""
    whole = list(steps[-1])
    for step in steps[-2::-1]:
        whole = call.body([*step, *whole])
    for a, b in zip(made, call.body([*first, *whole]), strict=True):
        if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
            raise OpenOrder


def _window_numbers(call: Call, rank: int) -> tuple[list[int], ...]:
    operation, ones = call.operation, (1,) * rank
    pads = list(operation.integers("padding")) or [0] * (2 * rank)
    pads = pads * (2 * rank) if len(pads) == 1 else pads
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base, dilations = [list(operation.integers(name) or ones) for name in names]
    return sizes, strides, base, dilations, pads[::2], pads[1::2]


def _windows(x: Array, fill: Array, numbers: tuple[list[int], ...]) -> list[tuple[tuple[int, ...], Array]]:
    """For each place in a window, the elements of all windows there."""
    sizes, strides, base, dilations, low, high = numbers
    x = padded(x, fill, low, high, [step - 1 for step in base])
    spans = [(size - 1) * step + 1 for size, step in zip(sizes, dilations, strict=True)]
    counts = [
        max((dim - span) // step + 1, 0) if dim >= span else 0
        for dim, span, step in zip(x.shape, spans, strides, strict=True)
    ]
    made: list[tuple[tuple[int, ...], Array]] = []
    for place in product(*map(range, sizes)):
        starts = [at * step for at, step in zip(place, dilations, strict=True)]
        cuts = [
            slice(at, at + (count - 1) * step + 1 if count else at, step)
            for at, count, step in zip(starts, counts, strides, strict=True)
        ]
        made.append((place, x[tuple(cuts)]))
    return made


def _reduce_window(call: Call) -> list[Value]:
    count = len(call.arrays) // 2
    given, first = call.arrays[:count], call.arrays[count:]
    return _of_windows(call, given, first, _window_numbers(call, given[0].ndim))


def _dynamic_reduce_window(call: Call) -> list[Value]:
    """The windows are operands."""
    sizes, strides, base, dilations, pads = [each.tolist() for each in call.arrays[2:]]
    low, high = [list(each) for each in zip(*pads, strict=True)]
    return _of_windows(call, call.arrays[:1], call.arrays[1:2], (sizes, strides, base, dilations, low, high))


def _of_windows(
    call: Call, given: Sequence[Array], first: Sequence[Array], numbers: tuple[list[int], ...]
) -> list[Value]:
    parts = [[part for _, part in _windows(x, start, numbers)] for x, start in zip(given, first, strict=True)]
    starts = [np.broadcast_to(x, parts[0][0].shape) for x in first]
    return list(folded(call, list(zip(*parts, strict=True)), starts))


def _select_and_scatter(call: Call) -> list[Value]:
    x, source, first = call.arrays
    if np.isnan(x.astype(np.float64)).any():  # the choice next to a NaN depends on the order
        raise OpenOrder
    numbers = _window_numbers(call, x.ndim)
    places = np.reshape(np.arange(x.size, dtype=np.int64), x.shape)
    best: Array | None = None
    chosen = np.full(source.shape, -1)
    fill = np.array(-1)
    parts = zip(_windows(x, np.zeros((), x.dtype), numbers), _windows(places, fill, numbers), strict=True)
    for (_, part), (_, at) in parts:
        if best is None:
            best, chosen = part, at
            continue
        (stays,) = call.body([best, part])
        takes = (at >= 0) & ((chosen < 0) | ~stays)
        best, chosen = np.where(takes, part, best), np.where(takes, at, chosen)
    result = np.full(x.size, first, x.dtype)
    for at, number in zip(chosen.reshape(-1), source.reshape(-1), strict=True):
        if at >= 0:
            (made,) = call.body([result[at : at + 1], np.array([number], x.dtype)], 1)
            result[at] = made[0]
    return [result.reshape(x.shape)]


def _sort(call: Call) -> list[Value]:
    axis = call.operation.integer("dimension", -1) % max(call.arrays[0].ndim, 1)
    if not call.arrays[0].ndim:
        return list(call.arrays)
    if call.arrays[0].size > _MOST_SORTED:
        raise Unknown(call.operation)
    moved = [np.moveaxis(x, axis, -1) for x in call.arrays]
    results = [x.copy() for x in moved]
    precedes = _precedes(call, moved)
    for row in product(*map(range, moved[0].shape[:-1])):
        table = precedes[row]

        def before(a: int, b: int, table: Array = table) -> int:
            return -1 if table[a, b] else int(table[b, a])

        order = sorted(range(len(table)), key=cmp_to_key(before))
        for x, result in zip(moved, results, strict=True):
            result[row] = x[row][order]
    return [np.moveaxis(x, -1, axis) for x in results]


def _precedes(call: Call, moved: Sequence[Array]) -> Array:
    """Whether the comparator puts element a of a row before element b: {..., a, b}."""
    shape = moved[0].shape
    firsts = [
        np.broadcast_to(call.body([y for x in moved for y in (x[..., a : a + 1], x)])[0], shape)
        for a in range(shape[-1])
    ]
    return np.stack(firsts, -2)


def _top_k(call: Call) -> list[Value]:
    """By XLA's total order: NaN before infinity, +0 before -0, and last a NaN with the sign bit."""
    (x,) = call.arrays
    if x.dtype.kind == "f":
        is_nan, is_negative = np.isnan(x), np.signbit(x)
        number = np.where(is_nan, 0, x)
        group = np.where(is_nan, np.where(is_negative, 1, -1), 0)
        order = np.lexsort((is_negative, -number, group), -1)
    else:
        order = np.argsort(-x.astype(object), -1, kind="stable")
    order = order[..., : call.operation.integer("k")]
    return [np.take_along_axis(x, order, -1), order.astype(np.int32)]


def _dot_general(call: Call) -> list[Value]:
    names = ("lhs_batching", "rhs_batching", "lhs_contracting", "rhs_contracting")
    return [_product(call, *[call.axes("dot_dimension_numbers", f"{name}_dimensions") for name in names])]


def _dot(call: Call) -> list[Value]:
    return [_product(call, [], [], [call.arrays[0].ndim - 1], [0])]


def _product(call: Call, left: list[int], right: list[int], summed: list[int], with_: list[int]) -> Array:
    operands: list[Array] = [x.astype(sum_type(call.element)) for x in call.arrays]
    a, b = operands
    free_a = [axis for axis in range(a.ndim) if axis not in (*left, *summed)]
    free_b = [axis for axis in range(b.ndim) if axis not in (*right, *with_)]
    names_a, names_b = list(range(a.ndim)), [0] * b.ndim
    for mine, its in zip((*left, *summed), (*right, *with_), strict=True):
        names_b[its] = mine
    for number, axis in enumerate(free_b):
        names_b[axis] = a.ndim + number
    result = [*left, *free_a, *[a.ndim + number for number in range(len(free_b))]]
    letters = ["".join([chr(ord("a") + each) for each in names]) for names in (names_a, names_b, result)]
    return rounded(np.einsum(f"{letters[0]},{letters[1]}->{letters[2]}", a, b), call.element)


_LAYOUT = re.compile(r"\[([\w, ]*)\]x\[([\w, ]*)\]->\[([\w, ]*)\]")


def _convolution(call: Call) -> list[Value]:
    """The sum over the places of the kernel of products of matrices, for each group."""
    operation = call.operation
    found = _LAYOUT.search(operation.text("dimension_numbers"))
    assert found is not None, "the parser prints dimension numbers"
    x_names, k_names, r_names = [[word.strip() for word in part.split(",")] for part in found.groups()]
    spatial = [str(number) for number in range(len(x_names) - 2)]
    ones, wide = (1,) * len(spatial), sum_type(call.element)
    operands: list[Array] = [each.astype(wide) for each in call.arrays]
    x, kernel = operands
    x = x.transpose([x_names.index(name) for name in ("b", "f", *spatial)])
    kernel = kernel.transpose([k_names.index(name) for name in ("o", "i", *spatial)])
    turned = operation.attributes.get("window_reversal")
    if isinstance(turned, tuple):
        kernel = np.flip(kernel, tuple([2 + axis for axis, each in enumerate(turned) if each]))
    pads = list(operation.integers("padding")) or [0] * (2 * len(spatial))
    pads = pads * (2 * len(spatial)) if len(pads) == 1 else pads
    strides, base, dilations = [
        list(operation.integers(name) or ones) for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    ]
    numbers = (
        [1, 1, *kernel.shape[2:]],
        [1, 1, *strides],
        [1, 1, *base],
        [1, 1, *dilations],
        [0, 0, *pads[::2]],
        [0, 0, *pads[1::2]],
    )
    of_features, of_batches = (
        operation.integer("feature_group_count", 1),
        operation.integer("batch_group_count", 1),
    )
    total: Array | None = None
    for place, part in _windows(x, np.zeros((), wide), numbers):
        weights = kernel[(slice(None), slice(None), *place[2:])]
        groups = [
            np.einsum("bf...,of->bo...", each, weight)
            for each, weight in zip(
                np.split(part, of_batches) if of_batches > 1 else np.split(part, of_features, 1),
                np.split(weights, of_batches * of_features),
                strict=True,
            )
        ]
        made = np.concatenate(groups, 1)
        total = made if total is None else total + made
    order = ["b", "f", *spatial]
    result = np.zeros(()) if total is None else total.transpose([order.index(name) for name in r_names])
    return [rounded(result, call.element)]


def _normalized(call: Call, x: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
    axis, epsilon = call.operation.integer("feature_index"), call.operation.attributes["epsilon"]
    assert isinstance(epsilon, float)
    dims = [-1 if each == axis else 1 for each in range(x.ndim)]
    scale, offset, mean, variance = [each.reshape(dims) for each in (scale, offset, mean, variance)]
    return rounded((x - mean) / np.sqrt(variance + epsilon) * scale + offset, call.element)


def _norm_inference(call: Call) -> list[Value]:
    return [_normalized(call, *call.arrays)]


def _norm_training(call: Call) -> list[Value]:
    x, scale, offset = call.arrays
    axis = call.operation.integer("feature_index")
    others = tuple([each for each in range(x.ndim) if each != axis])
    mean, variance = [rounded(each, call.element) for each in (x.mean(others), x.var(others))]
    return [_normalized(call, x, scale, offset, mean, variance), mean, variance]


def _norm_gradient(call: Call) -> list[Value]:
    x, scale, mean, variance, given = call.arrays
    axis, epsilon = call.operation.integer("feature_index"), call.operation.attributes["epsilon"]
    assert isinstance(epsilon, float)
    others, dims = tuple([each for each in range(x.ndim) if each != axis]), [1] * x.ndim
    dims[axis] = -1
    deviation = np.sqrt(variance + epsilon).reshape(dims)
    centred, count = x - mean.reshape(dims), x.size // x.shape[axis]
    projected = (given * centred).sum(others, keepdims=True) * centred / deviation**2
    rest = given * count - given.sum(others, keepdims=True) - projected
    results = (
        scale.reshape(dims) / deviation / count * rest,
        (given * centred / deviation).sum(others),
        given.sum(others),
    )
    return [rounded(each, call.element) for each in results]


def _map(call: Call) -> list[Value]:
    return list(call.body(call.arrays))


SEMANTICS: dict[str, Semantics] = {
    "chlo.top_k": _top_k, "stablehlo.batch_norm_grad": _norm_gradient,
    "stablehlo.batch_norm_inference": _norm_inference,
    "stablehlo.batch_norm_training": _norm_training, "stablehlo.convolution": _convolution,
    "stablehlo.dot": _dot, "stablehlo.dot_general": _dot_general, "stablehlo.map": _map,
    "stablehlo.reduce": _reduce,
    "stablehlo.dynamic_reduce_window": _dynamic_reduce_window, "stablehlo.reduce_window": _reduce_window,
    "stablehlo.select_and_scatter": _select_and_scatter,
    "stablehlo.sort": _sort,
}  # fmt: skip
