"""StableHLO's dynamic slices: blocks of an array at places that are known when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.tensors.stablehlo.shapes import in_dims, sliced
from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.index.size import Dim, Size, at_least, at_most
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import I32, I64

Rule = Callable[[OpCall], Results]


def as_index(x: Array, low: int, high: Dim) -> Array:
    """Integers of any type as i32 or i64, clamped to a range of them."""
    if isinstance(high, Size):
        x = as_index(x, low, integer_range(I32)[1])
        return computed("minimum", x, number_of(high, x.type.element, x.tracer))
    least, most = integer_range(x.type.element)
    if low > least:
        x = computed("maximum", x, like(low, x))
    if high < most:
        x = computed("minimum", x, like(high, x))
    return x if x.type.element in (I32, I64) else apply("convert", x, target_type="i32")


def _dynamic_slice(call: OpCall) -> Results:
    return slice_at(call, call.arrays[0], call.items[1:], call.operation.integers("slice_sizes"))


def _place_of(call: OpCall, item: Item) -> Array | Dim:
    """A number of rank 0: a size or a number that is known, or else an array."""
    if isinstance(item, Extents):
        return item.sizes[0]
    assert isinstance(item, Array), "a place is a tensor"
    known = call.number(item)
    return item if known is None else int(known)


def _within(start: Array | Dim, size: Dim, dim: Dim) -> Dim | None:
    """The clamped start of `size` elements of an axis; None if only the launch knows it."""
    if isinstance(start, Array):
        return None
    if isinstance(start, int) and isinstance(dim, int) and isinstance(size, int):
        return min(max(start, 0), dim - size)
    is_inside = at_least(start, 0).is_shown and at_most(start + size, dim).is_shown
    return start if is_inside else 0 if start == 0 else None


def _clamped(start: Array | Dim, room: Dim, tracer: Tracer) -> Array:
    return as_index(start if isinstance(start, Array) else number_of(start, I32, tracer), 0, room)


def slice_at(call: OpCall, x: Array, starts: Sequence[Item], sizes: Sequence[Dim]) -> Array:
    """`sizes` elements from clamped places that are numbers of rank 0."""
    for axis, (item, size, dim) in enumerate(zip(starts, sizes, x.type.dims, strict=True)):
        if size == dim:
            continue
        start = _place_of(call, item)
        first = _within(start, size, dim)
        if first is not None:
            begins, ends = list[Dim]([0] * x.type.rank), list(x.type.dims)
            begins[axis], ends[axis] = first, first + size
            x = sliced(x, begins, ends)
            continue
        place = _clamped(start, dim - size, call.tracer)
        steps = apply("convert", iota(call.tracer, 0, (size,)), target_type=place.type.element.name)
        x = apply("gather", x, apply("add", steps, place), axis=axis)
    return x


def _dynamic_update_slice(call: OpCall) -> Results:
    x, update = call.arrays[:2]
    return updated_from(call, x, update, call.items[2:])


def updated_from(call: OpCall, x: Array, update: Array, places: Sequence[Item]) -> Array:
    """An array with a block at a clamped place of numbers of rank 0."""
    dims, sizes = x.type.dims, update.type.dims
    if 0 in sizes:
        return x
    moved = [axis for axis, (size, dim) in enumerate(zip(sizes, dims, strict=True)) if size != dim]
    starts = {axis: _place_of(call, places[axis]) for axis in moved}
    first = _within(starts[moved[0]], sizes[moved[0]], dims[moved[0]]) if len(moved) == 1 else None
    if first is not None:
        return _between(x, update, moved[0], first)
    masks: list[Array] = []
    for axis in moved:
        start, size, dim = starts[axis], sizes[axis], dims[axis]
        place = _clamped(start, dim - size, call.tracer)
        steps = apply("convert", iota(call.tracer, 0, (dim,)), target_type=place.type.element.name)
        if size == 1:
            inside = apply("equal", steps, place)
        else:
            offset = apply("sub", steps, place)
            end = number_of(size, offset.type.element, call.tracer)
            inside = apply("logical_and", offset >= 0, apply("less", offset, end))
            update = apply("gather", update, as_index(offset, 0, size - 1), axis=axis)
        masks.append(in_dims(inside, (axis,), tuple([dim if at == axis else 1 for at in range(len(dims))])))
    if not masks:
        return update
    return apply("where", reduce(lambda a, b: apply("logical_and", a, b), masks), update, x)


def _between(x: Array, update: Array, axis: int, first: Dim) -> Array:
    """An array with a block from a known place along an axis on."""
    dims, size = x.type.dims, update.type.dims[axis]
    parts = [update]
    if first != 0:
        parts.insert(
            0, sliced(x, [0] * len(dims), [first if at == axis else dim for at, dim in enumerate(dims)])
        )
    if first + size != dims[axis]:
        begins: list[Dim] = [first + size if at == axis else 0 for at in range(len(dims))]
        parts.append(sliced(x, begins, dims))
    return apply("concat", *parts, axis=axis)


RULES: dict[str, Rule] = {
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
}
