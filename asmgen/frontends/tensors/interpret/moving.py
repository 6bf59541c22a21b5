"""Ops that move elements to places that are known before the program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, Semantics, of_call
from asmgen.frontends.tensors.interpret.values import Array, rounded
from asmgen.mlir.source import DYNAMIC


def _broadcast(call: Call) -> Array:
    """Element i of the result is the element of the operand at the indices that its axes are."""
    return broadcast(call.arrays[0], call.operation.integers("broadcast_dimensions"), call.dims)


def _dynamic_broadcast(call: Call) -> Array:
    x, dims = call.arrays
    return broadcast(x, call.operation.integers("broadcast_dimensions"), dims.tolist())


def broadcast(x: Array, axes: Sequence[int], dims: Sequence[int]) -> Array:
    """An array with its axis i as axis `axes[i]` of the result."""
    places = np.indices(dims, sparse=True)
    at = [np.where(dim == 1, 0, places[axis]) for axis, dim in zip(axes, x.shape, strict=True)]
    return np.broadcast_to(x[tuple(at)], dims)


def padded(x: Array, value: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    """Element i of an axis goes to low + i * (interior + 1)."""
    places: list[Array] = [
        at + np.arange(dim) * (step + 1) for at, dim, step in zip(low, x.shape, interior, strict=True)
    ]
    dims = [
        at + dim + max(dim - 1, 0) * step + end
        for at, dim, step, end in zip(low, x.shape, interior, high, strict=True)
    ]
    result = np.full(dims, value, x.dtype)
    kept: list[Array] = [(place >= 0) & (place < dim) for place, dim in zip(places, dims, strict=True)]
    if x.ndim == 0:
        return x
    result[np.ix_(*[place[keep] for place, keep in zip(places, kept, strict=True)])] = x[np.ix_(*kept)]
    return result


def _pad(call: Call) -> Array:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = [call.operation.integers(name) for name in names]
    return padded(call.arrays[0], call.arrays[1], low, high, interior)


def _dynamic_pad(call: Call) -> Array:
    x, value, *pads = call.arrays
    low, high, interior = [each.tolist() for each in pads]
    return padded(x, value, low, high, interior)


def _slice(call: Call) -> Array:
    names = ("start_indices", "limit_indices", "strides")
    return _cut(call.arrays[0], *[call.operation.integers(name) for name in names])


def _real_slice(call: Call) -> Array:
    x, starts, ends, steps = call.arrays
    return _cut(x, starts.tolist(), ends.tolist(), steps.tolist())


def _cut(x: Array, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int]) -> Array:
    return x[tuple([slice(*each) for each in zip(starts, ends, steps, strict=True)])]


def _reshape(call: Call) -> Array:
    """A single dynamic dim follows from the others."""
    if call.stated.count(None) > 1:
        return call.arrays[0].reshape(call.dims)
    return call.arrays[0].reshape([-1 if dim is None else dim for dim in call.stated])


def _dynamic_reshape(call: Call) -> Array:
    return call.arrays[0].reshape(call.arrays[1].tolist())


def _iota(call: Call) -> Array:
    dims = call.arrays[0].tolist() if call.arrays else call.dims
    return rounded(np.indices(dims)[call.operation.integer("iota_dimension")], call.element)


def _linalg_broadcast(call: Call) -> Array:
    x, first = call.arrays
    added = call.operation.integers("dimensions")
    return broadcast(x, [axis for axis in range(first.ndim) if axis not in added], first.shape)


def _offsets(call: Call, first: int) -> list[int]:
    operands = iter(call.arrays[first:])
    return [int(next(operands)) if at == DYNAMIC else at for at in call.operation.integers("static_offsets")]


def _places(call: Call, first: int) -> tuple[slice, ...]:
    sizes, strides = [call.operation.integers(name) for name in ("static_sizes", "static_strides")]
    spans = zip(_offsets(call, first), sizes, strides, strict=True)
    return tuple([slice(at, at + size * stride, stride) for at, size, stride in spans])


def _extract_slice(call: Call) -> Array:
    return call.arrays[0][_places(call, 1)].reshape(call.dims)


def _insert_slice(call: Call) -> Array:
    part, whole = call.arrays[:2]
    result = whole.copy()
    places = _places(call, 2)
    result[places] = part.reshape(result[places].shape)
    return result


def _tensor_pad(call: Call) -> Array:
    low, high = [call.operation.integers(name) for name in ("static_low", "static_high")]
    (value,) = call.body([np.array(0)] * call.arrays[0].ndim)
    return padded(call.arrays[0], value, low, high, [0] * len(low))


def _generate(call: Call) -> Array:
    dims = call.filled(call.arrays)
    (made,) = call.body(list(np.indices(dims)))
    return np.broadcast_to(made, dims)


def _empty(call: Call) -> Array:
    return rounded(np.zeros(call.filled(call.arrays)), call.element)


def _tensor_gather(call: Call) -> Array:
    x, starts = call.arrays
    axes = call.operation.integers("gather_dims")
    parts: list[Array] = []
    for place in product(*map(range, starts.shape[:-1])):
        at: list[slice | int] = [slice(None)] * x.ndim
        for axis, index in zip(axes, starts[place], strict=True):
            at[axis] = int(np.clip(index, 0, x.shape[axis] - 1))
        parts.append(x[tuple(at)])
    return np.array(parts, x.dtype).reshape(call.dims)


def _pack(call: Call) -> Array:
    """An element is at its tile's number times the tile's elements, plus its own number in the tile. Elements
    beyond the operand are the padding value."""
    x, _, *rest = call.arrays
    places, axes = np.indices(call.dims), call.operation.integers("inner_dims_pos")
    outer = call.operation.integers("outer_dims_perm") or tuple(range(x.ndim))
    at: list[Array] = [places[outer.index(axis)] for axis in range(x.ndim)]
    for number, axis in enumerate(axes):
        at[axis] = at[axis] * call.dims[x.ndim + number] + places[x.ndim + number]
    kept = np.all([place < dim for place, dim in zip(at, x.shape, strict=True)], axis=0)
    near = [np.minimum(place, dim - 1) for place, dim in zip(at, x.shape, strict=True)]
    return np.where(kept, x[tuple(near)], rest[0] if rest else 0).astype(x.dtype)


def _unpack(call: Call) -> Array:
    """An element is in the tile of its place divided by the tile's elements."""
    x, rank = call.arrays[0], len(call.dims)
    at: list[Array] = list(np.indices(call.dims))
    inner: list[Array] = []
    for number, axis in enumerate(call.operation.integers("inner_dims_pos")):
        at[axis], own = np.divmod(at[axis], x.shape[rank + number])
        inner.append(own)
    outer = call.operation.integers("outer_dims_perm") or range(rank)
    return x[(*[at[axis] for axis in outer], *inner)]


def _extract(call: Call) -> Array:
    x, *indices = call.arrays
    places = [np.clip(each, 0, dim - 1) for each, dim in zip(indices, x.shape, strict=True)]
    return np.asarray(x[tuple(places)])


def _insert(call: Call) -> Array:
    number, x, *indices = call.arrays
    result = x.copy()
    result[tuple([int(each) for each in indices])] = number
    return result


def _concat(attribute: str) -> Callable[[Call], Array]:
    return lambda call: np.concatenate(call.arrays, call.operation.integer(attribute))


def _size(call: Call) -> Array:
    axis = call.operation.integer("dimension") if len(call.arrays) == 1 else int(call.arrays[1])
    return rounded(call.arrays[0].shape[axis], call.element)


def _shape_of(call: Call) -> Array:
    return np.asarray(call.arrays[0].shape, np.int64)


_MOVES: dict[str, Callable[[Call], Array]] = {
    "stablehlo.broadcast_in_dim": _broadcast, "stablehlo.concatenate": _concat("dimension"),
    "stablehlo.dynamic_broadcast_in_dim": _dynamic_broadcast, "stablehlo.dynamic_iota": _iota,
    "stablehlo.dynamic_pad": _dynamic_pad, "stablehlo.dynamic_reshape": _dynamic_reshape,
    "stablehlo.get_dimension_size": _size, "stablehlo.iota": _iota, "stablehlo.pad": _pad,
    "stablehlo.real_dynamic_slice": _real_slice, "stablehlo.reshape": _reshape,
    "stablehlo.reverse": lambda call: np.flip(call.arrays[0], call.operation.integers("dimensions")),
    "stablehlo.slice": _slice,
    "stablehlo.transpose": lambda call: call.arrays[0].transpose(call.operation.integers("permutation")),
    "shape.shape_of": _shape_of,
    "linalg.broadcast": _linalg_broadcast,
    "linalg.copy": lambda call: rounded(call.arrays[0], call.element),
    "linalg.fill": lambda call: np.broadcast_to(call.arrays[0], call.arrays[1].shape),
    "linalg.pack": _pack, "linalg.unpack": _unpack,
    "linalg.transpose": lambda call: call.arrays[0].transpose(call.operation.integers("permutation")),
    "tensor.cast": lambda call: call.arrays[0], "tensor.collapse_shape": _reshape,
    "tensor.concat": _concat("dim"),
    "tensor.dim": _size, "tensor.empty": _empty,
    "tensor.expand_shape": _reshape, "tensor.extract": _extract, "tensor.extract_slice": _extract_slice,
    "tensor.from_elements": lambda call: np.array(call.arrays).reshape(call.dims),
    "tensor.gather": _tensor_gather,
    "tensor.generate": _generate, "tensor.insert": _insert, "tensor.insert_slice": _insert_slice,
    "tensor.pad": _tensor_pad, "tensor.rank": lambda call: rounded(call.arrays[0].ndim, call.element),
    "tensor.reshape": _reshape,
    "tensor.splat": lambda call: np.broadcast_to(call.arrays[0], call.filled(call.arrays[1:])),
    "bufferization.alloc_tensor": _empty,
    "bufferization.materialize_in_destination": lambda call: call.arrays[0],
}  # fmt: skip


SEMANTICS: dict[str, Semantics] = {name: of_call(function) for name, function in _MOVES.items()}
