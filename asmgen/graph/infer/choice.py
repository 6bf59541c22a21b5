"""Result types of ops that choose elements by data (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import (
    BROADCASTS,
    Types,
    check_element,
    fail,
    normal_axis,
    one_integer,
    tensors,
)
from asmgen.graph.infer.reduce import MOST_PLACES
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import Dims, broadcast_dims, format_list
from asmgen.ir.types import ELEMENT_TYPES, I32, I64, TensorType, tensor
from isa.diagnostics import Place


def gather(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    data, indices = tensors(op, types, place)
    _check_indices(op, indices, place)
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), data.rank, place)
    _check_some(op, data, indices, axis, place)
    return (tensor(data.element, data.dims[:axis] + indices.dims + data.dims[axis + 1 :]),)


def take_along_axis(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """Both operands have the same dims but for the axis, or dims of 1."""
    data, indices = tensors(op, types, place)
    _check_indices(op, indices, place)
    if data.rank != indices.rank:
        fail(op, place, "GEN302", f"operand 2 has {indices.rank} dims, wanted {data.rank} as operand 1 has")
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), data.rank, place)
    others = [(*dims[:axis], *dims[axis + 1 :]) for dims in (data.dims, indices.dims)]
    dims = broadcast_dims(tuple(others))
    if dims is None:
        shown = f"{format_list(data.dims)} and {format_list(indices.dims)}"
        fail(op, place, "GEN302", f"operands have shapes {shown}, wanted {BROADCASTS}, but for axis {axis}")
    result = tensor(data.element, (*dims[:axis], indices.dims[axis], *dims[axis:]))
    _check_some(op, data, result, axis, place)
    return (result,)


def chooses_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """Something to choose from."""
    data, indices = tensors(op, types, None)
    axis = normal_axis(op, one_integer(op, attributes, "axis", None), data.rank, None)
    return (data.dims[axis] - 1,) if indices.elements != 0 else ()


def _check_indices(op: Op, indices: TensorType, place: Place | None) -> None:
    if indices.element not in (I32, I64):
        fail(op, place, "GEN301", f"operand 2 has type {indices.element}, wanted i32 or i64")


def _check_some(op: Op, data: TensorType, chosen: TensorType, axis: int, place: Place | None) -> None:
    if data.dims[axis] == 0 and chosen.elements != 0:
        fail(op, place, "GEN302", f"axis {axis} of operand 1 has size 0, wanted something to gather from")


def one_hot(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """A new axis of `depth` elements."""
    (indices,) = tensors(op, types, place)
    check_element(op, indices, 0, place)
    depth = one_integer(op, attributes, "depth", place)
    if not 0 <= depth <= MOST_PLACES:
        fail(op, place, "GEN303", f"depth is {depth}, wanted 0 to {MOST_PLACES}")
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), indices.rank + 1, place)
    element = ELEMENT_TYPES[str(attributes["target_type"])]
    return (tensor(element, (*indices.dims[:axis], depth, *indices.dims[axis:])),)


def class_axis(rank: int) -> int:
    """The axis of the classes."""
    return min(1, rank - 1)


def nll_loss(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """A loss for each target, or their sum or mean."""
    x, target, *weight = tensors(op, types, place)
    check_element(op, x, 0, place)
    _check_indices(op, target, place)
    if x.rank == 0:
        fail(op, place, "GEN302", "operand 1 has no dims, wanted a dim of classes")
    axis = class_axis(x.rank)
    wanted = (*x.dims[:axis], *x.dims[axis + 1 :])
    if target.dims != wanted:
        shown = f"operand 2 has shape {format_list(target.dims)}, wanted {format_list(wanted)}"
        fail(op, place, "GEN302", f"{shown} as operand 1 has without axis {axis} of the classes")
    for each in weight:
        if each.element is not x.element:
            fail(
                op, place, "GEN301", f"operand 3 has type {each.element}, wanted {x.element} as operand 1 has"
            )
        if each.dims != (x.dims[axis],):
            wanted = format_list((x.dims[axis],))
            fail(op, place, "GEN302", f"operand 3 has shape {format_list(each.dims)}, wanted {wanted}")
    ignored = one_integer(op, attributes, "ignore_index", place)
    low, high = integer_range(target.element)
    if not low <= ignored <= high:
        fail(op, place, "GEN303", f"ignore_index is {ignored}, wanted a number of {target.element}")
    _check_some(op, x, target, axis, place)
    return (tensor(x.element, target.dims if attributes["reduction"] == "none" else ()),)


def nll_loss_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """A class."""
    x, target, *_ = tensors(op, types, None)
    return (x.dims[class_axis(x.rank)] - 1,) if target.elements != 0 else ()
