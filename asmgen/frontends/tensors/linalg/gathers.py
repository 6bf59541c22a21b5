"""Elements that a body of linalg takes by computed indices, as gathers of the graph along an axis.

%e = tensor.extract %table[%i, %j]      j counts along the last loop: rows of the table by i
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.stablehlo.indexing import of_gather
from asmgen.frontends.tensors.stablehlo.known_places import at_places
from asmgen.frontends.tensors.stablehlo.shapes import permuted
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota
from asmgen.index.size import numbers


def along_axes(call: OpCall, x: Array, indices: Sequence[Array]) -> Array | None:
    """The elements by an index array for each axis of x, if at most one of them is more than the counter of a
    loop over the whole axis or places that are known; None for any other indices."""
    x, indices = _without_numbers(call, x, indices)
    if not indices or any(index.type.rank != indices[0].type.rank for index in indices):
        return None
    x, indices = _with_counters(call, x, indices)
    dims, rank = numbers(x.type.dims), indices[0].type.rank
    loops = [_loop(call, index, dim) for index, dim in zip(indices, dims, strict=True)]
    chosen = [axis for axis, loop in enumerate(loops) if loop is None]
    counted = [loop for loop in loops if loop is not None]
    if len(chosen) > 1 or len(set(counted)) != len(counted):
        return None
    if not chosen:
        missing = tuple([loop for loop in range(rank) if loop not in counted])
        taken = permuted(x, sorted(range(len(counted)), key=lambda axis: counted[axis]))
        return apply("unsqueeze", taken, axes=missing) if missing else taken
    (axis,) = chosen
    index, of_index = indices[axis], numbers(indices[axis].type.dims)
    if all(of_index[loop] == 1 for loop in counted):
        rest = [loop for loop in range(rank) if loop not in counted]
        if counted:
            index = apply("squeeze", index, axes=tuple(sorted(counted)))
        taken = apply("gather", x, of_gather(call, index, dims[axis]), axis=axis)
        order = [loop for loop in loops[:axis] if loop is not None] + rest
        order += [loop for loop in loops[axis + 1 :] if loop is not None]
        return permuted(taken, [order.index(loop) for loop in range(rank)])
    if rank == len(dims) and all(loop in (None, at) for at, loop in enumerate(loops)):
        return apply("take_along_axis", x, of_gather(call, index, dims[axis]), axis=axis)
    return None


def _without_numbers(call: OpCall, x: Array, indices: Sequence[Array]) -> tuple[Array, list[Array]]:
    """x without the axes along which the index is a number."""
    left: list[Array] = []
    for index in indices:
        axis, known = len(left), call.number(index)
        if known is None:
            left.append(index)
            continue
        place = min(max(int(known), 0), numbers(x.type.dims)[axis] - 1)
        x = apply("squeeze", at_places(x, axis, [place]), axes=(axis,))
    return x, left


def _with_counters(call: OpCall, x: Array, indices: Sequence[Array]) -> tuple[Array, list[Array]]:
    """The elements of x at the places along a loop that are known, with the counter of the loop as the index;
    other indices stay."""
    changed: list[Array] = []
    for axis, index in enumerate(indices):
        known, size = call.computed(index), numbers(x.type.dims)[axis]
        if known is None or known.size != max(known.shape) or _loop(call, index, size) is not None:
            changed.append(index)
            continue
        taken = at_places(x, axis, np.clip(known.ravel(), 0, size - 1).tolist())
        if taken is None:
            changed.append(index)
            continue
        x = taken
        changed.append(iota(call.tracer, int(np.argmax(known.shape)), known.shape))
    return x, changed


def _loop(call: OpCall, index: Array, size: int) -> int | None:
    """The loop that an index counts along, over a whole axis; None if it is any other index."""
    loop = call.counted_axis(index)
    dims = numbers(index.type.dims)
    is_alone = loop is not None and all(dim == 1 for at, dim in enumerate(dims) if at != loop)
    return loop if loop is not None and is_alone and dims[loop] == size else None
