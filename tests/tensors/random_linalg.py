"""Random steps of linalg and tensor: each appends ops with small results to a module."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import Array, t
from tests.tensors.maker import LARGEST, Maker


def _empty(m: Maker, shape: Array) -> str:
    name = f"e{len(m.values)}"
    m.lines.append(f"%{name} = tensor.empty() : {t(shape)}")
    return name


def _filled(m: Maker, shape: Array, start: int) -> str:
    empty, name = _empty(m, shape), f"f{len(m.values)}"
    element = "f32" if shape.dtype == np.float32 else "i32"
    m.lines.append(f"%k{name} = arith.constant {f'{start}.0' if element == 'f32' else start} : {element}")
    m.lines.append(f"%{name} = linalg.fill ins(%k{name} : {element}) outs(%{empty} : {t(shape)}) -> {t(shape)}")
    return name


def _elementwise(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    other = m.like(value)
    bounds = {"add": value.bound + other.bound, "sub": value.bound + other.bound, "mul": value.bound * other.bound}
    functions: dict[str, Any] = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "max_signed": np.maximum, "min_signed": np.minimum}
    op = m.random.choice([op for op in functions if bounds.get(op, 0) <= LARGEST])
    result = functions[op](value.array, other.array)
    out = _empty(m, result)
    text = f"linalg.elementwise <{op}> ins(%{value.name}, %{other.name} : {t(result)}, {t(result)}) outs(%{out} : {t(result)}) -> {t(result)}"
    m.add(text, result, bounds.get(op, max(value.bound, other.bound)))


def _transpose(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 1)
    if value is None:
        return
    order = m.random.sample(range(value.array.ndim), value.array.ndim)
    result = value.array.transpose(order)
    out = _empty(m, result)
    m.add(f"linalg.transpose ins(%{value.name} : {t(value.array)}) outs(%{out} : {t(result)}) permutation = {order}", result, value.bound)


def _reduce(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    axes = sorted(m.random.sample(range(value.array.ndim), m.random.randint(1, value.array.ndim)))
    count = int(np.prod([value.array.shape[axis] for axis in axes]))
    if value.bound * count > LARGEST:
        return
    start = m.random.randint(-3, 3)
    result = np.asarray(value.array.sum(tuple(axes), dtype=value.array.dtype) + np.array(start, value.array.dtype))
    op = "arith.addf" if value.array.dtype == np.float32 else "arith.addi"
    out = _filled(m, result, start)
    m.add(
        f"linalg.reduce {{ {op} }} ins(%{value.name} : {t(value.array)}) outs(%{out} : {t(result)}) dimensions = {axes}",
        result,
        value.bound * count + 3,
    )


def _matmul(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim == 2 and array.size > 0)
    if value is None or value.bound * 6 * value.array.shape[1] > LARGEST:
        return
    other = m.input((value.array.shape[1], m.random.randint(1, 6)), value.array.dtype)
    result = semantics.dot_general(value.array, other.array, (), (), (1,), (0,), value.array.dtype)
    out = _filled(m, result, 0)
    text = f"linalg.matmul ins(%{value.name}, %{other.name} : {t(value.array)}, {t(other.array)}) outs(%{out} : {t(result)}) -> {t(result)}"
    m.add(text, result, value.bound * 6 * value.array.shape[1])


def _generic(m: Maker) -> None:
    """A transposed or broadcast operand next to another, and a result in another order."""
    value = m.pick(lambda array: array.ndim == 2)
    if value is None:
        return
    column = m.input((value.array.shape[0],), value.array.dtype)
    wide = value.array * column.array[:, None] - value.array
    bound = value.bound * (column.bound + 1)
    if bound > LARGEST:
        return
    swapped = m.random.random() < 0.5
    result = wide.T if swapped else wide
    out = _empty(m, result)
    kind, suffix = ("f32", "f") if value.array.dtype == np.float32 else ("i32", "i")
    target = "(j, i)" if swapped else "(i, j)"
    maps = f"[affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> {target}>]"
    text = f'linalg.generic {{indexing_maps = {maps}, iterator_types = ["parallel", "parallel"]}} ins(%{value.name}, %{column.name} : {t(value.array)}, {t(column.array)}) outs(%{out} : {t(result)}) {{\n'
    text += f"^bb0(%p: {kind}, %q: {kind}, %o: {kind}):\n  %s = arith.mul{suffix} %p, %q : {kind}\n  %u = arith.sub{suffix} %s, %p : {kind}\n  linalg.yield %u : {kind}\n}} -> {t(result)}"
    m.add(text, result, bound)


def _extract(m: Maker) -> None:
    value = m.pick(lambda array: array.ndim > 0 and array.size > 0)
    if value is None:
        return
    at = [m.random.randrange(dim) for dim in value.array.shape]
    steps = [m.random.choice([1, 1, 2]) for _ in at]
    sizes = [m.random.randint(1, (dim - start - 1) // step + 1) for dim, start, step in zip(value.array.shape, at, steps, strict=True)]
    result = value.array[tuple(slice(a, a + (n - 1) * s + 1, s) for a, n, s in zip(at, sizes, steps, strict=True))]
    m.add(f"tensor.extract_slice %{value.name}{at} {sizes} {steps} : {t(value.array)} to {t(result)}", result, value.bound)


def _arith(m: Maker) -> None:
    value = m.pick()
    assert value is not None
    other = m.like(value)
    suffix = "f" if value.array.dtype == np.float32 else "i"
    result = value.array - other.array
    m.add(f"arith.sub{suffix} %{value.name}, %{other.name} : {t(result)}", result, value.bound + other.bound)


STEPS = (
    _elementwise,
    _elementwise,
    _transpose,
    _reduce,
    _matmul,
    _generic,
    _extract,
    _arith,
)
