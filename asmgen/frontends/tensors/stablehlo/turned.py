"""Slices of arrays with named dims from places that are numbers of the program.

x[k : k + n - 2]                  n - 2 rows from a computed place
concatenate(x[k:n], x[0:k])       n rows: x turned by k, as JAX writes `jnp.roll`
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import Item, OpCall, Part, Results
from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.tensors.stablehlo.blocks import slice_at
from asmgen.frontends.tensors.stablehlo.shapes import reshaped, sliced
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota
from asmgen.index.size import Dim, number
from asmgen.ir.types import I32
from asmgen.mlir.source import Ssa
from isa.diagnostics import InputError

JOINS = frozenset(["stablehlo.concatenate"])
"""The ops that take parts."""
_ADD = "stablehlo.add"


def check_whole(items: Sequence[Item]) -> None:
    """`InputError` TNS003 for a part that has no size."""
    for item in items:
        if isinstance(item, Part):
            name = item.operation.name
            message = f"{name}: the numbers of the program give its size along axis {item.axis}"
            help = "slice as many elements as a shape says, or join both parts of an array"
            raise InputError(item.operation.place, "TNS003", f"{message}, wanted a size", help=help)


def sliced_from(call: OpCall, x: Array) -> Array | Part | None:
    """A slice that ends as many elements after its start as a shape says, or a part of an array; None for any
    other slice."""
    start, end, _ = call.operation.operands[1:]
    if call.sizes(start) is not None and call.sizes(end) is not None:
        return None
    sizes = _added(call, start, end)
    starts, ends = _elements(call, start), _elements(call, end)
    if sizes is not None:
        return slice_at(call, x, starts, sizes.sizes)
    first = [_is(start, 0) for start in starts]
    last = [_is(end, dim) for end, dim in zip(ends, x.type.dims, strict=True)]
    cut = [axis for axis in range(x.type.rank) if not (first[axis] and last[axis])]
    if len(cut) != 1:
        return None
    (axis,) = cut
    place = ends[axis] if first[axis] else starts[axis]
    if not isinstance(place, Array) or not (first[axis] or last[axis]):
        return None
    return Part(x, axis, place, first[axis], call.operation)


def _is(item: Item, size: Dim) -> bool:
    return isinstance(item, Extents) and item.sizes == (size,)


def _added(call: OpCall, start: Ssa, end: Ssa) -> Extents | None:
    """The sizes that an end is more than a start."""
    sum_ = end.owner
    if sum_ is None or sum_.name != _ADD or start not in sum_.operands:
        return None
    first, second = sum_.operands
    return call.sizes(second if first is start else first)


def _elements(call: OpCall, value: Ssa) -> list[Extents | Array]:
    """The elements of a list: sizes, or numbers of the program of rank 0."""
    sizes = call.sizes(value)
    if sizes is not None:
        return [Extents((size,)) for size in sizes.sizes]
    owner = value.owner
    if owner is not None and owner.name in JOINS:
        return [element for operand in owner.operands for element in _elements(call, operand)]
    item = call.item(value)
    assert isinstance(item, Array), "a list of places is a tensor"
    return [reshaped(sliced(item, [at], [at + 1]), ()) for at in range(number(item.type.dims[0]))]


def _concatenate(call: OpCall) -> Results:
    along = call.operation.integer("dimension")
    turned = _turned(call, along)
    if turned is not None:
        return turned
    check_whole(call.items)
    parts = call.arrays
    for axis, dims in enumerate(zip(*[part.type.dims for part in parts], strict=True)):
        for dim in dims[1:] if axis != along else ():
            call.same(dims[0], dim)
    return parts[0] if len(parts) == 1 else apply("concat", *parts, axis=along)


def _turned(call: OpCall, axis: int) -> Array | None:
    """An array turned along an axis, of its two parts; None for any other operands."""
    if len(call.items) != 2:
        return None
    after, before = call.items
    if not isinstance(after, Part) or not isinstance(before, Part) or after.is_before or not before.is_before:
        return None
    is_same = call.definitions.is_equal(after.place.value, before.place.value)
    if after.x.value is not before.x.value or (after.axis, before.axis) != (axis, axis) or not is_same:
        return None
    x, place = after.x, after.place
    place = place if place.type.element is I32 else apply("convert", place, target_type="i32")
    size = x.type.dims[axis]
    count, later = number_of(size, I32, call.tracer), apply("add", iota(call.tracer, 0, (size,)), place)
    turned = apply("where", apply("less", later, count), later, apply("sub", later, count))
    return apply("gather", x, turned, axis=axis)


RULES: dict[str, Callable[[OpCall], Results]] = {"stablehlo.concatenate": _concatenate}
