"""StableHLO's ops that move and combine elements, as its specification defines them, in loops over numpy arrays.

They are written from the specification alone, element by element, and share nothing with asmgen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from tests.tensors.case import Array

Ints = Sequence[int]
Combine = Callable[[Any, Any], Any]


def _places(dims: Ints) -> Any:
    return product(*map(range, dims))


def pad(x: Array, value: Any, low: Ints, high: Ints, interior: Ints) -> Array:
    """Element i of an axis goes to low + i * (interior + 1), if the result has that place."""
    dims = [a + (max(d - 1, 0) * b + d) + c for d, a, b, c in zip(x.shape, low, interior, high, strict=True)]
    result = np.full(dims, value, x.dtype)
    for place in _places(x.shape):
        to = tuple(a + i * (b + 1) for i, a, b in zip(place, low, interior, strict=True))
        if all(0 <= i < dim for i, dim in zip(to, dims, strict=True)):
            result[to] = x[place]
    return result


def gather(
    x: Array, starts: Array, *, offset_dims: Ints, collapsed: Ints, start_index_map: Ints, index_vector_dim: int, sizes: Ints,
    batching: Ints = (), starts_batching: Ints = (),
) -> Array:  # fmt: skip
    batch_shape = [dim for axis, dim in enumerate(starts.shape) if axis != index_vector_dim]
    offset_shape = [size for axis, size in enumerate(sizes) if axis not in collapsed and axis not in batching]
    rank = len(batch_shape) + len(offset_shape)
    batch_dims = [axis for axis in range(rank) if axis not in offset_dims]
    shape = [0] * rank
    for axis, dim in zip(batch_dims, batch_shape, strict=True):
        shape[axis] = dim
    for axis, dim in zip(offset_dims, offset_shape, strict=True):
        shape[axis] = dim
    result = np.empty(shape, x.dtype)
    kept = [axis for axis in range(x.ndim) if axis not in collapsed and axis not in batching]
    for place in _places(shape):
        batch = [place[axis] for axis in batch_dims]
        full = [0] * x.ndim
        for number, axis in enumerate(start_index_map):
            start = int(starts[_index_place(batch, number, index_vector_dim, starts.ndim)])
            full[axis] = min(max(start, 0), x.shape[axis] - sizes[axis])
        for axis, of in zip(batching, starts_batching, strict=True):
            full[axis] = batch[of - (of > index_vector_dim)]
        for axis, of in zip(kept, offset_dims, strict=True):
            full[axis] += place[of]
        result[place] = x[tuple(full)]
    return result


def _index_place(batch: Ints, number: int, index_vector_dim: int, rank: int) -> tuple[int, ...]:
    if index_vector_dim == rank:
        return tuple(batch)
    return (*batch[:index_vector_dim], number, *batch[index_vector_dim:])


def scatter(
    x: Array, indices: Array, updates: Array, combine: Combine, *, update_window_dims: Ints, inserted: Ints, to_operand: Ints,
    index_vector_dim: int, batching: Ints = (), indices_batching: Ints = (),
) -> Array:  # fmt: skip
    """Updates that leave the operand are skipped."""
    result = x.copy()
    scatter_dims = [axis for axis in range(updates.ndim) if axis not in update_window_dims]
    kept = [axis for axis in range(x.ndim) if axis not in inserted and axis not in batching]
    for place in _places(updates.shape):
        batch = [place[axis] for axis in scatter_dims]
        full = [0] * x.ndim
        for number, axis in enumerate(to_operand):
            full[axis] = int(indices[_index_place(batch, number, index_vector_dim, indices.ndim)])
        for axis, of in zip(batching, indices_batching, strict=True):
            full[axis] = batch[of - (of > index_vector_dim)]
        for axis, of in zip(kept, update_window_dims, strict=True):
            full[axis] += place[of]
        to = tuple(full)
        if all(0 <= i < dim for i, dim in zip(to, x.shape, strict=True)):
            result[to] = combine(result[to], updates[place])
    return result


def reduce_window(
    x: Array, start: Any, combine: Combine, dims: Ints, strides: Ints, *, base: Ints = (), dilations: Ints = (), low: Ints = (), high: Ints = (),
) -> Array:  # fmt: skip
    rank = x.ndim
    base, dilations, low, high = base or (1,) * rank, dilations or (1,) * rank, low or (0,) * rank, high or (0,) * rank
    padded = pad(x, start, low, high, [b - 1 for b in base])
    shape = [
        0 if size < (dim - 1) * d + 1 else (size - ((dim - 1) * d + 1)) // stride + 1
        for size, dim, stride, d in zip(padded.shape, dims, strides, dilations, strict=True)
    ]
    result = np.full(shape, start, x.dtype)
    for place in _places(shape):
        for inner in _places(dims):
            of = tuple(p * s + i * d for p, s, i, d in zip(place, strides, inner, dilations, strict=True))
            result[place] = combine(result[place], padded[of])
    return result


def select_and_scatter(
    x: Array, source: Array, start: Any, select: Combine, combine: Combine, dims: Ints, strides: Ints, low: Ints = (), high: Ints = ()
) -> Array:
    """Each element of the source is added to the element that its window selects. Padding is never selected."""
    low, high = low or (0,) * x.ndim, high or (0,) * x.ndim
    result = np.full(x.shape, start, x.dtype)
    for place in _places(source.shape):
        best: tuple[int, ...] | None = None
        for inner in _places(dims):
            of = tuple(p * s + i - a for p, s, i, a in zip(place, strides, inner, low, strict=True))
            if all(0 <= i < dim for i, dim in zip(of, x.shape, strict=True)) and (best is None or not select(x[best], x[of])):
                best = of
        if best is not None:
            result[best] = combine(result[best], source[place])
    return result


def dot_general(a: Array, b: Array, lhs_batch: Ints, rhs_batch: Ints, lhs_contract: Ints, rhs_contract: Ints, dtype: Any) -> Array:
    """Sums in int64 or float64, then the result's type."""
    wide: Any = np.float64 if np.issubdtype(np.dtype(dtype), np.inexact) or np.dtype(dtype).kind == "V" else np.int64
    names = iter(range(a.ndim + b.ndim))
    of_a = [next(names) for _ in range(a.ndim)]
    of_b = [-1] * b.ndim
    for i, j in zip((*lhs_batch, *lhs_contract), (*rhs_batch, *rhs_contract), strict=True):
        of_b[j] = of_a[i]
    of_b = [next(names) if axis < 0 else axis for axis in of_b]
    free_a = [axis for i, axis in enumerate(of_a) if i not in (*lhs_batch, *lhs_contract)]
    free_b = [axis for i, axis in enumerate(of_b) if i not in (*rhs_batch, *rhs_contract)]
    wanted = [*(of_a[i] for i in lhs_batch), *free_a, *free_b]
    return np.einsum(a.astype(wide), of_a, b.astype(wide), of_b, wanted).astype(dtype)


def dynamic_slice(x: Array, starts: Ints, sizes: Ints) -> Array:
    """Starts are clamped, so that the slice is within the operand."""
    at = [min(max(start, 0), dim - size) for start, dim, size in zip(starts, x.shape, sizes, strict=True)]
    return x[tuple(slice(a, a + size) for a, size in zip(at, sizes, strict=True))].copy()


def dynamic_update_slice(x: Array, update: Array, starts: Ints) -> Array:
    at = [min(max(start, 0), dim - size) for start, dim, size in zip(starts, x.shape, update.shape, strict=True)]
    result = x.copy()
    result[tuple(slice(a, a + size) for a, size in zip(at, update.shape, strict=True))] = update
    return result


def convolution(
    x: Array, w: Array, *, strides: Ints, low: Ints, high: Ints, lhs_dilation: Ints, rhs_dilation: Ints, groups: int = 1, batch_groups: int = 1
) -> Array:
    """x [n, c, ...], w [out, c / groups, ...], the result [n / batch_groups, out, ...]; no reversal."""
    spatial = x.ndim - 2
    x = pad(x, 0, (0, 0, *low), (0, 0, *high), (0, 0, *[d - 1 for d in lhs_dilation]))
    sizes = w.shape[2:]
    out = [
        (dim - ((k - 1) * d + 1)) // s + 1 for dim, k, d, s in zip(x.shape[2:], sizes, rhs_dilation, strides, strict=True)
    ]  # fmt: skip
    batch, outs, ins = x.shape[0] // batch_groups, w.shape[0], w.shape[1]
    result = np.zeros((batch, outs, *out), np.float64)
    for n, o, *place in _places((batch, outs, *out)):
        group = o // (outs // groups)
        row = n + batch * (o // (outs // batch_groups)) if batch_groups > 1 else n
        for c, *inner in _places((ins, *sizes)):
            at = [place[i] * strides[i] + inner[i] * rhs_dilation[i] for i in range(spatial)]
            result[n, o, *place] += float(x[row, group * ins + c, *at]) * float(w[o, c, *inner])
    return result.astype(x.dtype)
