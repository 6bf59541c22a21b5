"""Result types of ops that choose elements by data (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer import BROADCASTS, Types, fail, normal_axis, one_integer, tensors
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import Dims, broadcast_dims, format_list
from asmgen.ir.types import I32, I64, TensorType, tensor
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
