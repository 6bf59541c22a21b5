"""Ops with indices that are operands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, Semantics, Unknown
from asmgen.frontends.tensors.interpret.values import Array, Value

_MOST = 1 << 17  # elements that a loop of Python visits


def _starts(x: Array, starts: Sequence[Array], sizes: Sequence[int]) -> list[int]:
    return [min(max(int(at), 0), dim - size) for at, dim, size in zip(starts, x.shape, sizes, strict=True)]


def _dynamic_slice(call: Call) -> list[Value]:
    x, *starts = call.arrays
    sizes = call.operation.integers("slice_sizes")
    places = zip(_starts(x, starts, sizes), sizes, strict=True)
    return [x[tuple([slice(at, at + size) for at, size in places])]]


def _dynamic_update_slice(call: Call) -> list[Value]:
    x, update, *starts = call.arrays
    result = x.copy()
    places = zip(_starts(x, starts, update.shape), update.shape, strict=True)
    result[tuple([slice(at, at + size) for at, size in places])] = update
    return [result]


def _vector(starts: Array, batch: Sequence[int], axis: int) -> list[int]:
    """The index vector of a batch index."""
    if axis == starts.ndim:
        return [int(starts[tuple(batch)])]
    return starts[(*batch[:axis], slice(None), *batch[axis:])].tolist()


def _gather(call: Call) -> list[Value]:
    """Each element of the result, as the specification computes its place."""
    return _gathered(call, call.operation.integers("slice_sizes"))


def _dynamic_gather(call: Call) -> list[Value]:
    return _gathered(call, call.arrays[2].tolist())


def _gathered(call: Call, sizes: Sequence[int]) -> list[Value]:
    x, starts = call.arrays[:2]
    text = "dimension_numbers"
    offset, collapsed = call.axes(text, "offset_dims"), call.axes(text, "collapsed_slice_dims")
    batching, of = call.axes(text, "operand_batching_dims"), call.axes(text, "start_indices_batching_dims")
    start_map, vector = call.axes(text, "start_index_map"), call.axis(text, "index_vector_dim")
    kept = [axis for axis in range(x.ndim) if axis not in collapsed and axis not in batching]
    dims = [dim for axis, dim in enumerate(starts.shape) if axis != vector]
    for at, axis in sorted(zip(offset, kept, strict=True)):
        dims.insert(at, sizes[axis])
    if np.prod(dims) > _MOST:
        raise Unknown(call.operation)
    result = np.empty(dims, x.dtype)
    for place in product(*map(range, dims)):
        batch = [at for axis, at in enumerate(place) if axis not in offset]
        full = [0] * x.ndim
        for axis, index in zip(start_map, _vector(starts, batch, vector), strict=True):
            full[axis] = min(max(index, 0), x.shape[axis] - sizes[axis])
        for axis, its in zip(batching, of, strict=True):
            full[axis] = batch[its - (its > vector)]
        for axis, at in zip(kept, offset, strict=True):
            full[axis] += place[at]
        result[place] = x[tuple(full)]
    return [result]


def _scatter(call: Call) -> list[Value]:
    count = len(call.arrays) // 2
    operands, indices, changes = call.arrays[:count], call.arrays[count], call.arrays[count + 1 :]
    x, updates = operands[0], changes[0]
    if updates.size > _MOST:
        raise Unknown(call.operation)
    text = "scatter_dimension_numbers"
    window, inserted = call.axes(text, "update_window_dims"), call.axes(text, "inserted_window_dims")
    batching, of = call.axes(text, "input_batching_dims"), call.axes(text, "scatter_indices_batching_dims")
    to, vector = call.axes(text, "scatter_dims_to_operand_dims"), call.axis(text, "index_vector_dim")
    kept = [axis for axis in range(x.ndim) if axis not in inserted and axis not in batching]
    results = [each.copy() for each in operands]
    for place in product(*map(range, updates.shape)):
        batch = [at for axis, at in enumerate(place) if axis not in window]
        start = [0] * x.ndim
        for axis, index in zip(to, _vector(indices, batch, vector), strict=True):
            start[axis] = index
        for axis, its in zip(batching, of, strict=True):
            start[axis] = batch[its - (its > vector)]
        spans = dict.fromkeys(range(x.ndim), 1) | {
            axis: updates.shape[at] for axis, at in zip(kept, window, strict=True)
        }
        if any(not 0 <= start[axis] <= x.shape[axis] - spans[axis] for axis in range(x.ndim)):
            continue
        for axis, at in zip(kept, window, strict=True):
            start[axis] += place[at]
        given = [*[each[tuple(start)] for each in results], *[each[place] for each in changes]]
        made = call.body([np.asarray(each) for each in given])
        for result, number in zip(results, made, strict=True):
            result[tuple(start)] = number
    return list(results)


def _index_select(call: Call) -> list[Value]:
    x, index = call.arrays
    axis = call.operation.integer("dim")
    return [np.take(x, np.clip(index, 0, x.shape[axis] - 1), axis)]


SEMANTICS: dict[str, Semantics] = {
    "stablehlo.dynamic_slice": _dynamic_slice, "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.dynamic_gather": _dynamic_gather, "stablehlo.gather": _gather, "stablehlo.scatter": _scatter,
    "stablehlo.torch_index_select": _index_select,
}  # fmt: skip
