"""Ops of the dialect tensor, and ops of bufferization that change no numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.linalg.gathers import along_axes
from asmgen.frontends.tensors.linalg.maps import flat_place
from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.stablehlo.blocks import as_index, slice_at, updated_from
from asmgen.frontends.tensors.stablehlo.indexing import Gather, gathered
from asmgen.frontends.tensors.stablehlo.known_places import taken_by
from asmgen.frontends.tensors.stablehlo.shapes import padded, padded_by, reshaped, stepped
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, spread
from asmgen.index.size import Dim, Sizes, numbers
from asmgen.ir.types import BOOL, I64
from asmgen.mlir.source import DYNAMIC
from asmgen.mlir.types import TensorType

Rule = Callable[[OpCall], Results]


def _empty(call: OpCall) -> Results:
    """Zeros: nothing reads numbers of an empty tensor."""
    number = False if call.element is BOOL else 0
    zero = Array(call.tracer.number(number, call.element, call.operation.place), call.tracer)
    return apply("multibroadcast", zero, out_lens=_dims(call))


def _dims(call: OpCall) -> Sizes:
    """The dims of the result; the dynamic dims are operands."""
    type_ = call.operation.results[0].type
    if not any(isinstance(item, Extents) for item in call.items) or not isinstance(type_, TensorType):
        return call.type.dims
    operands = iter([_size(call, item) for item in call.items])
    return tuple([next(operands) if dim is None else dim for dim in type_.dims])


def _size(call: OpCall, item: Item) -> Dim:
    known = call.number(item) if isinstance(item, Array) else None
    if known is None and not isinstance(item, Extents):
        call.refuse("a size is a number that the program computes, wanted a size of an operand")
    return item.sizes[0] if isinstance(item, Extents) else int(known or 0)


def _splat(call: OpCall) -> Results:
    return apply("multibroadcast", call.arrays[0], out_lens=call.type.dims)


def _from_elements(call: OpCall) -> Results:
    parts = [apply("unsqueeze", x, axes=(0,)) for x in call.arrays]
    whole = parts[0] if len(parts) == 1 else apply("concat", *parts, axis=0)
    return reshaped(whole, call.type.dims)


def _reshape(call: OpCall) -> Results:
    return reshaped(call.arrays[0], call.type.dims)


def _expand(call: OpCall) -> Results:
    """Axes become several axes. Sizes that only the launch knows are operands."""
    x, *sizes = call.items
    operands = iter(sizes)
    dims = tuple(
        [
            _size(call, next(operands)) if dim == DYNAMIC else dim
            for dim in call.operation.integers("static_output_shape")
        ]
    )
    assert isinstance(x, Array), "the operand is a tensor"
    return _with_axes(x, dims)


def _with_axes(x: Array, dims: Sizes) -> Array:
    """A reshape; dims of 1 that come or go need no division by a dim."""
    if [dim for dim in dims if dim != 1] != [dim for dim in x.type.dims if dim != 1]:
        return reshaped(x, dims)
    gone = tuple([axis for axis, dim in enumerate(x.type.dims) if dim == 1])
    new = tuple([axis for axis, dim in enumerate(dims) if dim == 1])
    x = apply("squeeze", x, axes=gone) if gone and x.type.dims != dims else x
    return apply("unsqueeze", x, axes=new) if new and x.type.dims != dims else x


def _collapse(call: OpCall) -> Results:
    """Several axes become an axis."""
    (x,) = call.arrays
    groups = call.operation.attributes["reassociation"]
    assert isinstance(groups, tuple), "the parser has verified the groups"
    dims: list[Dim] = []
    for group in groups:
        assert isinstance(group, tuple), "a group is a list of axes"
        size: Dim = 1
        for axis in group:
            assert isinstance(axis, int), "an axis is a number"
            size = size * x.type.dims[axis]
        dims.append(size)
    return _with_axes(x, tuple(dims))


def _concat(call: OpCall) -> Results:
    parts = call.arrays
    return parts[0] if len(parts) == 1 else apply("concat", *parts, axis=call.operation.integer("dim"))


def _same(call: OpCall) -> Results:
    return call.arrays[0]


def _static(call: OpCall, name: str) -> tuple[int, ...]:
    """A list of numbers; refuses operands in it."""
    given = call.operation.integers(name)
    if DYNAMIC in given:
        call.refuse(f"{name.partition('_')[2]} are operands, wanted numbers")
    return given


def _starts(call: OpCall, first: int) -> list[Array]:
    """The offsets of a slice as numbers of rank 0; those that are operands begin at operand `first`."""
    operands = iter(call.arrays[first:])
    place = call.operation.place
    return [
        next(operands) if start == DYNAMIC else Array(call.tracer.number(start, I64, place), call.tracer)
        for start in call.operation.integers("static_offsets")
    ]


def _extract_slice(call: OpCall) -> Results:
    x = call.arrays[0]
    sizes, strides = _static(call, "static_sizes"), _static(call, "static_strides")
    spans = [(size - 1) * stride + 1 if size else 0 for size, stride in zip(sizes, strides, strict=True)]
    part = stepped(slice_at(call, x, _starts(call, 1), spans), strides)
    return reshaped(part, call.type.dims)


def _insert_slice(call: OpCall) -> Results:
    part, x = call.arrays[:2]
    sizes, strides = _static(call, "static_sizes"), _static(call, "static_strides")
    part = reshaped(part, sizes)
    if all(stride == 1 for stride in strides):
        return updated_from(call, x, part, _starts(call, 2))
    offsets = _static(call, "static_offsets")
    interior = [stride - 1 for stride in strides]
    spans = [(size - 1) * stride + 1 for size, stride in zip(sizes, strides, strict=True)]
    after = [
        dim - start - span for dim, start, span in zip(numbers(x.type.dims), offsets, spans, strict=True)
    ]
    inside = padded(spread(True, part, BOOL), 0, offsets, after, interior)
    return apply("where", inside, padded(part, 0, offsets, after, interior), x)


def _extract(call: OpCall) -> Results:
    """An element; in a body for single elements, an element for each of them."""
    x, *indices = call.arrays
    if any(index.type.rank for index in indices):
        dims = numbers(x.type.dims)
        taken = along_axes(call, x, indices)
        if taken is not None:
            return taken
        places = [as_index(index, 0, dim - 1) for index, dim in zip(indices, dims, strict=True)]
        place = flat_place([apply("convert", each, target_type="i32") for each in places], dims)
        return taken_by(call, reshaped(x, (math.prod(dims),)), 0, place)
    return reshaped(slice_at(call, x, indices, (1,) * x.type.rank), ())


def _insert(call: OpCall) -> Results:
    number, x, *indices = call.arrays
    return updated_from(call, x, reshaped(number, (1,) * x.type.rank), indices)


def _pad(call: OpCall) -> Results:
    x = call.arrays[0]
    low, high = _static(call, "static_low"), _static(call, "static_high")
    (value,) = call.inline(call.operation.body, _indices(call))
    if not isinstance(value, Array) or value.type.rank:
        call.refuse("its body depends on the indices, wanted a number")
    return padded_by(call, x, value, low, high, (0,) * x.type.rank)


def _indices(call: OpCall) -> list[Array]:
    """The index along each axis of the result, with a dim of 1 along the others."""
    dims = call.type.dims
    shapes = [tuple([dim if at == axis else 1 for at, dim in enumerate(dims)]) for axis in range(len(dims))]
    return [
        apply("convert", iota(call.tracer, axis, shape), target_type="i64")
        for axis, shape in enumerate(shapes)
    ]


def _generate(call: OpCall) -> Results:
    (made,) = call.inline(call.operation.body, _indices(call))
    assert isinstance(made, Array), "a body has single elements"
    return (
        made if made.type.dims == call.type.dims else apply("multibroadcast", made, out_lens=call.type.dims)
    )


def _gather(call: OpCall) -> Results:
    """The axes of the slices come last; they may lack the axes that are chosen along."""
    x, starts = call.arrays
    chosen, dims = call.operation.integers("gather_dims"), numbers(x.type.dims)
    batches = starts.type.rank - 1
    collapsed = chosen if call.type.rank == batches + len(dims) - len(chosen) else ()
    sizes = tuple([1 if axis in chosen else dim for axis, dim in enumerate(dims)])
    offset = tuple(range(batches, call.type.rank))
    return gathered(call, x, starts, Gather(offset, collapsed, (), (), chosen, batches, sizes))


def _dim(call: OpCall) -> Results:
    x, axis = call.arrays
    known = call.number(axis)
    if known is None:
        call.refuse("the axis is not known when the program is read, wanted a constant")
    return Array(call.tracer.number(numbers(x.type.dims)[int(known)], I64, call.operation.place), call.tracer)


def _rank(call: OpCall) -> Results:
    return Array(call.tracer.number(call.arrays[0].type.rank, I64, call.operation.place), call.tracer)


RULES: dict[str, Rule] = {
    f"tensor.{name}": rule
    for name, rule in {
        "cast": _same, "collapse_shape": _collapse, "concat": _concat, "dim": _dim, "empty": _empty,
        "expand_shape": _expand, "extract": _extract, "extract_slice": _extract_slice,
        "from_elements": _from_elements, "gather": _gather, "generate": _generate, "insert": _insert,
        "insert_slice": _insert_slice, "pad": _pad, "rank": _rank, "reshape": _reshape, "splat": _splat,
    }.items()
} | {
    f"bufferization.{name}": rule
    for name, rule in {"alloc_tensor": _empty, "materialize_in_destination": _same}.items()
}  # fmt: skip
