"""StableHLO ops with a shape as an operand, which must be known: a constant, sizes, or the type of the
result; and the shape of a tensor."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import OpCall, Part, Results
from asmgen.frontends.tensors.stablehlo.shapes import counted, in_dims, padded_by, reshaped, sliced, stepped
from asmgen.frontends.tensors.stablehlo.turned import sliced_from
from asmgen.frontends.traced.array import Array
from asmgen.index.size import Sizes, number, numbers
from asmgen.ir.shapes import format_list
from asmgen.mlir.types import TensorType

Rule = Callable[[OpCall], Results]


def _shape(call: OpCall, number: int) -> Sizes:
    """The shape that an operand is: sizes, a constant, or the dims of the result if they are numbers."""
    item = call.items[number]
    if isinstance(item, Extents):
        return item.sizes
    given = call.numbers(item) if isinstance(item, Array) else None
    return call.type.dims if given is None else tuple([int(each) for each in given])


def _reshape(call: OpCall) -> Array:
    return reshaped(call.arrays[0], _shape(call, 1))


def _broadcast(call: OpCall) -> Array:
    x, dims = call.arrays[0], _shape(call, 1)
    axes = call.operation.integers("broadcast_dimensions")
    for axis, dim in zip(axes, x.type.dims, strict=True):
        if dim != 1:
            call.same(dim, dims[axis])
    return in_dims(x, axes, dims)


def _iota(call: OpCall) -> Array:
    return counted(call, call.operation.integer("iota_dimension"), _shape(call, 0))


def _pad(call: OpCall) -> Array:
    x, value = call.arrays[:2]
    low, high, interior = [call.known_sizes(operand) for operand in (2, 3, 4)]
    return padded_by(call, x, value, numbers(low), numbers(high), numbers(interior))


def _slice(call: OpCall) -> Array | Part:
    steps = call.known_sizes(3)
    part = sliced_from(call, call.arrays[0]) if set(steps) == {1} else None
    if part is not None:
        return part
    starts, ends, steps = [call.known_sizes(operand) for operand in (1, 2, 3)]
    return stepped(sliced(call.arrays[0], starts, ends), numbers(steps))


def _size(call: OpCall) -> Array:
    """The size of an axis that is a number."""
    (x,) = call.arrays
    size = number(x.type.dims[call.operation.integer("dimension")])
    return Array(call.tracer.number(size, call.type.element, call.operation.place), call.tracer)


def _shape_of(call: OpCall) -> Results:
    return [Extents(call.arrays[0].type.dims)]


def _checked(rule: Callable[[OpCall], Array | Part]) -> Rule:
    """A rule with a result that must have the dims that the type of the result states."""

    def checked(call: OpCall) -> Results:
        made = rule(call)
        if isinstance(made, Part):
            return [made]
        type_ = call.operation.results[0].type
        stated = type_.dims if isinstance(type_, TensorType) else ()
        for got, dim in zip(made.type.dims, stated, strict=True):
            if dim is not None and got != dim:
                call.refuse(f"the operands give {format_list(made.type.dims)}, wanted {type_}")
        return made

    return checked


RULES: dict[str, Rule] = {
    f"stablehlo.{name}": _checked(rule)
    for name, rule in {
        "dynamic_broadcast_in_dim": _broadcast, "dynamic_iota": _iota, "dynamic_pad": _pad,
        "dynamic_reshape": _reshape, "get_dimension_size": _size, "real_dynamic_slice": _slice,
    }.items()
} | {"shape.shape_of": _shape_of}  # fmt: skip
