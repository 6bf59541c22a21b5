"""StableHLO's dynamic slices: blocks of an array at places that are known when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.shapes import in_dims, sliced
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.index.size import numbers
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import I32, I64

Rule = Callable[[OpCall], Results]


def as_index(x: Array, low: int, high: int) -> Array:
    """Integers of any type as i32 or i64, clamped to a range of them."""
    least, most = integer_range(x.type.element)
    if low > least:
        x = computed("maximum", x, like(low, x))
    if high < most:
        x = computed("minimum", x, like(high, x))
    return x if x.type.element in (I32, I64) else apply("convert", x, target_type="i32")


def _dynamic_slice(call: OpCall) -> Results:
    x, *starts = call.arrays
    return slice_at(call, x, starts, call.operation.integers("slice_sizes"))


def slice_at(call: OpCall, x: Array, starts: Sequence[Array], sizes: Sequence[int]) -> Array:
    """`sizes` elements from clamped places that are numbers of rank 0."""
    for axis, (start, size, dim) in enumerate(zip(starts, sizes, numbers(x.type.dims), strict=True)):
        if size == dim:
            continue
        known = call.number(start)
        if known is not None:
            first = min(max(int(known), 0), dim - size)
            whole = numbers(x.type.dims)
            begins, ends = [0] * len(whole), list(whole)
            begins[axis], ends[axis] = first, first + size
            x = sliced(x, begins, ends)
            continue
        place = as_index(start, 0, dim - size)
        steps = apply("convert", iota(call.tracer, 0, (size,)), target_type=place.type.element.name)
        x = apply("gather", x, apply("add", steps, place), axis=axis)
    return x


def _dynamic_update_slice(call: OpCall) -> Results:
    x, update, *starts = call.arrays
    return updated_from(call, x, update, starts)


def updated_from(call: OpCall, x: Array, update: Array, starts: Sequence[Array]) -> Array:
    """An array with a block at a clamped place of numbers of rank 0."""
    dims, sizes = numbers(x.type.dims), numbers(update.type.dims)
    if 0 in sizes:
        return x
    moved = [axis for axis, (size, dim) in enumerate(zip(sizes, dims, strict=True)) if size != dim]
    known = call.number(starts[moved[0]]) if len(moved) == 1 else None
    if known is not None:
        return _between(x, update, moved[0], int(known))
    masks: list[Array] = []
    for axis in moved:
        start, size, dim = starts[axis], sizes[axis], dims[axis]
        place = as_index(start, 0, dim - size)
        steps = apply("convert", iota(call.tracer, 0, (dim,)), target_type=place.type.element.name)
        if size == 1:
            inside = apply("equal", steps, place)
        else:
            offset = apply("sub", steps, place)
            inside = apply("logical_and", offset >= 0, offset < size)
            update = apply("gather", update, as_index(offset, 0, size - 1), axis=axis)
        masks.append(in_dims(inside, (axis,), tuple([dim if at == axis else 1 for at in range(len(dims))])))
    if not masks:
        return update
    return apply("where", reduce(lambda a, b: apply("logical_and", a, b), masks), update, x)


def _between(x: Array, update: Array, axis: int, start: int) -> Array:
    """An array with a block from a known place along an axis on; the place is clamped."""
    dims, size = numbers(x.type.dims), numbers(update.type.dims)[axis]
    first = min(max(start, 0), dims[axis] - size)
    parts = [update]
    if first:
        parts.insert(
            0, sliced(x, [0] * len(dims), [first if at == axis else dim for at, dim in enumerate(dims)])
        )
    if first + size < dims[axis]:
        begins = [first + size if at == axis else 0 for at in range(len(dims))]
        parts.append(sliced(x, begins, dims))
    return apply("concat", *parts, axis=axis)


RULES: dict[str, Rule] = {
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
}
