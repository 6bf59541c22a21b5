"""Random steps of StableHLO: each appends ops with small results to a module."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import constant, dense, reducer, t, type_of
from tests.tensors.maker import LARGEST, MOST_ELEMENTS, Maker


def elementwise(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    other = m.like(value)
    bounds = {"add": value.bound + other.bound, "subtract": value.bound + other.bound, "multiply": value.bound * other.bound}
    op = m.random.choice([op for op in ("add", "subtract", "multiply", "maximum", "minimum") if bounds.get(op, 0) <= LARGEST])
    functions: dict[str, Any] = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
    result = functions[op](value.array, other.array)
    m.add(f"stablehlo.{op} %{value.name}, %{other.name} : {t(value.array)}", result, bounds.get(op, max(value.bound, other.bound)))


def _unary(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    op, function = m.random.choice([("negate", np.negative), ("abs", np.abs), ("sign", np.sign)])
    m.add(f"stablehlo.{op} %{value.name} : {t(value.array)}", function(value.array), max(value.bound, 1))


def _convert(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    result = value.array.astype(np.int32 if value.array.dtype == np.float32 else np.float32)
    m.add(f"stablehlo.convert %{value.name} : ({t(value.array)}) -> {t(result)}", result, value.bound)


def _select(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    other = m.like(value)
    direction, compare = m.random.choice([("LT", np.less), ("GE", np.greater_equal), ("EQ", np.equal), ("NE", np.not_equal)])
    mask = compare(value.array, other.array)
    flag = f"c{len(m.values)}"
    m.lines.append(f"%{flag} = stablehlo.compare {direction}, %{value.name}, %{other.name} : ({t(value.array)}, {t(other.array)}) -> {t(mask)}")
    result = np.where(mask, other.array, value.array)
    m.add(f"stablehlo.select %{flag}, %{other.name}, %{value.name} : {t(mask)}, {t(result)}", result, max(value.bound, other.bound))


def _constant(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    array = np.asarray(m.numbers.integers(-5, 5, value.array.shape)).astype(value.array.dtype)
    m.add(f"stablehlo.constant {dense(array)}", array, 5)


def _broadcast(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim < 3 and array.size <= 60)
    if value is None:
        return
    axis = m.random.randint(0, value.array.ndim)
    dim = m.random.randint(1, 5)
    result = np.repeat(np.expand_dims(value.array, axis), dim, axis)
    dims = [i for i in range(result.ndim) if i != axis]
    m.add(f"stablehlo.broadcast_in_dim %{value.name}, dims = {dims} : ({t(value.array)}) -> {t(result)}", result, value.bound)


def _reshape(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    n = value.array.size
    divisor = m.random.choice([d for d in range(1, n + 1) if n % d == 0] or [0])
    shape = m.random.choice([(n,), (divisor, n // divisor) if divisor else (0, 3)])
    result = value.array.reshape(shape)
    m.add(f"stablehlo.reshape %{value.name} : ({t(value.array)}) -> {t(result)}", result, value.bound)


def _transpose(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 1)
    if value is None:
        return
    order = m.random.sample(range(value.array.ndim), value.array.ndim)
    result = value.array.transpose(order)
    m.add(f"stablehlo.transpose %{value.name}, dims = {order} : ({t(value.array)}) -> {t(result)}", result, value.bound)


def _reverse(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0)
    if value is None:
        return
    axes = sorted(m.random.sample(range(value.array.ndim), m.random.randint(1, value.array.ndim)))
    m.add(f"stablehlo.reverse %{value.name}, dims = {axes} : {t(value.array)}", np.flip(value.array, tuple(axes)), value.bound)


def _slice(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    parts: list[slice] = []
    for dim in value.array.shape:
        start = m.random.randint(0, dim - 1)
        parts.append(slice(start, m.random.randint(start + 1, dim), m.random.choice([1, 1, 2, 3])))
    text = ", ".join(f"{part.start}:{part.stop}:{part.step}" for part in parts)
    result = value.array[tuple(parts)]
    m.add(f"stablehlo.slice %{value.name} [{text}] : ({t(value.array)}) -> {t(result)}", result, value.bound)


def _pad(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size <= 60)
    if value is None:
        return
    rank = value.array.ndim
    low, high = ([m.random.randint(-1, 2) for _ in range(rank)] for _ in range(2))
    interior = [m.random.choice([0, 0, 1]) for _ in range(rank)]
    sizes = [a + d + max(d - 1, 0) * b + c for d, a, b, c in zip(value.array.shape, low, interior, high, strict=True)]
    if min(sizes) < 1 or np.prod(sizes) > MOST_ELEMENTS:
        return
    fill = m.numbers.integers(-3, 3, ()).astype(value.array.dtype)
    result = semantics.pad(value.array, fill, low, high, interior)
    scalar = f"f{len(m.values)}"
    m.lines.append(constant(scalar, fill))
    text = f"stablehlo.pad %{value.name}, %{scalar}, low = {low}, high = {high}, interior = {interior} : ({t(value.array)}, {t(fill)}) -> {t(result)}"
    m.add(text, result, max(value.bound, 3))


def _concatenate(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size <= MOST_ELEMENTS // 3)
    if value is None:
        return
    axis = m.random.randrange(value.array.ndim)
    dims = list(value.array.shape)
    dims[axis] = m.random.randint(1, 4)
    other = m.random.choice([value, m.input(tuple(dims), value.array.dtype)])
    result = np.concatenate([value.array, other.array], axis)
    text = f"stablehlo.concatenate %{value.name}, %{other.name}, dim = {axis} : ({t(value.array)}, {t(other.array)}) -> {t(result)}"
    m.add(text, result, max(value.bound, other.bound))


def _iota(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0)
    if value is None:
        return
    axis = m.random.randrange(value.array.ndim)
    result = (np.ones_like(value.array).cumsum(axis) - 1).astype(value.array.dtype)
    m.add(f"stablehlo.iota dim = {axis} : {t(result)}", result, max(value.array.shape))


def _dynamic_slice(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    starts = [m.input((), np.int32, -2, 6) for _ in value.array.shape]
    names = ", ".join(f"%{start.name}" for start in starts)
    types = ", ".join([t(value.array), *("tensor<i32>" for _ in starts)])
    at = [int(start.array) for start in starts]
    sizes = [m.random.randint(1, dim) for dim in value.array.shape]
    result = semantics.dynamic_slice(value.array, at, sizes)
    m.add(f"stablehlo.dynamic_slice %{value.name}, {names}, sizes = {sizes} : ({types}) -> {t(result)}", result, value.bound)


def _update(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    starts = [m.input((), np.int32, -2, 6) for _ in value.array.shape]
    update = m.input(tuple(m.random.randint(1, dim) for dim in value.array.shape), value.array.dtype)
    names = ", ".join(f"%{start.name}" for start in starts)
    types = ", ".join([t(value.array), t(update.array), *("tensor<i32>" for _ in starts)])
    result = semantics.dynamic_update_slice(value.array, update.array, [int(start.array) for start in starts])
    m.add(f"stablehlo.dynamic_update_slice %{value.name}, %{update.name}, {names} : ({types}) -> {t(result)}", result, max(value.bound, update.bound))


def _gather(m: Maker) -> None:
    """Rows along a random axis; some indices are out of range."""
    value = m.pick(lambda array: array.ndim > 0 and 0 < array.size <= 100)
    if value is None:
        return
    axis, count = m.random.randrange(value.array.ndim), m.random.randint(1, 4)
    indices = m.input((count, 1), np.int32, -2, value.array.shape[axis] + 1)
    sizes = [1 if i == axis else dim for i, dim in enumerate(value.array.shape)]
    offset = list(range(1, value.array.ndim))
    result = semantics.gather(
        value.array, indices.array, offset_dims=offset, collapsed=[axis], start_index_map=[axis], index_vector_dim=1, sizes=sizes
    )
    numbered = f"{f'offset_dims = {offset}, ' if offset else ''}collapsed_slice_dims = [{axis}], start_index_map = [{axis}], index_vector_dim = 1"
    attributes = f"dimension_numbers = #stablehlo.gather<{numbered}>, slice_sizes = array<i64: {str(sizes)[1:-1]}>"
    m.add(
        f'"stablehlo.gather"(%{value.name}, %{indices.name}) <{{{attributes}}}> : ({t(value.array)}, {t(indices.array)}) -> {t(result)}',
        result,
        value.bound,
    )


_REDUCTIONS: dict[str, tuple[Any, int, int]] = {"add": (np.add, 0, 0), "maximum": (np.maximum, -1000, -(2**21)), "minimum": (np.minimum, 1000, 2**21)}


def _reduce(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    axes = sorted(m.random.sample(range(value.array.ndim), m.random.randint(1, value.array.ndim)))
    count = int(np.prod([value.array.shape[axis] for axis in axes]))
    op = m.random.choice([op for op in _REDUCTIONS if op != "add" or value.bound * count <= LARGEST])
    function, _, start = _REDUCTIONS[op]
    result = np.asarray(function.reduce(value.array, tuple(axes), dtype=value.array.dtype))
    scalar = f"z{len(m.values)}"
    init = np.array(start, value.array.dtype)
    m.lines.append(constant(scalar, init))
    text = f"stablehlo.reduce(%{value.name} init: %{scalar}) applies stablehlo.{op} across dimensions = {axes} : ({t(value.array)}, {t(init)}) -> {t(result)}"
    m.add(text, result, value.bound * (count if op == "add" else 1))


def _window(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and 0 < array.size <= 100)
    if value is None:
        return
    rank = value.array.ndim
    dims = [m.random.randint(1, min(dim, 3)) for dim in value.array.shape]
    strides = [m.random.randint(1, 2) for _ in dims]
    low, high = ([m.random.randint(0, size - 1) for size in dims] for _ in range(2))
    op = m.random.choice([op for op in _REDUCTIONS if op != "add" or value.bound * int(np.prod(dims)) <= LARGEST])
    function, _, start = _REDUCTIONS[op]
    init = np.array(start, value.array.dtype)
    result = semantics.reduce_window(value.array, init, function, dims, strides, low=low, high=high)
    scalar = f"z{len(m.values)}"
    pairs = [list(pair) for pair in zip(low, high, strict=True)]
    attributes = f"window_dimensions = array<i64: {str(dims)[1:-1]}>, window_strides = array<i64: {str(strides)[1:-1]}>, padding = dense<{pairs}> : tensor<{rank}x2xi64>"
    m.lines.append(constant(scalar, init))
    text = f'"stablehlo.reduce_window"(%{value.name}, %{scalar}) <{{{attributes}}}> ({reducer(op, value.array.dtype)}) : ({t(value.array)}, {t(init)}) -> {t(result)}'
    m.add(text, result, value.bound * (int(np.prod(dims)) if op == "add" else 1))


def _dot(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim in (1, 2) and array.size > 0)
    if value is None or value.bound * 6 * max(value.array.shape) > LARGEST:
        return
    axis = m.random.randrange(value.array.ndim)
    other = m.input((value.array.shape[axis], m.random.randint(1, 6)), value.array.dtype)
    result = semantics.dot_general(value.array, other.array, (), (), (axis,), (0,), value.array.dtype)
    text = (
        f"stablehlo.dot_general %{value.name}, %{other.name}, contracting_dims = [{axis}] x [0] : ({t(value.array)}, {t(other.array)}) -> {t(result)}"
    )
    m.add(text, result, value.bound * 6 * value.array.shape[axis])


def _sort(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    axis = m.random.randrange(value.array.ndim)
    scalar = type_of((), value.array.dtype)
    region = f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n  %s = stablehlo.compare LT, %p, %q : ({scalar}, {scalar}) -> tensor<i1>\n  stablehlo.return %s : tensor<i1>\n}}"
    m.add(
        f'"stablehlo.sort"(%{value.name}) <{{dimension = {axis} : i64, is_stable = true}}> ({region}) : ({t(value.array)}) -> {t(value.array)}',
        np.sort(value.array, axis),
        value.bound,
    )


def _loop(m: Maker) -> None:
    """A loop of a known number of trips, which adds a value again and again."""
    value = m.pick()
    assert value is not None
    other, trips, n = m.like(value), m.random.randint(1, 4), len(m.values)
    kind = t(value.array)
    m.lines += [constant(f"n{n}", np.array(trips, np.int32)), constant(f"z{n}", np.array(0, np.int32)), constant(f"o{n}", np.array(1, np.int32))]
    m.lines.append(f"%w{n}:2 = stablehlo.while(%i = %z{n}, %x = %{value.name}) : tensor<i32>, {kind} cond {{")
    m.lines += [f"  %c = stablehlo.compare LT, %i, %n{n} : (tensor<i32>, tensor<i32>) -> tensor<i1>", "  stablehlo.return %c : tensor<i1>", "} do {"]
    m.lines += [
        f"  %y = stablehlo.add %x, %{other.name} : {kind}",
        f"  %j = stablehlo.add %i, %o{n} : tensor<i32>",
        f"  stablehlo.return %j, %y : tensor<i32>, {kind}",
        "}",
    ]
    m.add(f"stablehlo.convert %w{n}#1 : {kind}", value.array + trips * other.array, value.bound + trips * other.bound)


STEPS = (
    elementwise,
    elementwise,
    _unary,
    _convert,
    _select,
    _constant,
    _broadcast,
    _reshape,
    _transpose,
    _reverse,
    _slice,
    _pad,
    _concatenate,
    _iota,
    _dynamic_slice,
    _update,
    _gather,
    _reduce,
    _window,
    _dot,
    _sort,
    _loop,
)
