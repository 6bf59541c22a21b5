"""StableHLO ops with a shape as an operand, which must be known: a constant, sizes, or the type of the
result; and the shape of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.shapes import counted, in_dims, padded_by, reshaped, sliced, stepped
from asmgen.frontends.traced.array import Array
from asmgen.index.size import Sizes, number
from asmgen.ir.shapes import format_list
from asmgen.mlir.types import TensorType

Rule = Callable[[OpCall], Results]


def _known(call: OpCall, number: int) -> tuple[int, ...]:
    """The numbers of an operand."""
    item = call.items[number]
    given = call.computed(item) if isinstance(item, Array) else None
    if given is None:
        _unknown(call, number)
    return tuple([int(each) for each in given.reshape(-1)])


def _unknown(call: OpCall, number: int) -> NoReturn:
    call.refuse(f"operand {number + 1} is not known when the program is read, wanted a constant")


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
    low, high, interior = [_known(call, number) for number in (2, 3, 4)]
    return padded_by(call, x, value, low, high, interior)


def _ends(call: OpCall, number: int) -> Sizes:
    """An operand of sizes or of numbers."""
    item = call.items[number]
    return item.sizes if isinstance(item, Extents) else _known(call, number)


def _slice(call: OpCall) -> Array:
    steps = [dim if isinstance(dim, int) else _unknown(call, 3) for dim in _ends(call, 3)]
    return stepped(sliced(call.arrays[0], _ends(call, 1), _ends(call, 2)), steps)


def _size(call: OpCall) -> Array:
    """The size of an axis that is a number."""
    (x,) = call.arrays
    size = number(x.type.dims[call.operation.integer("dimension")])
    return Array(call.tracer.number(size, call.type.element, call.operation.place), call.tracer)


def _shape_of(call: OpCall) -> Results:
    return [Extents(call.arrays[0].type.dims)]


def _checked(rule: Callable[[OpCall], Array]) -> Rule:
    """A rule with a result that must have the dims that the type of the result states."""

    def checked(call: OpCall) -> Results:
        made = rule(call)
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
