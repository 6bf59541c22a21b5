"""Elements that a body of linalg takes by computed indices, as gathers of the graph along an axis.

%e = tensor.extract %table[%i, %j]      j counts along the last loop: rows of the table by i
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.stablehlo.indexing import of_gather
from asmgen.frontends.tensors.stablehlo.shapes import permuted
from asmgen.frontends.traced.array import Array, apply
from asmgen.index.size import numbers


def along_an_axis(call: OpCall, x: Array, indices: Sequence[Array]) -> Array | None:
    """The elements by an index array along a single axis of x, if the indices along the other axes are those
    of loops over the whole axis; None for any other indices."""
    dims, rank = numbers(x.type.dims), indices[0].type.rank
    if any(index.type.rank != rank for index in indices):
        return None
    loops = [_loop(call, index, dim) for index, dim in zip(indices, dims, strict=True)]
    chosen = [axis for axis, loop in enumerate(loops) if loop is None]
    counted = [loop for loop in loops if loop is not None]
    if len(chosen) != 1 or len(set(counted)) != len(counted):
        return None
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


def _loop(call: OpCall, index: Array, size: int) -> int | None:
    """The loop that an index counts along, over a whole axis; None if it is any other index."""
    loop = call.counted_axis(index)
    dims = numbers(index.type.dims)
    is_alone = loop is not None and all(dim == 1 for at, dim in enumerate(dims) if at != loop)
    return loop if loop is not None and is_alone and dims[loop] == size else None
